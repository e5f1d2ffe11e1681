/// A place in a JSON text that moves over strings and numbers and checks them on the way.
///
/// Words of eight bytes are read where eight are left; nothing is ever read beyond `end`.
struct JSONScanner {
  typealias Pointer = UnsafePointer<UInt8>

  let start: Pointer
  let end: Pointer
  var next: Pointer

  @inline(__always)
  init(_ start: Pointer, count: Int) {
    self.start = start
    end = start + count
    next = start
  }

  @inline(__always)
  var offset: Int { next - start }

  func failure(_ reason: JSONError.Reason) -> JSONError {
    JSONError(reason: next == end ? .unexpectedEnd : reason, offset: offset)
  }

  @inline(__always)
  mutating func skipWhiteSpace() {
    while next < end {
      let byte = next.pointee
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return
      }
      next += 1
    }
  }

  // MARK: Strings

  /// Moves from after the opening quotation mark to the closing one.
  ///
  /// Whether there was an escape.
  @inline(__always)
  mutating func skipString() throws(JSONError) -> Bool {
    var isEscaped = false
    while true {
      while end - next >= 8 {
        let special = next.word.bytesThatEndPlainRun
        if special == 0 {
          next += 8
        } else {
          next += special.trailingZeroBitCount &>> 3
          break
        }
      }
      guard next < end else { throw failure(.unexpectedEnd) }
      switch next.pointee {
      case UInt8(ascii: "\""):
        return isEscaped
      case 0x80...:
        try skipMultiByteRun()
      case UInt8(ascii: "\\"):
        isEscaped = true
        try skipEscape()
      case ..<0x20:
        throw failure(.controlCharacter)
      default:
        next += 1
      }
    }
  }

  /// Moves over scalars of more than one byte, as many as follow each other.
  @inline(__always)
  private mutating func skipMultiByteRun() throws(JSONError) {
    while end - next >= 8 {
      // Two scalars of three bytes, which is what Japanese is made of, unless a lead byte (E0, ED)
      // restricts its second.
      let word = next.word
      guard word & 0x0000_C0C0_F0C0_C0F0 == 0x0000_8080_E080_80E0 else { break }
      let first = word & 0x0F
      let second = word &>> 24 & 0x0F
      guard first != 0x0, first != 0xD, second != 0x0, second != 0xD else { break }
      next += 6
    }
    while next < end, next.pointee >= 0x80 {
      try skipMultiByteScalar()
      // Back to the fast path above once the odd one is out of the way.
      if end - next >= 8 { return }
    }
  }

  private mutating func skipMultiByteScalar() throws(JSONError) {
    let left = end - next
    let lead = next.pointee
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
    guard left >= count else { throw failure(.invalidUTF8) }
    guard secondRange.contains(next[1]) else { throw failure(.invalidUTF8) }
    for index in 2..<max(count, 2) {
      guard next[index] & 0xC0 == 0x80 else { throw failure(.invalidUTF8) }
    }
    next += count
  }

  private mutating func skipEscape() throws(JSONError) {
    guard end - next >= 2 else { throw failure(.invalidEscape) }
    switch next[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      next += 2
    case UInt8(ascii: "u"):
      guard let unit = hexadecimal(at: 2) else { throw failure(.invalidEscape) }
      switch unit {
      case 0xD800...0xDBFF:
        guard end - next >= 12, next[6] == UInt8(ascii: "\\"), next[7] == UInt8(ascii: "u"),
          let low = hexadecimal(at: 8), 0xDC00...0xDFFF ~= low
        else { throw failure(.loneSurrogate) }
        next += 12
      case 0xDC00...0xDFFF:
        throw failure(.loneSurrogate)
      default:
        next += 6
      }
    default:
      throw failure(.invalidEscape)
    }
  }

  private func hexadecimal(at distance: Int) -> UInt32? {
    guard end - next >= distance + 4 else { return nil }
    var value: UInt32 = 0
    for index in distance..<distance + 4 {
      guard let digit = next[index].hexadecimalDigit else { return nil }
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
    if next.pointee == UInt8(ascii: "-") { next += 1 }
    guard next < end, next.pointee.isDigit else { throw failure(.invalidNumber) }
    if next.pointee == UInt8(ascii: "0") {
      next += 1
    } else {
      skipDigits()
    }
    guard next < end else { return true }
    var isInteger = true
    if next.pointee == UInt8(ascii: ".") {
      isInteger = false
      next += 1
      guard next < end, next.pointee.isDigit else { throw failure(.invalidNumber) }
      skipDigits()
    }
    if next < end, next.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      next += 1
      if next < end, next.pointee == UInt8(ascii: "+") || next.pointee == UInt8(ascii: "-") {
        next += 1
      }
      guard next < end, next.pointee.isDigit else { throw failure(.invalidNumber) }
      skipDigits()
    }
    return isInteger
  }

  @inline(__always)
  private mutating func skipDigits() {
    while next < end, next.pointee.isDigit { next += 1 }
  }

  /// Moves over `literal`, whose first byte is known to be there.
  mutating func skip(_ literal: StaticString) throws(JSONError) {
    for index in 0..<literal.utf8CodeUnitCount {
      guard next < end, next.pointee == literal.utf8Start[index] else {
        throw failure(.unexpectedByte)
      }
      next += 1
    }
  }
}

extension UnsafePointer<UInt8> {
  /// The eight bytes here, the first one lowest.
  @inline(__always)
  var word: UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self))
  }

  /// The `count` bytes here, one to seven, as a word filled up with spaces; where there are
  /// `before` others in front of them, nothing is read byte by byte.
  @inline(__always)
  func word(of count: Int, precededBy before: Int) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: count &* 8)
    let spaces: UInt64 = 0x2020_2020_2020_2020
    if before &+ count >= 8 {
      return (self + (count &- 8)).word &>> (64 &- bits) | spaces &<< bits
    }
    var bytes: UInt64 = 0
    for index in 0..<count {
      bytes |= UInt64(self[index]) &<< UInt64(truncatingIfNeeded: index &* 8)
    }
    return bytes | spaces &<< bits
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
