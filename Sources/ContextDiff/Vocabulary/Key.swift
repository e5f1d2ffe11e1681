/// The key that went to the host between two snapshots, for input methods that see keys.
///
/// It is evidence, not proof: a host binds keys as it likes.
public enum Key: String, Sendable, CaseIterable {
  /// Nobody pressed one: a pointer, a menu or another program did what was done.
  case unpressed = "none"
  /// A key that types text.
  case character
  /// Return or Enter.
  case `return`
  /// The key that erases left of the caret.
  case backspace
  /// The key that erases right of the caret.
  case delete
  /// An arrow, Home, End, Page Up or Page Down, with any modifiers.
  case caret
  /// Any other key with Ctrl, Alt or Super held. In a session that was once given one of the four below it
  /// hardly ever undoes or redoes, and seldom cuts or pastes.
  case shortcut
  /// A shortcut that undoes in nearly every program: Ctrl+Z, the key named Undo.
  case undo
  /// A shortcut that redoes: Ctrl+Shift+Z, Ctrl+Y, the key named Redo.
  case redo
  /// A shortcut that cuts: Ctrl+X, Shift+Delete, the key named Cut.
  case cut
  /// A shortcut that pastes: Ctrl+V, Ctrl+Shift+V, Shift+Insert, the key named Paste.
  case paste

  /// Whether it is a shortcut, named or not.
  var isShortcut: Bool {
    switch self {
    case .shortcut, .undo, .redo, .cut, .paste: true
    case .unpressed, .character, .return, .backspace, .delete, .caret: false
    }
  }

  /// Whether it is a named shortcut: undo, redo, cut or paste.
  var isNamedShortcut: Bool { isShortcut && self != .shortcut }

  /// Whether it deletes text, and inserts none.
  var erases: Bool { self == .backspace || self == .delete }

  /// Whether the host, not the input method, makes the edit: the key erases, or is a shortcut.
  var isHostsEdit: Bool { isShortcut || erases }

  /// Whether its client names it as one that undoes or redoes.
  var retraces: Bool { self == .undo || self == .redo }

  /// Whether it may undo or redo.
  var mayRetrace: Bool { self == .shortcut || retraces }

  /// Whether it may paste.
  var mayPaste: Bool { self == .shortcut || self == .paste }
}

extension Key? {
  /// Whether no key went to the host, as far as is known.
  var mayBeNone: Bool { self == nil || self == .unpressed }

  /// Whether a key that erases is known to have gone to the host.
  var erases: Bool { self?.erases ?? false }

  /// Whether a key is known to have gone to the host that erases, or is a shortcut.
  var isHostsEdit: Bool { self?.isHostsEdit ?? false }
}
