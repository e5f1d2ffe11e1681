/// A place in a JSON text, which moves over strings and numbers and checks them on the way.
///
/// It reads words of eight bytes where eight are left, never beyond the text's end.
@usableFromInline
struct JSONScanner {
  /// The text from the scanner's place on.
  var rest: JSONBytes
  /// The length of the whole text, in bytes.
  private let count: Int

  @inline(__always)
  init(_ text: JSONBytes) {
    rest = text
    count = text.count
  }

  /// The scanner's place, in bytes from the text's start.
  @inline(__always)
  var offset: Int { count &- rest.count }

  /// The error at the scanner's place: `reason`, or at the text's end `unexpectedEnd`.
  func failure(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason: rest.isEmpty ? .unexpectedEnd : reason, offset: offset)
  }

  /// Moves over white space and returns the byte behind it; at the text's end 0, with which no value begins.
  @inline(__always)
  mutating func skipWhiteSpace() -> UInt8 {
    while !rest.isEmpty {
      let byte = rest[0]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return byte
      }
      rest.skip()
    }
    return 0
  }

  // MARK: Strings

  /// Moves from within a string to its closing quotation mark.
  ///
  /// Returns whether there was an escape on the way.
  @inline(__always)
  mutating func skipString() throws(JSONError) -> Bool {
    var isEscaped = false
    while !rest.isEmpty {
      switch rest[0] {
      case UInt8(ascii: "\""):
        return isEscaped
      case 0x80...:
        try skipMultiByteRun()
      case UInt8(ascii: "\\"):
        isEscaped = true
        rest.skip(try escapeLength())
      case ..<0x20:
        throw failure(.controlCharacter)
      default:
        rest.skip()
        skipPlainWords()
      }
    }
    throw failure(.unexpectedEnd)
  }

  /// How many bytes precede the closing quotation mark in `text`, which begins behind the opening one.
  ///
  /// -1 where the string has escapes, is not valid, or does not end within `text`.
  @usableFromInline
  static func plainStringLength(in text: JSONBytes) -> Int {
    var scanner = JSONScanner(text)
    if scanner.skipPlainString() { return scanner.offset }
    guard let isEscaped = try? scanner.skipString(), !isEscaped else { return -1 }
    return scanner.offset
  }

  /// Moves over ASCII without escapes, and over the scalars of three bytes that `misfit` tells of, while sixteen bytes
  /// are left.
  ///
  /// Returns whether a quotation mark is next; where not, the scanner stands at the beginning of a scalar or escape.
  @inline(__always)
  private mutating func skipPlainString() -> Bool {
    // Most strings hold nothing else, and these loops are shorter than the next.
    while rest.count >= 31, rest.areTen { rest.skip(30) }
    while rest.count >= 16, rest.areFive { rest.skip(15) }
    while rest.count >= 16 {
      let misfits = rest.misfitsOfFive()
      if misfits == .zero {
        rest.skip(15)
        continue
      }
      // How many bytes precede the first that does not fit; of these, whole scalars are moved over (11 / 32 is used for
      // a third).
      let fitting =
        misfits[0] != 0
        ? misfits[0].trailingZeroBitCount &>> 3 : 8 &+ misfits[1].trailingZeroBitCount &>> 3
      rest.skip(((fitting &* 11) &>> 5) &* 3)
      if rest[0] == UInt8(ascii: "\"") { return true }
      if fitting >= 3 { continue }
      // It has not moved, for not even one scalar fits: sixteen bytes are left.
      let special = rest.word().bytesThatEndPlainRun
      guard special & 0x80 == 0 else { return false }
      rest.skip(special == 0 ? 8 : special.trailingZeroBitCount &>> 3)
      if special == 0 { skipPlainWords() }
      if !rest.isEmpty, rest[0] == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  /// Does what `skipString` does, faster for names, which are most often short and ASCII.
  @inline(__always)
  mutating func skipName() throws(JSONError) -> Bool {
    skipPlainWords()
    if !rest.isEmpty, rest[0] == UInt8(ascii: "\"") { return false }
    return try skipString()
  }

  /// Moves over ASCII without quotation marks, escapes and control characters, while eight bytes are left.
  @inline(__always)
  private mutating func skipPlainWords() {
    while rest.count >= 8 {
      let special = rest.word().bytesThatEndPlainRun
      if special != 0 {
        rest.skip(special.trailingZeroBitCount &>> 3)
        return
      }
      rest.skip(8)
    }
  }

  /// Moves over all scalars of more than one byte that follow each other.
  @inline(__always)
  private mutating func skipMultiByteRun() throws(JSONError) {
    repeat {
      // Kana and ideographs have three bytes: five at a time, then four, two, one. The masks are those of two scalars
      // and of one in `misfit`.
      let two: UInt64 = 0xC0C0_F8C0_C0F8
      let one: UInt64 = 0xC0_C0F8
      while rest.count >= 31, rest.areTen { rest.skip(30) }
      while rest.count >= 16, rest.areFive { rest.skip(15) }
      while rest.count >= 14, (rest.misfit() | rest.misfit(at: 6)) & two == 0 { rest.skip(12) }
      if rest.count >= 8 {
        if rest.misfit() & two == 0 { rest.skip(6) }
        if rest.count >= 8, rest.misfit() & one == 0 { rest.skip(3) }
      }
      // Greek, Cyrillic, Hebrew and Arabic have two bytes: four scalars at a time.
      while rest.count >= 8, rest.word().isFourOfTwoBytes { rest.skip(8) }
      guard !rest.isEmpty, rest[0] >= 0x80 else { return }
      rest.skip(try multiByteScalarLength())
    } while !rest.isEmpty && rest[0] >= 0x80
  }

  /// The length, in bytes, of the scalar at the scanner's place, which has more than one byte.
  ///
  /// The ranges are those of RFC 3629: no overlong sequence, no surrogate, nothing above U+10FFFF.
  private func multiByteScalarLength() throws(JSONError) -> Int {
    let lead = rest[0]
    let (count, secondRange): (Int, ClosedRange<UInt8>)
    switch lead {
    case 0xC2...0xDF: (count, secondRange) = (2, 0x80...0xBF)
    case 0xE0: (count, secondRange) = (3, 0xA0...0xBF)
    case 0xED: (count, secondRange) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (count, secondRange) = (3, 0x80...0xBF)
    case 0xF0: (count, secondRange) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (count, secondRange) = (4, 0x80...0xBF)
    case 0xF4: (count, secondRange) = (4, 0x80...0x8F)
    default: throw failure(.invalidUTF8)
    }
    guard rest.count >= count, secondRange.contains(rest[1]),
      count < 3 || rest[2] & 0xC0 == 0x80, count < 4 || rest[3] & 0xC0 == 0x80
    else { throw failure(.invalidUTF8) }
    return count
  }

  /// The length, in bytes, of the escape at the scanner's place; a surrogate pair's two `\u` are one.
  private func escapeLength() throws(JSONError) -> Int {
    guard rest.count >= 2 else { throw failure(.invalidEscape) }
    switch rest[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard let unit = hexadecimal(at: 2) else { throw failure(.invalidEscape) }
      switch unit {
      case 0xD800...0xDBFF:
        guard rest.count >= 12, rest[6] == UInt8(ascii: "\\"), rest[7] == UInt8(ascii: "u"),
          let low = hexadecimal(at: 8), 0xDC00...0xDFFF ~= low
        else { throw failure(.loneSurrogate) }
        return 12
      case 0xDC00...0xDFFF:
        throw failure(.loneSurrogate)
      default:
        return 6
      }
    default:
      throw failure(.invalidEscape)
    }
  }

  /// The value of the four hexadecimal digits `distance` bytes ahead; `nil` where there are not four.
  private func hexadecimal(at distance: Int) -> UInt32? {
    guard rest.count >= distance + 4 else { return nil }
    var value: UInt32 = 0
    for index in distance..<distance + 4 {
      guard let digit = rest[index].hexadecimalDigit else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  // MARK: Numbers and literals

  /// Moves over a number, whose first byte, a digit or a minus, must be next.
  ///
  /// Returns whether it is an integer literal: without fraction and exponent.
  @inline(__always)
  mutating func skipNumber() throws(JSONError) -> Bool {
    if rest[0] == UInt8(ascii: "-") { rest.skip() }
    guard !rest.isEmpty, rest[0].isDigit else { throw failure(.invalidNumber) }
    if rest[0] == UInt8(ascii: "0") {
      rest.skip()
    } else {
      skipDigits()
    }
    guard !rest.isEmpty else { return true }
    var isInteger = true
    if rest[0] == UInt8(ascii: ".") {
      isInteger = false
      rest.skip()
      guard !rest.isEmpty, rest[0].isDigit else { throw failure(.invalidNumber) }
      skipDigits()
    }
    if !rest.isEmpty, rest[0] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      rest.skip()
      if !rest.isEmpty, rest[0] == UInt8(ascii: "+") || rest[0] == UInt8(ascii: "-") {
        rest.skip()
      }
      guard !rest.isEmpty, rest[0].isDigit else { throw failure(.invalidNumber) }
      skipDigits()
    }
    return isInteger
  }

  @inline(__always)
  private mutating func skipDigits() {
    while !rest.isEmpty, rest[0].isDigit { rest.skip() }
  }

  /// Moves over `literal`, which must be next.
  mutating func skip(_ literal: StaticString) throws(JSONError) {
    for index in 0..<literal.utf8CodeUnitCount {
      // Unsafe: within the literal.
      guard !rest.isEmpty, unsafe rest[0] == literal.utf8Start[index] else {
        throw failure(.unexpectedByte)
      }
      rest.skip()
    }
  }
}

extension JSONBytes {
  /// In which bits two scalars from `offset` on differ from scalars of three bytes with a lead byte from E3 to EA.
  ///
  /// With these lead bytes (kana and ideographs among them) no sequence is overlong or a surrogate. In each lead byte
  /// the upper five bits count (mask F8), in each continuation byte the upper two (C0).
  @inline(__always)
  fileprivate func misfit(at offset: Int = 0) -> UInt64 {
    // The lead bytes E3 to EA, five added, are E8 to EF: those whose upper five bits are 11101.
    (word(at: offset) &+ 0x0500_0005) ^ 0x8080_E880_80E8
  }

  /// The same as `misfit`, masked, for five scalars in the sixteen bytes from `offset` on; only the first byte that is
  /// not zero is certain to differ.
  @inline(__always)
  fileprivate func misfitsOfFive(at offset: Int = 0) -> SIMD2<UInt64> {
    // An addition that carries into the next byte is one to a byte that differs itself.
    let leads = SIMD2<UInt64>(0x0005_0000_0500_0005, 0x0000_0005_0000_0500)
    let bits = SIMD2<UInt64>(0x80E8_8080_E880_80E8, 0x0080_80E8_8080_E880)
    let mask = SIMD2<UInt64>(0xC0F8_C0C0_F8C0_C0F8, 0x00C0_C0F8_C0C0_F8C0)
    return ((words(at: offset) &+ leads) ^ bits) & mask
  }

  /// Whether five scalars of three bytes, as above, are next; sixteen bytes must be left.
  @inline(__always)
  fileprivate var areFive: Bool {
    let misfits = misfitsOfFive()
    return misfits[0] | misfits[1] == 0
  }

  /// Whether ten are next; 31 bytes must be left.
  @inline(__always)
  fileprivate var areTen: Bool {
    let misfits = misfitsOfFive() | misfitsOfFive(at: 15)
    return misfits[0] | misfits[1] == 0
  }

  /// The last `length` bytes, one to seven, as a word filled up with spaces, the first byte lowest.
  ///
  /// Where this has fewer than eight bytes, `length` must be its count.
  @inline(__always)
  func lastWord(of length: Int) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: length &* 8)
    let spaces: UInt64 = 0x2020_2020_2020_2020
    if count >= 8 { return word(at: count &- 8) &>> (64 &- bits) | spaces &<< bits }
    // Fewer than eight bytes are read in parts, which may overlap.
    if count >= 4 {
      let (first, second) = (half(), half(at: count &- 4))
      return first | second &<< (bits &- 32) | spaces &<< bits
    }
    let middle = count &>> 1
    return UInt64(self[0]) | UInt64(self[middle]) &<< UInt64(truncatingIfNeeded: middle &* 8)
      | UInt64(self[count &- 1]) &<< (bits &- 8) | spaces &<< bits
  }
}

