// The writer's memory, and what writes bytes into it.

extension JSONWriter {
  /// Makes room for `length` more bytes.
  @inlinable
  mutating func reserve(_ length: Int) {
    if capacity &- count < length { grow(by: length) }
  }

  /// Moves what was written into memory at least twice as large, with room for `length` more bytes.
  @usableFromInline
  @inline(never)
  mutating func grow(by length: Int) {
    let larger = max(capacity * 2, count + length)
    // Unsafe: what was written is copied into memory that is larger.
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = memory
    capacity = larger
  }

  /// Writes a byte, for which there must be room.
  @inlinable
  mutating func append(_ byte: UInt8) {
    precondition(capacity &- count >= 1, "beyond the room")
    // Unsafe: checked above.
    unsafe start[count] = byte
    count &+= 1
  }

  /// Writes a literal, for which there must be room.
  @inlinable
  @inline(__always)
  mutating func append(_ literal: StaticString) {
    let length = literal.utf8CodeUnitCount
    precondition(capacity &- count >= length, "beyond the room")
    // Unsafe: the literal's own bytes; the room is checked above.
    unsafe (start + count).initialize(from: literal.utf8Start, count: length)
    count &+= length
  }

  /// Stores a word behind what is written, the first byte lowest; the caller adds to `count` the bytes that stay.
  @inline(__always)
  private func put(_ word: UInt64) {
    precondition(capacity &- count >= 8, "beyond the room")
    // Unsafe: checked above.
    unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// Writes a comma where one is due.
  @inlinable
  mutating func comma() {
    if needsComma { append(UInt8(ascii: ",")) }
  }

  @inlinable
  mutating func open(_ bracket: UInt8) {
    reserve(2)
    comma()
    append(bracket)
    needsComma = false
  }

  @inlinable
  mutating func close(_ bracket: UInt8) {
    reserve(1)
    append(bracket)
    needsComma = true
  }

  /// Writes an integer, for which there must be room, and for eight bytes more.
  @usableFromInline
  mutating func digits(_ value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    digits(of: UInt64(value.magnitude))
  }

  private mutating func digits(of number: UInt64) {
    if number >= 100_000_000 {
      let (first, last) = number.quotientAndRemainder(dividingBy: 100_000_000)
      digits(of: first)
      put(last.eightDigits | UInt64.zeros)
      count &+= 8
      return
    }
    let digits = number.eightDigits
    // Leading zeros are dropped; of a zero, the last digit stays.
    let zeros = min(7, digits.trailingZeroBitCount &>> 3)
    put(digits &>> UInt64(truncatingIfNeeded: zeros &* 8) | UInt64.zeros)
    count &+= 8 &- zeros
  }

  /// Writes `text`, escaped where it must be: sixteen and eight bytes at a time, up to the first that must be.
  ///
  /// There must be room for its bytes unescaped, and for eight more.
  mutating func escape(_ text: JSONBytes) {
    var rest = text
    while rest.count >= 16 {
      let (first, second) = (rest.word(), rest.word(at: 8))
      // Words without an ASCII byte, as in Japanese, need no escape.
      guard
        first & second & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080
          || first.bytesThatNeedEscape | second.bytesThatNeedEscape == 0
      else { break }
      put(first)
      count &+= 8
      put(second)
      count &+= 8
      rest.skip(16)
    }
    while rest.count >= 8 {
      let word = rest.word()
      guard word & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080 || word.bytesThatNeedEscape == 0
      else { break }
      put(word)
      count &+= 8
      rest.skip(8)
    }
    guard !rest.isEmpty else { return }
    // The last bytes, filled up with spaces to a word, which need no escape.
    let end = rest.count < 8 ? text.lastWord(of: rest.count) : nil
    guard let end, end.bytesThatNeedEscape == 0 else { return escapeSlowly(rest) }
    put(end)
    count &+= rest.count
  }

  /// Writes `text` byte by byte, escaped where it must be.
  private mutating func escapeSlowly(_ text: JSONBytes) {
    for index in 0..<text.count {
      // Six bytes for an escape of this byte, one for each behind it, and the rest for what the caller writes behind.
      reserve(text.count - index + 8)
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(escaped: byte)
      case 0x08: put(escaped: UInt8(ascii: "b"))
      case 0x09: put(escaped: UInt8(ascii: "t"))
      case 0x0A: put(escaped: UInt8(ascii: "n"))
      case 0x0C: put(escaped: UInt8(ascii: "f"))
      case 0x0D: put(escaped: UInt8(ascii: "r"))
      case 0..<0x20:
        put(escaped: UInt8(ascii: "u"))
        append(UInt8(ascii: "0"))
        append(UInt8(ascii: "0"))
        append(UInt8(ascii: "0") + byte >> 4)
        let low = byte & 15
        append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
      default: append(byte)
      }
    }
  }

  private mutating func put(escaped byte: UInt8) {
    append(UInt8(ascii: "\\"))
    append(byte)
  }
}

extension UInt64 {
  /// The digit zero in each of eight bytes.
  fileprivate static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight decimal digits of a number below 100,000,000, one in each byte, the first one lowest.
  @inline(__always)
  fileprivate var eightDigits: UInt64 {
    // The number is split into halves of four digits, quarters of two, then single digits. Multiplications and shifts
    // stand for divisions by 100 and by 10, and do all parts at a time.
    let halves = self / 10_000 | (self % 10_000) &<< 32
    let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let quarters = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = (quarters &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (quarters &- tens &* 10) &<< 8
  }
}
