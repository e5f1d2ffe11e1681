/// What a pair is, what else it could be, and how sure that is: the one place where that is decided.
struct Verdict: ~Copyable {
  var winner: Hypothesis
  /// What else it could be, likeliest first.
  var alternatives: [Kind]
  /// How far the likeliest of the alternatives that are edits is behind the winner; infinitely where none is.
  var doubt = -Double.infinity

  var certainty: Certainty { alternatives.isEmpty ? .certain : .likely }
  /// The alternatives that are edits of another kind.
  var otherEdits: [Kind] {
    alternatives.filter { [kind = winner.kind] in $0 != kind && $0.isPlainEdit }
  }
}

extension Verdict {
  /// That nothing is to be seen of `pair`, which is nothing else.
  init(unchanged pair: borrowing Pair) {
    var winner = Hypothesis.unplaced(.unchanged)
    winner.action = .move(to: pair.known.left.count, selecting: pair.known.selected.count)
    self.init(winner: winner, alternatives: [])
  }

  /// The published list's answer where the snapshots do not contradict it and no history leads there more
  /// likely, else the likeliest hypothesis.
  init(of contest: inout Contest, for pair: borrowing Pair) {
    var winner = contest.agreed.isEmpty ? .unplaced(.outOfRangeTap) : contest.winner
    // Of a shortcut that no history explains the list knows as much where it says that text was pasted.
    let isRetraced =
      winner.way != nil
      || pair.told.mayRetrace
        && (pair.told.key != .shortcut || pair.rule != .pasted
          || pair.told.returning?.reverses ?? false)
        && (winner.kind == .undo || winner.kind == .redo)
    if pair.rule != .anythingElse, !isRetraced, !contest.contradictsList(of: pair) {
      winner = contest.listed ?? .unplaced(pair.rule.kind)
      winner.kind = pair.rule.kind
    }
    if pair.differsInNullAlone,
      pair.window == .line || !winner.action.isPlaced && winner.kind == .outOfRangeTap
    {
      // No text is known to have come or gone.
      winner = .unplaced(.windowShift, weight: contest.best.weight)
      winner.action = .move(to: pair.known.left.count, selecting: pair.known.selected.count)
    }
    self.init(winner, in: &contest, for: pair)
  }

  /// The verdict once more has been proposed.
  init(again contest: inout Contest, for pair: borrowing Pair) {
    if pair.admitsRecut {
      self.init(contest.winner, in: &contest, for: pair)
    } else {
      self.init(of: &contest, for: pair)
    }
  }

  /// The likeliest hypothesis for a host that cuts its window where it likes; `nil` where the text does
  /// not speak for any.
  init?(ofRecut contest: inout Contest, for pair: borrowing Pair) {
    let winner = contest.best
    guard winner.kind != .outOfRangeTap,
      winner.keptScalars(in: pair) >= KeptScalars.enough
        || pair.new.isBlank && pair.new.hasText == true
    else { return nil }
    self.init(winner, in: &contest, for: pair)
  }

  private init(_ winner: Hypothesis, in contest: inout Contest, for pair: borrowing Pair) {
    self.init(winner: winner, alternatives: contest.alternatives(to: winner, for: pair))
    for other in otherEdits { doubt = max(doubt, contest.weights[other.slot] - winner.weight) }
  }
}

extension Contest {
  /// Whether the snapshots contradict what the list says (MODEL, "Faithful where the list decides").
  fileprivate mutating func contradictsList(of pair: borrowing Pair) -> Bool {
    // The key says that it was something else.
    if let listed, best.kind != listed.kind, pair.told.hardlyDoes(listed) { return true }
    // The caret stands elsewhere in the document.
    if let offset = pair.told.caretOffset,
      listed?.scalarOffset(in: pair.known).map({ $0 != offset }) ?? false
    {
      return true
    }
    switch pair.rule {
    case .selected, .deselected, .moved: return false
    case .same, .anythingElse: return true
    case .lineSelected: return pair.new.selected.isEmpty || !pair.new.after.isEmpty
    case .lineDeselected:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty || !pair.old.after.isEmpty
    case .cut:
      return pair.old.selected.isEmpty || !pair.new.selected.isEmpty
        || (pair.pasteboard.isShown && !pair.pasteboardHoldsSelection)
        || (isListedOutdone && !(best.kind == .outOfRangeTap && pair.showsEvidence))
    case .pasted: return isListedOutdone || pair.hasCopied
    }
  }
}

extension Pair {
  /// Whether so much text is shown that other text would not read like it by chance.
  fileprivate var showsEvidence: Bool {
    KeptScalars.count(endOf: new.before.bytes) + KeptScalars.count(startOf: new.after.bytes)
      >= KeptScalars.enough
  }

  /// Whether the same text is shown on both sides and within the selection, but null where there was an
  /// empty text, or the other way round, and the caret is not told to stand elsewhere.
  var differsInNullAlone: Bool {
    !isUnchanged && told.keepsCaret && shownOld.before.bytes == shownNew.before.bytes
      && shownOld.selected.bytes == shownNew.selected.bytes
      && shownOld.after.bytes == shownNew.after.bytes
  }
}
