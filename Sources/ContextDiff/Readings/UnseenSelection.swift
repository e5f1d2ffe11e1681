/// What is done to a selection, or by one, that the host does not show: it shows the caret at an end of
/// it, and the text all the same.
enum UnseenSelectionReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    guard pair.old.selected.isEmpty, pair.new.selected.isEmpty else { return }
    if pair.keepsText {
      if pair.told.hidesSelection { proposeSelected(pair, &contest) }
      return
    }
    let right = pair.rightSplit
    if pair.gone.isEmpty, right.come.isEmpty, right.gone > 0 {
      proposeGone(Action(removedRight: right.gone, inserted: pair.come), pair, &contest)
    } else if pair.keepsAfter, !pair.gone.isEmpty {
      proposeGone(Action(removedLeft: pair.gone.count, inserted: pair.come), pair, &contest)
    }
  }

  /// Where the caret seems to have gone, text was selected from there on.
  private static func proposeSelected(_ pair: borrowing Pair, _ contest: inout Contest) {
    contest.propose(
      .selection, .move(to: pair.known.visible.lowerBound + pair.new.before.bytes.count),
      prior: Model.selected + Model.place(among: pair.visibleScalarCount)
        + Measured.unseenSelection, for: pair)
  }

  /// The selection was cut, erased or typed over.
  private static func proposeGone(
    _ action: Action, _ pair: borrowing Pair, _ contest: inout Contest
  ) {
    let known = pair.known
    let gone =
      action.removedLeft > 0
      ? known.left.suffix(action.removedLeft) : known.right.prefix(action.removedRight)
    guard gone.isLongerThanAGrapheme else { return }
    if action.inserted.isEmpty, !pair.told.keepsPasteboard, pair.pasteboard.isShown,
      pair.pasteboard.bytes == gone
    {
      contest.propose(
        .cut, action, prior: pair.told.hidesSelection ? Model.cut : Measured.unseenCut, for: pair)
    }
    guard pair.told.hidesSelection else { return }
    if action.inserted.isEmpty {
      contest.propose(
        .deletion, action, prior: Model.erasedSelection + Measured.unseenSelection, for: pair)
    } else {
      contest.propose(
        .replacement, action,
        prior: InsertionReading.prior(of: action.inserted) + Measured.unseenSelection, for: pair)
    }
  }
}
