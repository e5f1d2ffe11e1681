/// Nothing done: the host cut the same text at other places.
enum ShiftReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    if !pair.evidence.keepsCaret { return }
    let action = Action.move(
      to: pair.known.left.count, selecting: pair.known.selected.count)
    contest.propose(.windowShift, action, prior: Measured.shifted, for: pair)
  }
}
