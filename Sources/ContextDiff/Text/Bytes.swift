/// A stretch of well-formed UTF-8 that somebody else owns, valid for the time of one call.
///
/// The engine compares texts by their bytes: two texts hold the same Unicode scalars exactly where
/// their UTF-8 is the same, which `String ==` does not say.
///
/// Safe: every access is checked to be within `count`. The compiler does not check that no `Bytes` outlives the call
/// that lent it: whoever makes one from a pointer answers for that.
///
/// Other modules read and write messages field by field: what they use of this, and of snapshots made of it, is
/// inlinable.
@safe @usableFromInline package struct Bytes {
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline package let count: Int

  /// The `count` bytes at `start`, which must be well-formed UTF-8 for as long as this is used.
  @unsafe @inlinable @inline(__always) init(start: UnsafePointer<UInt8>, count: Int) {
    unsafe self.start = start
    self.count = count
  }

  /// The bytes of `buffer`, which must be well-formed UTF-8 for as long as this is used.
  @unsafe @inlinable package init(_ buffer: UnsafeBufferPointer<UInt8>) {
    unsafe self.init(start: buffer.baseAddress ?? Bytes.empty.start, count: buffer.count)
  }

  @inlinable init(_ text: StaticString) {
    // Unsafe: a literal's bytes are never freed.
    unsafe self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  @inlinable static var empty: Bytes { Bytes("") }
  static var newline: Bytes { Bytes("\n") }

  var isEmpty: Bool { count == 0 }

  /// The byte at `index`, which must be below `count`.
  subscript(index: Int) -> UInt8 {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "beyond the text")
      // Unsafe: checked above.
      return unsafe start[index]
    }
  }

  var first: UInt8? { count == 0 ? nil : self[0] }
  var last: UInt8? { count == 0 ? nil : self[count - 1] }

  /// The first `length` bytes; `length` must be from 0 to `count`, as below.
  @inline(__always) func prefix(_ length: Int) -> Bytes {
    precondition(UInt(bitPattern: length) <= UInt(bitPattern: count), "beyond the text")
    // Unsafe: a part of this, checked above.
    return unsafe Bytes(start: start, count: length)
  }
  /// What follows the first `length` bytes.
  @inline(__always) func dropFirst(_ length: Int) -> Bytes {
    precondition(UInt(bitPattern: length) <= UInt(bitPattern: count), "beyond the text")
    // Unsafe: a part of this, checked above.
    return unsafe Bytes(start: start + length, count: count &- length)
  }
  /// The last `length` bytes.
  @inline(__always) func suffix(_ length: Int) -> Bytes { dropFirst(count &- length) }
  /// What precedes the last `length` bytes.
  @inline(__always) func dropLast(_ length: Int) -> Bytes { prefix(count &- length) }

  /// The first `length` bytes, or all where there are fewer; so do the others below.
  @inline(__always) func prefix(atMost length: Int) -> Bytes { prefix(min(length, count)) }
  @inline(__always) func suffix(atMost length: Int) -> Bytes { suffix(min(length, count)) }
  @inline(__always) func dropFirst(atMost length: Int) -> Bytes { dropFirst(min(length, count)) }
  @inline(__always) func dropLast(atMost length: Int) -> Bytes { dropLast(min(length, count)) }

  @inlinable package var utf8: UnsafeBufferPointer<UInt8> {
    // Unsafe: the same bytes, and as many.
    unsafe UnsafeBufferPointer(start: start, count: count)
  }

  @inlinable package var raw: UnsafeRawBufferPointer {
    // Unsafe: as above.
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// A copy of the text as a string.
  package var string: String {
    // Unsafe: copied at once.
    unsafe String(decoding: utf8, as: UTF8.self)
  }

  /// 64 bytes.
  typealias Block = (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)

  /// The value whose bytes begin at `offset`; all of them must be within the text.
  @inline(__always) func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
    precondition(offset >= 0 && offset <= count &- MemoryLayout<Value>.size, "beyond the text")
    // Unsafe: checked above.
    return unsafe UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: type)
  }
}

// MARK: - Comparison, by words and by blocks of eight words

extension Bytes {
  @inline(__always) func word(_ offset: Int) -> UInt64 {
    load(offset, as: UInt64.self)
  }

  /// The bits in which the 16 bytes from `offset` on differ from those in `other`.
  @inline(__always) private func pair(at offset: Int, with other: Bytes) -> SIMD2<UInt64> {
    load(offset, as: SIMD2<UInt64>.self) ^ other.load(offset, as: SIMD2<UInt64>.self)
  }

  /// Whether the 64 bytes from `offset` on are the same in `other`.
  @inline(__always) private func block(at offset: Int, isSameIn other: Bytes) -> Bool {
    let all = load(offset, as: SIMD8<UInt64>.self) ^ other.load(offset, as: SIMD8<UInt64>.self)
    let half = all.lowHalf | all.highHalf
    let quarter = half.lowHalf | half.highHalf
    return quarter[0] | quarter[1] == 0
  }

