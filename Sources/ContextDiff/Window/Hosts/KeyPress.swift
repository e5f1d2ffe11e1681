/// What a key press may do to a text.
enum KeyPress: Equatable {
  /// Nothing: a modifier, a lock, a dead key.
  case nothing
  /// Anything: Escape, a function key.
  case anything
  case key(Key)

  /// By an X11 keysym and the modifiers held.
  init(keysym: UInt32, modifiers: UInt32) {
    let isControlAlone =
      modifiers & (KeyPress.commandModifiers | KeyPress.shift) == KeyPress.control
    switch keysym {
    // Modifiers and locks; ISO's level shifts and locks; dead keys; Multi_key, Num and Scroll Lock.
    case 0xFFE1...0xFFEE, 0xFE01...0xFE13, 0xFE50...0xFE93, 0xFF20, 0xFF7F, 0xFF14, 0xFF7E:
      self = .nothing
    // Home to Begin, and the same on the keypad.
    case 0xFF50...0xFF58, 0xFF95...0xFF9D: self = .key(.caret)
    // The keys named Undo, Redo, Cut, Paste and Copy.
    case 0xFF65: self = .key(.undo)
    case 0xFF66: self = .key(.redo)
    case 0x1008_FF58: self = .key(.cut)
    case 0x1008_FF6D: self = .key(.paste)
    case 0x1008_FF57: self = .key(.shortcut)
    // Control with Backspace, or without Shift with Delete, takes a word away.
    case 0xFF08 where modifiers & KeyPress.commandModifiers == KeyPress.control:
      self = .key(.backspace)
    case 0xFFFF where isControlAlone, 0xFF9F where isControlAlone: self = .key(.delete)
    case _ where modifiers & KeyPress.commandModifiers != 0:
      self = .key(KeyPress.command(keysym, modifiers))
    // Shift with Insert pastes, and with Delete it cuts.
    case 0xFF63, 0xFF9E: self = modifiers & KeyPress.shift != 0 ? .key(.paste) : .anything
    case 0xFFFF, 0xFF9F: self = .key(modifiers & KeyPress.shift != 0 ? .cut : .delete)
    case 0xFF0D, 0xFF8D, 0xFF0A, 0xFE34: self = .key(.return)
    case 0xFF08: self = .key(.backspace)
    // Tab; the keypad's characters; Latin 1; the other old sets; Unicode.
    case 0xFF09, 0xFF80, 0xFFAA...0xFFB9, 0xFFBD, 0x20...0x7E, 0xA0...0xFCFF,
      0x0100_0100...0x0110_FFFF:
      self = .key(.character)
    default: self = .anything
    }
  }

  /// The shortcut that a key makes with Control, Alt or Super held.
  ///
  /// GTK, Qt, Firefox, Chromium and the desktops' own programs agree on Control with X, Y, Z and V.
  private static func command(_ keysym: UInt32, _ modifiers: UInt32) -> Key {
    guard modifiers & commandModifiers == control else { return .shortcut }
    let withShift = modifiers & shift != 0
    return switch latin(keysym) | 0x20 {
    case 0x7A: withShift ? .redo : .undo
    case 0x79 where !withShift: .redo
    case 0x78 where !withShift: .cut
    // With Shift it pastes without formatting.
    case 0x76: .paste
    default: .shortcut
    }
  }

  /// The Latin letter on a key that types another script: programs know their shortcuts by it.
  ///
  /// Only for X, Y, Z and V, on the usual layout of each script (xkeyboard-config's ru, gr, il and ara); any other
  /// keysym is returned as it is.
  private static func latin(_ keysym: UInt32) -> UInt32 {
    switch keysym {
    // Я, Ζ, ז, ئ
    case 0x6D1, 0x6F1, 0x7E6, 0x7C6, 0xCE6, 0x5C6: 0x7A
    // Н, Υ, ט, غ
    case 0x6CE, 0x6EE, 0x7F5, 0x7D5, 0xCE8, 0x5DA: 0x79
    // Ч, Χ, ס, ء
    case 0x6DE, 0x6FE, 0x7F7, 0x7D7, 0xCF1, 0x5C1: 0x78
    // М, Ω, ה, ر
    case 0x6CD, 0x6ED, 0x7F9, 0x7D9, 0xCE4, 0x5D1: 0x76
    default: keysym
    }
  }

  private static let shift: UInt32 = 0x1
  private static let control: UInt32 = 0x4

  /// Control, Alt and Super, and the virtual Super, Hyper and Meta of GDK, IBus and fcitx5.
  ///
  /// Not the level shifts (AltGr): what they type is text.
  private static let commandModifiers: UInt32 = 0x4 | 0x8 | 0x40 | 0x1C00_0000
}
