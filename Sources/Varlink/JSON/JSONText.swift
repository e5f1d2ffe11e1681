/// The bytes of a string in a parsed text, between its quotation marks, already known to be right.
@usableFromInline
struct JSONText {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int
  /// Whether there is a backslash among them.
  @usableFromInline let isEscaped: Bool

  @inlinable
  init(start: UnsafePointer<UInt8>, count: Int, isEscaped: Bool) {
    self.start = start
    self.count = count
    self.isEscaped = isEscaped
  }

  /// The bytes as they stand, escapes and all.
  var rawBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  @inlinable
  var string: String {
    isEscaped ? unescapedString : plainString
  }

  @usableFromInline
  var plainString: String {
    // The parser has checked the bytes.
    String(copying: UTF8Span(unchecked: Span(_unsafeStart: start, count: count)))
  }

  @usableFromInline
  var unescapedString: String {
    // Unescaping never lengthens.
    String(unsafeUninitializedCapacity: count) { buffer in
      var length = 0
      forEachUnescapedByte { byte in
        buffer[length] = byte
        length += 1
      }
      return length
    }
  }

  var unescapedCount: Int {
    guard isEscaped else { return count }
    var length = 0
    forEachUnescapedByte { _ in length += 1 }
    return length
  }

  @inlinable
  static func == (text: JSONText, literal: StaticString) -> Bool {
    guard !text.isEscaped else { return text.unescapedEquals(literal) }
    guard text.count == literal.utf8CodeUnitCount else { return false }
    let other = literal.utf8Start
    var index = 0
    while index < text.count {
      guard text.start[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }

  @usableFromInline
  func unescapedEquals(_ literal: StaticString) -> Bool {
    var index = 0
    var isEqual = true
    forEachUnescapedByte { byte in
      isEqual =
        isEqual && index < literal.utf8CodeUnitCount && literal.utf8Start[index] == byte
      index += 1
    }
    return isEqual && index == literal.utf8CodeUnitCount
  }

  func forEachUnescapedByte(_ body: (UInt8) -> Void) {
    var index = 0
    while index < count {
      let byte = start[index]
      guard byte == UInt8(ascii: "\\") else {
        body(byte)
        index += 1
        continue
      }
      let escape = start[index + 1]
      index += 2
      switch escape {
      case UInt8(ascii: "b"): body(0x08)
      case UInt8(ascii: "f"): body(0x0C)
      case UInt8(ascii: "n"): body(0x0A)
      case UInt8(ascii: "r"): body(0x0D)
      case UInt8(ascii: "t"): body(0x09)
      case UInt8(ascii: "u"):
        var value = codeUnit(at: index)
        index += 4
        if 0xD800...0xDBFF ~= value {
          // The parser has seen the other half, escaped as well.
          value = 0x10000 + (value - 0xD800) << 10 + (codeUnit(at: index + 2) - 0xDC00)
          index += 6
        }
        if let scalar = Unicode.Scalar(value) { UTF8.encode(scalar)?.forEach(body) }
      default: body(escape)
      }
    }
  }

  private func codeUnit(at index: Int) -> UInt32 {
    var value: UInt32 = 0
    for digit in index..<index + 4 {
      value = value << 4 | (start[digit].hexadecimalDigit ?? 0)
    }
    return value
  }
}

/// Equal where the unescaped bytes are: `"a"` and `"\u0061"` are the same name.
extension JSONText: Hashable {
  @usableFromInline
  static func == (left: JSONText, right: JSONText) -> Bool {
    guard left.isEscaped || right.isEscaped else {
      return left.count == right.count
        && left.buffer.elementsEqual(right.buffer)
    }
    return Array(left.string.utf8) == Array(right.string.utf8)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    if isEscaped {
      forEachUnescapedByte { hasher.combine($0) }
    } else {
      for byte in buffer { hasher.combine(byte) }
    }
  }

  private var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}
