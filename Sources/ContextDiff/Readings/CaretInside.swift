/// Text inserted, or exchanged, with the caret before its end: a pair of brackets typed at once, a template.
enum CaretInsideReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    if pair.keepsAfter || pair.keepsText && pair.old.selected.isEmpty { return }
    proposeBlock(pair, &contest)
    let whole = pair.rightSplit
    proposeEachLeft(of: whole, pair, &contest)
    if let slid = pair.slidRightSplit { proposeEachLeft(of: slid, pair, &contest) }
    let next = RightSplit(come: pair.firstShown)
    if whole.gone > 0 || whole.come.count != next.come.count {
      proposeEachLeft(of: next, pair, &contest)
    }
  }

  /// Proposes Return between two brackets, which opens an indented line: `{|}` → `{⏎  |⏎}`.
  private static func proposeBlock(_ pair: Pair, _ contest: inout Contest) {
    let seen = pair.new.before.bytes
    guard pair.window.left != .all, pair.new.after.isEmpty,
      pair.known.left.endsWithOpeningBracket, pair.known.right.beginsWithClosingBracket,
      let line = seen == .newline ? seen : Bytes.indentedLine(showing: seen)
    else { return }
    contest.propose(
      pair.insertionKind, pair.inserting(line, behind: .newline), prior: Measured.indented,
      for: pair)
  }

  /// Proposes the split with each change left of the caret that the window may show.
  private static func proposeEachLeft(
    of split: RightSplit, _ pair: Pair, _ contest: inout Contest
  ) {
    if split.come.isEmpty { return }
    let gone = pair.gone.count
    let come = pair.come
    propose(gone, come, beside: split, pair, &contest)
    let last = pair.lastShown
    if gone > 0 || last.count != come.count { propose(0, last, beside: split, pair, &contest) }
  }

  private static func propose(
    _ gone: Int, _ come: Bytes, beside split: RightSplit, _ pair: Pair,
    _ contest: inout Contest
  ) {
    let action = Action(
      removesSelection: !pair.old.selected.isEmpty, removedLeft: gone, removedRight: split.gone,
      inserted: come, insertedBehind: split.come)
    let insertsOnly = gone == 0 && split.gone == 0
    // What replaces a selection, or composed text, may be of any length, with the caret anywhere in it.
    let isComposed = pair.evidence.exchangesComposition(by: action, of: pair.known)
    let isWhole = isComposed || insertsOnly && !pair.old.selected.isEmpty
    action.propose(
      prior: Measured.caretInside + (insertsOnly ? 0 : Measured.exchangedOver)
        + (come.isEmpty
          ? isComposed || !pair.old.selected.isEmpty
            ? Measured.caretBeforeOver : Measured.caretBefore : 0)
        + (split.come.newScalars > Measured.pair && !isWhole ? Measured.template : 0)
        + (insertsOnly || isWhole || come.newScalars + split.come.newScalars <= Measured.wide
          ? 0 : Measured.exchangedWide),
      for: pair, in: &contest)
  }
}
