/// Compares each hypothesis that the readings propose with the new window, and keeps the likeliest of each kind
/// that agrees.
///
/// The result does not depend on the order of the proposals.
///
/// Some methods are `mutating` although they change nothing, so that its members are read in place, not copied.
struct Contest: ~Copyable {
  /// The likeliest hypothesis; as long as there is none, a tap of weight -∞.
  private(set) var best = Hypothesis.unplaced(.outOfRangeTap, weight: -.infinity)
  /// The likeliest undo, and redo, through a remembered history.
  private(set) var undo: Hypothesis?
  private(set) var redo: Hypothesis?
  /// The likeliest hypothesis of the family of `basicKind`.
  private(set) var listed: Hypothesis?
  /// The pair's `basicKind`.
  private let listedKind: Kind
  /// The pair's evidence and known text; `nil` where the evidence says nothing.
  private let evidence: PairEvidence?
  private let known: Known?
  /// The weight of the likeliest hypothesis of each kind, by the kind's slot; 32 slots, as many as a `KindSet`
  /// has.
  private(set) var weights = SIMD32<Double>(repeating: -.infinity)
  /// The kinds with a hypothesis that agrees.
  private(set) var agreed: KindSet = []
  /// The undos and redos that agree, by every history of the session's beam and of its other stretches.
  private(set) var ways: [Way] = []
  /// The likeliest hypothesis of those proposed before `ways`.
  private(set) var beforeWays = Hypothesis.unplaced(.unchanged)
  /// Whether a tap elsewhere is ruled out: the whole document is known, and shows the new window nowhere else.
  var excludesElsewhere = false
  /// Whether a tap elsewhere was left out, which would be a coincidence beside the likeliest hypothesis.
  private var leavesOutElsewhere = false
  /// Whether an explanation is asked for.
  let isTraced: Bool
  /// Every proposal so far, where an explanation is asked for; one that does not agree weighs -∞.
  private(set) var trials: [Hypothesis] = []

  @inline(__always) init(for pair: Pair, isTraced: Bool = false) {
    evidence = pair.evidence.isEmpty ? nil : pair.evidence
    known = pair.evidence.isEmpty ? nil : pair.known
    listedKind = pair.rule.kind
    self.isTraced = isTraced
  }

  /// Proposes that `action` was done, under the name `kind`; returns the hypothesis's weight, without what the
  /// evidence adds, or `nil` where the new window does not agree with it.
  ///
  /// `news` is the part of the inserted text that nothing told of; `prior` already has the cost of its first
  /// `Measured.mostUnknown` scalars. `isPartial` says that unseen text came or went with it; so it is, too, where a
  /// selection went on unseen.
  @discardableResult
  mutating func propose(
    _ kind: Kind, _ action: Action, prior: Double, news: Bytes = .empty, isPartial: Bool = false,
    for pair: Pair
  ) -> Double? {
    let mayGoOn = pair.selectionMayGoOn(takenBy: action)
    let edges = action.openedEdges(mayGoOn)
    // The right side first: it is seldom edited, so most wrong hypotheses fail on it.
    let right = pair.compareRight(action.right(in: pair.known), edge: edges.right)
    if right.agreement > pair.admitted, !isTraced { return nil }
    let left = pair.compareLeft(action.left(in: pair.known), edge: edges.left)
    if left.agreement > pair.admitted, !isTraced { return nil }
    let selected = pair.compareSelected(action.selection(in: pair.known))
    let agreement = max(left.agreement, right.agreement, selected)
    guard agreement <= pair.admitted else {
      // A caret within a scalar is not worth explaining.
      if isTraced, action.isBetweenScalars(in: pair.known) {
        trials.append(
          Hypothesis(kind: kind, action: action, weight: -.infinity, agreement: agreement))
      }
      return nil
    }
    var weight = prior + pair.bitsOfUnknown(beside: left, right, news: news)
    weight += left.cost(of: action, on: pair) + right.cost(of: action, on: pair)
    let goesOn = mayGoOn.left && !left.beyond.isEmpty || mayGoOn.right && !right.beyond.isEmpty
    if goesOn { weight += Measured.selectedBeyond }
    weight += pair.bitsOfNeighbours(
      left: action.left(in: pair.known), right: action.right(in: pair.known))
    let showsUnknown = !left.beyond.isEmpty || !right.beyond.isEmpty
    let isGuessed =
      showsUnknown && kind == .outOfRangeTap && pair.evidence.caretOffset == nil
      && pair.new.before.bytes.suffix(atMost: left.matched).isWhitespace
      && pair.new.after.bytes.prefix(atMost: right.matched).isWhitespace
    accept(
      Hypothesis(
        kind: kind, action: action, weight: weight, agreement: agreement,
        keptLeft: max(0, left.matched - action.inserted.count),
        keptRight: max(0, right.matched - action.insertedBehind.count),
        isPartial: isPartial || goesOn,
        isRecutLeft: left.agreement == .recut, isRecutRight: right.agreement == .recut,
        showsUnknown: showsUnknown, isProven: agreement == .exact, isGuessed: isGuessed))
    return weight
  }

