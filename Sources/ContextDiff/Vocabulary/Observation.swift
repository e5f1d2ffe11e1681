/// How a host cuts the text that it shows (MODEL, part 1).
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
  /// Any other with Ctrl, Alt or Super held.
  case shortcut
  /// A shortcut that takes back in nearly every program: Ctrl+Z, the key named Undo.
  case undo
  /// One that does again: Ctrl+Shift+Z, Ctrl+Y, the key named Redo.
  case redo
  /// One that cuts: Ctrl+X, Shift+Delete, the key named Cut.
  case cut
  /// One that pastes: Ctrl+V, Shift+Insert, the key named Paste.
  case paste

  /// Whether it is a command, whichever.
  var isShortcut: Bool {
    switch self {
    case .shortcut, .undo, .redo, .cut, .paste: true
    case .none, .character, .return, .backspace, .delete, .caret: false
    }
  }

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

/// A pair of snapshots, with what else the client knows of the change.
public struct Observation: Sendable {
  /// The snapshot before the change.
  public var old: Snapshot
  /// The snapshot after the change.
  public var new: Snapshot
  /// How the host cuts its text; `nil` where that was not told: then a single pair is taken for
  /// `sentence`, and a session goes by what it knows of its host.
  public var window: Window?
  /// The pasteboard's text at the time of `new`; `nil` where it is not known, `""` is known.
  public var pasteboard: String?
  /// What was being composed in `old`.
  public var composition: Composition?
  /// Who the host says made the change.
  public var cause: Cause?
  /// The key that went to the host between the two; `nil` where that is not known.
  public var key: Key?
  /// Whether several acts may lie between the two.
  public var merged: Bool
  /// Whether the host reset its input method between the two, so that nobody just typed.
  public var reset: Bool

  /// The pair `old`, `new`; what is left out is not known.
  public init(
    old: Snapshot, new: Snapshot, window: Window? = nil, pasteboard: String? = nil,
    composition: Composition? = nil, cause: Cause? = nil, key: Key? = nil, merged: Bool = false,
    reset: Bool = false
  ) {
    self.old = old
    self.new = new
    self.window = window
    self.pasteboard = pasteboard
    self.composition = composition
    self.cause = cause
    self.key = key
    self.merged = merged
    self.reset = reset
  }
}

/// An observation, borrowed: its text is UTF-8 that somebody else owns, valid for the time of one
/// call.
@usableFromInline package struct LentObservation: ~Copyable {
  @usableFromInline package var old: Fields
  @usableFromInline package var new: Fields
  @usableFromInline package var window: Window?
  @usableFromInline package var pasteboard: Field
  @usableFromInline package var composition: Composition?
  @usableFromInline package var cause: Cause?
  @usableFromInline package var key: Key?
  @usableFromInline package var merged: Bool
  @usableFromInline package var reset: Bool

  @inlinable package init(
    old: Fields, new: Fields, window: Window?, pasteboard: Field = .hidden,
    composition: Composition? = nil, cause: Cause? = nil, key: Key? = nil, merged: Bool = false,
    reset: Bool = false
  ) {
    self.old = old
    self.new = new
    self.window = window
    self.pasteboard = pasteboard
    self.composition = composition
    self.cause = cause
    self.key = key
    self.merged = merged
    self.reset = reset
  }
}

extension Observation {
  /// Lends the observation's UTF-8 to `body`.
  func lend<Result>(to body: (borrowing LentObservation) -> Result) -> Result {
    // Taken out first: a closure would copy the whole observation to hold it.
    let (oldBefore, oldSelected, oldAfter) = old.texts
    let (newBefore, newSelected, newAfter) = new.texts
    let pasted = pasteboard ?? ""
    var lent = LentObservation(
      old: old.shape, new: new.shape, window: window,
      pasteboard: Field(.empty, isShown: pasteboard != nil), composition: composition,
      cause: cause, key: key, merged: merged, reset: reset)
    return lent.old.lend(oldBefore.utf8.span, oldSelected.utf8.span, oldAfter.utf8.span) {
      lent.old = $0
      return lent.new.lend(newBefore.utf8.span, newSelected.utf8.span, newAfter.utf8.span) {
        lent.new = $0
        return pasted.withBytes {
          lent.pasteboard = Field($0, isShown: lent.pasteboard.isShown)
          return body(lent)
        }
      }
    }
  }
}
