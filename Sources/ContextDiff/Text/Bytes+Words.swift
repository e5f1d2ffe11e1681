extension Bytes {
  /// Whether this is a new line with nothing but indentation in it.
  var isLineBreak: Bool {
    first == .newline && dropFirst(1).isBlank && dropFirst(1).first != .newline
  }

  /// Whether this is no more than a word: between its first blanks and its last there are none, nor do letters
  /// and digits meet kana or ideographs, where a word ends, too (UAX #29, WB999).
  ///
  /// What is longer than 1 KiB is none.
  var isWord: Bool {
    guard count <= 1024 else { return false }
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

  /// Whether this may mark an item of a list, a quotation or a comment: blanks, punctuation, symbols and digits.
  var isItemMark: Bool {
    var rest = self
    while !rest.isEmpty {
      if Unicode.Scalar(rest.firstScalar)?.properties.isAlphabetic ?? true { return false }
      rest = rest.dropFirst(rest.firstScalarLength)
    }
    return !isBlank
  }

  /// Whether this holds nothing but blanks and new lines.
  var isBlank: Bool {
    for index in 0..<count where !self[index].isBlank && self[index] != .newline { return false }
    return true
  }
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
