/// Nothing done: the host cut the same text at other places.
enum ShiftReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    if !pair.evidence.keepsCaret { return }
    contest.propose(
      .windowShift, .stay(in: pair.known),
      prior: Measured.shifted + (pair.losesEmptyLineBelow ? Measured.shiftedBelow : 0), for: pair)
  }
}

extension Pair {
  /// Whether a host that shows the line below at a line's end showed an empty one, and now shows another one or none.
  fileprivate var losesEmptyLineBelow: Bool {
    window == .line && shownOld.after.bytes == .newline && !(shownNew.after == shownOld.after)
      && !shownOld.before.bytes.holdsLineBreak
      && (shownNew.after.isEmpty || !shownNew.after.bytes.dropFirst(1).holdsLineBreak)
  }
}
