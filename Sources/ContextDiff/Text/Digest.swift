/// A hash of text, by words of 8 bytes, kept in the text's place where only equality matters.
struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  @inline(__always) mutating func add(_ word: UInt64) {
    // As FNV does for a byte, with another factor; the shift lets the high half influence the low bits of what follows.
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 32
  }

  @inline(__always) mutating func add(_ text: Bytes) {
    var index = 0
    while index <= text.count &- 8 {
      add(text.word(index))
      index &+= 8
    }
    if index == text.count { return }
    var rest: UInt64 = 0
    while index < text.count {
      rest = rest &<< 8 | UInt64(text[index])
      index &+= 1
    }
    add(rest)
  }
}

extension Bytes {
  /// The hash of the text and its length.
  var digest: UInt64 {
    var digest = Digest()
    digest.add(UInt64(count))
    digest.add(self)
    return digest.value
  }
}

extension Field {
  /// The digest of the text; `nil` where the field is not shown.
  var digest: UInt64? { isShown ? bytes.digest : nil }
}
