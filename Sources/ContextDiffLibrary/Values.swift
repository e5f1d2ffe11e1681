internal import CContextDiff
internal import ContextDiff

// The header's enumerations and the engine's. `told` makes the engine's value of a caller's number, and throws for one
// that the header does not have; `number` makes the header's of the engine's value.

extension Window {
  /// The window; `nil` for `CONTEXTDIFF_WINDOW_NOT_TOLD`.
  static func told(_ window: contextdiff_window) throws(Failure) -> Window? {
    switch window {
    case CONTEXTDIFF_WINDOW_NOT_TOLD: nil
    case CONTEXTDIFF_WINDOW_SENTENCE: .sentence
    case CONTEXTDIFF_WINDOW_PARAGRAPH: .paragraph
    case CONTEXTDIFF_WINDOW_LINE: .line
    case CONTEXTDIFF_WINDOW_FULL: .full
    default: throw .invalid("window: no window \(window.rawValue)")
    }
  }

  var number: contextdiff_window {
    switch self {
    case .sentence: CONTEXTDIFF_WINDOW_SENTENCE
    case .paragraph: CONTEXTDIFF_WINDOW_PARAGRAPH
    case .line: CONTEXTDIFF_WINDOW_LINE
    case .full: CONTEXTDIFF_WINDOW_FULL
    }
  }
}

extension Cause {
  /// The cause; `nil` for `CONTEXTDIFF_CAUSE_NOT_TOLD`.
  static func told(_ cause: contextdiff_cause) throws(Failure) -> Cause? {
    switch cause {
    case CONTEXTDIFF_CAUSE_NOT_TOLD: nil
    case CONTEXTDIFF_CAUSE_INPUT_METHOD: .inputMethod
    case CONTEXTDIFF_CAUSE_OTHER: .other
    default: throw .invalid("cause: no cause \(cause.rawValue)")
    }
  }
}

extension Key {
  /// The key; `nil` for `CONTEXTDIFF_KEY_NOT_TOLD`.
  static func told(_ key: contextdiff_key) throws(Failure) -> Key? {
    switch key {
    case CONTEXTDIFF_KEY_NOT_TOLD: nil
    case CONTEXTDIFF_KEY_NONE: .unpressed
    case CONTEXTDIFF_KEY_CHARACTER: .character
    case CONTEXTDIFF_KEY_RETURN: .return
    case CONTEXTDIFF_KEY_BACKSPACE: .backspace
    case CONTEXTDIFF_KEY_DELETE: .delete
    case CONTEXTDIFF_KEY_CARET: .caret
    case CONTEXTDIFF_KEY_SHORTCUT: .shortcut
    case CONTEXTDIFF_KEY_UNDO: .undo
    case CONTEXTDIFF_KEY_REDO: .redo
    case CONTEXTDIFF_KEY_CUT: .cut
    case CONTEXTDIFF_KEY_PASTE: .paste
    default: throw .invalid("key: no key \(key.rawValue)")
    }
  }

  var number: contextdiff_key {
    switch self {
    case .unpressed: CONTEXTDIFF_KEY_NONE
    case .character: CONTEXTDIFF_KEY_CHARACTER
    case .return: CONTEXTDIFF_KEY_RETURN
    case .backspace: CONTEXTDIFF_KEY_BACKSPACE
    case .delete: CONTEXTDIFF_KEY_DELETE
    case .caret: CONTEXTDIFF_KEY_CARET
    case .shortcut: CONTEXTDIFF_KEY_SHORTCUT
    case .undo: CONTEXTDIFF_KEY_UNDO
    case .redo: CONTEXTDIFF_KEY_REDO
    case .cut: CONTEXTDIFF_KEY_CUT
    case .paste: CONTEXTDIFF_KEY_PASTE
    }
  }
}

extension Edit.Unit {
  static func told(_ unit: contextdiff_unit) throws(Failure) -> Edit.Unit {
    switch unit {
    case CONTEXTDIFF_UNIT_GRAPHEMES: .graphemes
    case CONTEXTDIFF_UNIT_SCALARS: .scalars
    case CONTEXTDIFF_UNIT_UTF16: .utf16
    case CONTEXTDIFF_UNIT_BYTES: .bytes
    case CONTEXTDIFF_UNIT_BACKSPACE: .backspace
    default: throw .invalid("edit.unit: no unit \(unit.rawValue)")
    }
  }
}

