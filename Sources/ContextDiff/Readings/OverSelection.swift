/// The selection removed or exchanged together with text beside it, as in the correction of a word that was selected in
/// part.
enum OverSelectionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    guard !pair.old.selected.isEmpty, !pair.keepsText else { return }
    let right = pair.goneRight
    propose(removingRight: right, pair, &contest)
    if right > 0 { propose(removingRight: 0, pair, &contest) }
  }

  private static func propose(
    removingRight right: Int, _ pair: Pair, _ contest: inout Contest
  ) {
    let left = pair.leftChange
    guard left.gone > 0 || right > 0 else { return }
    // If the text removed right of the selection stands left of the new caret, the caret moved over it.
    if right > 0, left.come.hasSuffix(pair.known.right.prefix(right)) { return }
    // A sentence's window shows so little beside a selection that a tap explains it as well.
    pair.exchanging(left: left, right: SideChange(gone: right)).propose(
      prior: Model.exchangedOver + (pair.window.isExact ? Measured.exchangedWide : 0),
      for: pair, in: &contest)
  }
}
