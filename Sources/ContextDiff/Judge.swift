/// Hears every reading of a pair and says which one it is.
struct Judge: ~Copyable {
  private(set) var pair: Pair
  let rule: DecisionList.Rule
  private(set) var contest: Contest

  init(_ pair: consuming Pair, isTraced: Bool = false) {
    rule = DecisionList(pair).rule()
    contest = Contest(listed: rule.kind, isTraced: isTraced)
    self.pair = pair
  }

  /// The winning reading.
  mutating func ruling() -> Ruling {
    if pair.old == pair.new { return Ruling(.unchanged, for: pair, list: rule.kind) }
    Judge.hear(pair, in: &contest)
    if let kind = listedKind {
      return Ruling(contest.listed ?? .unplaced(kind), in: contest, for: pair, list: rule.kind)
    }
    if contest.best.map({ $0.kind == .outOfRangeTap }) ?? true, let retried = retried() {
      return retried
    }
    let best = contest.best ?? .unplaced(.outOfRangeTap)
    return Ruling(best, in: contest, for: pair, list: rule.kind)
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
    let tolerant = pair.admittingRecuts
    var second = Contest(listed: rule.kind, isTraced: contest.trials != nil)
    Judge.hear(tolerant, in: &second)
    guard let best = second.best, best.kind != .outOfRangeTap,
      best.evidence(in: tolerant) >= Evidence.enough
        || (tolerant.new.isBlank && tolerant.new.hasText == true)
    else { return nil }
    let ruling = Ruling(best, in: second, for: tolerant, list: rule.kind, isRetried: true)
    pair = tolerant
    contest = second
    return ruling
  }

  /// The list's kind, where the list decides and the snapshots do not contradict it.
  private var listedKind: Kind? {
    rule == .anythingElse || isContradicted ? nil : rule.kind
  }

  private var isContradicted: Bool {
    switch rule {
    case .selected, .deselected, .moved: return false
    case .same, .anythingElse: return true
    case .lineSelected: return pair.new.selected.isEmpty || !pair.new.after.isEmpty
    case .lineDeselected:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty || !pair.old.after.isEmpty
    case .cut:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty
        || (pair.pasteboard.isShown && !pair.pasteboardHoldsSelection) || isOutdone(.cut)
    case .pasted: return isOutdone(.paste)
    }
  }

  /// Whether another reading agrees better than `kind` does.
  private func isOutdone(_ kind: Kind) -> Bool {
    guard let best = contest.best else { return true }
    return best.agreement < contest.agreements[kind.slot]
  }
}
