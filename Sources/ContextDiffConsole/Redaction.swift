package import ContextDiff
package import ContextDiffWire

/// Replaces typed text by other text of the same shape: each letter by one of four stand-ins of its class.
///
/// Within one redaction a scalar always gets the same stand-in, so that text which stands in two snapshots still does,
/// and the edits between them can be read again. Many scalars share a stand-in. A random key, which is not stored,
/// decides which ones, so that no table leads back to the text. Spaces, line breaks, punctuation, the signs of currencies and
/// of mathematics, joiners and the sound marks of kana stay as they are: sentences and lines end where they did.
package struct Redaction: Sendable {
  private let key: UInt64

  /// A redaction with a random key.
  package init() {
    self.init(key: UInt64.random(in: .min ... .max))
  }

  /// The redaction of that key: equal keys give equal stand-ins.
  package init(key: UInt64) {
    self.key = key
  }

  /// `text` with each letter, digit, mark, symbol and emoji replaced by a stand-in of its class, scalar by scalar.
  package func redact(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(StandIns.of(scalar)?.pick(place(of: scalar)) ?? scalar)
    }
    return String(scalars)
  }

  /// The snapshot with its three texts redacted; `nil` and `""` stay.
  package func redact(_ snapshot: Snapshot) -> Snapshot {
    var redacted = snapshot
    redacted.before = snapshot.before.map { redact($0) }
    redacted.selected = snapshot.selected.map { redact($0) }
    redacted.after = snapshot.after.map { redact($0) }
    return redacted
  }

  /// The transition with its texts redacted; its kinds and numbers stay those of the typed text.
  package func redact(_ transition: Transition) -> Transition {
    var redacted = transition
    redacted.inserted = transition.inserted.map { redact($0) }
    redacted.removed = transition.removed.map { redact($0) }
    return redacted
  }

  /// The announcement with the texts of its edit redacted.
  func redact(_ announcement: Announcement) -> Announcement {
    var redacted = announcement
    redacted.old = announcement.old.map { redact($0) }
    switch announcement.edit {
    case .edit(var edit):
      edit.insert = redact(edit.insert)
      redacted.edit = .edit(edit)
    case .snapshot(let new): redacted.edit = .snapshot(redact(new))
    case nil: break
    }
    return redacted
  }

  /// The event with all typed text redacted: that of its pair, its pasteboard, its transition and its announced edits.
  package func redact(_ event: Event) -> Event {
    var redacted = event
    redacted.transition = redact(event.transition)
    redacted.old = event.old.map { redact($0) }
    redacted.new = event.new.map { redact($0) }
    redacted.pasteboard = event.pasteboard.map { redact($0) }
    redacted.announced = event.announced.map { redact($0) }
    return redacted
  }

  /// A hash of `key` and the scalar (the finalizer of SplitMix64).
  private func place(of scalar: Unicode.Scalar) -> UInt64 {
    var mixed = key &+ UInt64(scalar.value) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// The scalars that replace those of one class.
private struct StandIns {
  private let scalars: [Unicode.Scalar]

  private init(_ scalars: String) {
    self.scalars = Array(scalars.unicodeScalars)
  }

  /// The stand-in for a scalar with the hash `place`.
  func pick(_ place: UInt64) -> Unicode.Scalar {
    scalars[Int(place % UInt64(scalars.count))]
  }

  /// The stand-ins for a scalar's class; `nil` where the scalar stays.
  static func of(_ scalar: Unicode.Scalar) -> StandIns? {
    guard !isKept(scalar) else { return nil }
    if let ofScript = ofScript(scalar) { return ofScript }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter: capitals
    case .lowercaseLetter, .modifierLetter, .otherLetter, .letterNumber, .privateUse, .unassigned:
      smallLetters
    case .decimalNumber: digits
    case .otherNumber: circledDigits
    case .nonspacingMark, .spacingMark, .enclosingMark: marks
    case .otherSymbol: scalar.properties.isEmoji ? emoji : ofSymbol(scalar)
    case .modifierSymbol: scalar.properties.isEmojiModifier ? skinTones : nil
    // Tags are invisible, and each stands for an ASCII character.
    case .format: (0xE0020...0xE007E).contains(scalar.value) ? tags : nil
    default: nil
    }
  }

  /// The stand-ins for a kana, Han, Hangul, fullwidth or regional indicator scalar; `nil` for any other.
  private static func ofScript(_ scalar: Unicode.Scalar) -> StandIns? {
    switch scalar.value {
    case 0x3041...0x3096: hiragana
    case 0x30A1...0x30FA, 0x31F0...0x31FF: katakana
    case 0xFF66...0xFF6F, 0xFF71...0xFF9D: halfWidthKatakana
    case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0x20000...0x3FFFD:
      han
    case 0xAC00...0xD7A3: hangul
    case 0xFF21...0xFF3A: fullWidthCapitals
    case 0xFF41...0xFF5A: fullWidthSmallLetters
    case 0xFF10...0xFF19: fullWidthDigits
    case 0x1F1E6...0x1F1FF: regionalIndicators
    default: nil
    }
  }

  /// The stand-ins for a symbol that is no emoji: of letters that Unicode counts among the symbols, enclosed ones and
  /// Braille, others than of the rest, which may be whole words or signs of a script.
  private static func ofSymbol(_ scalar: Unicode.Scalar) -> StandIns {
    switch scalar.value {
    case 0x249C...0x24E9, 0x3200...0x32FE, 0x1F110...0x1F189, 0x1F200...0x1F2FF: circledLetters
    case 0x2800...0x28FF: braille
    default: symbols
    }
  }

  /// Whether the scalar is a sound or length mark of kana, or a variation selector.
  ///
  /// These tell little of the typed text, and a recording has to show how a host handles them.
  private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3099, 0x309A, 0x30FC, 0xFE00...0xFE0F, 0xFF70, 0xFF9E, 0xFF9F: true
    default: false
    }
  }

  private static let smallLetters = StandIns("abcd")
  private static let capitals = StandIns("ABCD")
  private static let digits = StandIns("0123")
  private static let circledDigits = StandIns("①②③④")
  private static let circledLetters = StandIns("ⓐⓑⓒⓓ")
  private static let symbols = StandIns("◆◇■□")
  private static let braille = StandIns("⠁⠃⠉⠙")
  private static let hiragana = StandIns("あいうえ")
  private static let katakana = StandIns("アイウエ")
  private static let halfWidthKatakana = StandIns("ｱｲｳｴ")
  private static let han = StandIns("一二三四")
  private static let hangul = StandIns("가나다라")
  private static let fullWidthCapitals = StandIns("ＡＢＣＤ")
  private static let fullWidthSmallLetters = StandIns("ａｂｃｄ")
  private static let fullWidthDigits = StandIns("０１２３")
  private static let emoji = StandIns("😀😃😄😁")
  private static let skinTones = StandIns("\u{1F3FB}\u{1F3FC}\u{1F3FD}\u{1F3FE}")
  private static let regionalIndicators = StandIns("🇦🇧🇨🇩")
  private static let marks = StandIns("\u{300}\u{301}\u{302}\u{303}")
  private static let tags = StandIns("\u{E0061}\u{E0062}\u{E0063}\u{E0064}")
}
