/// The interface through which a host's text reaches an input method.
public enum FrontEnd: String, Sendable, CaseIterable {
  /// IBus's `set_surrounding_text`.
  case ibus
  /// fcitx5's `SurroundingText`, from its D-Bus front end.
  case fcitx5
  /// fcitx5's `SurroundingText`, from its Wayland front end.
  case fcitx5Wayland
  /// The `surrounding_text` of input-method-v2 and text-input-v3.
  case wayland
  /// `InputConnection`'s `ExtractedText`.
  case android
  /// The Text interface of AT-SPI: the whole document.
  case atspi
}
