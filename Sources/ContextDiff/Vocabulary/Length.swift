extension Extent {
  /// The length of `text`, counted on that text alone.
  init(of text: Joined) {
    let scalars = text.scalarCount
    let utf16 = scalars + text.surrogateCount
    let graphemes = scalars <= 1 ? scalars : text.graphemeCount
    self.init(scalars: scalars, utf16: utf16, graphemes: graphemes)
  }

  static prefix func - (extent: Extent) -> Extent {
    Extent(scalars: -extent.scalars, utf16: -extent.utf16, graphemes: -extent.graphemes)
  }

  static func - (left: Extent, right: Extent) -> Extent {
    Extent(
      scalars: left.scalars - right.scalars, utf16: left.utf16 - right.utf16,
      graphemes: left.graphemes - right.graphemes)
  }

  static var zero: Extent { Extent(scalars: 0, utf16: 0, graphemes: 0) }
}

extension Joined {
  var scalarCount: Int {
    if head.count == count { return head.scalarCount }
    return head.scalarCount + middle.scalarCount + tail.scalarCount
  }

  var surrogateCount: Int {
    if head.count == count { return head.surrogateCount }
    return head.surrogateCount + middle.surrogateCount + tail.surrogateCount
  }

  var graphemeCount: Int {
    if head.isPlain && middle.isPlain && tail.isPlain { return scalarCount }
    return string.count
  }
}

extension Bytes {
  /// How many scalars take two UTF-16 units.
  var surrogateCount: Int {
    var total = 0
    var index = 0
    while index &+ 8 <= count {
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

  /// Whether no two of its scalars form a cluster, so that there are as many clusters as scalars.
  fileprivate var isPlain: Bool {
    var index = 0
    while index < count {
      if index &+ 8 <= count, Bytes.isPlainASCII(word(index)) {
        index &+= 8
        continue
      }
      if self[index] < 0x80 {
        // Of ASCII, only a newline behind a carriage return goes along with another scalar.
        if self[index] == 0x0D { return false }
        index &+= 1
        continue
      }
      let rest = dropFirst(index)
      if !Bytes.isSimple(rest.firstScalar) { return false }
      index &+= rest.firstScalarLength
    }
    return true
  }

  /// Whether the eight bytes are ASCII without a carriage return.
  @inline(__always) private static func isPlainASCII(_ eight: UInt64) -> Bool {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    // A carriage return becomes a byte of zero, from which one is borrowed.
    let others = eight ^ (0x0D * ones)
    return (eight | (others &- ones) & ~others) & highs == 0
  }
}
