/// A reading's proposal that agrees with what was seen.
struct Candidate {
  var kind: Kind
  var action: Action
  /// The binary logarithm of how likely it is.
  var weight: Double
  /// The worse agreement of the two sides.
  var agreement: Fit.Agreement
  /// What each side keeps of the text known before: bytes next to the caret, the inserted text not
  /// counted.
  var keptLeft: Int
  var keptRight: Int
  var isPartial = false
  /// Whether its place is one of several that look alike.
  var isAmbiguous = false
  /// Whether a side is cut elsewhere than the old one was.
  var isRecutLeft = false
  var isRecutRight = false
  /// Whether what was seen on both sides is what the known text shows after `action`, as far as it
  /// reaches.
  var isProven = false
}

/// Weighs the readings' proposals: each is compared with what was seen, and those that agree are
/// kept, the heaviest for each kind.
struct Contest: ~Copyable {
  /// The heaviest proposal; a tap as long as there is none.
  private(set) var best = Candidate.unplaced(.outOfRangeTap, weight: -.infinity)
  /// The heaviest proposal of the kind that the published list gives.
  private(set) var listed: Candidate?
  private let listedKind: Kind
  /// The weight of the best proposal of each kind, in the order of `Kind.allCases`.
  private(set) var weights = InlineArray<17, Double>(repeating: -.infinity)
  /// A bit for each kind that a proposal agreed of, by its slot.
  private(set) var agreed: UInt32 = 0
  /// What was proposed, where somebody wants to know.
  var trials: [Trial]?

  init(listed: Kind, isTraced: Bool = false) {
    listedKind = listed
    trials = isTraced ? [] : nil
  }

  /// Puts `action` forward as an instance of `kind`.
  mutating func propose(
    _ kind: Kind, _ action: Action, prior: Double, for pair: borrowing Pair
  ) {
    // The right side first: it parts sooner where the reading is wrong, being seldom edited.
    let right = pair.compareRight(
      action.right(in: pair.known), edge: action.joinsNextLine ? .open : nil)
    if right.agreement > pair.admitted, trials == nil { return }
    let left = pair.compareLeft(action.left(in: pair.known))
    if left.agreement > pair.admitted, trials == nil { return }
    let selected =
      action.caret == nil && pair.new.selected.isEmpty
      ? Fit(agreement: .exact) : pair.compareSelected(action.selection(in: pair.known))
    let agreement = max(left.agreement, right.agreement, selected.agreement)
    guard agreement <= pair.admitted else {
      trials?.append(Trial(kind: kind, action: action, agreement: agreement))
      return
    }
    var weight = prior + Double(left.unknown + right.unknown) * Prior.scalar
    weight += left.cost + right.cost
    accept(
      Candidate(
        kind: kind, action: action, weight: weight, agreement: agreement,
        keptLeft: max(0, left.known - action.inserted.count), keptRight: right.known,
        isRecutLeft: left.agreement == .recut, isRecutRight: right.agreement == .recut,
        isProven: agreement == .exact))
  }

  /// Whether another reading agrees better than the list's does.
  var isListedOutdone: Bool { best.agreement < listed?.agreement ?? .none }

  /// Admits a candidate that needs no comparison.
  mutating func accept(_ candidate: Candidate) {
    trials?.append(Trial(candidate))
    let slot = candidate.kind.slot
    if candidate.weight <= weights[slot] { return }
    weights[slot] = candidate.weight
    agreed |= 1 << UInt32(slot)
    if candidate.kind.family == listedKind.family, candidate.weight > listed?.weight ?? -.infinity {
      listed = candidate
      listed?.kind = listedKind
    }
    if best.weight >= candidate.weight, best.kind != candidate.kind { return }
    best = candidate
  }
}

/// A proposal, and how it agreed.
struct Trial {
  var kind: Kind
  var action: Action
  var agreement: Fit.Agreement
  var isPartial = false
  /// The binary logarithm of how likely it is; `nil` where it was not admitted.
  var weight: Double?
}

extension Trial {
  init(_ candidate: Candidate) {
    self.init(
      kind: candidate.kind, action: candidate.action, agreement: candidate.agreement,
      isPartial: candidate.isPartial, weight: candidate.weight)
  }
}

extension Fit.Agreement: Comparable {
  static func < (left: Fit.Agreement, right: Fit.Agreement) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Fit {
  /// What the agreement takes from a reading's weight.
  var cost: Double {
    switch agreement {
    case .exact, .none: 0
    case .recut: Prior.recut
    case .hidden: Prior.hidden
    }
  }
}
