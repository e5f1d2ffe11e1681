/// What an input method does to the text that it composes.
extension Bytes {
  /// Whether exchanging this for `other` is a step of composing: Japanese letters that become kana, or kana
  /// that become a word; a Korean syllable that takes one more letter.
  func converts(to other: Bytes) -> Bool {
    guard !isEmpty, !other.isEmpty, count <= 96, other.count <= 96 else { return false }
    let old = scripts
    let new = other.scripts
    if old == .letters {
      return new.contains(.kana) && new.isSubset(of: [.kana, .letters]) && count <= 4
    }
    // A syllable takes a letter, or gives one to the next.
    if old == .hangul { return new == .hangul && scalarCount == 1 && other.scalarCount <= 2 }
    guard old == .kana || old == [.kana, .letters] else { return false }
    // Another script of as many characters, or a word that is no longer than its reading.
    switch new {
    case .kana: return scalarCount == other.scalarCount
    case .ideographs, [.kana, .ideographs]: return other.scalarCount <= scalarCount
    default: return new == [.kana, .letters]
    }
  }

  /// Whether an input method may have committed this as one: kana and ideographs alone.
  var isComposed: Bool { isLongerThanAGrapheme && scripts.isSubset(of: [.kana, .ideographs]) }
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
      case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: scripts.insert(.hangul)
      default: scripts.insert(.others)
      }
      rest = rest.dropFirst(rest.firstScalarLength)
    }
    return scripts
  }
}

extension Bytes {
  /// Whether this is a new line with nothing but indentation in it.
  var isLineBreak: Bool {
    first == .newline && dropFirst(1).isBlank && dropFirst(1).first != .newline
  }

  /// Whether this is no more than a word: between its first blanks and its last there are none, nor do letters
  /// and digits meet kana or ideographs, where a word ends, too (UAX #29, WB999).
  var isWord: Bool {
    var hasWord = false
    var isBehindWord = false
    var isBehindWide: Bool?
    for index in 0..<count {
      let byte = self[index]
      if byte == .newline { return false }
      if byte.isBlank {
        isBehindWord = hasWord
        continue
      }
      if isBehindWord { return false }
      hasWord = true
      if Bytes.isContinuation(byte) { continue }
      // Kana and ideographs begin with 0xE3 to 0xE9.
      let isWide = (0xE3...0xE9).contains(byte)
      guard isWide || byte.isLetter || (0x30...0x39).contains(byte) else { continue }
      if let isBehindWide, isBehindWide != isWide { return false }
      isBehindWide = isWide
    }
    return true
  }

  /// Whether nothing but blanks stands between this one's end and a bracket that opens.
  var endsWithOpeningBracket: Bool {
    var end = count
    while end > 0, self[end - 1].isBlank { end -= 1 }
    return end > 0 && self[end - 1].isOpeningBracket
  }

  /// Whether nothing but blanks stands between this one's start and a bracket that closes.
  var beginsWithClosingBracket: Bool {
    var start = 0
    while start < count, self[start].isBlank { start += 1 }
    return start < count && self[start].isClosingBracket
  }

  /// Whether this may mark an item of a list, a quotation or a comment: blanks and punctuation of ASCII, and digits.
  var isItemMark: Bool {
    for index in 0..<count where self[index].isLetter || self[index] >= 0x80 { return false }
    return !isBlank
  }

  /// Whether this holds nothing but blanks and new lines.
  var isBlank: Bool {
    for index in 0..<count where !self[index].isBlank && self[index] != .newline { return false }
    return true
  }
}

private struct Scripts: OptionSet {
  var rawValue: UInt8
  static let letters = Scripts(rawValue: 1)
  static let kana = Scripts(rawValue: 2)
  static let ideographs = Scripts(rawValue: 4)
  static let hangul = Scripts(rawValue: 8)
  static let others = Scripts(rawValue: 16)
}

extension UInt8 {
  /// Whether it is a bracket that opens: a brace, a parenthesis or a square one.
  var isOpeningBracket: Bool { self == 0x7B || self == 0x28 || self == 0x5B }
  /// Whether it is a bracket that closes.
  var isClosingBracket: Bool { self == 0x7D || self == 0x29 || self == 0x5D }
  /// Whether it is a letter of ASCII.
  fileprivate var isLetter: Bool {
    (0x61...0x7A).contains(self | 0x20)
  }
}
