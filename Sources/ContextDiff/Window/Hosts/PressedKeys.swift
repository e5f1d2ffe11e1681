/// The keys that went to the host since the last report.
struct PressedKeys: Sendable {
  private enum Pressed: Sendable {
    case none
    case one(Key)
    case several
  }

  private var pressed = Pressed.none
  /// Whether the input method sees keys at all.
  private var areSeen = false

  /// The key, which may have gone several times if it is no shortcut and not Return; `nil` where keys are not seen,
  /// where different ones went, or one that may do anything.
  var key: Key? {
    switch pressed {
    case .none: areSeen ? .unpressed : nil
    case .one(let key): key
    case .several: nil
    }
  }

  /// Whether no key went to the host.
  var areNone: Bool { if case .none = pressed { true } else { false } }

  private(set) var areMerged = false

  mutating func add(_ press: KeyPress) {
    areSeen = true
    switch (press, pressed) {
    case (.nothing, _): break
    case (.key(let key), .none): pressed = .one(key)
    // The same key held down, or typed faster than the host reports.
    case (.key(let key), .one(let last))
    where key == last && !key.isShortcut && key != .return:
      break
    case (.anything, .none): pressed = .several
    case (_, _):
      pressed = .several
      areMerged = true
    }
  }

  mutating func forget() {
    pressed = .none
    areMerged = false
  }
}
