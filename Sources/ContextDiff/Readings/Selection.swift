/// Text selected, or the selection changed.
enum SelectionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    let kind = pair.selectionKind
    let isWithin = proposeWithin(pair, kind: kind, in: &contest)
    if !isWithin, !pair.keepsText {
      proposeCutShort(pair, kind: kind, in: &contest)
    }
    proposeOverLineEnd(pair, kind: kind, in: &contest)
    // A selection made elsewhere can hold any text.
    contest.accept(
      .unplaced(
        kind,
        weight: Model.selected + pair.costOfUnknownSelection
          + (pair.window == .full || pair.known.isRemembered ? 0 : Measured.selectedElsewhere)
          + (pair.contradictsAnEnd ? Measured.anchored : 0)))
  }

  /// Proposes a selection that reaches over the line's end, beyond which nothing was shown.
  private static func proposeOverLineEnd(
    _ pair: Pair, kind: Kind, in contest: inout Contest
  ) {
    guard pair.window.right != .all, pair.known.rightEdge == .line else { return }
    let visible = pair.old.all
    let seen = Joined(pair.new.before.bytes, pair.new.selected.bytes)
    guard seen.count > visible.count, seen.commonPrefix(visible) == visible.count,
      seen.dropFirst(visible.count).first == .newline
    else { return }
    let scalars =
      seen.dropFirst(visible.count).scalarCount + pair.new.after.bytes.scalarCount
    contest.accept(
      Hypothesis(
        kind: kind, action: .none,
        weight: Model.selected + Double(min(scalars, Measured.mostUnknown)) * Measured.scalar,
        keptLeft: pair.new.before.bytes.count))
  }

  /// Proposes the places for the selection that lie within the visible text or touch the old caret; returns whether
  /// one of them agrees.
  private static func proposeWithin(
    _ pair: Pair, kind: Kind, in contest: inout Contest
  ) -> Bool {
    var isThere = false
    let visible = pair.known.visible
    let selected = pair.new.selected.bytes.count
    let shown = pair.new.before.bytes.count
    let old = pair.known.left.count
    // A selection that begins in the visible text, or ends at the old caret, may reach beyond that text.
    let all = 0..<pair.known.text.count
    func put(_ start: Int, in range: Range<Int>) {
      guard start >= range.lowerBound, start + selected <= range.upperBound else { return }
      // The old selection is no new one.
      if start == old, selected == pair.known.selected.count { return }
      let weight = contest.propose(
        kind, .move(to: start, selecting: selected), prior: Model.selected, for: pair)
      isThere = isThere || weight != nil
    }
    // If the window stands still, the selection begins behind as many bytes as `before` has.
    put(visible.lowerBound + shown, in: pair.known.isRemembered ? all : visible)
    if pair.keepsText { return isThere }
    if let start = pair.overlaidStart { put(start + shown, in: visible) }
    // Where the new window, cut differently, overlaps the old one.
    if pair.come.isEmpty, pair.alignment.kept > 0 { put(old - pair.gone.count, in: all) }
    put(old, in: all)
    put(old - selected, in: all)
    put(old + pair.known.selected.count, in: all)
    put(old + pair.known.selected.count - selected, in: all)
    put(old + shown, in: visible)
    put(visible.lowerBound, in: visible)
    return isThere
  }

  /// Proposes a selection of which the host shows only the beginning and the end.
  private static func proposeCutShort(
    _ pair: Pair, kind: Kind, in contest: inout Contest
  ) {
    let known = pair.known
    let seen = pair.new.selected.bytes
    if seen.scalarCount(upTo: Measured.evident) < Measured.evident { return }
    let old = known.left.count
    let starts = [known.visible.lowerBound + pair.new.before.bytes.count, old]
    let ends = [known.visible.upperBound - pair.new.after.bytes.count, old + known.selected.count]
    let text = known.text.contiguous
    text.withBytes { all in
      for start in starts {
        for end in ends where end <= all.count && end - start > seen.count {
          // The old selection was shown whole: if it looks shorter now, it was changed.
          if start == old, end == old + known.selected.count { continue }
          guard all.prefix(end).dropFirst(start).isCutShort(to: seen),
            pair.compareLeft(Joined(all.prefix(start))).agreement <= pair.admitted,
            pair.compareRight(Joined(all.dropFirst(end))).agreement <= pair.admitted
          else { continue }
          return contest.accept(
            Hypothesis(
              kind: kind, action: .move(to: start, selecting: end - start),
              weight: Model.selected, keptLeft: pair.new.before.bytes.count,
              keptRight: pair.new.after.bytes.count, isPartial: true))
        }
      }
    }
  }
}

