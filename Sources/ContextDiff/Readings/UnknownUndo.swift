/// An undo or redo of an edit that is not remembered: a shortcut changed the text, or a state that was seen
/// lately is back.
enum UnknownUndoReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    if pair.editsComposition { return }
    if pair.keepsText { return proposeUnseen(pair, in: &contest) }
    if pair.evidence.mayRetrace { return proposeByShortcut(pair, in: &contest) }
    // A state is back that only undo and redo led away from.
    if pair.evidence.key == nil, !pair.evidence.wasOtherShortcut,
      let back = pair.evidence.returning, back.reverses, pair.keepsAfter, !pair.new.isEmpty,
      !pair.isOneKey
    {
      contest.accept(.unplaced(back.kind, weight: Measured.undone + pair.bitsOfSeenNeighbours))
    }
  }

  /// Proposes one that left the text as it was: the undo of a selection replaced by the same text, which shows nothing but
  /// the selection gone, or, by a key that says so, of an edit out of sight.
  private static func proposeUnseen(_ pair: Pair, in contest: inout Contest) {
    let evidence = pair.evidence
    guard evidence.mayRetrace, pair.new.selected.isEmpty,
      !pair.old.selected.isEmpty || evidence.keyRetraces
    else { return }
    contest.accept(.unplaced(evidence.retracedKind, weight: Measured.retracedUnseen))
  }

  /// Proposes one by a shortcut that changed the text.
  private static func proposeByShortcut(_ pair: Pair, in contest: inout Contest) {
    let kind = pair.evidence.retracedKind
    if let back = pair.evidence.returning {
      // Not certain: the same text may have been pasted again. A key known to undo, or to redo, says which it was,
      // however the state was left.
      contest.accept(
        .unplaced(
          kind,
          weight: (back.reverses ? Measured.reversed : Measured.returned)
            + pair.bitsOfSeenNeighbours))
      // The undo that this redo reverses may have been an edit: then this is its undo.
      if back.isDoubted {
        contest.accept(.unplaced(kind == .undo ? .redo : .undo, weight: Measured.returnedOther))
      }
    }
    let exchange = pair.exchanging(
      left: pair.leftChange, right: SideChange(come: pair.rightChange.come),
      selecting: pair.new.selected.bytes)
    contest.accept(
      .unplaced(
        kind, weight: Measured.retracedUnseen + max(pair.costOfUnknown, exchange.cost(in: pair))))
  }
}
