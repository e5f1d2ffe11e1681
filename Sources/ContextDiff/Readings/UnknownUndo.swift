/// An undo or redo of an edit that is not remembered: a shortcut changed the text, or a state that was seen
/// lately is back.
enum UnknownUndoReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    let evidence = pair.evidence
    if pair.editsComposition { return }
    if pair.keepsText {
      // Undoing the replacement of a selection by the same text shows nothing but the selection gone; and the key may
      // have undone an edit out of sight.
      if evidence.mayRetrace, pair.new.selected.isEmpty,
        !pair.old.selected.isEmpty || evidence.keyRetraces
      {
        contest.accept(.unplaced(evidence.retracedKind, weight: Measured.retracedUnseen))
      }
      return
    }
    guard evidence.mayRetrace else {
      // A state is back that only undo and redo led away from.
      if evidence.key == nil, !evidence.wasOtherShortcut, let back = evidence.returning,
        back.reverses, pair.keepsAfter, !pair.new.isEmpty, !pair.isOneKey
      {
        contest.accept(
          .unplaced(back.kind, weight: Measured.undone + pair.bitsOfSeenNeighbours))
      }
      return
    }
    if let back = evidence.returning {
      // Not certain: the same text may have been pasted again. A key known to undo, or to redo, says which it was,
      // however the state was left.
      contest.accept(
        .unplaced(
          evidence.retracedKind,
          weight: (back.reverses ? Measured.reversed : Measured.returned)
            + pair.bitsOfSeenNeighbours))
      if back.isDoubted {
        // The undo that this redo reverses may have been an edit: then this is its undo.
        contest.accept(.unplaced(evidence.retracedKind == .undo ? .redo : .undo, weight: 0))
      }
    }
    contest.accept(
      .unplaced(
        evidence.retracedKind,
        weight: Measured.retracedUnseen
          + max(
            pair.costOfUnknown,
            pair.exchanging(
              left: pair.leftChange, right: SideChange(come: pair.rightChange.come),
              selecting: pair.new.selected.bytes
            ).cost(in: pair))))
  }
}
