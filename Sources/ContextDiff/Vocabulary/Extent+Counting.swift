extension Extent {
  /// The length of `text`, counted on that text alone; `isPlain` says that each scalar is one UTF-16 unit and
  /// one cluster.
  init(of text: Joined, isPlain: Bool = false) {
    if let count = isPlain ? text.scalarCount : text.plainCount {
      self.init(scalars: count, utf16: count, graphemes: count)
      return
    }
    let scalars = text.scalarCount
    let utf16 = scalars + text.surrogateCount
    self.init(scalars: scalars, utf16: utf16, graphemes: scalars == 1 ? 1 : text.clusterCount)
  }

  /// The length of unseen text, known in scalars alone: each is taken for one UTF-16 unit and one cluster.
  init(ofUnseen scalars: Int) {
    self.init(scalars: scalars, utf16: scalars, graphemes: scalars)
  }

  static func + (left: Extent, right: Extent) -> Extent {
    Extent(
      scalars: left.scalars + right.scalars, utf16: left.utf16 + right.utf16,
      graphemes: left.graphemes + right.graphemes)
  }

  static func - (left: Extent, right: Extent) -> Extent {
    Extent(
      scalars: left.scalars - right.scalars, utf16: left.utf16 - right.utf16,
      graphemes: left.graphemes - right.graphemes)
  }

  static var zero: Extent { Extent(scalars: 0, utf16: 0, graphemes: 0) }
}

extension Joined {
  /// The number of grapheme clusters.
  fileprivate var clusterCount: Int {
    if head.count == count { return head.clusterCount }
    return contiguous.withBytes { $0.clusterCount }
  }

  /// The number of scalars, if there are as many UTF-16 units and clusters; `nil` where there may be others.
  fileprivate var plainCount: Int? {
    // Most texts are short, and lie in one piece.
    if head.count == count { return head.plainCount }
    guard let head = head.plainCount, let middle = middle.plainCount, let tail = tail.plainCount
    else { return nil }
    return head &+ middle &+ tail
  }
}

extension Bytes {
  fileprivate var plainCount: Int? { isPlain ? scalarCount : nil }
}
