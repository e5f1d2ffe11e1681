/// The selection removed or exchanged together with text beside it, as in the correction of a word that was selected in
/// part.
enum OverSelectionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    guard !pair.old.selected.isEmpty, !pair.keepsText else { return }
    let right = pair.goneRight
    put(pair.gone.count, right, pair, &contest)
    if right > 0 { put(pair.gone.count, 0, pair, &contest) }
  }

  private static func put(
    _ left: Int, _ right: Int, _ pair: Pair, _ contest: inout Contest
  ) {
    guard left > 0 || right > 0 else { return }
    // If the text removed right of the selection stands left of the new caret, the caret moved over it.
    if right > 0, pair.come.hasSuffix(pair.known.right.prefix(right)) { return }
    // A sentence's window shows so little beside a selection that a tap explains it as well.
    Action(
      removesSelection: true, removedLeft: left, removedRight: right, inserted: pair.come
    ).propose(
      prior: Measured.exchangedOver + (pair.window.isExact ? Measured.exchangedWide : 0),
      for: pair, in: &contest)
  }
}
