/// The bytes of a JSON text that have not been read yet; `skip` moves its start towards the text's end.
///
/// Safe: every access is checked to be within the text. Whoever makes one of a pointer must keep the text for as long
/// as this is used.
@safe
@usableFromInline
struct JSONBytes {
  @usableFromInline private(set) var start: UnsafePointer<UInt8>
  @usableFromInline let end: UnsafePointer<UInt8>

  /// The `count` bytes at `start`, which must stay valid for as long as this is used.
  @unsafe
  @inlinable
  @inline(__always)
  init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    unsafe end = start + count
  }

  /// How many bytes are left.
  @inlinable
  @inline(__always)
  // Unsafe: two addresses in one text.
  var count: Int { unsafe end - start }

  @inlinable
  @inline(__always)
  // Unsafe: two addresses, only compared.
  var isEmpty: Bool { unsafe start == end }

  /// The byte at `index`, which must be below `count`.
  @inlinable
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "beyond the text")
    // Unsafe: checked above.
    return unsafe start[index]
  }

  /// Whether the next byte is `byte`.
  @inlinable
  @inline(__always)
  func begins(with byte: UInt8) -> Bool { !isEmpty && self[0] == byte }

  /// The eight bytes from `offset` on, which must be there; the first one is the lowest.
  @inline(__always)
  func word(at offset: Int = 0) -> UInt64 {
    precondition(offset >= 0 && offset <= count &- 8, "beyond the text")
    // Unsafe: checked above.
    return UInt64(
      littleEndian: unsafe UnsafeRawPointer(start).loadUnaligned(
        fromByteOffset: offset, as: UInt64.self))
  }

  /// The sixteen bytes from `offset` on, which must be there, as two words; the first byte is the lowest of the first
  /// word.
  @inline(__always)
  func words(at offset: Int) -> SIMD2<UInt64> {
    precondition(offset >= 0 && offset <= count &- 16, "beyond the text")
    // Unsafe: checked above.
    let words = unsafe UnsafeRawPointer(start).loadUnaligned(
      fromByteOffset: offset, as: SIMD2<UInt64>.self)
    return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
  }

  /// The four bytes from `offset` on, which must be there; the first one is the lowest, and the upper half is zero.
  @inline(__always)
  func half(at offset: Int = 0) -> UInt64 {
    precondition(offset >= 0 && offset <= count &- 4, "beyond the text")
    // Unsafe: checked above.
    return UInt64(
      UInt32(
        littleEndian: unsafe UnsafeRawPointer(start).loadUnaligned(
          fromByteOffset: offset, as: UInt32.self)))
  }

  /// Moves over the next `length` bytes, which must be there.
  @inlinable
  @inline(__always)
  mutating func skip(_ length: Int = 1) {
    precondition(length >= 0 && length <= count, "beyond the text")
    // Unsafe: checked above.
    unsafe start += length
  }

  /// The next `length` bytes, which must be there, as the content of a string.
  @inlinable
  @inline(__always)
  func prefix(_ length: Int) -> JSONText {
    precondition(length >= 0 && length <= count, "beyond the text")
    // Unsafe: a part of this, checked above.
    return unsafe JSONText(start: start, count: length)
  }
}
