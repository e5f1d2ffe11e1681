// What input methods compose.

extension Bytes {
  /// Whether an input method that composes may exchange this for `other`: letters for kana; kana, pinyin (also with
  /// spaces or apostrophes between syllables), bopomofo or hangul for a word; a Korean syllable for one with one letter
  /// more; a letter for the same with a mark.
  func converts(to other: Bytes) -> Bool {
    guard !isEmpty, !other.isEmpty, !isLonger(thanScalars: Longest.composed),
      !other.isLonger(thanScalars: Longest.composed)
    else { return false }
    let old = scripts
    let new = other.scripts
    // A word is no longer than its spelling, the end of which may remain.
    let isSpelt =
      new.contains(.ideographs) && new.subtracting(.ideographs).isSubset(of: old)
      && other.scalarCount <= scalarCount
    switch old {
    case .letters where new.contains(.kana):
      return new.isSubset(of: [.kana, .letters]) && scalarCount <= Longest.romanized
    case .letters where new.contains(.ideographs), [.letters, .separators], .bopomofo:
      return isSpelt
    case .letters, .marked, [.letters, .marked]:
      return old.union(new).contains(.marked) && new.isSubset(of: [.letters, .marked])
        && scalarCount <= Longest.marked && abs(other.scalarCount - scalarCount) <= 1
    case .hangul where new == .hangul:
      // A syllable gets one more letter, or gives one to the next syllable.
      return scalarCount == 1 && other.scalarCount <= 2
    case .hangul: return isSpelt
    case .kana, [.kana, .letters]: break
    default: return false
    }
    // The other kana, of the same length, or a word no longer than its reading.
    switch new {
    case .kana: return scalarCount == other.scalarCount
    case .ideographs, [.kana, .ideographs]: return other.scalarCount <= scalarCount
    default: return new == [.kana, .letters]
    }
  }

  /// Whether an input method may have committed this at once: a word of more than one character, as input methods make
  /// them.
  var isComposed: Bool { isComposable && isLongerThanAGrapheme }

  /// Whether it is of such characters as input methods make: Latin with marks, or neither ASCII nor Greek, Cyrillic,
  /// Armenian, Hebrew or Arabic, all of which keys type.
  var isComposable: Bool {
    if isEmpty { return false }
    return scripts == [.letters, .marked]
      || allScalars {
        $0 >= 0x80 && !(0x0370...0x06FF).contains($0)
          && (Unicode.Scalar($0)?.properties.isAlphabetic == true || Bytes.isMark($0))
      }
  }

  /// Whether Backspace in a Korean input method, which takes one letter, leaves `other` of this syllable.
  func losesLetter(to other: Bytes) -> Bool {
    guard count == 3, other.count == 3, let syllable = HangulSyllable(firstScalar) else {
      return false
    }
    return syllable.shorter == other.firstScalar
  }

  var isKana: Bool { scripts == .kana }
  var isLetter: Bool { scripts == .letters }
  var isHangul: Bool { scripts == .hangul }

  private var scripts: Scripts {
    var scripts: Scripts = []
    var rest = self
    while !rest.isEmpty {
      switch rest.firstScalar {
      case 0x41...0x5A, 0x61...0x7A: scripts.insert(.letters)
      case 0x3041...0x309F, 0x30A1...0x30FF, 0xFF66...0xFF9F: scripts.insert(.kana)
      case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
        scripts.insert(.ideographs)
      case 0x3105...0x312F, 0x31A0...0x31BF, 0x02C7, 0x02CA, 0x02CB, 0x02D9:
        scripts.insert(.bopomofo)
      case 0x00C0...0x00D6, 0x00D8...0x00F6, 0x00F8...0x024F, 0x0300...0x036F, 0x1E00...0x1EFF:
        scripts.insert(.marked)
      case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: scripts.insert(.hangul)
      // iOS puts a thin space between the syllables of pinyin.
      case 0x20, 0x27, 0x2006, 0x2019: scripts.insert(.separators)
      default: scripts.insert(.others)
      }
      rest = rest.dropFirst(rest.firstScalarLength)
    }
    return scripts
  }
}

/// How long, in scalars, texts are that an input method exchanges.
private enum Longest {
  /// Above this a text is not looked at: a bound on the time that it takes, not a claim about input methods.
  static let composed = 96
  /// The letters that spell one kana: `xtsu`.
  static let romanized = 4
  /// A word of which a letter gets a mark, as Telex does it.
  static let marked = 16
}

private struct Scripts: OptionSet {
  var rawValue: UInt8
  static let letters = Scripts(rawValue: 1)
  static let kana = Scripts(rawValue: 2)
  static let ideographs = Scripts(rawValue: 4)
  static let hangul = Scripts(rawValue: 8)
  static let bopomofo = Scripts(rawValue: 16)
  /// Latin letters with marks, and the marks.
  static let marked = Scripts(rawValue: 32)
  static let separators = Scripts(rawValue: 64)
  static let others = Scripts(rawValue: 128)
}

/// A syllable of Hangul (The Unicode Standard, 3.12), by the indices of its letters.
private struct HangulSyllable {
  let lead: Int
  let vowel: Int
  /// 0 where there is no final consonant.
  let trail: Int

  /// Fails where `scalar` is no precomposed syllable.
  init?(_ scalar: UInt32) {
    guard (0xAC00...0xD7A3).contains(scalar) else { return nil }
    let index = Int(scalar - 0xAC00)
    (lead, vowel, trail) = (index / 588, index % 588 / 28, index % 28)
  }

  /// The scalar that is left without the letter typed last: a syllable, or the consonant alone.
  var shorter: UInt32 {
    if trail > 0 { return syllable(vowel, HangulSyllable.firstOfTrail[trail] ?? 0) }
    if let first = HangulSyllable.firstOfVowel[vowel] { return syllable(first, 0) }
    return HangulSyllable.leads[lead]
  }

  private func syllable(_ vowel: Int, _ trail: Int) -> UInt32 {
    UInt32(0xAC00 + lead * 588 + vowel * 28 + trail)
  }

  /// Of the letters typed by two keys, the first: ㄳ ㄵ ㄶ ㄺ ㄻ ㄼ ㄽ ㄾ ㄿ ㅀ ㅄ, and ㅘ ㅙ ㅚ ㅝ ㅞ ㅟ ㅢ.
  private static let firstOfTrail = [
    3: 1, 5: 4, 6: 4, 9: 8, 10: 8, 11: 8, 12: 8, 13: 8, 14: 8, 15: 8, 18: 17,
  ]
  private static let firstOfVowel = [9: 8, 10: 8, 11: 8, 14: 13, 15: 13, 16: 13, 19: 18]
  /// The compatibility letters of the leading consonants.
  private static let leads: [UInt32] = [
    0x3131, 0x3132, 0x3134, 0x3137, 0x3138, 0x3139, 0x3141, 0x3142, 0x3143, 0x3145, 0x3146, 0x3147,
    0x3148, 0x3149, 0x314A, 0x314B, 0x314C, 0x314D, 0x314E,
  ]
}
