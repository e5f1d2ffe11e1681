extension Bytes {
  /// Whether this is a newline with nothing but indentation behind it, in which newlines count as blanks unless one
  /// comes first.
  var isLineBreak: Bool {
    first == .newline && dropFirst(1).isWhitespace && dropFirst(1).first != .newline
  }

  /// Whether this is at most one word, blanks around it aside, and no longer than 1 KiB.
  ///
  /// A word also ends where letters or digits of ASCII meet kana or ideographs (UAX #29, WB999).
  var isWord: Bool {
    guard count <= 1024 else { return false }
    var hasWord = false
    var isBehindWord = false
    var isBehindWide: Bool?
    for index in 0..<count {
      let byte = self[index]
      if Bytes.isContinuation(byte) { continue }
      if byte == .newline { return false }
      if byte.isBlank || isIdeographicSpace(at: index) {
        isBehindWord = hasWord
        continue
      }
      if isBehindWord { return false }
      hasWord = true
      // Kana and ideographs begin with 0xE3 to 0xE9.
      let isWide = (0xE3...0xE9).contains(byte)
      guard isWide || byte.isLetter || byte.isDigit else { continue }
      if let isBehindWide, isBehindWide != isWide { return false }
      isBehindWide = isWide
    }
    return true
  }

  /// Whether U+3000, the blank of Japanese and Chinese text, begins at `index`.
  @inline(__always) func isIdeographicSpace(at index: Int) -> Bool {
    self[index] == 0xE3 && index &+ 2 < count && self[index &+ 1] | self[index &+ 2] == 0x80
  }

  /// Whether it ends with an opening bracket, blanks behind that aside.
  var endsWithOpeningBracket: Bool {
    var end = count
    while end > 0, self[end - 1].isBlank { end -= 1 }
    return end > 0 && self[end - 1].isOpeningBracket
  }

  /// Whether it begins with a closing bracket, blanks before that aside.
  var beginsWithClosingBracket: Bool {
    dropFirst(leadingBlanks).first?.isClosingBracket ?? false
  }

  /// Whether this may mark an item of a list, a quotation or a comment: it holds no letters, and not only blanks and
  /// newlines.
  var isItemMark: Bool {
    !isWhitespace && allScalars { !(Unicode.Scalar($0)?.properties.isAlphabetic ?? true) }
  }

  /// Whether this may be an item's mark and nothing else, as an editor puts it in: short, on one line, a blank at its end.
  var isMarkAlone: Bool {
    isItemMark && !holdsLineBreak && last?.isBlank ?? false
      && newScalars <= Measured.longText
  }

  /// Whether this marks the item or the comment line behind `line`: that begins with the same mark, or with the number
  /// before this one, `1. a` and `2. `.
  func isItemMark(of line: Bytes) -> Bool {
    isItemMark && (line.hasPrefix(self) || isNumber(behind: line))
  }

  /// Whether this begins with the number behind the one that `line` begins with, and `line` goes on as this does.
  private func isNumber(behind line: Bytes) -> Bool {
    guard let mine = leadingNumber, let others = line.leadingNumber, mine.value == others.value + 1
    else { return false }
    let rest = dropFirst(mine.end)
    return mine.start == others.start && prefix(mine.start) == line.prefix(mine.start)
      && !rest.isEmpty && line.dropFirst(others.end).hasPrefix(rest)
  }

  /// The number, of at most six digits of ASCII, that it begins with behind blanks, and where the digits stand; `nil` where
  /// there is none, or one of more digits.
  private var leadingNumber: (value: Int, start: Int, end: Int)? {
    let start = leadingBlanks
    var (value, end) = (0, start)
    while end < min(count, start + 6), self[end].isDigit {
      value = value * 10 + Int(self[end] - 0x30)
      end += 1
    }
    if end < count, self[end].isDigit { return nil }
    return end > start ? (value, start, end) : nil
  }

  /// How many blanks it begins with, in bytes.
  var leadingBlanks: Int {
    var length = 0
    while length < count, self[length].isBlank { length &+= 1 }
    return length
  }

  /// Whether `other` is this text with something left out in the middle.
  func isCutShort(to other: Bytes) -> Bool {
    if other.isEmpty || other.count >= count { return false }
    let start = commonStart(other)
    return start > 0 && start < other.count && hasSuffix(other.dropFirst(start))
  }

  /// Whether this and `other` are the same without their blanks.
  func isSameButForBlanks(as other: Bytes) -> Bool {
    var (mine, others) = (0, 0)
    while true {
      while mine < count, self[mine].isBlank { mine += 1 }
      while others < other.count, other[others].isBlank { others += 1 }
      guard mine < count, others < other.count else {
        return mine == count && others == other.count
      }
      if self[mine] != other[others] { return false }
      (mine, others) = (mine + 1, others + 1)
    }
  }

  /// How many digits each of this and `other` has behind those with which both begin, zeros in front left out; `nil` unless
  /// both hold digits and ASCII that groups them alone: as forms show a number while it is typed, `0.12` and then `1.23`.
  func digitsBeyond(_ other: Bytes) -> (mine: Int, others: Int)? {
    var (mine, others) = (Digits(of: self), Digits(of: other))
    var (next, othersNext) = (mine.nextBeyondZeros(), others.nextBeyondZeros())
    while let digit = next, digit == othersNext {
      (next, othersNext) = (mine.next(), others.next())
    }
    var beyond = (mine: 0, others: 0)
    while next != nil { (next, beyond.mine) = (mine.next(), beyond.mine + 1) }
    while othersNext != nil { (othersNext, beyond.others) = (others.next(), beyond.others + 1) }
    return mine.isNumber && others.isNumber ? beyond : nil
  }

  /// The digits of a text, one after the other.
  private struct Digits {
    private var rest: Bytes
    private var hasDigit = false
    private var hasOthers = false
    /// Whether digits have been passed so far, and nothing else than these and what groups them.
    var isNumber: Bool { hasDigit && !hasOthers }

    init(of text: Bytes) { rest = text }

    mutating func next() -> UInt8? {
      while let first = rest.first {
        rest = rest.dropFirst(1)
        if first.isDigit {
          hasDigit = true
          return first
        }
        // Blanks, and ASCII's punctuation up to the colon, with the signs of currencies.
        hasOthers = !(UInt8(ascii: " ")...UInt8(ascii: ":") ~= first)
        if hasOthers { return nil }
      }
      return nil
    }

    mutating func nextBeyondZeros() -> UInt8? {
      var digit = next()
      while digit == UInt8(ascii: "0") { digit = next() }
      return digit
    }
  }

  /// Whether this and `other` are the same but for spaces in place of such as do not break (U+00A0), or the other way round.
  func isSameButForNoBreakSpaces(as other: Bytes) -> Bool {
    var (mine, others) = (self, other)
    while !mine.isEmpty, !others.isEmpty {
      let (first, second) = (mine.firstScalar, others.firstScalar)
      guard first == second || first.isSpace && second.isSpace else { return false }
      mine = mine.dropFirst(mine.firstScalarLength)
      others = others.dropFirst(others.firstScalarLength)
    }
    return mine.isEmpty && others.isEmpty
  }

  /// Whether its first character, one of ASCII, is no letter and no digit, so that it ends the word before it.
  var endsWord: Bool {
    first.map { $0 < 0x80 && !$0.isLetter && !$0.isDigit } ?? false
  }

  /// Whether this holds nothing but blanks and newlines.
  var isWhitespace: Bool {
    for index in 0..<count where !self[index].isWhitespace { return false }
    return true
  }
}

extension UInt8 {
  /// Whether it is a blank or a newline.
  var isWhitespace: Bool { isBlank || self == .newline }
  /// Whether it is `{`, `(` or `[`.
  var isOpeningBracket: Bool { self == 0x7B || self == 0x28 || self == 0x5B }
  /// Whether it is `}`, `)` or `]`.
  var isClosingBracket: Bool { self == 0x7D || self == 0x29 || self == 0x5D }
  /// Whether it is a letter of ASCII.
  fileprivate var isLetter: Bool {
    (0x61...0x7A).contains(self | 0x20)
  }
}

extension UInt32 {
  /// Whether it is U+0020 or U+00A0.
  fileprivate var isSpace: Bool { self == 0x20 || self == 0xA0 }
}
