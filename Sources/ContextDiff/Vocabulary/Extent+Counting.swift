extension Extent {
  /// The length of `text`, counted on that text alone; `isPlain` says that each scalar is one UTF-16 unit and
  /// no two form a cluster.
  init(of text: Joined, isPlain: Bool = false) {
    let scalars = text.scalarCount
    if isPlain || text.isPlain {
      self.init(scalars: scalars, utf16: scalars, graphemes: scalars)
    } else {
      self.init(
        scalars: scalars, utf16: scalars + text.surrogateCount,
        graphemes: scalars == 1 ? 1 : text.clusterCount)
    }
  }

  init(of text: Bytes) { self.init(of: Joined(text)) }

  /// The way from one byte offset in `text` to another, negative where it leads towards the text's beginning.
  init(from start: Int, to end: Int, in text: Joined, isPlain: Bool = false) {
    let way = text.dropFirst(min(start, end)).prefix(abs(end - start))
    let length = Extent(of: way, isPlain: isPlain)
    self = end < start ? .zero - length : length
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

  /// Whether each scalar is one UTF-16 unit and no two form a cluster.
  fileprivate var isPlain: Bool { head.isPlain && middle.isPlain && tail.isPlain }
}
