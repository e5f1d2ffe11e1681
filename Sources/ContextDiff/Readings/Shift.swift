/// Nothing done: the host cut the same text at other places.
enum ShiftReading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    if !pair.evidence.keepsCaret { return }
    contest.propose(.windowShift, .stay(in: pair.known), prior: Measured.shifted, for: pair)
  }
}
