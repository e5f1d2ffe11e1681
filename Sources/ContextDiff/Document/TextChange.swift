/// The difference of two texts: at offset `start`, `removed` was exchanged for `inserted`, which neither begin nor end
/// alike.
struct TextChange: Equatable {
  var start: Int
  var removed: [UInt8]
  var inserted: [UInt8]

  /// The change from `old` to `new`, which are known to share their first `start` and their last `sameEnd` bytes.
  ///
  /// Where the text repeats itself, the change is taken to be as far right as possible, so that equal texts give equal
  /// changes.
  init(from old: Joined, to new: Joined, start: Int, sameEnd: Int) {
    let limit = min(old.count, new.count)
    let common = start + old.dropFirst(start).commonPrefix(new.dropFirst(start))
    let first = old.scalarStart(atOrBefore: common)
    var end = min(sameEnd, limit - first)
    end += old.prefix(old.count - end).dropFirst(first)
      .commonSuffix(new.prefix(new.count - end).dropFirst(first))
    end = old.wholeEnd(of: end)
    self.start = first
    removed = old.prefix(old.count - end).dropFirst(first).contiguous
    inserted = new.prefix(new.count - end).dropFirst(first).contiguous
  }
}
