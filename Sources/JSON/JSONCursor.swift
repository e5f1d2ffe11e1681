/// Reads a JSON text whose form is known beforehand: once, from left to right, without noting where
/// its values are.
///
/// It takes what programs usually write: no white space, members' names without escapes. Whatever
/// else is there, right or wrong, it does not take: it answers `false` or `nil`, and the text is for
/// ``JSONParser`` to read. What it takes is checked as the parser checks it. So a text is right of
/// which everything was taken, up to ``isAtEnd``, if the caller takes no member of an object twice.
///
/// ``take(_:)`` and ``string()`` move only where they take; after a ``naturalNumber()`` that is `nil`, the
/// cursor may stand anywhere. Nothing is ever read beyond the text.
///
/// Safe: its text is checked; unescaped strings take no more room than they take in the text. That text
/// and room outlive it, who makes one answers for.
@safe
public struct JSONCursor {
  @usableFromInline var text: JSONBytes
  /// Where the next escaped string's bytes go; there is room for those of the whole text.
  private(set) var unescaped: UnsafeMutablePointer<UInt8>

  @unsafe
  init(_ text: JSONBytes, unescaped: UnsafeMutablePointer<UInt8>) {
    self.text = text
    unsafe self.unescaped = unescaped
  }

  /// Whether all of the text was taken.
  @inlinable
  public var isAtEnd: Bool { text.isEmpty }

  /// What is not taken yet; valid as long as the text is.
  @inlinable
  public var rest: UnsafeRawBufferPointer {
    // Unsafe: the same bytes, as many.
    unsafe UnsafeRawBufferPointer(start: text.start, count: text.count)
  }

  /// Moves over `literal`; where something else is there, it does not move.
  ///
  /// - Parameter literal: one or more bytes.
  /// - Returns: whether it was there.
  @inlinable
  @inline(__always)
  public mutating func take(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard text.count >= length, text.prefix(length) == literal else { return false }
    text.skip(length)
    return true
  }

  /// Moves over a string.
  ///
  /// - Returns: its UTF-8, unescaped, valid as long as the text and until the parser's next call.
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

  /// As `string`, for one that may have escapes, and is known to begin.
  @usableFromInline
  mutating func escapedString() -> UnsafeBufferPointer<UInt8>? {
    var rest = text
    rest.skip()
    var scanner = JSONScanner(rest)
    guard (try? scanner.skipString()) != nil else { return nil }
    text = scanner.rest
    text.skip()
    // Unsafe: each string of the text is unescaped once, so that there is room.
    let length = unsafe unescaped.unescape(rest.prefix(scanner.offset))
    defer { unsafe unescaped += length }
    return unsafe UnsafeBufferPointer(start: unescaped, count: length)
  }

  /// Moves over an integer that is not negative and has 18 digits at most.
  ///
  /// A fraction or an exponent behind it is not taken with it, and nothing that can follow a value
  /// is either.
  ///
  /// - Returns: the integer.
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
