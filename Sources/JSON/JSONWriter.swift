/// Writes JSON into memory that it grows and reuses.
///
/// It writes the commas. The caller must write names and values in turn, and close every container; the writer does not
/// check that.
///
/// Safe: it owns its memory, and checks that there is room for whatever it writes.
@safe
public struct JSONWriter: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  /// How many bytes there is room for, those written included.
  @usableFromInline var capacity: Int
  /// How many bytes have been written.
  @usableFromInline var count = 0
  /// Whether a comma is due before the next name or value.
  @usableFromInline package var needsComma = false

  /// An empty writer.
  ///
  /// - Parameter capacity: how many bytes can be written before the memory grows, at least 64.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe start.deallocate()
  }

  /// The bytes that have been written, valid until the writer is next changed.
  public var bytes: UnsafeRawBufferPointer {
    // Unsafe: valid as said above.
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// How many bytes have been written.
  public var byteCount: Int { count }

  /// Removes what has been written, and overwrites it with zeros.
  ///
  /// The memory stays, unless it has grown beyond 64 KiB: the daemon has writers for each user, of whom there may be a
  /// thousand.
  public mutating func removeAll() {
    // Unsafe: no more is overwritten than was written, and nothing refers to the memory that is freed.
    unsafe start.update(repeating: 0, count: count)
    count = 0
    needsComma = false
    if capacity > 1 << 16 {
      unsafe start.deallocate()
      capacity = 1 << 14
      unsafe start = .allocate(capacity: capacity)
    }
  }

  // MARK: Containers and names

  /// Writes `{`.
  @inlinable
  public mutating func beginObject() {
    open(UInt8(ascii: "{"))
  }

  /// Writes `}`.
  @inlinable
  public mutating func endObject() {
    close(UInt8(ascii: "}"))
  }

  /// Writes `[`.
  @inlinable
  public mutating func beginArray() {
    open(UInt8(ascii: "["))
  }

  /// Writes `]`.
  @inlinable
  public mutating func endArray() {
    close(UInt8(ascii: "]"))
  }

  /// Writes the name of a member.
  ///
  /// - Parameter name: a literal without characters that JSON escapes; this is not checked.
  @inlinable
  public mutating func name(_ name: StaticString) {
    reserve(name.utf8CodeUnitCount &+ 4)
    comma()
    append(UInt8(ascii: "\""))
    append(name)
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes the name of a member, escaped where it must be, for names that are data.
  ///
  /// - Parameter name: any text.
  @_disfavoredOverload  // So that a literal is a StaticString; its default type is String.
  public mutating func name(_ name: String) {
    string(name)
    reserve(1)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Members

  /// Writes the member `name`, or nothing where `value` is `nil`; so do those below.
  package mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    string(value)
  }

  package mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    self.name(name)
    integer(value)
  }

  package mutating func member(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    self.name(name)
    bool(value)
  }

  // MARK: Values

  /// Writes a string, escaped where it must be: `"`, `\` and control characters.
  ///
  /// - Parameter value: any text.
  @_disfavoredOverload  // So that a literal is a StaticString; its default type is String.
  public mutating func string(_ value: String) {
    // Unsafe: copied while it is lent.
    unsafe value.utf8Span.span.withUnsafeBufferPointer { unsafe string(utf8: $0) }
  }

  /// Writes a string, escaped where it must be.
  ///
  /// - Parameter value: well-formed UTF-8; this is not checked.
  public mutating func string(utf8 value: UnsafeBufferPointer<UInt8>) {
    // A comma, two quotation marks, and the eight bytes more that `escape` needs.
    reserve(value.count &+ 11)
    comma()
    append(UInt8(ascii: "\""))
    // Unsafe: copied at once.
    if let source = value.baseAddress {
      unsafe escape(JSONBytes(start: source, count: value.count))
    }
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a string.
  ///
  /// - Parameter value: a literal without characters that JSON escapes; this is not checked.
  @inlinable
  public mutating func string(_ value: StaticString) {
    reserve(value.utf8CodeUnitCount &+ 3)
    comma()
    append(UInt8(ascii: "\""))
    append(value)
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a value that is JSON already, byte for byte.
  ///
  /// - Parameter value: one valid JSON text, such as another writer wrote; this is not checked.
  public mutating func json(_ value: UnsafeRawBufferPointer) {
    reserve(value.count &+ 1)
    comma()
    // Unsafe: copied at once, into the room that was reserved.
    unsafe UnsafeMutableRawPointer(start + count).copyMemory(
      from: value.baseAddress ?? UnsafeRawPointer(start), byteCount: value.count)
    count &+= value.count
    needsComma = true
  }

  /// Writes `text` byte for byte: names, punctuation and values that are always the same, in one call.
  ///
  /// Writes no comma before it: where one is due, `text` begins with it. A comma is due behind it unless it ends with a
  /// bracket that opens or with a colon.
  ///
  /// - Parameter text: one or more bytes.
  @inlinable
  @inline(__always)
  public mutating func fragment(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    append(text)
    // Unsafe: the last byte of the literal, which is not empty.
    switch unsafe text.utf8Start[length &- 1] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): needsComma = false
    default: needsComma = true
    }
  }

  /// Writes an integer.
  ///
  /// - Parameter value: any integer.
  @inlinable
  public mutating func integer(_ value: Int) {
    // A comma, a minus, 19 digits, and the eight bytes more that `digits` needs.
    reserve(29)
    comma()
    needsComma = true
    if 0...9 ~= value {
      append(UInt8(truncatingIfNeeded: value) &+ UInt8(ascii: "0"))
    } else {
      digits(value)
    }
  }

  /// Writes a number: the shortest text that reads as the same `Double`.
  ///
  /// - Parameter value: the number; for infinities and NaN, which JSON does not have, `null` is written.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    reserve(33)
    comma()
    for byte in value.description.utf8 { append(byte) }
    needsComma = true
  }

  /// Writes `true` or `false`.
  ///
  /// - Parameter value: the Boolean.
  @inlinable
  public mutating func bool(_ value: Bool) {
    reserve(6)
    comma()
    if value { fragment("true") } else { fragment("false") }
  }

  /// Writes `null`.
  @inlinable
  public mutating func null() {
    reserve(5)
    comma()
    fragment("null")
  }
}

// MARK: - Bytes

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
  private mutating func escape(_ text: JSONBytes) {
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
