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
    var value = value
    // Unsafe: copied while it is lent.
    value.withUTF8 { unsafe string(utf8: $0) }
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
