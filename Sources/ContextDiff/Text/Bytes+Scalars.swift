// Unicode scalars, found and counted.

extension Bytes {
  @inline(__always) static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The length, in bytes, of a scalar that begins with `byte`.
  @inline(__always) static func scalarLength(of byte: UInt8) -> Int {
    // Kana and ideographs have three bytes.
    byte < 0x80 ? 1 : byte & 0xF0 == 0xE0 ? 3 : byte < 0xE0 ? 2 : 4
  }

  /// The nearest start of a scalar, or end of the text, at or before `index`.
  func scalarStart(atOrBefore index: Int) -> Int {
    var index = index
    while index > 0, index < count, Bytes.isContinuation(self[index]) { index &-= 1 }
    return index
  }

  /// The nearest start of a scalar, or end of the text, at or after `index`.
  func scalarStart(atOrAfter index: Int) -> Int {
    var index = index
    while index < count, Bytes.isContinuation(self[index]) { index &+= 1 }
    return index
  }

  /// The longest beginning of whole scalars that takes at most `length` bytes.
  func firstScalars(within length: Int) -> Bytes {
    prefix(scalarStart(atOrBefore: min(length, count)))
  }

  /// The longest end of whole scalars that takes at most `length` bytes.
  func lastScalars(within length: Int) -> Bytes {
    dropFirst(scalarStart(atOrAfter: max(0, count &- length)))
  }

  /// Whether the 12 bytes from `offset` on are 4 scalars of 3 bytes, such as kana and ideographs.
  @inline(__always) func holdsFourThreeByteScalars(from offset: Int) -> Bool {
    // Two begin in the first four bytes, and two in the third to sixth of the last eight.
    UInt64(littleEndian: word(offset)) & 0xF000_00F0 == 0xE000_00E0
      && UInt64(littleEndian: word(offset &+ 4)) & 0xF000_00F0_0000 == 0xE000_00E0_0000
  }

  /// The length of the first scalar, in bytes; 0 where there is none.
  var firstScalarLength: Int {
    if count == 0 { return 0 }
    if self[0] < 0x80 { return 1 }
    // Kana and ideographs have three bytes.
    return count >= 3 && self[0] & 0xF0 == 0xE0 ? 3 : scalarStart(atOrAfter: 1)
  }

  /// The length of the last scalar, in bytes; 0 where there is none.
  var lastScalarLength: Int {
    var length = min(1, count)
    while length < count, Bytes.isContinuation(self[count &- length]) { length &+= 1 }
    return length
  }

  /// The first scalar's value; 0 where there is none.
  @inline(__always) var firstScalar: UInt32 { scalar(at: 0, length: firstScalarLength) }

  /// The last scalar's value; 0 where there is none.
  var lastScalar: UInt32 {
    // Kana and ideographs have three bytes.
    if count >= 3, self[count &- 3] & 0xF0 == 0xE0 { return scalar(at: count &- 3, length: 3) }
    let length = lastScalarLength
    return scalar(at: count &- length, length: length)
  }

  /// Whether both begin with the same scalar; `false` where either is empty.
  func beginsWithSameScalar(as other: Bytes) -> Bool {
    !isEmpty && !other.isEmpty && firstScalar == other.firstScalar
  }

  /// Whether both end with the same scalar; `false` where either is empty.
  func endsWithSameScalar(as other: Bytes) -> Bool {
    !isEmpty && !other.isEmpty && lastScalar == other.lastScalar
  }

  @inline(__always) private func scalar(at offset: Int, length: Int) -> UInt32 {
    switch length {
    case 0: 0
    case 1: UInt32(self[offset])
    case 2: UInt32(self[offset] & 0x1F) << 6 | trail(offset &+ 1)
    case 3:
      UInt32(self[offset] & 0x0F) << 12 | trail(offset &+ 1) << 6 | trail(offset &+ 2)
    default:
      UInt32(self[offset] & 0x07) << 18 | trail(offset &+ 1) << 12 | trail(offset &+ 2) << 6
        | trail(offset &+ 3)
    }
  }

