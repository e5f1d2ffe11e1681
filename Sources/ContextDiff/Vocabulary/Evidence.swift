/// How a host cuts the text that it shows.
public enum Window: String, Sendable, CaseIterable {
  /// One sentence, with rules for line breaks (iOS before 16).
  case sentence
  /// As `sentence`, but `before` may hold earlier lines too (iOS 16 and later).
  case paragraph
  /// The caret's line, or block, and nothing of its neighbours (GTK 3, Qt and Firefox on Linux): no
  /// newline is ever shown, nor whether there is a line above or below.
  case line
  /// A plain cut anywhere, line breaks included (GTK 4, Wayland, Android).
  case full
}

/// Who the host says made a change (the change cause of text-input-v3).
public enum Cause: String, Sendable, CaseIterable {
  /// The input method.
  case inputMethod
  /// Anything else: the person, the application.
  case other
}

/// The key that went to the host between two snapshots, for input methods that see keys.
///
/// It is evidence, not proof: a host binds keys as it likes.
public enum Key: String, Sendable, CaseIterable {
  /// Nobody pressed one: a pointer, a menu or another program did what was done.
  ///
  /// Written `Key.none`: `.none` of an optional key says that it is not known.
  case none
  /// One that types text.
  case character
  /// Return or Enter.
  case `return`
  /// The one that takes away what is left of the caret.
  case backspace
  /// The one that takes away what is right of the caret.
  case delete
  /// An arrow, Home, End or Page, with whatever else is held.
  case caret
  /// Any other with Ctrl, Alt or Super held; in a session that was told one of the four below, none of them.
  case shortcut
  /// A shortcut that takes back in nearly every program: Ctrl+Z, the key named Undo.
  case undo
  /// One that does again: Ctrl+Shift+Z, Ctrl+Y, the key named Redo.
  case redo
  /// One that cuts: Ctrl+X, Shift+Delete, the key named Cut.
  case cut
  /// One that pastes: Ctrl+V, Ctrl+Shift+V, Shift+Insert, the key named Paste.
  case paste

  /// Whether it is a command, whichever.
  var isShortcut: Bool {
    switch self {
    case .shortcut, .undo, .redo, .cut, .paste: true
    case .none, .character, .return, .backspace, .delete, .caret: false
    }
  }

  /// Whether it says which command it is.
  var isNamedShortcut: Bool { isShortcut && self != .shortcut }

  /// Whether it changes text by what the host does: it erases, or is a command.
  var isHostsEdit: Bool { isShortcut || self == .backspace || self == .delete }

  /// Whether it may take back, or do again.
  var mayRetrace: Bool { self == .shortcut || self == .undo || self == .redo }

  /// Whether it may paste.
  var mayPaste: Bool { self == .shortcut || self == .paste }
}

/// How much of the old snapshot's text is still being composed.
public struct Composition: Sendable, Hashable {
  /// The length left of the caret, in scalars.
  public var before: Int
  /// The length right of the caret, in scalars.
  public var after: Int

  /// A composition that reaches `before` scalars left and `after` scalars right of the caret; a
  /// negative length counts as 0.
  public init(before: Int, after: Int) {
    self.before = before
    self.after = after
  }
}

/// What a client knows of a change besides its text; what is left out is not known.
public struct Evidence: Sendable, Hashable {
  /// How the host cuts its text; where it was not told, a session goes by what it knows of its
  /// host, and a single pair is taken for `sentence`, or for `full` where it shows line breaks that
  /// no sentence has.
  public var window: Window?
  /// What was being composed in the old snapshot.
  ///
  /// While there is a preedit that the host does not show as text, as with IBus, fcitx5 and Wayland, it reaches 0
  /// scalars left and right. Left out, nothing is composed, and `Transition.leavesComposition` is `nil`.
  public var composition: Composition?
  /// Who the host says made the change.
  public var cause: Cause?
  /// The key that went to the host between the two snapshots.
  public var key: Key?
  /// Whether several acts may lie between the two.
  public var merged: Bool
  /// Whether the host reset its input method between the two, so that nobody just typed.
  public var reset: Bool

  /// What is given.
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
