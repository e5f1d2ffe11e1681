/// What the pair is, what else it may be, and how sure that is: nothing else decides it, but for who did it.
///
/// Announced edits, which it does not know, rename it (`Session.recognition(beside:)`).
struct Verdict: ~Copyable {
  var winner: Hypothesis
  /// The kinds that it may be instead, likeliest first.
  var alternatives: [Kind]
  /// The weight of the likeliest of `otherEdits` less the winner's, in bits; -∞ where there is none.
  var doubt = -Double.infinity

  var certainty: Certainty { alternatives.isEmpty ? .certain : .likely }
  /// The alternatives that are edits of another kind.
  var otherEdits: [Kind] { alternatives.filter(\.isPlainEdit) }
}

extension Verdict {
  /// The verdict on a pair of equal snapshots: `unchanged`, certainly.
  init(unchanged pair: Pair) {
    let winner = Hypothesis(kind: .unchanged, action: .stay(in: pair.known), weight: 0)
    self.init(winner: winner, alternatives: [])
  }

  /// The published list's answer, unless the snapshots contradict it or an undo or redo is likelier; else the
  /// likeliest hypothesis.
  ///
  /// A selection of several lines, or of a newline alone, is no `lineSelection`, whatever the list says.
  init(of contest: inout Contest, for pair: Pair) {
    var winner = contest.winner
    // Without a way through a history, an unnamed shortcut may as well be the paste that the list names.
    let isRetraced =
      winner.way != nil
      || pair.evidence.mayRetrace
        && (pair.evidence.key != .shortcut || pair.rule != .pasted
          || pair.evidence.returning?.reverses ?? false)
        && winner.kind.retraces
    if !isRetraced, !contest.contradictsList(of: pair) {
      winner = contest.listed ?? .unplaced(pair.rule.kind, weight: contest.best.weight)
      winner.kind = pair.rule == .lineSelected ? pair.selectionKind : pair.rule.kind
    }
    if pair.differsInNullAlone,
      pair.window == .line || !winner.action.isPlaced && winner.kind == .outOfRangeTap
    {
      // null became "", or the other way round: no text is known to have come or gone.
      winner = .unplaced(.windowShift, weight: contest.best.weight)
      winner.action = .stay(in: pair.known)
    }
    self.init(winner, in: &contest, for: pair)
  }

  /// A new verdict, after more was proposed.
  init(again contest: inout Contest, for pair: Pair) {
    if pair.admitsRecut {
      self.init(contest.winner, in: &contest, for: pair)
    } else {
      self.init(of: &contest, for: pair)
    }
  }

  /// The likeliest hypothesis on a host that breaks its window's rule; `nil` where that is a tap, or keeps too
  /// little text to prove that it is the same.
  init?(ofRecut contest: inout Contest, for pair: Pair) {
    let winner = contest.best
    guard winner.kind != .outOfRangeTap,
      winner.keepsEnough(in: pair) || pair.new.isEmpty && pair.new.hasText == true
    else { return nil }
    self.init(winner, in: &contest, for: pair)
  }

  private init(_ winner: Hypothesis, in contest: inout Contest, for pair: Pair) {
    self.init(winner: winner, alternatives: contest.alternatives(to: winner, for: pair))
    for other in otherEdits { doubt = max(doubt, contest.weights[other.slot] - winner.weight) }
  }
}

extension Contest {
  /// Whether the snapshots or the evidence contradict the list's answer, which is the verdict otherwise.
  fileprivate mutating func contradictsList(of pair: Pair) -> Bool {
    // The key hardly ever does what the list says.
    if let listed, best.kind != listed.kind, pair.evidence.keyHardlyDoes(listed.act) {
      return true
    }
    // The host reports another caret position.
    if let offset = pair.evidence.caretOffset,
      listed?.scalarOffset(in: pair.known).map({ $0 != offset }) ?? false
    {
      return true
    }
    switch pair.rule {
    case .selected, .moved: return false
    case .deselected: return pair.evidence.key == .paste && pair.pasteboardHoldsSelection
    case .same, .anythingElse: return true
    case .lineSelected: return pair.new.selected.isEmpty || !pair.new.after.isEmpty
    case .lineDeselected:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty || !pair.old.after.isEmpty
    case .cut:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty
        || (pair.pasteboard.isShown && !pair.pasteboardHoldsSelection)
        || pair.evidence.wasOtherShortcut
        || (isListedOutdone && !(best.kind == .outOfRangeTap && pair.new.showsEnough))
    case .pasted: return isListedOutdone || pair.hasCopied
    }
  }
}

extension Pair {
  /// Whether the two snapshots differ in nothing but null and `""`, and the host reports no other caret position.
  var differsInNullAlone: Bool {
    evidence.keepsCaret && shownOld.before.bytes == shownNew.before.bytes
      && shownOld.selected.bytes == shownNew.selected.bytes
      && shownOld.after.bytes == shownNew.after.bytes
  }
}
