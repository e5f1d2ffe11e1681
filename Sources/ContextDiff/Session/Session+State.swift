// What a session says of itself, for whoever lists sessions.

extension Session {
  /// How the host cuts its text, as last told or else as learnt so far; `nil` where it was not told, and
  /// fewer than ten pairs changed anything.
  public var hostWindow: Window? {
    toldWindow ?? (windowBelief.isLearnt ? windowBelief.window : nil)
  }

  /// Whether `hostWindow` was learnt rather than told.
  public var isWindowLearnt: Bool { toldWindow == nil && windowBelief.isLearnt }

  /// How many announced edits wait.
  public var expecting: Int { expected.announcements.count }
}
