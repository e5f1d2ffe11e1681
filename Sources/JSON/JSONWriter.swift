/// Writes JSON into memory that it grows and reuses.
///
/// It puts the commas; that names and values alternate and every container is closed is the
/// caller's business.
public struct JSONWriter: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// How many bytes have been written.
  @usableFromInline var count = 0
  /// Whether the next name or value comes after another one of the same container.
  @usableFromInline package var needsComma = false

  /// An empty writer.
  ///
  /// - Parameter capacity: how many bytes can be written before it must grow.
  public init(capacity: Int = 4096) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity)
  }

  deinit {
    start.deallocate()
  }

  /// What has been written.
  ///
  /// Valid until the next call of anything else.
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Forgets what has been written, and overwrites it; the memory stays, unless it was grown beyond
  /// 64 KiB: each of a thousand users' loops has some.
  public mutating func removeAll() {
    start.update(repeating: 0, count: count)
    count = 0
    needsComma = false
    if capacity > 1 << 16 {
      start.deallocate()
      capacity = 1 << 14
      start = .allocate(capacity: capacity)
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
    let length = name.utf8CodeUnitCount
    reserve(length &+ 4)
    comma()
    start[count] = UInt8(ascii: "\"")
    (start + count + 1).initialize(from: name.utf8Start, count: length)
    start[count &+ length &+ 1] = UInt8(ascii: "\"")
    start[count &+ length &+ 2] = UInt8(ascii: ":")
    count &+= length &+ 3
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
    value.utf8Span.span.withUnsafeBufferPointer { string(utf8: $0) }
  }

  /// Writes a string, as `string(_:)` does.
  ///
  /// - Parameter value: valid UTF-8.
  public mutating func string(utf8 value: UnsafeBufferPointer<UInt8>) {
    reserve(value.count &+ 11)
    comma()
    append(UInt8(ascii: "\""))
    if let source = value.baseAddress { escape(source, count: value.count) }
    append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes a string.
  ///
  /// - Parameter value: a literal without anything that JSON would have escaped.
  @inlinable
  public mutating func string(_ value: StaticString) {
    let length = value.utf8CodeUnitCount
    reserve(length &+ 3)
    comma()
    start[count] = UInt8(ascii: "\"")
    (start + count + 1).initialize(from: value.utf8Start, count: length)
    start[count &+ length &+ 1] = UInt8(ascii: "\"")
    count &+= length &+ 2
    needsComma = true
  }

  /// Writes a value that is JSON already.
  ///
  /// - Parameter value: one valid JSON text, such as another writer wrote.
  public mutating func json(_ value: UnsafeRawBufferPointer) {
    reserve(value.count &+ 1)
    comma()
    UnsafeMutableRawPointer(start + count).copyMemory(
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
    (start + count).initialize(from: text.utf8Start, count: length)
    count &+= length
    switch text.utf8Start[length &- 1] {
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
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memory.update(from: start, count: count)
    start.deallocate()
    start = memory
    capacity = larger
  }

  /// Puts a byte for which there is room.
  @inlinable
  mutating func append(_ byte: UInt8) {
    start[count] = byte
    count &+= 1
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
      put(last.eightDigits)
      count &+= 8
      return
    }
    let digits = number.eightDigits
    // The last digit stays, whatever it is.
    let zeros = min(7, digits.trailingZeroBitCount &>> 3)
    put(digits &>> UInt64(truncatingIfNeeded: zeros &* 8))
    count &+= 8 &- zeros
  }

  /// Puts eight digits, the first one lowest, in front of what is written next.
  private func put(_ digits: UInt64) {
    UnsafeMutableRawPointer(start + count).storeBytes(
      of: (digits | 0x3030_3030_3030_3030).littleEndian, as: UInt64.self)
  }

  /// Copies `length` bytes, sixteen and eight at a time up to the first one that must be escaped.
  ///
  /// There is room for all of them as they are, and eight more.
  private mutating func escape(_ source: UnsafePointer<UInt8>, count length: Int) {
    var index = 0
    while length &- index >= 16 {
      let (first, second) = ((source + index).word, (source + index + 8).word)
      // No byte that is not ASCII needs it.
      guard
        first & second & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080
          || first.bytesThatNeedEscape | second.bytesThatNeedEscape == 0
      else { break }
      let place = UnsafeMutableRawPointer(start + count)
      place.storeBytes(of: first.littleEndian, as: UInt64.self)
      place.storeBytes(of: second.littleEndian, toByteOffset: 8, as: UInt64.self)
      count &+= 16
      index &+= 16
    }
    while length &- index >= 8 {
      let word = (source + index).word
      guard word & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080 || word.bytesThatNeedEscape == 0
      else { break }
      UnsafeMutableRawPointer(start + count).storeBytes(of: word.littleEndian, as: UInt64.self)
      count &+= 8
      index &+= 8
    }
    let rest = length &- index
    guard rest > 0 else { return }
    // What is left, with spaces behind it so that it is a word.
    let end = rest < 8 ? (source + index).word(of: rest, precededBy: index) : nil
    guard let end, end.bytesThatNeedEscape == 0 else {
      return escapeSlowly(source + index, count: rest)
    }
    UnsafeMutableRawPointer(start + count).storeBytes(of: end.littleEndian, as: UInt64.self)
    count &+= rest
  }

  private mutating func escapeSlowly(_ source: UnsafePointer<UInt8>, count length: Int) {
    for index in 0..<length {
      // Six for this byte, one for each that is left, and the closing quotation mark.
      reserve(length - index + 8)
      let byte = source[index]
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
