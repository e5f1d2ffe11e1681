/// How much goes at the beginning of `after`, and what comes there instead, where both of its windows
/// end at the same place.
struct RightSplit {
  var gone = 0
  var come = Bytes.empty
}

extension Pair {
  /// The scalar left of the caret, or of the selection; a newline where the window shows that as
  /// nothing.
  var lastShown: Bytes {
    let seen = new.before.bytes
    return seen.isEmpty && window.left == .line ? .newline : seen.suffix(seen.lastScalarLength)
  }

  /// The scalar right of the caret, or of the selection; a newline where the window shows that as
  /// nothing.
  var firstShown: Bytes {
    let seen = new.after.bytes
    return seen.isEmpty && window.right != .all ? .newline : seen.prefix(seen.firstScalarLength)
  }

  /// What goes and comes right of the caret, the rest of `after` being as it was.
  var rightSplit: RightSplit {
    let old = self.old.after.bytes
    let new = self.new.after.bytes
    let kept = old.count - old.scalarStart(atOrAfter: old.count - old.commonSuffix(new))
    return RightSplit(gone: old.count - kept, come: new.dropLast(kept))
  }

  /// The same where a window of limited length slid along: a little goes, or comes, and what follows
  /// reads as it did, as far as both windows reach.
  var slidRightSplit: RightSplit? {
    let old = self.old.after.bytes
    let new = self.new.after.bytes
    let isSame = old == new
    let end = min(Pair.slide, max(old.count, new.count))
    var offset = 0
    while offset < end {
      offset += 1
      if old.reads(as: new, from: offset) { return RightSplit(gone: offset) }
      if !isSame, new.reads(as: old, from: offset) { return RightSplit(come: new.prefix(offset)) }
    }
    return nil
  }

  /// How much goes at the beginning of `after` with nothing in its place, by either; 0 where nothing does.
  var goneRight: Int {
    if let slid = slidRightSplit, slid.come.isEmpty { return slid.gone }
    let whole = rightSplit
    return whole.come.isEmpty ? whole.gone : 0
  }

  /// How far into `after` a slid window is looked for, in bytes.
  private static var slide: Int { 64 }
}

extension Bytes {
  /// Whether what begins at `offset`, a scalar, reads as `other` begins, which goes on longer.
  @inline(__always) fileprivate func reads(as other: Bytes, from offset: Int) -> Bool {
    if offset >= count || Bytes.isContinuation(self[offset]) { return false }
    let rest = dropFirst(offset)
    return rest.count < other.count && !rest.differsAtStart(from: other) && other.hasPrefix(rest)
  }
}
