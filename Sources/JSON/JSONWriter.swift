/// Writes JSON into memory that it grows and reuses.
///
/// It puts the commas; that names and values alternate and every container is closed is the
/// caller's business.
///
/// Safe: it owns its memory, and whatever it puts there is checked to have room.
@safe
public struct JSONWriter: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var count = 0
  /// Whether the next name or value comes after another one of the same container.
  @usableFromInline package var needsComma = false

  /// An empty writer.
  ///
  /// - Parameter capacity: how many bytes can be written before it must grow.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    unsafe start = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe start.deallocate()
  }

  /// What has been written.
  ///
  /// Valid until the next call of anything else.
  public var bytes: UnsafeRawBufferPointer {
    // Unsafe: valid as said above.
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// How many bytes have been written.
  public var byteCount: Int { count }

  /// Forgets what has been written, and overwrites it; the memory stays, unless it was grown beyond
  /// 64 KiB: each of a thousand users' loops has some.
  public mutating func removeAll() {
    // Unsafe: no more than was written; the memory that is freed, nothing points to any more.
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

  /// Writes the comma where one is due, and the name.
  ///
  /// - Parameter name: a literal without anything that JSON would have escaped.
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

  /// Writes the comma where one is due, and a name that is data, escaped where it must be.
  ///
  /// - Parameter name: any text.
  @_disfavoredOverload  // A literal is to be a StaticString, not by default a String.
  public mutating func name(_ name: String) {
    string(name)
    reserve(1)
    append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  /// Writes a string, escaped where it must be: `"`, `\` and control characters.
  ///
  /// - Parameter value: any text.
  @_disfavoredOverload  // A literal is to be a StaticString, not by default a String.
  public mutating func string(_ value: String) {
    // Unsafe: copied while it is lent.
    unsafe value.utf8Span.span.withUnsafeBufferPointer { unsafe string(utf8: $0) }
  }

  /// Writes a string, as `string(_:)` does.
  ///
  /// - Parameter value: valid UTF-8.
  public mutating func string(utf8 value: UnsafeBufferPointer<UInt8>) {
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
  /// - Parameter value: a literal without anything that JSON would have escaped.
  @inlinable
  public mutating func string(_ value: StaticString) {
    reserve(value.utf8CodeUnitCount &+ 3)
    comma()
    append(UInt8(ascii: "\""))
    append(value)
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a value that is JSON already.
  ///
  /// - Parameter value: one valid JSON text, such as another writer wrote.
  public mutating func json(_ value: UnsafeRawBufferPointer) {
    reserve(value.count &+ 1)
    comma()
    // Unsafe: copied at once, to where there is room.
    unsafe UnsafeMutableRawPointer(start + count).copyMemory(
      from: value.baseAddress ?? UnsafeRawPointer(start), byteCount: value.count)
    count &+= value.count
    needsComma = true
  }

  /// Writes `text` as it is, in one go: names, punctuation and values that are always the same.
  ///
  /// The comma before it is the caller's business; one behind it is put where one is due.
  @inlinable
  @inline(__always)
  public mutating func fragment(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    append(text)
    // Unsafe: the literal's last byte.
    switch unsafe text.utf8Start[length &- 1] {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): needsComma = false
    default: needsComma = true
    }
  }

  /// Writes an integer.
  ///
  /// - Parameter value: any.
  @inlinable
  public mutating func integer(_ value: Int) {
    reserve(29)
    comma()
    needsComma = true
    if 0...9 ~= value {
      append(UInt8(truncatingIfNeeded: value) &+ UInt8(ascii: "0"))
    } else {
      digits(value)
    }
  }

  /// Writes a number: the shortest text that reads as the same Double.
  ///
  /// JSON has none for infinities and NaN; they become null.
  ///
  /// - Parameter value: any.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    reserve(33)
    comma()
    for byte in value.description.utf8 { append(byte) }
    needsComma = true
  }

  /// Writes `true` or `false`.
  ///
  /// - Parameter value: which.
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

  @usableFromInline
  @inline(never)
  mutating func grow(by length: Int) {
    let larger = max(capacity * 2, count + length)
    // Unsafe: what was written goes into memory that is larger.
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: start, count: count)
    unsafe start.deallocate()
    unsafe start = memory
    capacity = larger
  }

  /// Puts a byte for which there is room.
  @inlinable
  mutating func append(_ byte: UInt8) {
    precondition(capacity &- count >= 1, "beyond the room")
    // Unsafe: checked above.
    unsafe start[count] = byte
    count &+= 1
  }

  /// Puts a literal for which there is room.
  @inlinable
  @inline(__always)
  mutating func append(_ literal: StaticString) {
    let length = literal.utf8CodeUnitCount
    precondition(capacity &- count >= length, "beyond the room")
    // Unsafe: the literal's own bytes; the room is checked above.
    unsafe (start + count).initialize(from: literal.utf8Start, count: length)
    count &+= length
  }

  /// Puts a word, the first byte lowest, behind what is written, of which it is no part yet.
  @inline(__always)
  private func put(_ word: UInt64) {
    precondition(capacity &- count >= 8, "beyond the room")
    // Unsafe: checked above.
    unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

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

  /// Writes an integer, for which there is room, and for eight bytes more.
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
    // The last digit stays, whatever it is.
    let zeros = min(7, digits.trailingZeroBitCount &>> 3)
    put(digits &>> UInt64(truncatingIfNeeded: zeros &* 8) | UInt64.zeros)
    count &+= 8 &- zeros
  }

  /// Copies `text`, sixteen and eight at a time up to the first one that must be escaped.
  ///
  /// There is room for all of them as they are, and eight more.
  private mutating func escape(_ text: JSONBytes) {
    var rest = text
    while rest.count >= 16 {
      let (first, second) = (rest.word(), rest.word(at: 8))
      // No byte that is not ASCII needs it.
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
    // What is left, with spaces behind it so that it is a word.
    let end = rest.count < 8 ? text.lastWord(of: rest.count) : nil
    guard let end, end.bytesThatNeedEscape == 0 else { return escapeSlowly(rest) }
    put(end)
    count &+= rest.count
  }

  private mutating func escapeSlowly(_ text: JSONBytes) {
    for index in 0..<text.count {
      // Six for this byte, one for each that is left, and the closing quotation mark.
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
  /// Eight times the digit zero.
  fileprivate static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight decimal digits of a number below 100,000,000, one in each byte, the first one lowest.
  @inline(__always)
  fileprivate var eightDigits: UInt64 {
    // Halves of four digits, then quarters of two, then each: divided by multiplying, all at a time.
    let halves = self / 10_000 | (self % 10_000) &<< 32
    let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let quarters = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = (quarters &* 103) &>> 10 & 0x000F_000F_000F_000F
    return tens | (quarters &- tens &* 10) &<< 8
  }
}
