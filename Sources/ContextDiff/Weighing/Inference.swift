/// Has every reading of a pair propose what may have been done, and says what it was.
enum Inference {
  /// Lends `body` the verdict, the pair as it was read for it, and the contest that it fell in, with all
  /// that was proposed where `isTraced`; `proposeMore` has what a session knows propose, too.
  ///
  /// The pair is large, and borrowed all the way.
  @inline(__always) static func verdict<Result: ~Copyable>(
    on pair: borrowing Pair, isTraced: Bool = false,
    beside proposeMore: (borrowing Pair, inout Contest) -> Void = { _, _ in },
    to body: (consuming Verdict, borrowing Pair, inout Contest) -> Result
  ) -> Result {
    var contest = Contest(for: pair, isTraced: isTraced)
    if pair.isUnchanged { return body(Verdict(unchanged: pair), pair, &contest) }
    propose(for: pair, in: &contest)
    proposeMore(pair, &contest)
    let first = Verdict(of: &contest, for: pair)
    if first.winner.kind == .outOfRangeTap {
      // The host may not keep to its window's rule.
      let recut = Pair(recut: pair)
      var second = Contest(for: pair, isTraced: isTraced)
      propose(for: recut, in: &second)
      proposeMore(recut, &second)
      if let verdict = Verdict(ofRecut: &second, for: recut) {
        return body(verdict, recut, &second)
      }
    }
    return body(first, pair, &contest)
  }

  /// Lets every reading make its proposals.
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    if pair.new.selected.isEmpty {
      CaretReading.propose(for: pair, in: &contest)
      InsertionReading.propose(for: pair, in: &contest)
      PasteReading.propose(for: pair, in: &contest)
      ErasureReading.propose(for: pair, in: &contest)
      ExchangeReading.propose(for: pair, in: &contest)
      OverCaretReading.propose(for: pair, in: &contest)
      OverSelectionReading.propose(for: pair, in: &contest)
      CaretInsideReading.propose(for: pair, in: &contest)
      SubmissionReading.propose(for: pair, in: &contest)
      ElsewhereReading.propose(for: pair, in: &contest)
    } else {
      SelectionReading.propose(for: pair, in: &contest)
      ProposalReading.propose(for: pair, in: &contest)
      KeptSelectionReading.propose(for: pair, in: &contest)
    }
    UnseenSelectionReading.propose(for: pair, in: &contest)
    RetracedReading.propose(for: pair, in: &contest)
    if pair.admitsRecut || !pair.window.isExact {
      ShiftReading.propose(for: pair, in: &contest)
    }
  }
}
