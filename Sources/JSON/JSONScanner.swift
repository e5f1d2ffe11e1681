/// A place in a JSON text that moves over strings and numbers and checks them on the way.
///
/// Words of eight bytes are read where eight are left; nothing is ever read beyond the end.
@usableFromInline
struct JSONScanner {
  /// What is still to be read.
  var rest: JSONBytes
  private let count: Int

  @inline(__always)
  init(_ text: JSONBytes) {
    rest = text
    count = text.count
  }

  @inline(__always)
  var offset: Int { count &- rest.count }

  func failure(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason: rest.isEmpty ? .unexpectedEnd : reason, offset: offset)
  }

  /// Moves over white space, to the byte that this gives; 0, with which nothing begins, at the end.
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

  /// Moves from after the opening quotation mark to the closing one.
  ///
  /// Whether there was an escape.
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

  /// How many bytes the string has whose first one, or closing quotation mark, is `text`'s first; -1
  /// where it has escapes, is wrong, or does not end within `text`.
  @usableFromInline
  static func plainStringLength(in text: JSONBytes) -> Int {
    var scanner = JSONScanner(text)
    if scanner.skipPlainString() { return scanner.offset }
    guard let isEscaped = try? scanner.skipString(), !isEscaped else { return -1 }
    return scanner.offset
  }

  /// Moves over plain ASCII and over scalars of three bytes as `misfit` has them, as long as sixteen bytes
  /// are left.
  ///
  /// Whether a quotation mark is next.
  @inline(__always)
  private mutating func skipPlainString() -> Bool {
    while rest.count >= 16 {
      let misfits = rest.misfitsOfFive
      if misfits[0] | misfits[1] == 0 {
        rest.skip(15)
        continue
      }
      // A third of the bytes before the first that does not fit: whole scalars.
      let fitting =
        misfits[0] != 0
        ? misfits[0].trailingZeroBitCount &>> 3 : 8 &+ misfits[1].trailingZeroBitCount &>> 3
      rest.skip(((fitting &* 11) &>> 5) &* 3)
      if rest[0] == UInt8(ascii: "\"") { return true }
      if fitting >= 3 { continue }
      // Sixteen bytes are left: it has not moved.
      let special = rest.word().bytesThatEndPlainRun
      guard special & 0x80 == 0 else { return false }
      rest.skip(special == 0 ? 8 : special.trailingZeroBitCount &>> 3)
      if special == 0 { skipPlainWords() }
      if !rest.isEmpty, rest[0] == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  /// As `skipString`, for what is most often plain and short.
  @inline(__always)
  mutating func skipName() throws(JSONError) -> Bool {
    skipPlainWords()
    if !rest.isEmpty, rest[0] == UInt8(ascii: "\"") { return false }
    return try skipString()
  }

  /// Moves over plain bytes as long as eight are left.
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

  /// Moves over scalars of more than one byte, as many as follow each other.
  @inline(__always)
  private mutating func skipMultiByteRun() throws(JSONError) {
    repeat {
      // Kana and ideographs have three bytes: five at a time, then two, then one.
      let two: UInt64 = 0xC0C0_F8C0_C0F8
      let one: UInt64 = 0xC0_C0F8
      while rest.count >= 16 {
        let misfits = rest.misfitsOfFive
        guard misfits[0] | misfits[1] == 0 else { break }
        rest.skip(15)
      }
      while rest.count >= 14, (rest.misfit() | rest.misfit(at: 6)) & two == 0 { rest.skip(12) }
      if rest.count >= 8 {
        if rest.misfit() & two == 0 { rest.skip(6) }
        if rest.count >= 8, rest.misfit() & one == 0 { rest.skip(3) }
      }
      // Greek, Cyrillic, Hebrew and Arabic have two: four at a time.
      while rest.count >= 8, rest.word().isFourOfTwoBytes { rest.skip(8) }
      guard !rest.isEmpty, rest[0] >= 0x80 else { return }
      rest.skip(try multiByteScalarLength())
    } while !rest.isEmpty && rest[0] >= 0x80
  }

  /// The length of the scalar here, which has more than one byte.
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

  /// The length of the escape here.
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

  private func hexadecimal(at distance: Int) -> UInt32? {
    guard rest.count >= distance + 4 else { return nil }
    var value: UInt32 = 0
    for index in distance..<distance + 4 {
      guard let digit = rest[index].hexadecimalDigit else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  // MARK: Numbers and names of values

  /// Moves over a number.
  ///
  /// Whether it is an integer literal: neither fraction nor exponent.
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

  /// Moves over `literal`, whose first byte is known to be there.
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
  /// The eight bytes from `offset` on, zero in the bits that scalars of three bytes have in common whose
  /// lead bytes are E3 to EA.
  @inline(__always)
  fileprivate func misfit(at offset: Int = 0) -> UInt64 {
    // Five more than these lead bytes are those that begin with the bits 11101.
    (word(at: offset) &+ 0x0500_0005) ^ 0x8080_E880_80E8
  }

  /// As `misfit`, of five scalars in fifteen of the next sixteen bytes; bytes behind the first that is not
  /// zero mean nothing.
  @inline(__always)
  fileprivate var misfitsOfFive: SIMD2<UInt64> {
    // What is carried into the next byte comes from one that does not fit.
    let leads = SIMD2<UInt64>(0x0005_0000_0500_0005, 0x0000_0005_0000_0500)
    let bits = SIMD2<UInt64>(0x80E8_8080_E880_80E8, 0x0080_80E8_8080_E880)
    let mask = SIMD2<UInt64>(0xC0F8_C0C0_F8C0_C0F8, 0x00C0_C0F8_C0C0_F8C0)
    return ((SIMD2(word(), word(at: 8)) &+ leads) ^ bits) & mask
  }

  /// The last `length` bytes, one to seven, as a word filled up with spaces; all where there are fewer
  /// than eight.
  @inline(__always)
  func lastWord(of length: Int) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: length &* 8)
    let spaces: UInt64 = 0x2020_2020_2020_2020
    if count >= 8 { return word(at: count &- 8) &>> (64 &- bits) | spaces &<< bits }
    // Read so that the parts lie over each other.
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
  /// Has the high bit of the first byte that is a quotation mark, a backslash or a control
  /// character; bits after that one mean nothing.
  @inline(__always)
  var bytesThatNeedEscape: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = self ^ (ones &* 0x22)
    let backslashes = self ^ (ones &* 0x5C)
    let controls = (self &- ones &* 0x20) & ~self
    return ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | controls)
      & (ones &* 0x80)
  }

  /// Whether it is four scalars of two bytes, the first one lowest.
  @inline(__always)
  var isFourOfTwoBytes: Bool {
    guard self & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0 else { return false }
    // Not overlong: a lead byte of C2 or more.
    return ((self & 0x001E_001E_001E_001E) &+ 0x007E_007E_007E_007E) & 0x0080_0080_0080_0080
      == 0x0080_0080_0080_0080
  }

  /// As `bytesThatNeedEscape`, and the bytes that are not ASCII.
  @inline(__always)
  var bytesThatEndPlainRun: UInt64 {
    bytesThatNeedEscape | self & 0x8080_8080_8080_8080
  }
}

extension UInt8 {
  @inline(__always)
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  var hexadecimalDigit: UInt32? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
