/// A selection that the host does not report, made, removed or replaced: the host shows the caret at one end of it.
enum UnseenSelectionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    guard pair.selectsNothing else { return }
    if pair.keepsText {
      if pair.evidence.hidesSelection { proposeSelected(pair, &contest) }
      return
    }
    let left = pair.leftChange
    if pair.keepsAfter {
      if left.gone == 0 { return }
      proposeGone(pair.exchanging(left: left, right: SideChange()), pair, &contest)
    } else if left.gone == 0 {
      let right = pair.rightChange
      if right.gone == 0 || !right.come.isEmpty { return }
      proposeGone(pair.exchanging(left: left, right: right), pair, &contest)
    }
  }

  /// Proposes that text was selected from where the caret seems to have gone.
  private static func proposeSelected(_ pair: Pair, _ contest: inout Contest) {
    contest.propose(
      .selection, .move(to: pair.known.visible.lowerBound + pair.new.before.bytes.count),
      prior: Model.selected + Model.place(among: pair.visibleScalarCount)
        + Measured.unseenSelection, for: pair)
  }

  /// Proposes that the unseen selection was cut, erased, typed over or pasted over.
  private static func proposeGone(
    _ action: Action, _ pair: Pair, _ contest: inout Contest
  ) {
    let known = pair.known
    let evidence = pair.evidence
    let gone =
      action.removedLeft > 0
      ? known.left.suffix(action.removedLeft) : known.right.prefix(action.removedRight)
    // One character that is gone was erased, unless a shortcut is known to have gone to the host.
    let mayBeCommand = evidence.hidesSelection && evidence.key?.isShortcut ?? false
    guard gone.isLongerThanAGrapheme || mayBeCommand else { return }
    if action.inserted.isEmpty, evidence.keepsPasteboard != true, pair.pasteboard.bytes == gone {
      contest.propose(
        .cut, action, prior: evidence.hidesSelection ? Model.cut : Measured.unseenCut, for: pair)
    }
    guard evidence.hidesSelection else { return }
    if action.inserted.isEmpty {
      if mayBeCommand, !pair.pasteboard.isShown {
        contest.propose(.cut, action, prior: Model.cut + Measured.unseenSelection, for: pair)
      }
      contest.propose(
        .deletion, action, prior: Model.erasedSelection + Measured.unseenSelection, for: pair)
    } else {
      if pair.pasteboard.bytes == action.inserted {
        contest.propose(.paste, action, prior: Model.pasted + Measured.unseenSelection, for: pair)
      }
      contest.propose(
        .replacement, action,
        prior: InsertionReading.prior(of: action.inserted) + Measured.unseenSelection, for: pair)
    }
  }
}
