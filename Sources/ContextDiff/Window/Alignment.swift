/// How two cuts of the text left of a caret lie over each other.
///
/// The old one is `oldCut` bytes that the new one does not reach, then `kept`, then what is gone;
/// the new one `newCut` bytes that the old one did not reach, then `kept`, then what has come. At
/// most one of the cuts is not 0.
struct Alignment {
  var oldCut = 0
  var newCut = 0
  var kept = 0

  /// Lays `new` over `old`, both cut at the same place, or, where that keeps less than half of the
  /// shorter and `allowsCut`, at the two places that keep the most.
  ///
  /// `common` is how many bytes they begin with in common.
  ///
  /// - Complexity: Linear in the two lengths.
  init(old: Bytes, new: Bytes, common: Int, allowsCut: Bool) {
    kept = old.scalarStart(atOrBefore: common)
    if !allowsCut || kept &* 2 >= min(old.count, new.count) { return }
    let later = Overlap(of: new, in: old)
    if later.length > kept {
      oldCut = later.offset
      kept = later.length
    }
    let earlier = Overlap(of: old, in: new)
    if earlier.length > kept {
      oldCut = 0
      newCut = earlier.offset
      kept = earlier.length
    }
    kept = old.scalarStart(atOrBefore: oldCut &+ kept) &- oldCut
  }

  func gone(from old: Bytes) -> Bytes { old.dropFirst(oldCut &+ kept) }
  func come(in new: Bytes) -> Bytes { new.dropFirst(newCut &+ kept) }
}

/// Where in a text the longest stretch begins that another text begins with.
struct Overlap {
  var offset = 0
  var length = 0

  /// Looks for the longest beginning of `pattern` in `text`; of several as long, the first.
  ///
  /// - Complexity: Linear in the two lengths, by the Z-function.
  init(of pattern: Bytes, in text: Bytes) {
    if pattern.isEmpty || text.isEmpty { return }
    let lengths = Overlap.zFunction(of: pattern)
    var start = 0
    var end = 0
    for index in 0..<text.count {
      var match = 0
      if index < end { match = min(end &- index, lengths[index &- start]) }
      if index &+ match >= end {
        while match < pattern.count, index &+ match < text.count,
          text[index &+ match] == pattern[match]
        {
          match &+= 1
        }
        start = index
        end = index &+ match
      }
      if match > length {
        length = match
        offset = index
      }
    }
  }

  /// For each offset of `text`, how long a stretch from there on the text begins with.
  static func zFunction(of text: Bytes) -> [Int] {
    var lengths = [Int](repeating: 0, count: text.count)
    lengths[0] = text.count
    var start = 0
    var end = 0
    for index in 1..<max(text.count, 1) {
      var match = index < end ? min(end &- index, lengths[index &- start]) : 0
      while index &+ match < text.count, text[match] == text[index &+ match] { match &+= 1 }
      if index &+ match > end {
        start = index
        end = index &+ match
      }
      lengths[index] = match
    }
    return lengths
  }
}
