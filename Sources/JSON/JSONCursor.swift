/// Reads a JSON text whose form is known beforehand: once, from left to right, without noting where
/// its values are.
///
/// It takes what programs usually write: no white space, members' names without escapes. Where anything else stands,
/// valid or not, it answers `false` or `nil`, and the caller has ``JSONParser`` read the text instead.
///
/// Strings are checked as the parser checks them; structure is checked by the literals that the caller takes. So a text
/// is valid if all of it was taken, up to ``isAtEnd``, and the caller takes no member of an object twice.
///
/// ``take(_:)`` and ``string()`` move the cursor only if they succeed; after a ``naturalNumber()`` that is `nil`, the
/// cursor may stand anywhere within the text.
///
/// Safe: every access to the text is checked, and an unescaped string takes no more room than the escaped one. Whoever
/// makes a cursor must keep the text, and as much room as the text has bytes, for as long as it is used.
@safe
public struct JSONCursor {
  @usableFromInline var text: JSONBytes
  /// Where the unescaped bytes of the next string with escapes go; there is room for as many as the whole text has.
  private(set) var unescaped: UnsafeMutablePointer<UInt8>

  @unsafe
  init(_ text: JSONBytes, unescaped: UnsafeMutablePointer<UInt8>) {
    self.text = text
    unsafe self.unescaped = unescaped
  }

  /// Whether the cursor stands at the text's end.
  @inlinable
  public var isAtEnd: Bool { text.isEmpty }

  /// The bytes from the cursor to the text's end, valid as long as the text is.
  @inlinable
  public var rest: UnsafeRawBufferPointer {
    // Unsafe: the same bytes, as many.
    unsafe UnsafeRawBufferPointer(start: text.start, count: text.count)
  }

  /// Moves over `literal` if that is next in the text.
  ///
  /// - Parameter literal: one or more bytes.
  /// - Returns: whether `literal` was next; where it was not, the cursor has not moved.
  @inlinable
  @inline(__always)
  public mutating func take(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard text.count >= length, text.prefix(length) == literal else { return false }
    text.skip(length)
    return true
  }

  /// Moves over the next `length` bytes, of which there must be as many.
  ///
  /// They are not checked: the caller knows what they say, and that they are valid there.
  @inlinable
  @inline(__always)
  public mutating func skip(_ length: Int) { text.skip(length) }

  /// Moves over a string if one is next in the text.
  ///
  /// - Returns: the string's UTF-8, unescaped, valid as long as the text and until the parser's next call; `nil` where
  ///   no valid string is next, and then the cursor has not moved.
  @inlinable
  @inline(__always)
  public mutating func string() -> UnsafeBufferPointer<UInt8>? {
    guard text.begins(with: UInt8(ascii: "\"")) else { return nil }
    var rest = text
    rest.skip()
    let length = JSONScanner.plainStringLength(in: rest)
    guard length >= 0 else { return unsafe escapedString() }
    let string = rest.prefix(length)
    rest.skip(length + 1)
    text = rest
    // Unsafe: valid as said above.
    return unsafe string.bytes
  }

  /// Does what `string` does, for a string with escapes too; its quotation mark must be next.
  @usableFromInline
  mutating func escapedString() -> UnsafeBufferPointer<UInt8>? {
    var rest = text
    rest.skip()
    var scanner = JSONScanner(rest)
    guard (try? scanner.skipString()) != nil else { return nil }
    text = scanner.rest
    text.skip()
    // Unsafe: there is room, for each string of the text is unescaped once.
    let length = unsafe unescaped.unescape(rest.prefix(scanner.offset))
    defer { unsafe unescaped += length }
    return unsafe UnsafeBufferPointer(start: unescaped, count: length)
  }

  /// Moves over an integer of 1 to 18 digits, without a sign.
  ///
  /// A fraction, an exponent or a 19th digit is left for the next call, where no literal that may follow a value takes
  /// it.
  ///
  /// - Returns: the integer; `nil` where no digit is next, or a zero before further digits.
  public mutating func naturalNumber() -> Int? {
    let start = text
    var value = 0
    while !text.isEmpty, text[0].isDigit, start.count &- text.count < 18 {
      value = value &* 10 &+ Int(text[0] &- UInt8(ascii: "0"))
      text.skip()
    }
    let length = start.count &- text.count
    guard length > 0, length == 1 || start[0] != UInt8(ascii: "0") else { return nil }
    return value
  }
}
