/// What may have been done, and how likely that is.
struct Hypothesis {
  var kind: Kind
  var action: Action
  /// The binary logarithm of its likelihood, on the model's scale (bits).
  var weight: Double
  /// The worst agreement of the new window's sides with what it predicts.
  var agreement = Fit.Agreement.exact
  /// How many old bytes next to the caret each side still shows, without inserted text.
  var keptLeft = 0
  var keptRight = 0
  /// Whether the text that came or went reaches beyond what is known.
  var isPartial = false
  /// Whether it is an undo or redo through an undo step that may never have been one.
  var isDoubted = false
  /// The index of its `Way` in `Contest.ways`; `nil` if it uses no history.
  var way: Int?
  /// The text that it supposes around the old caret.
  var ground = Ground.known
  /// Whether its caret is at one of several places that look alike.
  var isAmbiguous = false
  /// Whether the left side agrees only under another cut.
  var isRecutLeft = false
  /// Whether the right side agrees only under another cut.
  var isRecutRight = false
  /// Whether the new window shows text that is neither inserted nor known.
  var showsUnknown = false
  /// Whether the new window is known to show just what is predicted: both sides were compared, or the text is the same.
  var isProven = false
  /// Whether it puts the caret next to known text of which the new window shows blanks and newlines alone, so that it may be
  /// in any other line.
  var isGuessed = false
}

/// The text that a hypothesis supposes around the old caret.
enum Ground: Equatable {
  /// The known text: the session's memory, or else the old snapshot.
  case known
  /// The old snapshot alone: the session's memory is wrong.
  case snapshot
  /// The stretch of text, left by a tap before, at this index of the session's list.
  case stretch(Int)
}

extension Hypothesis {
  /// A hypothesis that says nothing of where in the known text the caret is.
  static func unplaced(_ kind: Kind, weight: Double = 0) -> Hypothesis {
    Hypothesis(kind: kind, action: .none, weight: weight)
  }

  /// Whether the new window agrees with it.
  var agrees: Bool { weight > -.infinity }

  /// Whether this is preferred to `other`: the heavier one is, and of two with the same weight the plainer one,
  /// so that the order of the proposals does not matter.
  @inline(__always) func precedes(_ other: Hypothesis) -> Bool {
    weight == other.weight ? isPlainer(than: other) : weight > other.weight
  }

  private func isPlainer(than other: Hypothesis) -> Bool {
    let (mine, others) = (ranks, other.ranks)
    return mine.first == others.first ? mine.second < others.second : mine.first < others.first
  }

  /// What decides between two hypotheses with the same weight, most important first; less is plainer.
  private var ranks: (first: (Int, Fit.Agreement, Int, Int), second: (Int, Int, Int, Int)) {
    (
      (kind.slot, agreement, isPartial ? 1 : 0, action.isPlaced ? 0 : 1),
      (
        action.removedLeft + action.removedRight + action.allInserted.count, action.removedRight,
        action.caret ?? 0, action.selected
      )
    )
  }
}

extension Fit {
  /// What the agreement adds to the weight of a hypothesis on `pair`, by which `action` was done, in bits: 0 or less.
  func cost(of action: borrowing Action, on pair: Pair) -> Double {
    switch agreement {
    case .exact, .none: 0
    case .recut where pair.window != .line: Measured.recut
    case .recut:
      // `WindowBelief` weighs the windows by pairs without the memory: there this weight would decide alone.
      action.caret != nil && pair.known.isRemembered && pair.isShort
        ? Measured.recutShortLine : Measured.recutLine
    case .hidden: Measured.hidden
    }
  }
}

extension Hypothesis {
  /// The caret, or a selection, in unseen text.
  static func elsewhere(_ pair: Pair) -> Hypothesis {
    .unplaced(pair.new.selected.isEmpty ? .outOfRangeTap : pair.selectionKind)
  }

  /// Whether no act at a known place explains the pair likely enough.
  var isElsewhere: Bool {
    !action.isPlaced && kind != .submission || weight < Measured.improbable
  }

  /// Whether it keeps too little text to rule out a tap to text that looks the same by chance.
  func mayBeEcho(in pair: Pair) -> Bool {
    isElsewhere
      && (!action.isPlaced || agreement != .exact || !keepsEnough(in: pair))
  }
}
