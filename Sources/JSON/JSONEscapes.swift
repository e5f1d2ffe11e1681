extension UnsafeMutablePointer<UInt8> {
  /// Writes the bytes for which `escaped`, already checked, stands.
  ///
  /// - Returns: How many: at most as many as `escaped` has.
  func unescape(_ escaped: UnsafeBufferPointer<UInt8>) -> Int {
    var length = 0
    var index = 0
    while index < escaped.count {
      let byte = escaped[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        self[length] = byte
        length += 1
        continue
      }
      let escape = escaped[index]
      index += 1
      switch escape {
      case UInt8(ascii: "b"): self[length] = 0x08
      case UInt8(ascii: "f"): self[length] = 0x0C
      case UInt8(ascii: "n"): self[length] = 0x0A
      case UInt8(ascii: "r"): self[length] = 0x0D
      case UInt8(ascii: "t"): self[length] = 0x09
      case UInt8(ascii: "u"):
        var value = escaped.codeUnit(at: index)
        index += 4
        if 0xD800...0xDBFF ~= value {
          // The other half follows, escaped as well.
          value = 0x10000 + (value - 0xD800) << 10 + (escaped.codeUnit(at: index + 2) - 0xDC00)
          index += 6
        }
        guard let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) else { continue }
        for byte in bytes {
          self[length] = byte
          length += 1
        }
        continue
      default: self[length] = escape
      }
      length += 1
    }
    return length
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func codeUnit(at index: Int) -> UInt32 {
    var value: UInt32 = 0
    for digit in index..<index + 4 { value = value << 4 | (self[digit].hexadecimalDigit ?? 0) }
    return value
  }
}
