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
public struct JSONCursor {
  @usableFromInline var next: UnsafePointer<UInt8>
  @usableFromInline let end: UnsafePointer<UInt8>
  /// Where the next escaped string's bytes go; there is room for those of the whole text.
  private(set) var unescaped: UnsafeMutablePointer<UInt8>

  init(_ text: UnsafePointer<UInt8>, count: Int, unescaped: UnsafeMutablePointer<UInt8>) {
    next = text
    end = text + count
    self.unescaped = unescaped
  }

  /// Whether all of the text was taken.
  @inlinable
  public var isAtEnd: Bool { next == end }

  /// What is not taken yet; valid as long as the text is.
  @inlinable
  public var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: next, count: end - next) }

  /// Moves over `literal`; where something else is there, it does not move.
  ///
  /// - Parameter literal: one or more bytes.
  /// - Returns: whether it was there.
  @inlinable
  @inline(__always)
  public mutating func take(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard end - next >= length, JSONText(start: next, count: length) == literal else {
      return false
    }
    next += length
    return true
  }

  /// Moves over a string.
  ///
  /// - Returns: its UTF-8, unescaped, valid as long as the text and until the parser's next call.
  @inlinable
  public mutating func string() -> UnsafeBufferPointer<UInt8>? {
    guard next < end, next.pointee == UInt8(ascii: "\"") else { return nil }
    let start = next + 1
    let length = JSONScanner.plainStringLength(from: start, upTo: end)
    guard length >= 0 else { return escapedString() }
    next = start + length + 1
    return UnsafeBufferPointer(start: start, count: length)
  }

  /// As `string`, for one that may have escapes, and is known to begin.
  @usableFromInline
  mutating func escapedString() -> UnsafeBufferPointer<UInt8>? {
    let start = next + 1
    var scanner = JSONScanner(start, count: end - start)
    guard (try? scanner.skipString()) != nil else { return nil }
    next = scanner.next + 1
    let length = unescaped.unescape(UnsafeBufferPointer(start: start, count: scanner.offset))
    defer { unescaped += length }
    return UnsafeBufferPointer(start: unescaped, count: length)
  }

  /// Moves over an integer that is not negative and has 18 digits at most.
  ///
  /// A fraction or an exponent behind it is not taken with it, and nothing that can follow a value
  /// is either.
  ///
  /// - Returns: the integer.
  public mutating func naturalNumber() -> Int? {
    let start = next
    var value = 0
    while next < end, next.pointee.isDigit, next - start < 18 {
      value = value &* 10 &+ Int(next.pointee &- UInt8(ascii: "0"))
      next += 1
    }
    let length = next - start
    guard length > 0, length == 1 || start.pointee != UInt8(ascii: "0") else { return nil }
    return value
  }
}