  /// Notes that what is proposed from now on is proposed beside the session's ways.
  mutating func beginWays() { beforeWays = best }

  /// Admits the undo or redo along `way`.
  mutating func accept(_ hypothesis: Hypothesis, along way: Way) {
    var hypothesis = hypothesis
    hypothesis.way = ways.count
    ways.append(way)
    accept(hypothesis)
  }

  /// Admits a hypothesis that needs no comparison.
  mutating func accept(_ hypothesis: Hypothesis) {
    // A hypothesis from the contest on the snapshot alone already includes the evidence.
    guard let evidence, let known, hypothesis.ground != .snapshot else { return admit(hypothesis) }
    var hypothesis = hypothesis
    let bits = evidence.bits(for: hypothesis, in: known)
    if evidence.mayRetrace { admitRetraced(hypothesis, by: evidence) }
    hypothesis.weight += bits
    admit(hypothesis)
  }

  /// Admits that a shortcut undid, or redid, an edit that is not remembered, which looks like the edit of
  /// `hypothesis`.
  private mutating func admitRetraced(_ hypothesis: Hypothesis, by evidence: PairEvidence) {
    guard hypothesis.action.isPlaced, hypothesis.kind.isPlainEdit else { return }
    var retraced = hypothesis
    retraced.kind = evidence.retracedKind
    retraced.action.isPlaced = false
    retraced.weight += Measured.retracedEdit
    admit(retraced)
  }

  private mutating func admit(_ hypothesis: Hypothesis) {
    if isTraced { trials.append(hypothesis) }
    if hypothesis.way != nil { remember(hypothesis) }
    let slot = hypothesis.kind.slot
    if hypothesis.weight < weights[slot] { return }
    weights[slot] = hypothesis.weight
    agreed.insert(KindSet(hypothesis.kind))
    if hypothesis.kind.family == listedKind.family, listed.map(hypothesis.precedes) ?? true {
      listed = hypothesis
    }
    if hypothesis.precedes(best) { best = hypothesis }
  }

  private mutating func remember(_ way: Hypothesis) {
    if way.kind == .undo, undo.map(way.precedes) ?? true { undo = way }
    if way.kind == .redo, redo.map(way.precedes) ?? true { redo = way }
  }

  /// The likeliest hypothesis, an undo or redo by its likeliest way.
  ///
  /// Where the likeliest undo or redo has no way through a history and another of its kind has one, the other says
  /// what text came and went.
  var winner: Hypothesis {
    mutating get {
      guard let way = best.kind == .undo ? undo : best.kind == .redo ? redo : nil
      else { return best }
      var winner = way
      winner.weight = best.weight
      return winner
    }
  }

  /// Whether the likeliest hypothesis agrees better with the new window than `listed` does.
  var isListedOutdone: Bool { best.agreement < listed?.agreement ?? .none }

  /// The weights of the likeliest undo, the likeliest redo, and the likeliest of all other kinds.
  var lastActWeights: Session.LastActWeights {
    let (undo, redo) = (Kind.undo.slot, Kind.redo.slot)
    var others = weights
    others[undo] = -.infinity
    others[redo] = -.infinity
    return Session.LastActWeights(undo: weights[undo], redo: weights[redo], other: others.max())
  }

  /// Whether an undo or a redo is the winner, or too likely beside it to be a coincidence.
  func mayBeRetraced(beside winner: Hypothesis) -> Bool {
    max(weights[Kind.undo.slot], weights[Kind.redo.slot]) > winner.weight + Measured.coincidence
  }

  /// Leaves out a tap elsewhere that weighs at most `bound`, if it would be a coincidence beside the best so far; returns
  /// whether it does.
  mutating func leaveOutElsewhere(atMost bound: Double) -> Bool {
    if isTraced || bound >= best.weight + Measured.coincidence { return false }
    leavesOutElsewhere = true
    return true
  }

  /// The weight of a tap elsewhere, be it left out.
  mutating func weightElsewhere(for pair: Pair) -> Double {
    let proposed = weights[Kind.outOfRangeTap.slot]
    if !leavesOutElsewhere { return proposed }
    let tap = ElsewhereReading.hypothesis(for: pair)
    guard let evidence, let known else { return max(proposed, tap.weight) }
    return max(proposed, tap.weight + evidence.bits(for: tap, in: known))
  }
}
