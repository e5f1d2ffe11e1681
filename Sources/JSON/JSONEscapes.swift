extension UnsafeMutablePointer<UInt8> {
  /// Writes the bytes that `escaped`, the checked content of a string, stands for.
  ///
  /// There must be room for as many bytes as `escaped` has: no escape stands for more bytes than it has.
  ///
  /// - Returns: how many bytes were written.
  func unescape(_ escaped: JSONText) -> Int {
    var length = 0
    func put(_ byte: UInt8) {
      // Unsafe: the caller has made room.
      unsafe self[length] = byte
      length += 1
    }
    var index = 0
    while index < escaped.count {
      let byte = escaped[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        put(byte)
        continue
      }
      let escape = escaped[index]
      index += 1
      switch escape {
      case UInt8(ascii: "b"): put(0x08)
      case UInt8(ascii: "f"): put(0x0C)
      case UInt8(ascii: "n"): put(0x0A)
      case UInt8(ascii: "r"): put(0x0D)
      case UInt8(ascii: "t"): put(0x09)
      case UInt8(ascii: "u"):
        var value = escaped.codeUnit(at: index)
        index += 4
        if 0xD800...0xDBFF ~= value {
          // The low surrogate follows as a second escape.
          value = 0x10000 + (value - 0xD800) << 10 + (escaped.codeUnit(at: index + 2) - 0xDC00)
          index += 6
        }
        guard let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) else { continue }
        for byte in bytes { put(byte) }
      default: put(escape)
      }
    }
    return length
  }
}

extension JSONText {
  /// The value of the four hexadecimal digits at `index`.
  fileprivate func codeUnit(at index: Int) -> UInt32 {
    var value: UInt32 = 0
    for digit in index..<index + 4 { value = value << 4 | (self[digit].hexadecimalDigit ?? 0) }
    return value
  }
}
