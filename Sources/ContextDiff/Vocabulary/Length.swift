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
    if middle.isEmpty && tail.isEmpty { return head.graphemeCount }
    return string.count
  }
}

extension Bytes {
  /// How many scalars take two UTF-16 units.
  var surrogateCount: Int {
    var total = 0
    for index in 0..<count where self[index] >= 0xF0 { total &+= 1 }
    return total
  }

  fileprivate var graphemeCount: Int {
    // Printable ASCII forms no clusters.
    for index in 0..<count where self[index] < 0x20 || self[index] >= 0x7F { return string.count }
    return count
  }
}
