/// Classifies a pair: every reading proposes hypotheses to a contest, and a verdict is drawn from it.
enum Inference {
  /// Lends `body` the verdict, with the pair and the contest that it comes from: those under the window's rule or,
  /// where a tap wins and something else fits a host that breaks the rule, those of such a host.
  ///
  /// `proposeMore` proposes what a session knows besides; with `isTraced` the contest keeps every trial.
  @inline(__always) static func verdict<Result: ~Copyable>(
    on pair: Pair, isTraced: Bool = false,
    beside proposeMore: (Pair, inout Contest) -> Void = { _, _ in },
    to body: (consuming Verdict, Pair, inout Contest) -> Result
  ) -> Result {
    var contest = Contest(for: pair, isTraced: isTraced)
    if pair.isUnchanged { return body(Verdict(unchanged: pair), pair, &contest) }
    propose(for: pair, in: &contest)
    proposeMore(pair, &contest)
    let first = Verdict(of: &contest, for: pair)
    if first.winner.kind == .outOfRangeTap {
      // The host may have broken its window's rule.
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

  /// Has every reading propose that may explain the pair.
  ///
  /// A reading is one sort of act that a person may have done, such as an insertion. It proposes each way in which that
  /// act may explain the pair: a hypothesis, which predicts a window that the contest compares with the new one.
  static func propose(for pair: Pair, in contest: inout Contest) {
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
      CompletionReading.propose(for: pair, in: &contest)
      KeptSelectionReading.propose(for: pair, in: &contest)
    }
    CutLineReading.propose(for: pair, in: &contest)
    UnseenSelectionReading.propose(for: pair, in: &contest)
    UnknownUndoReading.propose(for: pair, in: &contest)
    if pair.admitsRecut || !pair.window.isExact {
      ShiftReading.propose(for: pair, in: &contest)
    }
  }
}