  @inline(__always) private func trail(_ index: Int) -> UInt32 { UInt32(self[index] & 0x3F) }

  /// The length of the common prefix, in bytes, in whole scalars.
  func commonStart(_ other: Bytes) -> Int { scalarStart(atOrBefore: commonPrefix(other)) }

  /// The length of the common suffix, in bytes, in whole scalars.
  func commonEnd(_ other: Bytes) -> Int {
    count - scalarStart(atOrAfter: count - commonSuffix(other))
  }

  /// The number of scalars.
  package var scalarCount: Int {
    var total = 0
    var index = 0
    while index <= count &- 64 {
      // As many blocks at once as a byte can count.
      let end = index &+ min((count &- index) / 64, 255) &* 64
      var counts = SIMD8<UInt64>.zero
      while index < end {
        let bytes = load(index, as: SIMD8<UInt64>.self)
        counts &+= (~(bytes &>> 7) | bytes &>> 6) & SIMD8(repeating: 0x0101_0101_0101_0101)
        index &+= 64
      }
      for lane in 0..<8 {
        let evenBytes: UInt64 = 0x00FF_00FF_00FF_00FF
        let pairs = (counts[lane] & evenBytes) &+ (counts[lane] >> 8 & evenBytes)
        total &+= Int((pairs &* 0x0001_0001_0001_0001) >> 48)
      }
    }
    while index <= count &- 8 {
      total &+= Bytes.starts(in: word(index)).nonzeroBitCount
      index &+= 8
    }
    while index < count {
      if !Bytes.isContinuation(self[index]) { total &+= 1 }
      index &+= 1
    }
    return total
  }

  /// The lowest bit of each of eight bytes that begins a scalar.
  @inline(__always) static func starts(in bytes: UInt64) -> UInt64 {
    // Continuation bytes have the two highest bits 10.
    (~(bytes >> 7) | bytes >> 6) & 0x0101_0101_0101_0101
  }

  /// The number of scalars, or `limit` where there are more.
  func scalarCount(upTo limit: Int) -> Int {
    // A scalar takes four bytes at most.
    min(limit, prefix(atMost: limit &* 4).scalarCount)
  }

  /// Whether it has more than `limit` scalars.
  func isLonger(thanScalars limit: Int) -> Bool { scalarCount(upTo: limit + 1) > limit }

  /// The number of scalars that take two UTF-16 units.
  var surrogateCount: Int {
    var total = 0
    var index = 0
    while index <= count &- 8 {
      // A scalar of four bytes begins with a byte whose four highest bits are set.
      let bytes = word(index)
      let marks = bytes & bytes << 1 & bytes << 2 & bytes << 3 & 0x8080_8080_8080_8080
      total &+= marks.nonzeroBitCount
      index &+= 8
    }
    while index < count {
      if self[index] >= 0xF0 { total &+= 1 }
      index &+= 1
    }
    return total
  }

  /// The byte offset of the scalar number `offset`, from 0; `count` where there are fewer.
  func byteOffset(ofScalar offset: Int) -> Int {
    var remaining = offset
    var index = 0
    while index < count {
      if !Bytes.isContinuation(self[index]) {
        if remaining == 0 { return index }
        remaining &-= 1
      }
      index &+= 1
    }
    return count
  }

  /// The length of the last `scalars` scalars, in bytes; `count` where there are fewer, 0 for a negative number.
  func length(ofLastScalars scalars: Int) -> Int {
    var remaining = scalars
    var start = count
    while start > 0, remaining > 0 {
      start &-= 1
      if !Bytes.isContinuation(self[start]) { remaining -= 1 }
    }
    return count &- start
  }

  /// Whether `condition` holds for every scalar.
  func allScalars(_ condition: (UInt32) -> Bool) -> Bool {
    var rest = self
    while !rest.isEmpty {
      if !condition(rest.firstScalar) { return false }
      rest = rest.dropFirst(rest.firstScalarLength)
    }
    return true
  }

  var isASCII: Bool { scalarCount == count }
}
