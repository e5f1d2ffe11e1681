/// What may have been done, and how likely that is: a reading's proposal that agrees with what was
/// seen.
struct Hypothesis {
  var kind: Kind
  var action: Action
  /// The binary logarithm of how likely it is.
  var weight: Double
  /// The worse agreement of the two sides.
  var agreement = Fit.Agreement.exact
  /// What each side keeps of the text known before: bytes next to the caret, the inserted text not
  /// counted.
  var keptLeft = 0
  var keptRight = 0
  /// Whether what came, or went, reaches beyond what is known.
  var isPartial = false
  /// Whether it goes through something that may never have been done.
  var isDoubted = false
  /// The way through a history that it takes, by its place among those found.
  var way: Int?
  /// Which text it supposes to be there.
  var ground = Ground.known
  /// Whether its place is one of several that look alike.
  var isAmbiguous = false
  /// Whether a side is cut elsewhere than the old one was.
  var isRecutLeft = false
  var isRecutRight = false
  /// Whether text is seen that was not known, beside what came and what was kept.
  var showsUnknown = false
  /// Whether what was seen on both sides is what the known text shows after `action`, as far as it
  /// reaches.
  var isProven = false
}

/// A text that a hypothesis goes by.
enum Ground: Equatable {
  /// What is known around the old caret, by the session's memory where there is one.
  case known
  /// What the old snapshot alone shows: the memory is wrong.
  case snapshot
  /// A stretch of text that the session left, or the memory where it is doubtful, by its place.
  case stretch(Int)
}

extension Hypothesis {
  /// One that is not tied to a place in the known text.
  static func unplaced(_ kind: Kind, weight: Double = 0) -> Hypothesis {
    Hypothesis(kind: kind, action: .none, weight: weight)
  }

  /// Whether this comes before `other`: the heavier one does, and of two as heavy the plainer one, so
  /// that it does not matter which was proposed first.
  @inline(__always) func precedes(_ other: Hypothesis) -> Bool {
    weight == other.weight ? isPlainer(than: other) : weight > other.weight
  }

  private func isPlainer(than other: Hypothesis) -> Bool {
    let (mine, others) = (ranks, other.ranks)
    for rank in mine.indices where mine[rank] != others[rank] { return mine[rank] < others[rank] }
    return false
  }

  /// What tells two hypotheses of one weight apart, the weightiest first.
  private var ranks: InlineArray<8, Int> {
    [
      kind.slot, agreement.rawValue, isPartial ? 1 : 0, action.isPlaced ? 0 : 1,
      action.removedLeft + action.removedRight + action.allInserted.count, action.removedRight,
      action.caret ?? 0, action.selected,
    ]
  }
}

extension Fit.Agreement: Comparable {
  static func < (left: Fit.Agreement, right: Fit.Agreement) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Fit {
  /// What the agreement takes from a hypothesis's weight.
  var cost: Double {
    switch agreement {
    case .exact, .none: 0
    case .recut: Measured.recut
    case .hidden: Measured.hidden
    }
  }
}
