/// What a client knows of a change besides its text; `nil`, but for `composition`, says that it is not known.
public struct Evidence: Sendable, Hashable {
  /// How the host cuts its text.
  ///
  /// Where it is `nil`, a session goes by what it was told last, or else by what its host showed, and a single pair is
  /// read as `sentence`, or as `full` where it shows line breaks that no sentence has. A session that was once told
  /// keeps to that (told `full`, it may still learn that the host shows a line): to learn any window, begin a new one.
  public var window: Window?
  /// What was being composed in the old snapshot.
  ///
  /// A preedit that the host does not show as text (IBus, fcitx5, Wayland) reaches 0 scalars left and right.
  /// `nil`: nothing is composed, and `Transition.leavesComposition` is `nil`.
  public var composition: Composition?
  /// Who the host says made the change.
  public var cause: Cause?
  /// The key that went to the host between the two snapshots.
  public var key: Key?
  /// Whether several acts may lie between the two snapshots.
  public var merged: Bool
  /// Whether the host reset its input method between the two: then nobody just typed.
  public var reset: Bool

  /// Evidence of the values given.
  public init(
    window: Window? = nil, composition: Composition? = nil, cause: Cause? = nil, key: Key? = nil,
    merged: Bool = false, reset: Bool = false
  ) {
    self.window = window
    self.composition = composition
    self.cause = cause
    self.key = key
    self.merged = merged
    self.reset = reset
  }
}
