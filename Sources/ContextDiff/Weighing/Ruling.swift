/// Which reading a pair is, and what else it could be.
struct Ruling: ~Copyable {
  var candidate: Candidate
  var basicKind: Kind
  var alternatives: [Kind]
}

extension Ruling {
  /// A reading that nothing stands against.
  init(_ kind: Kind, for pair: borrowing Pair) {
    var candidate = Candidate.unplaced(kind)
    candidate.action = .move(to: pair.known.left.count, selecting: pair.known.selected.count)
    self.init(candidate: candidate, basicKind: pair.rule.kind, alternatives: [])
  }

  /// The reading `candidate`, and beside it what else agrees, likeliest first.
  ///
  /// A tap always agrees. It counts as coincidence where enough text agrees that need not have;
  /// any other reading where it is as much less likely as that text would make it.
  init(
    _ candidate: Candidate, in contest: inout Contest, for pair: borrowing Pair,
    isRetried: Bool = false
  ) {
    var others = contest.rivals(of: candidate)
    switch candidate.kind {
    case .outOfRangeTap, .selection, .lineSelection: break
    default:
      if isRetried || candidate.evidence(in: pair) < Evidence.enough
        || pair.showsNextLine(with: candidate)
      {
        others |= 1 << UInt32(Kind.outOfRangeTap.slot)
      }
    }
    self.init(
      candidate: candidate, basicKind: pair.rule.kind, alternatives: contest.ordered(others))
  }
}

extension Pair {
  /// Whether the line that `candidate` takes to begin here may have been there: empty, and below.
  fileprivate func showsNextLine(with candidate: Candidate) -> Bool {
    guard window == .paragraph, candidate.action.inserted == .newline, new.after.isEmpty
    else { return false }
    let right = known.right
    if right.isEmpty { return known.rightEdge != .document }
    return right.first == 0x0A && (right.count == 1 || right[1] == 0x0A)
  }
}

extension Contest {
  /// The kinds whose bits are set, likeliest first.
  fileprivate mutating func ordered(_ kinds: UInt32) -> [Kind] {
    if kinds == 0 { return [] }
    if kinds.nonzeroBitCount == 1 { return Kind.alone[kinds.trailingZeroBitCount] }
    let weights = weights
    return Kind.allCases.filter { kinds >> UInt32($0.slot) & 1 == 1 }
      .sorted { weights[$0.slot] > weights[$1.slot] }
  }

  /// A bit for each kind, but a tap, that is not so much less likely than `candidate` that its
  /// agreement counts as coincidence.
  fileprivate mutating func rivals(of candidate: Candidate) -> UInt32 {
    let threshold = candidate.weight + Prior.coincidence
    var rivals: UInt32 = 0
    var rest =
      agreed & ~(candidate.kind.family.familyMask | 1 << UInt32(Kind.outOfRangeTap.slot))
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest - 1
      if weights[slot] > threshold { rivals |= 1 << UInt32(slot) }
    }
    return rivals
  }
}

extension Kind {
  /// The kind that this one is a special case of, or itself.
  var family: Kind {
    switch self {
    case .lineSelection: .selection
    case .lineDeselection: .deselection
    default: self
    }
  }

  /// A bit for each kind of the family, by its slot.
  fileprivate var familyMask: UInt32 {
    switch self {
    case .selection, .lineSelection:
      1 << UInt32(Kind.selection.slot) | 1 << UInt32(Kind.lineSelection.slot)
    case .deselection, .lineDeselection:
      1 << UInt32(Kind.deselection.slot) | 1 << UInt32(Kind.lineDeselection.slot)
    default: 1 << UInt32(slot)
    }
  }

  /// For each kind an array of it alone, made once: most pairs have one alternative at most.
  fileprivate static let alone: [[Kind]] = allCases.map { [$0] }
}

extension Candidate {
  /// A reading that is not tied to a place in the known text.
  static func unplaced(_ kind: Kind, weight: Double = 0) -> Candidate {
    Candidate(
      kind: kind, action: .none, weight: weight, agreement: .exact, keptLeft: 0, keptRight: 0)
  }
}