  /// The length of the common prefix, in bytes.
  package func commonPrefix(_ other: Bytes) -> Int {
    let limit = min(count, other.count)
    let (left, right) = (prefix(limit), other.prefix(limit))
    var index = 0
    while index <= limit &- 64, left.block(at: index, isSameIn: right) { index &+= 64 }
    while index <= limit &- 8 {
      let difference = UInt64(littleEndian: left.word(index) ^ right.word(index))
      if difference != 0 { return index &+ difference.trailingZeroBitCount / 8 }
      index &+= 8
    }
    if limit >= 8 {
      // The last word overlaps what was compared.
      let difference = UInt64(littleEndian: left.word(limit &- 8) ^ right.word(limit &- 8))
      return difference == 0 ? limit : limit &- 8 &+ difference.trailingZeroBitCount / 8
    }
    while index < limit, left[index] == right[index] { index &+= 1 }
    return index
  }

  /// The length of the common suffix, in bytes.
  package func commonSuffix(_ other: Bytes) -> Int {
    let limit = min(count, other.count)
    let (left, right) = (suffix(limit), other.suffix(limit))
    var start = limit
    while start >= 64, left.block(at: start &- 64, isSameIn: right) { start &-= 64 }
    while start >= 8 {
      let difference = UInt64(littleEndian: left.word(start &- 8) ^ right.word(start &- 8))
      if difference != 0 { return limit &- start &+ difference.leadingZeroBitCount / 8 }
      start &-= 8
    }
    while start > 0, left[start &- 1] == right[start &- 1] { start &-= 1 }
    return limit &- start
  }

  @inline(__always) package static func == (left: Bytes, right: Bytes) -> Bool {
    // Unsafe: two addresses, only compared.
    left.count == right.count && (unsafe left.start == right.start || left.holdsSame(as: right))
  }

  /// Whether `other`, of the same length, holds the same bytes.
  private func holdsSame(as other: Bytes) -> Bool {
    let other = other.prefix(count)
    if count < 8 {
      var index = 0
      while index < count, self[index] == other[index] { index &+= 1 }
      return index == count
    }
    // The last word, pair or block may overlap what was compared.
    if count <= 16 {
      return word(0) == other.word(0) && word(count &- 8) == other.word(count &- 8)
    }
    if count <= 64 {
      var difference = pair(at: 0, with: other) | pair(at: count &- 16, with: other)
      if count > 32 {
        difference |= pair(at: 16, with: other) | pair(at: count &- 32, with: other)
      }
      return difference[0] | difference[1] == 0
    }
    var index = 0
    while index < count &- 64 {
      if !block(at: index, isSameIn: other) { return false }
      index &+= 64
    }
    return block(at: count &- 64, isSameIn: other)
  }

  /// Whether this and `other` differ in the first 8 bytes, or as many as both have.
  @inline(__always) func differsAtStart(from other: Bytes) -> Bool {
    if count >= 8 && other.count >= 8 { return word(0) != other.word(0) }
    let length = min(count, other.count, 8)
    return prefix(length) != other.prefix(length)
  }

  /// Whether this and `other` differ in the last 8 bytes, or as many as both have.
  @inline(__always) func differsAtEnd(from other: Bytes) -> Bool {
    if count >= 8 && other.count >= 8 { return word(count &- 8) != other.word(other.count &- 8) }
    let length = min(count, other.count, 8)
    return suffix(length) != other.suffix(length)
  }

  @inline(__always) static func != (left: Bytes, right: Bytes) -> Bool { !(left == right) }

  @inline(__always) func hasPrefix(_ other: Bytes) -> Bool {
    other.count <= count && prefix(other.count) == other
  }

  @inline(__always) func hasSuffix(_ other: Bytes) -> Bool {
    other.count <= count && suffix(other.count) == other
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// The mask as two words: each byte has all bits set, or none.
  @inline(__always) var words: SIMD2<UInt64> {
    // Unsafe: sixteen bytes, each of any value.
    unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
  }

  /// How many lanes precede the first that is true; `nil` where none is.
  @inline(__always) var firstTrue: Int? {
    let (low, high) = (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    if low | high == 0 { return nil }
    return low != 0 ? low.trailingZeroBitCount / 8 : 8 &+ high.trailingZeroBitCount / 8
  }

  /// How many lanes follow the last that is true; `nil` where none is.
  @inline(__always) var lastTrue: Int? {
    let (low, high) = (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    if low | high == 0 { return nil }
    return high != 0 ? high.leadingZeroBitCount / 8 : 8 &+ low.leadingZeroBitCount / 8
  }
}

extension UInt32 {
  /// The scalar U+000A.
  @inline(__always) static var newline: UInt32 { 0x0A }
  /// The scalar U+000D.
  @inline(__always) static var carriageReturn: UInt32 { 0x0D }
}

extension UInt8 {
  @inline(__always) static var newline: UInt8 { 0x0A }
  @inline(__always) static var tab: UInt8 { 0x09 }
  @inline(__always) static var space: UInt8 { 0x20 }
  @inline(__always) static var carriageReturn: UInt8 { 0x0D }
  /// Whether it is one of the ASCII digits.
  @inline(__always) var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Whether it is a space or a tab.
  @inline(__always) var isBlank: Bool { self == .space || self == .tab }
}
