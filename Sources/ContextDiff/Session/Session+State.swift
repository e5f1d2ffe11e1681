// What a session says of itself, for whoever lists sessions.

extension Session {
  /// How a session came to know its host's window.
  enum WindowSource: Int, Sendable {
    /// It does not know it yet.
    case assumed
    /// From what the host shows.
    case learnt
    /// It was told.
    case told
  }

  /// How the host cuts its text, as it was last told, or as it was learnt so far; `nil` where neither
  /// says anything.
  public var hostWindow: Window? {
    switch windowSource {
    case .assumed: nil
    case .learnt: belief.window
    case .told: toldWindow ?? window
    }
  }

  /// Whether `hostWindow` was learnt rather than told.
  public var isWindowLearnt: Bool { windowSource == .learnt }

  /// How many announced edits wait.
  public var expecting: Int { expected.entries.count }
}
