/// Text put in, or exchanged, of which the caret stands inside or before the end: a bracket that brings
/// its mate, a template.
enum CaretInsideReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    if pair.keepsAfter || pair.keepsText && pair.old.selected.isEmpty { return }
    let whole = pair.rightSplit
    put(whole, pair, &contest)
    if let slid = pair.slidRightSplit { put(slid, pair, &contest) }
    let next = RightSplit(come: pair.firstShown)
    if whole.gone > 0 || whole.come.count != next.come.count { put(next, pair, &contest) }
  }

  private static func put(
    _ way: RightSplit, _ pair: borrowing Pair, _ contest: inout Contest
  ) {
    if way.come.isEmpty { return }
    let gone = pair.gone.count
    let come = pair.come
    put(
      Splice(removedLeft: gone, removedRight: way.gone, before: come, behind: way.come), pair,
      &contest)
    let last = pair.lastShown
    if gone == 0, last.count == come.count { return }
    put(Splice(removedRight: way.gone, before: last, behind: way.come), pair, &contest)
  }

  private static func put(_ splice: Splice, _ pair: borrowing Pair, _ contest: inout Contest) {
    guard splice.removedLeft <= pair.known.left.count, splice.removedRight <= pair.known.right.count
    else { return }
    let isPlain = splice.removedLeft == 0 && splice.removedRight == 0
    splice.propose(
      prior: Measured.caretInside + (isPlain ? 0 : Measured.exchangedOver)
        + (splice.before.isEmpty
          ? pair.old.selected.isEmpty ? Measured.caretBefore : Measured.caretBeforeOver : 0)
        + (splice.behind.newScalars > 2 ? Measured.template : 0)
        + (isPlain || splice.before.newScalars + splice.behind.newScalars <= 4
          ? 0 : Measured.exchangedWide),
      for: pair, in: &contest)
  }
}
