/// What was removed from, and added to, the text on one side of the caret, or of the selection, next to it.
struct SideChange {
  /// The number of bytes removed.
  var gone = 0
  var come = Bytes.empty

  var isNone: Bool { gone == 0 && come.isEmpty }
}

extension Pair {
  /// The exchange of text on both sides of the old caret, or of the old selection, which goes; `selected` is inserted
  /// between them, and selected.
  func exchanging(
    left: SideChange, right: SideChange, selecting selected: Bytes = .empty
  ) -> Action {
    Action(
      removesSelection: !old.selected.isEmpty, removedLeft: left.gone, removedRight: right.gone,
      inserted: left.come, insertedSelected: selected, insertedBehind: right.come)
  }

  /// The change left of the caret by the alignment of the two windows.
  var leftChange: SideChange { SideChange(gone: gone.count, come: come) }

  /// Calls `body` with each change left of the caret that the window may show.
  ///
  /// One that begins anew shows only the last scalar of what came or, over a selection, all of it. Where the same is shown left
  /// of the caret before and after, nothing came there.
  func eachLeftChange(_ body: (SideChange) -> Void) {
    let (change, last) = (leftChange, lastShown)
    body(change)
    if old.before.bytes == new.before.bytes { return }
    if change.gone > 0 || change.come.count != last.count { body(SideChange(come: last)) }
    let seen = new.before.bytes
    if change.gone > 0, !old.selected.isEmpty, startsAnew, seen.count > last.count {
      body(SideChange(come: seen))
    }
  }

  /// The scalar left of the new caret or selection; a newline where `before` is empty because one stands there.
  var lastShown: Bytes {
    let seen = new.before.bytes
    return seen.isEmpty && window.left == .line ? .newline : seen.suffix(seen.lastScalarLength)
  }

  /// The scalar right of the new caret or selection; a newline where `after` is empty because one stands there.
  var firstShown: Bytes {
    let seen = new.after.bytes
    return seen.isEmpty && window.right != .all ? .newline : seen.prefix(seen.firstScalarLength)
  }

  /// The change right of the caret where both windows end at the same place, so that `after` ends as it did.
  var rightChange: SideChange {
    let old = self.old.after.bytes
    let new = self.new.after.bytes
    let kept = old.commonEnd(new)
    return SideChange(gone: old.count - kept, come: new.dropLast(kept))
  }

  /// The same where a window of limited length slid along: up to `Measured.slide` scalars are removed or added, and what
  /// follows is the same as far as both windows reach; `nil` where that is not so.
  var slidRightChange: SideChange? {
    let old = self.old.after.bytes
    let new = self.new.after.bytes
    let isSame = old == new
    let longer = old.count < new.count ? new : old
    var (offset, scalars) = (0, 0)
    while offset < longer.count, scalars < Measured.slide {
      if !Bytes.isContinuation(longer[offset]) { scalars += 1 }
      offset += 1
      if old.reads(as: new, from: offset) { return SideChange(gone: offset) }
      if !isSame, new.reads(as: old, from: offset) { return SideChange(come: new.prefix(offset)) }
    }
    return nil
  }

  /// Whether the window may have slid along and still show `kept`: `text`, the old or the new `before`, ends with
  /// `kept`, which is long enough to count as the same text.
  func mayHaveSlid(keeping kept: Bytes, at text: Bytes) -> Bool {
    !window.isExact && keepsAfter && text.hasSuffix(kept) && kept.isOverlap
  }

  /// How many bytes were removed at the start of `after`, nothing being added there, by either change; else 0.
  ///
  /// A window that slid along keeps less of `after` than one that ends at the same place: `|abcba` → `x|cba` shows all of
  /// `cba`, and not the end `a` with more behind it.
  var goneRight: Int {
    let whole = rightChange
    if whole.come.isEmpty, whole.gone > 0 { return whole.gone }
    if let slid = slidRightChange, slid.come.isEmpty { return slid.gone }
    return 0
  }

  /// How many bytes were removed at the start of `after` where, as under a plain cut, text came into view at its end;
  /// else 0.
  var goneRightOfCut: Int {
    guard window == .full, keepsBefore, let slid = slidRightChange, slid.come.isEmpty
    else { return 0 }
    return slid.gone
  }
}

extension Bytes {
  /// Whether a scalar begins at `offset`, and `other` begins with all that follows from there and is longer.
  @inline(__always) fileprivate func reads(as other: Bytes, from offset: Int) -> Bool {
    if offset >= count || Bytes.isContinuation(self[offset]) { return false }
    let rest = dropFirst(offset)
    return rest.count < other.count && !rest.differsAtStart(from: other) && other.hasPrefix(rest)
  }
}
