extension Key {
  /// The class of a key that goes to the host; `nil` for keys that are of no class (Escape, a
  /// function key) or do nothing to a text by themselves (a modifier, a dead key).
  ///
  /// - Parameters:
  ///   - keysym: Its X11 keysym: IBus's keyval, fcitx5's `Key::sym()`, xkbcommon's `xkb_keysym_t`.
  ///   - modifiers: What is held, as X11, GDK, IBus and fcitx5 number it: Control 4, Mod1 8, Mod4
  ///     0x40.
  public init?(keysym: UInt32, modifiers: UInt32) {
    guard case .key(let key) = KeyPress(keysym: keysym, modifiers: modifiers) else { return nil }
    self = key
  }
}
