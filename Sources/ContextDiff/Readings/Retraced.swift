/// Text that a shortcut changes, and no paste or cut explains: an undo or a redo of what is not
/// remembered.
enum RetracedReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    guard pair.told.key == .shortcut, !pair.keepsText else { return }
    contest.accept(
      Hypothesis(
        kind: pair.told.retracing == .undo ? .redo : .undo, action: .none,
        weight: Measured.retracedUnseen
          + max(
            pair.costOfUnknown,
            Splice(
              removedLeft: pair.gone.count, before: pair.come,
              selected: pair.new.selected.bytes, behind: pair.rightSplit.come
            ).cost(in: pair)), agreement: .exact, keptLeft: 0, keptRight: 0))
  }
}
