/// The bytes of a string in a parsed text, unescaped and already known to be right.
@usableFromInline
struct JSONText {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int

  @inlinable
  init(start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  /// What `entry`, a string's, a name's or a number's, stands for.
  @inlinable
  init(_ entry: UnsafePointer<JSONEntry>, in text: UnsafePointer<UInt8>) {
    let base =
      entry.pointee.kind == .escapedString
      ? UnsafeRawPointer(entry).assumingMemoryBound(to: UInt8.self) : text
    self.init(start: base + Int(entry.pointee.offset), count: entry.pointee.length)
  }

  @inlinable
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  @usableFromInline
  var string: String {
    // The parser has checked the bytes.
    String(copying: UTF8Span(unchecked: Span(_unsafeStart: start, count: count)))
  }

  @inlinable
  static func == (text: JSONText, literal: StaticString) -> Bool {
    guard text.count == literal.utf8CodeUnitCount else { return false }
    let other = literal.utf8Start
    var index = 0
    while index < text.count {
      guard text.start[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }
}

/// Equal where the unescaped bytes are: `"a"` and `"\u0061"` are the same name.
extension JSONText: Hashable {
  @usableFromInline
  static func == (left: JSONText, right: JSONText) -> Bool {
    left.count == right.count && left.bytes.elementsEqual(right.bytes)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
  }
}