extension FrontEnd {
  static func told(_ frontEnd: contextdiff_front_end) throws(Failure) -> FrontEnd {
    switch frontEnd {
    case CONTEXTDIFF_FRONT_END_IBUS: .ibus
    case CONTEXTDIFF_FRONT_END_FCITX5: .fcitx5
    case CONTEXTDIFF_FRONT_END_WAYLAND: .wayland
    case CONTEXTDIFF_FRONT_END_ANDROID: .android
    case CONTEXTDIFF_FRONT_END_ATSPI: .atspi
    case CONTEXTDIFF_FRONT_END_FCITX5_WAYLAND: .fcitx5Wayland
    default: throw .invalid("front_end: no front end \(frontEnd.rawValue)")
    }
  }
}

extension Toolkit {
  /// The toolkit; `nil` for `CONTEXTDIFF_TOOLKIT_UNKNOWN`.
  static func told(_ toolkit: contextdiff_toolkit) throws(Failure) -> Toolkit? {
    switch toolkit {
    case CONTEXTDIFF_TOOLKIT_UNKNOWN: nil
    case CONTEXTDIFF_TOOLKIT_GTK3: .gtk3
    case CONTEXTDIFF_TOOLKIT_GTK4: .gtk4
    case CONTEXTDIFF_TOOLKIT_QT: .qt
    case CONTEXTDIFF_TOOLKIT_FIREFOX: .firefox
    case CONTEXTDIFF_TOOLKIT_CHROMIUM: .chromium
    default: throw .invalid("toolkit: no toolkit \(toolkit.rawValue)")
    }
  }
}

extension Toolkit? {
  var number: contextdiff_toolkit {
    switch self {
    case .gtk3: CONTEXTDIFF_TOOLKIT_GTK3
    case .gtk4: CONTEXTDIFF_TOOLKIT_GTK4
    case .qt: CONTEXTDIFF_TOOLKIT_QT
    case .firefox: CONTEXTDIFF_TOOLKIT_FIREFOX
    case .chromium: CONTEXTDIFF_TOOLKIT_CHROMIUM
    case nil: CONTEXTDIFF_TOOLKIT_UNKNOWN
    }
  }
}

extension Certainty {
  var number: contextdiff_certainty {
    switch self {
    case .certain: CONTEXTDIFF_CERTAIN
    case .likely: CONTEXTDIFF_LIKELY
    }
  }
}

extension Kind {
  /// The kind with that number; `nil` where it is none's.
  init?(number: contextdiff_kind) {
    guard let kind = Kind.allCases.first(where: { $0.number == number }) else { return nil }
    self = kind
  }

  var number: contextdiff_kind {
    switch self {
    case .unchanged: CONTEXTDIFF_KIND_UNCHANGED
    case .cursorMove: CONTEXTDIFF_KIND_CURSOR_MOVE
    case .selection: CONTEXTDIFF_KIND_SELECTION
    case .deselection: CONTEXTDIFF_KIND_DESELECTION
    case .lineSelection: CONTEXTDIFF_KIND_LINE_SELECTION
    case .lineDeselection: CONTEXTDIFF_KIND_LINE_DESELECTION
    case .cut: CONTEXTDIFF_KIND_CUT
    case .paste: CONTEXTDIFF_KIND_PASTE
    case .outOfRangeTap: CONTEXTDIFF_KIND_OUT_OF_RANGE_TAP
    case .insertion: CONTEXTDIFF_KIND_INSERTION
    case .deletion: CONTEXTDIFF_KIND_DELETION
    case .replacement: CONTEXTDIFF_KIND_REPLACEMENT
    case .undo: CONTEXTDIFF_KIND_UNDO
    case .redo: CONTEXTDIFF_KIND_REDO
    case .submission: CONTEXTDIFF_KIND_SUBMISSION
    case .windowShift: CONTEXTDIFF_KIND_WINDOW_SHIFT
    case .expected: CONTEXTDIFF_KIND_EXPECTED
    }
  }
}

extension contextdiff_answer {
  init(_ value: Bool) { self = value ? CONTEXTDIFF_YES : CONTEXTDIFF_NO }
  init(_ value: Bool?) { self = value.map { contextdiff_answer($0) } ?? CONTEXTDIFF_NOT_TOLD }
}