extension Pair {
  /// What the scalars cost, in bits, where the selection reaches beyond the old window or lies elsewhere; those
  /// that the old window showed cost nothing.
  fileprivate var costOfUnknownSelection: Double {
    if isFartherDown {
      return Model.place(among: new.before.bytes.scalarCount)
        + Double(new.selected.bytes.newScalars + new.after.bytes.newScalars + 1) * Measured.scalar
    }
    let beyond = selectionBeyond
    let cost =
      window == .line && (beyond == nil || new.before.isEmpty)
        && new.selected.bytes.holdsLineBreak ? Measured.selectedBreak : 0
    guard let beyond else { return cost + costOfUnknown }
    return cost + Double(beyond.newScalars + 1) * Measured.scalar
      + (window.isExact ? 0 : Measured.recutSelection)
  }

  /// The text that the new window shows beyond the old one; `nil` where it does not show all of the old one, or
  /// where that text cannot follow or precede it.
  private var selectionBeyond: Joined? {
    let old = self.old.all
    let seen = new.all
    guard seen.count > old.count, !old.isEmpty || known.isRemembered else { return nil }
    if known.rightEdge != .document, seen.prefix(old.count) == old {
      let beyond = seen.dropFirst(old.count)
      if mayFollow(beyond) { return beyond }
    }
    if known.leftEdge != .document, seen.hasSuffix(old) {
      let beyond = seen.dropLast(old.count)
      let last = beyond.scalar(before: beyond.count)
      if known.leftEdge == .open || last == .newline || terminators.contains(last) { return beyond }
    }
    return nil
  }

  /// Whether both snapshots show the same end of the document, and different text at it.
  var contradictsAnEnd: Bool {
    guard window.isExact else { return false }
    let (old, new) = (self.old.all, self.new.all)
    if !self.old.before.isShown, !self.new.before.isShown,
      old.commonPrefix(new) < min(old.count, new.count)
    {
      return true
    }
    return !self.old.after.isShown && !self.new.after.isShown
      && old.commonSuffix(new) < min(old.count, new.count)
  }

  /// Whether `text` may stand right of the old window, by the window's rule.
  private func mayFollow(_ text: Joined) -> Bool {
    if window.right == .all || text.first == .newline { return true }
    // A newline is known to follow, and `text` begins with none.
    if known.isBreakImplied { return false }
    switch known.rightEdge {
    case .sentence: return !terminators.contains(text.scalar(after: 0))
    case .line, .document: return false
    case .open: return true
    }
  }

  /// The kind of selecting what is selected now.
  var selectionKind: Kind { selectsWholeLine ? .lineSelection : .selection }

  /// Whether exactly one whole line is selected, with a line above it.
  private var selectsWholeLine: Bool {
    let before = new.before.bytes
    guard window == .sentence ? before == .newline : before.last == .newline else { return false }
    var line = new.selected.bytes
    if line.last == .newline {
      line = line.dropLast(1)
    } else if !new.after.isEmpty && !(window == .full && new.after.bytes.first == .newline) {
      return false
    }
    return !line.isEmpty && !line.holdsLineBreak
  }
}
