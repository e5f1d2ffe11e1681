/// A number that stands for text where only its being the same counts: eight bytes go into it at a time.
struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  @inline(__always) mutating func add(_ word: UInt64) {
    // FNV's way, by words; what a word's high half holds is brought down for the next one.
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 32
  }

  @inline(__always) mutating func add(_ text: Bytes) {
    var index = 0
    while index <= text.count &- 8 {
      add(text.word(index))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < text.count {
      rest = rest &<< 8 | UInt64(text[index])
      index &+= 1
    }
    add(rest)
  }
}

extension Bytes {
  /// A number that stands for the text.
  var digest: UInt64 {
    var digest = Digest()
    digest.add(UInt64(count))
    digest.add(self)
    return digest.value
  }
}
