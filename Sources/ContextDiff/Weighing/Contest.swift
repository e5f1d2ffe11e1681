/// Weighs what the readings propose: each hypothesis is compared with what was seen, and of those that
/// agree the likeliest of each kind counts.
///
/// What comes out does not depend on the order in which they are proposed.
///
/// What says what came out is `mutating`, too, though it changes nothing: so a contest is looked at where
/// it lies, and not copied.
struct Contest: ~Copyable {
  /// The likeliest hypothesis; a tap as long as there is none.
  private(set) var best = Hypothesis.unplaced(.outOfRangeTap, weight: -.infinity)
  /// The likeliest way back, and again, through what is remembered.
  private(set) var undo: Hypothesis?
  private(set) var redo: Hypothesis?
  /// The likeliest hypothesis of the kind that the published list gives.
  private(set) var listed: Hypothesis?
  private let listedKind: Kind
  /// What else is known of the pair, and of the text; `nil` where that says nothing.
  private let evidence: PairEvidence?
  private let known: Known?
  /// The weight of the likeliest hypothesis of each kind, by the kind's slot; a `KindSet` has room for
  /// as many.
  private(set) var weights = InlineArray<32, Double>(repeating: -.infinity)
  /// The kinds of which a hypothesis agreed.
  private(set) var agreed: KindSet = []
  /// Whether the caret cannot be in other text: all of it is known, and none of it shows what was seen.
  var excludesElsewhere = false
  /// What was proposed, where somebody wants to know.
  var trials: [Trial]?

  @inline(__always) init(for pair: borrowing Pair, isTraced: Bool = false) {
    evidence = pair.told.isEmpty ? nil : pair.told
    known = pair.told.isEmpty ? nil : pair.known
    listedKind = pair.rule.kind
    trials = isTraced ? [] : nil
  }

  /// Proposes that `action` was done as an instance of `kind`; returns the hypothesis's weight where it
  /// agrees with what was seen.
  @discardableResult
  mutating func propose(
    _ kind: Kind, _ action: Action, prior: Double, for pair: borrowing Pair
  ) -> Double? {
    let edges = pair.edges(openedBy: action)
    // The right side first: it parts sooner where the hypothesis is wrong, being seldom edited.
    let right = pair.compareRight(action.right(in: pair.known), edge: edges.right)
    if right.agreement > pair.admitted, trials == nil { return nil }
    let left = pair.compareLeft(action.left(in: pair.known), edge: edges.left)
    if left.agreement > pair.admitted, trials == nil { return nil }
    let selected =
      action.caret == nil && pair.new.selected.isEmpty
      ? .exact : pair.compareSelected(action.selection(in: pair.known))
    let agreement = max(left.agreement, right.agreement, selected)
    guard agreement <= pair.admitted else {
      // A place within a scalar is none that a person could be shown.
      if trials != nil, action.isBetweenScalars(in: pair.known) {
        let hypothesis = Hypothesis(
          kind: kind, action: action, weight: -.infinity, agreement: agreement)
        trials?.append(Trial(hypothesis: hypothesis, agrees: false))
      }
      return nil
    }
    var weight = prior + Double(left.unknown + right.unknown) * Measured.scalar
    weight += left.cost + right.cost
    let mayGoOn = pair.selectionMayGoOn(takenBy: action)
    let isPartial = mayGoOn.left && !left.beyond.isEmpty || mayGoOn.right && !right.beyond.isEmpty
    if isPartial { weight += Measured.selectedBeyond }
    accept(
      Hypothesis(
        kind: kind, action: action, weight: weight, agreement: agreement,
        keptLeft: max(0, left.known - action.inserted.count),
        keptRight: max(0, right.known - action.insertedBehind.count), isPartial: isPartial,
        isRecutLeft: left.agreement == .recut, isRecutRight: right.agreement == .recut,
        showsUnknown: !left.beyond.isEmpty || !right.beyond.isEmpty,
        isProven: agreement == .exact))
    return weight
  }

  /// Takes a hypothesis in that needs no comparison.
  mutating func accept(_ hypothesis: Hypothesis) {
    // What goes by the snapshot alone was weighed with the evidence there.
    guard let evidence, let known, hypothesis.ground != .snapshot else { return admit(hypothesis) }
    var hypothesis = hypothesis
    let bits = evidence.bits(for: hypothesis, in: known)
    if evidence.mayRetrace { admitRetraced(hypothesis, by: evidence) }
    hypothesis.weight += bits
    admit(hypothesis)
  }

  /// Takes in that a shortcut took back, or did again, what is not remembered, and that looks like the edit
  /// of `hypothesis`.
  private mutating func admitRetraced(_ hypothesis: Hypothesis, by evidence: PairEvidence) {
    guard hypothesis.way == nil, hypothesis.action.isPlaced, hypothesis.action.caret == nil,
      hypothesis.kind.isPlainEdit
    else { return }
    var retraced = hypothesis
    retraced.kind = evidence.retracedKind
    retraced.action.isPlaced = false
    retraced.weight += Measured.retracedEdit
    admit(retraced)
  }

  private mutating func admit(_ hypothesis: Hypothesis) {
    trials?.append(Trial(hypothesis: hypothesis))
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

  /// The likeliest hypothesis; where it is an undo or a redo that no way was found for, the way of that
  /// kind that agrees, for it leads to a text that is known.
  var winner: Hypothesis {
    mutating get {
      guard best.way == nil, let way = best.kind == .undo ? undo : best.kind == .redo ? redo : nil
      else { return best }
      var winner = way
      winner.weight = best.weight
      return winner
    }
  }

  /// Whether another hypothesis agrees better than the list's does.
  var isListedOutdone: Bool { best.agreement < listed?.agreement ?? .none }

  /// How much the likeliest undo weighs, the likeliest redo, and the likeliest of all else.
  var lasts: Session.Lasts {
    var lasts = Session.Lasts(
      undo: weights[Kind.undo.slot], redo: weights[Kind.redo.slot], other: -.infinity)
    var others = agreed
    others.remove(KindSet(.undo))
    others.remove(KindSet(.redo))
    while let slot = others.popFirstSlot() { lasts.other = max(lasts.other, weights[slot]) }
    return lasts
  }

  /// Whether `winner`, or what is no coincidence beside it, is an undo or a redo.
  func mayBeRetraced(beside winner: Hypothesis) -> Bool {
    max(weights[Kind.undo.slot], weights[Kind.redo.slot]) > winner.weight + Measured.coincidence
  }

  /// Whether a hypothesis that weighs at most `bound` is a coincidence beside one that is known
  /// already, so that it need not be weighed.
  func isCoincidence(atMost bound: Double) -> Bool {
    trials == nil && bound < best.weight + Measured.coincidence
  }
}

/// A proposal, and whether it agrees with what was seen.
struct Trial {
  let hypothesis: Hypothesis
  var agrees = true

  /// The binary logarithm of how likely it is; `nil` where it does not agree.
  var weight: Double? { agrees ? hypothesis.weight : nil }
}
