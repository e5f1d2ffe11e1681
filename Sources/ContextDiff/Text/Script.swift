// What input methods compose.

extension Bytes {
  /// Whether an input method that composes may exchange this for `other`: letters for kana; kana, pinyin, bopomofo or
  /// hangul for a word; a Korean syllable for one with one letter more; a letter for the same with a mark.
  func converts(to other: Bytes) -> Bool {
    guard !isEmpty, !other.isEmpty, count <= 96, other.count <= 96 else { return false }
    let old = scripts
    let new = other.scripts
    // A word is no longer than its spelling, the end of which may remain.
    let isSpelt =
      new.contains(.ideographs) && new.subtracting(.ideographs).isSubset(of: old)
      && other.scalarCount <= scalarCount
    switch old {
    case .letters where new.contains(.kana):
      return new.isSubset(of: [.kana, .letters]) && count <= 4
    case .letters where new.contains(.ideographs), .bopomofo: return isSpelt
    case .letters, .marked, [.letters, .marked]:
      return old.union(new).contains(.marked) && new.isSubset(of: [.letters, .marked])
        && count <= 16 && abs(other.scalarCount - scalarCount) <= 1
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

  /// Whether an input method may have committed this at once: a word of more than one character that is Latin with
  /// marks, or holds neither ASCII nor Greek, Cyrillic, Armenian, Hebrew or Arabic, all of which keys type.
  var isComposed: Bool {
    let isWord =
      scripts == [.letters, .marked]
      || allScalars {
        $0 >= 0x80 && !(0x0370...0x06FF).contains($0)
          && (Unicode.Scalar($0)?.properties.isAlphabetic == true || Bytes.isMark($0))
      }
    return isWord && isLongerThanAGrapheme
  }

  var isKana: Bool { scripts == .kana }
  var isLetter: Bool { scripts == .letters }

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
      default: scripts.insert(.others)
      }
      rest = rest.dropFirst(rest.firstScalarLength)
    }
    return scripts
  }
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
  static let others = Scripts(rawValue: 64)
}
