/// A host as it shows itself through a front end.
struct Host: Sendable, Equatable {
  var frontEnd: FrontEnd
  var toolkit: Toolkit?

  /// What the host's offsets count.
  var unit: OffsetUnit {
    switch frontEnd {
    case .wayland: .bytes
    case .android: .utf16
    // Qt's client passes on offsets of its UTF-16 QString.
    case .ibus: toolkit == .qt ? .utf16 : .scalars
    case .fcitx5, .fcitx5Wayland, .atspi: .scalars
    }
  }

  var isWayland: Bool { frontEnd == .wayland || frontEnd == .fcitx5Wayland }

  /// How the host cuts its text, once repaired; `nil` where that is to be learnt.
  var window: Window? {
    switch frontEnd {
    case .android, .atspi: return .full
    case .ibus, .fcitx5, .fcitx5Wayland, .wayland: break
    }
    switch toolkit {
    case .gtk3, .qt, .firefox: return .line
    case .gtk4: return .full
    case .chromium, nil: return nil
    }
  }

  /// Whether it never reports what is selected.
  var hidesSelections: Bool {
    switch toolkit {
    case .firefox: true
    case .gtk3: isWayland
    case .gtk4, .qt, .chromium, nil: false
    }
  }

  /// Whether, after the focus has come to another field, it reports the text of the former field once more.
  var holdsOldFieldsText: Bool { frontEnd == .ibus }

  /// Whether, after a commit, it first shows the old text with the new caret, and then the new text.
  var showsCaretFirst: Bool { toolkit == .firefox }

  /// Whether a reset says that nobody typed; Firefox resets its input method at nearly every key.
  var resetsTell: Bool { toolkit != .firefox }

  /// Whether the offsets are places in the whole document.
  var showsDocument: Bool { frontEnd == .atspi }
}
