/// Up to three stretches of text read as one, without copying.
package struct Joined {
  var head: Bytes
  var middle: Bytes
  var tail: Bytes

  @inline(__always) init(_ head: Bytes, _ middle: Bytes = .empty, _ tail: Bytes = .empty) {
    self.head = head
    self.middle = middle
    self.tail = tail
  }

  var count: Int { head.count &+ middle.count &+ tail.count }
  var isEmpty: Bool { count == 0 }

  var first: UInt8? { head.first ?? middle.first ?? tail.first }
  var last: UInt8? { tail.last ?? middle.last ?? head.last }

  var string: String { head.count == count ? head.string : contiguous.withBytes { $0.string } }

  /// The first `length` bytes.
  func prefix(_ length: Int) -> Joined {
    let inHead = min(length, head.count)
    let inMiddle = min(length &- inHead, middle.count)
    return Joined(
      head.prefix(inHead), middle.prefix(inMiddle), tail.prefix(length &- inHead &- inMiddle))
  }

  /// What follows the first `length` bytes.
  func dropFirst(_ length: Int) -> Joined {
    let inHead = min(length, head.count)
    let inMiddle = min(length &- inHead, middle.count)
    return Joined(
      head.dropFirst(inHead), middle.dropFirst(inMiddle),
      tail.dropFirst(length &- inHead &- inMiddle))
  }

  /// What follows the first `count` scalars.
  func dropFirst(scalars count: Int) -> Joined {
    var rest = self
    var count = count
    for stretch in [head, middle, tail] where count > 0 {
      let length = stretch.byteOffset(ofScalar: count)
      rest = rest.dropFirst(length)
      count -= stretch.prefix(length).scalarCount
    }
    return rest
  }

  /// What precedes the last `length` bytes.
  func dropLast(_ length: Int) -> Joined { prefix(count &- length) }

  /// The bytes from `offset` to the end of the stretch that holds it; empty at the text's end.
  @inline(__always) func stretch(at offset: Int) -> Bytes {
    if offset < head.count { return head.dropFirst(offset) }
    let inMiddle = offset &- head.count
    if inMiddle < middle.count { return middle.dropFirst(inMiddle) }
    return tail.dropFirst(atMost: inMiddle &- middle.count)
  }

  /// The bytes up to `offset`, from the start of the stretch that holds the byte before it; empty at the text's start.
  @inline(__always) func stretch(endingAt offset: Int) -> Bytes {
    if offset <= head.count { return head.prefix(max(0, offset)) }
    let inMiddle = offset &- head.count
    if inMiddle <= middle.count { return middle.prefix(inMiddle) }
    return tail.prefix(atMost: inMiddle &- middle.count)
  }

  /// The last scalar of the first `length` bytes; 0 where there is none.
  // No scalar lies in two stretches, for each stretch is well-formed by itself.
  func scalar(before length: Int) -> UInt32 { stretch(endingAt: length).lastScalar }

  /// The first scalar behind the first `length` bytes; 0 where there is none.
  func scalar(after length: Int) -> UInt32 { stretch(at: length).firstScalar }

  /// Whether this begins with `other`.
  func hasPrefix(_ other: Bytes) -> Bool {
    if other.count <= head.count { return head.hasPrefix(other) }
    return commonPrefix(Joined(other)) == other.count
  }

  /// Whether this ends with `other`.
  func hasSuffix(_ other: Joined) -> Bool { commonSuffix(other) == other.count }

  /// Whether this ends with `other`.
  func hasSuffix(_ other: Bytes) -> Bool {
    let last = tail.isEmpty ? middle.isEmpty ? head : middle : tail
    if other.count <= last.count { return last.hasSuffix(other) }
    return hasSuffix(Joined(other))
  }

  /// Whether both hold the same text, however it is divided.
  static func == (left: Joined, right: Joined) -> Bool {
    left.count == right.count && left.commonPrefix(right) == left.count
  }
}

extension Joined {
  /// The byte at `index`, which must be below `count`.
  subscript(index: Int) -> UInt8 {
    if index < head.count { return head[index] }
    let inMiddle = index &- head.count
    return inMiddle < middle.count ? middle[inMiddle] : tail[inMiddle &- middle.count]
  }

  /// The length of the common prefix, in bytes.
  func commonPrefix(_ other: Joined) -> Int {
    var total = 0
    while true {
      let (mine, others) = (stretch(at: total), other.stretch(at: total))
      let length = min(mine.count, others.count)
      if length == 0 { return total }
      let same = mine.commonPrefix(others)
      total &+= same
      if same < length { return total }
    }
  }

  /// The length of the common suffix, in bytes.
  func commonSuffix(_ other: Joined) -> Int {
    let (end, otherEnd) = (count, other.count)
    var total = 0
    while true {
      let mine = stretch(endingAt: end &- total)
      let others = other.stretch(endingAt: otherEnd &- total)
      let length = min(mine.count, others.count)
      if length == 0 { return total }
      let same = mine.commonSuffix(others)
      total &+= same
      if same < length { return total }
    }
  }

  /// The length of the common prefix, in bytes, in whole scalars.
  func commonStart(_ other: Joined) -> Int { scalarStart(atOrBefore: commonPrefix(other)) }

  /// The lengths, in bytes, of the common prefix and, of what follows it, the common suffix; both in whole scalars.
  func commonEnds(_ other: Joined) -> (start: Int, end: Int) {
    if isEmpty || other.isEmpty { return (0, 0) }
    let start = commonStart(other)
    return (start, dropFirst(start).commonEnd(other.dropFirst(start)))
  }

  /// The length of the common suffix, in bytes, in whole scalars.
  func commonEnd(_ other: Joined) -> Int {
    wholeEnd(of: commonSuffix(other))
  }

  /// The length, in bytes, of the longest end of whole scalars that takes at most `length` bytes.
  func wholeEnd(of length: Int) -> Int {
    var length = length
    while length > 0, Bytes.isContinuation(self[count - length]) { length -= 1 }
    return length
  }

  /// The nearest start of a scalar, or end of the text, at or before `index`.
  func scalarStart(atOrBefore index: Int) -> Int {
    let isWithin = index < count && Bytes.isContinuation(self[index])
    return isWithin ? index &- stretch(endingAt: index).lastScalarLength : index
  }

  var scalarCount: Int {
    head.scalarCount + middle.scalarCount + tail.scalarCount
  }

  var surrogateCount: Int {
    head.surrogateCount + middle.surrogateCount + tail.surrogateCount
  }

  /// A copy in one piece.
  var contiguous: [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(count)
    all.append(contentsOf: head)
    all.append(contentsOf: middle)
    all.append(contentsOf: tail)
    return all
  }
}
