/// Inserted text of which a part, or all, is selected: an inline completion, a drop.
enum CompletionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    proposeTypedThrough(pair, in: &contest)
    if pair.new.selected.bytes == pair.old.selected.bytes { return }
    proposeEachLeft(of: RightSplit(), pair, &contest)
    if !pair.keepsAfter { proposeEachLeft(of: pair.rightSplit, pair, &contest) }
  }

  /// Proposes that the completion's next character was typed, and the rest is still selected: `a[bc]` → `ab[c]`.
  private static func proposeTypedThrough(_ pair: Pair, in contest: inout Contest) {
    guard pair.keepsText, pair.keepsAfter, pair.gone.isEmpty, pair.come.isOneGrapheme,
      !pair.old.selected.isEmpty, !pair.new.selected.isEmpty
    else { return }
    contest.propose(
      .replacement,
      Action(
        removesSelection: true, inserted: pair.come, insertedSelected: pair.new.selected.bytes),
      prior: Measured.completion, for: pair)
  }

  /// Proposes the split with each change left of the caret that the window may show.
  private static func proposeEachLeft(
    of split: RightSplit, _ pair: Pair, _ contest: inout Contest
  ) {
    let last = pair.lastShown
    let gone = pair.gone.count
    let come = pair.come
    propose(gone, come, beside: split, pair, &contest)
    if gone > 0 || !come.isEmpty { propose(0, .empty, beside: split, pair, &contest) }
    if gone > 0 || come.count != last.count { propose(0, last, beside: split, pair, &contest) }
  }

  private static func propose(
    _ gone: Int, _ come: Bytes, beside split: RightSplit, _ pair: Pair,
    _ contest: inout Contest
  ) {
    let insertsOnly = gone == 0 && split.gone == 0 && split.come.isEmpty
    // A selection that only changed is left to `KeptSelectionReading`.
    if !pair.old.selected.isEmpty, insertsOnly, come.isEmpty { return }
    Action(
      removesSelection: !pair.old.selected.isEmpty, removedLeft: gone, removedRight: split.gone,
      inserted: come, insertedSelected: pair.new.selected.bytes, insertedBehind: split.come
    ).propose(
      prior: Measured.completion + (insertsOnly ? 0 : Measured.exchangedOver)
        + (come.isEmpty ? Measured.allSelected : 0)
        + (pair.selectsUnseenBreak ? Measured.completedBreak : 0)
        + (come.newScalars + split.come.newScalars <= Measured.wide
          ? 0 : insertsOnly ? Measured.exchangedWide : Measured.completionWide),
      for: pair, in: &contest)
  }
}

extension Pair {
  /// Whether the new selection begins with a newline: Shift and an arrow key select one at a line's end, while a
  /// completion begins in the caret's line.
  fileprivate var selectsUnseenBreak: Bool {
    (window == .line || window == .full) && known.isRemembered
      && new.selected.bytes.first == .newline
  }
}
