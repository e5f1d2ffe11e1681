/// The unescaped, checked bytes of a string or a name in a JSON text, or the digits of a number.
///
/// Safe: every access is checked to be within the bytes. Whoever makes one of a pointer must keep the bytes for as long
/// as it is used.
@safe
@usableFromInline
package struct JSONText {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int

  /// The `count` bytes at `start`, which must be well-formed UTF-8 for as long as this is used.
  @unsafe
  @inlinable
  init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// The bytes that `entry`, a string's, a name's or a number's, stands for; it must be one of `text`'s.
  @unsafe
  @inlinable
  @inline(__always)
  init(_ entry: UnsafePointer<JSONEntry>, in text: UnsafePointer<UInt8>) {
    let base =
      unsafe entry.pointee.kind == .escapedString
      ? UnsafeRawPointer(entry).assumingMemoryBound(to: UInt8.self) : text
    unsafe self.init(start: base + Int(entry.pointee.offset), count: entry.pointee.length)
  }

  @inlinable
  package var bytes: UnsafeBufferPointer<UInt8> {
    // Unsafe: the same bytes, as many.
    unsafe UnsafeBufferPointer(start: start, count: count)
  }

  /// The byte at `index`, which must be below `count`.
  @inlinable
  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "beyond the text")
    // Unsafe: checked above.
    return unsafe start[index]
  }

  /// A copy as a string.
  @usableFromInline
  package var string: String {
    // Unsafe: the parser has checked the bytes, which are copied at once.
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return unsafe String(copying: UTF8Span(unchecked: Span(_unsafeStart: start, count: count)))
    }
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  @inlinable
  @inline(__always)
  static func == (text: JSONText, literal: StaticString) -> Bool {
    // Inlined, so that the compiler knows the literal's length and words.
    let count = literal.utf8CodeUnitCount
    guard text.count == count else { return false }
    // Unsafe: every index is below the count, which both have.
    let left = unsafe UnsafeRawPointer(text.start)
    let right = unsafe UnsafeRawPointer(literal.utf8Start)
    var index = 0
    while count &- index >= 4 {
      guard
        unsafe left.loadUnaligned(fromByteOffset: index, as: UInt32.self)
          == right.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      else { return false }
      index &+= 4
    }
    while index < count {
      guard unsafe text.start[index] == literal.utf8Start[index] else { return false }
      index &+= 1
    }
    return true
  }
}

/// Two are equal where their unescaped bytes are: `"a"` and `"\u0061"` are the same name.
extension JSONText: Hashable {
  @usableFromInline
  package static func == (left: JSONText, right: JSONText) -> Bool {
    // Unsafe: read at once.
    unsafe left.count == right.count && left.bytes.elementsEqual(right.bytes)
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    // Unsafe: read at once.
    unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
  }
}