extension UInt64 {
  /// Marks, by its high bit, the first byte that is a quotation mark, a backslash or a control character.
  ///
  /// Zero where there is none. Marks of later bytes may be wrong.
  @inline(__always)
  var bytesThatNeedEscape: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ (ones &* 0x22)
    let backslashes = self ^ (ones &* 0x5C)
    let controls = (self &- ones &* 0x20) & ~self
    return ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | controls)
      & (ones &* 0x80)
  }

  /// Whether the eight bytes are four scalars of two bytes, the first one lowest.
  @inline(__always)
  var isFourOfTwoBytes: Bool {
    guard self & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0 else { return false }
    // A lead byte of C0 or C1 would be overlong.
    return ((self & 0x001E_001E_001E_001E) &+ 0x007E_007E_007E_007E) & 0x0080_0080_0080_0080
      == 0x0080_0080_0080_0080
  }

  /// The same as `bytesThatNeedEscape`, with bytes that are not ASCII marked too.
  @inline(__always)
  var bytesThatEndPlainRun: UInt64 {
    bytesThatNeedEscape | self & 0x8080_8080_8080_8080
  }
}

extension UInt8 {
  @inline(__always)
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// The value of a hexadecimal digit; `nil` for any other byte.
  var hexadecimalDigit: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
