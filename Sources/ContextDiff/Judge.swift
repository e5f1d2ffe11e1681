/// Hears every reading of a pair and says which one it is.
struct Judge: ~Copyable {
  private(set) var pair: Pair
  private(set) var contest: Contest

  @inline(__always) init(_ pair: consuming Pair, isTraced: Bool = false) {
    contest = Contest(listed: pair.rule.kind, isTraced: isTraced)
    self.pair = pair
  }

  /// The winning reading.
  mutating func ruling() -> Ruling {
    if pair.isUnchanged { return Ruling(.unchanged, for: pair) }
    let first = Judge.ruling(for: pair, in: &contest)
    if first.candidate.kind == .outOfRangeTap, let second = retried() { return second }
    return first
  }

  private static func ruling(
    for pair: borrowing Pair, in contest: inout Contest
  ) -> Ruling {
    hear(pair, in: &contest)
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

  /// Hears the readings again for a host that does not keep to its window's rule; `nil` where
  /// even then no reading but a tap has the text on its side.
  private mutating func retried() -> Ruling? {
    let known = pair.known
    let alignment = pair.alignment
    pair.admitRecuts()
    var second = Contest(listed: pair.rule.kind, isTraced: contest.trials != nil)
    Judge.hear(pair, in: &second)
    guard second.best.kind != .outOfRangeTap,
      second.best.evidence(in: pair) >= Evidence.enough
        || (pair.new.isBlank && pair.new.hasText == true)
    else {
      pair.refuseRecuts(known, alignment)
      return nil
    }
    let ruling = Ruling(second.best, in: &second, for: pair, isRetried: true)
    contest = second
    return ruling
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
