/// The bytes of a string in a parsed text, unescaped and already known to be right.
@usableFromInline
package struct JSONText {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int

  @inlinable
  init(start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  /// What `entry`, a string's, a name's or a number's, stands for.
  @inlinable
  @inline(__always)
  init(_ entry: UnsafePointer<JSONEntry>, in text: UnsafePointer<UInt8>) {
    let base =
      entry.pointee.kind == .escapedString
      ? UnsafeRawPointer(entry).assumingMemoryBound(to: UInt8.self) : text
    self.init(start: base + Int(entry.pointee.offset), count: entry.pointee.length)
  }

  @inlinable
  package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  @usableFromInline
  package var string: String {
    // The parser has checked the bytes.
    String(copying: UTF8Span(unchecked: Span(_unsafeStart: start, count: count)))
  }

  @inlinable
  @inline(__always)
  static func == (text: JSONText, literal: StaticString) -> Bool {
    // The literal's length and words are known where this is compiled.
    let count = literal.utf8CodeUnitCount
    guard text.count == count else { return false }
    let left = UnsafeRawPointer(text.start)
    let right = UnsafeRawPointer(literal.utf8Start)
    var index = 0
    while count &- index >= 4 {
      guard
        left.loadUnaligned(fromByteOffset: index, as: UInt32.self)
          == right.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      else { return false }
      index &+= 4
    }
    while index < count {
      guard text.start[index] == literal.utf8Start[index] else { return false }
      index &+= 1
    }
    return true
  }
}

/// Equal where the unescaped bytes are: `"a"` and `"\u0061"` are the same name.
extension JSONText: Hashable {
  @usableFromInline
  package static func == (left: JSONText, right: JSONText) -> Bool {
    left.count == right.count && left.bytes.elementsEqual(right.bytes)
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
  }
}
