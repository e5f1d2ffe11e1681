/// Hears every reading of a pair and says which one it is.
enum Judge {
  /// Lends `body` the winning reading, the pair as it was read for it, and what was proposed, where
  /// `isTraced`.
  ///
  /// The pair is large, and borrowed all the way.
  @inline(__always) static func rule<Result: ~Copyable>(
    on pair: borrowing Pair, isTraced: Bool = false,
    to body: (consuming Ruling, borrowing Pair, [Trial]) -> Result
  ) -> Result {
    if pair.isUnchanged { return body(Ruling(.unchanged, for: pair), pair, []) }
    var contest = Contest(listed: pair.rule.kind, isTraced: isTraced)
    hear(pair, in: &contest)
    let first = ruling(for: pair, in: &contest)
    if first.candidate.kind == .outOfRangeTap {
      let recut = Pair(recut: pair)
      var second = Contest(listed: pair.rule.kind, isTraced: isTraced)
      if isRecut(recut, in: &second) {
        return body(
          Ruling(second.best, in: &second, for: recut, isRetried: true), recut,
          second.trials ?? [])
      }
    }
    return body(first, pair, contest.trials ?? [])
  }

  private static func ruling(
    for pair: borrowing Pair, in contest: inout Contest
  ) -> Ruling {
    var best = contest.agreed == 0 ? .unplaced(.outOfRangeTap) : contest.best
    if pair.rule != .anythingElse, !isContradicted(by: pair, in: &contest) {
      best = contest.listed ?? .unplaced(pair.rule.kind)
    }
    return Ruling(best, in: &contest, for: pair)
  }

  /// Lets every reading make its proposals.
  private static func hear(_ pair: borrowing Pair, in contest: inout Contest) {
    if pair.new.selected.isEmpty {
      CaretReading.propose(for: pair, in: &contest)
      InsertionReading.propose(for: pair, in: &contest)
      PasteReading.propose(for: pair, in: &contest)
      ErasureReading.propose(for: pair, in: &contest)
      ExchangeReading.propose(for: pair, in: &contest)
      SubmissionReading.propose(for: pair, in: &contest)
      ElsewhereReading.propose(for: pair, in: &contest)
    } else {
      SelectionReading.propose(for: pair, in: &contest)
      SelectedInsertionReading.propose(for: pair, in: &contest)
    }
    if pair.admitsRecut || !pair.window.isExact {
      ShiftReading.propose(for: pair, in: &contest)
    }
  }

  /// Hears the readings again for a host that does not keep to its window's rule.
  ///
  /// Whether then a reading other than a tap has the text on its side.
  private static func isRecut(_ pair: borrowing Pair, in contest: inout Contest) -> Bool {
    hear(pair, in: &contest)
    return contest.best.kind != .outOfRangeTap
      && (contest.best.evidence(in: pair) >= Evidence.enough
        || pair.new.isBlank && pair.new.hasText == true)
  }

  /// Whether the snapshots contradict what the list says.
  private static func isContradicted(
    by pair: borrowing Pair, in contest: inout Contest
  ) -> Bool {
    switch pair.rule {
    case .selected, .deselected, .moved: return false
    case .same, .anythingElse: return true
    case .lineSelected: return pair.new.selected.isEmpty || !pair.new.after.isEmpty
    case .lineDeselected:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty || !pair.old.after.isEmpty
    case .cut:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty
        || (pair.pasteboard.isShown && !pair.pasteboardHoldsSelection) || contest.isListedOutdone
    case .pasted: return contest.isListedOutdone
    }
  }
}
