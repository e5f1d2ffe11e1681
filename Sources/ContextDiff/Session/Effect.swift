extension Session {
  /// What follows for the session from what a pair is.
  enum Effect {
    case none
    /// An edit at the caret; `inserted` lies in what the pair was given by, or in `clips`.
    case edit(Action)
    /// The caret so many bytes on in the known text, selecting so many from there; whether another
    /// place looks alike.
    case move(by: Int, selecting: Int, isDoubtful: Bool)
    /// A way through the history, by its place among those that agree.
    case retraced(Int)
    /// The caret to an offset in another stretch of remembered text, or by a way through its history.
    case revisited(stretch: Int, caret: Int, selecting: Int, isDoubtful: Bool)
    case retracedElsewhere(stretch: Int, way: Int)
    /// Announced edits, of which it is known what they exchange.
    case announced(Rewrite)
    /// All the text is gone.
    case cleared
    /// Somewhere else, or something that is not known whole.
    case unknown
  }

  /// One stretch of the text exchanged; places are in bytes from the old caret, or from the left end of
  /// the old selection.
  struct Rewrite {
    /// Where the stretch begins.
    var start: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    /// Where the caret is afterwards.
    var caret: Int
  }

  /// What was done last, where that leads to no known text, with the weight of each.
  struct Lasts {
    var undo = -Double.infinity
    var redo = -Double.infinity
    var other = 0.0
  }

  /// What a pair does to the session.
  ///
  /// It is not copied, being made for every pair.
  struct Outcome: ~Copyable {
    var effect = Effect.none
    /// The ways through the histories that agree with the pair.
    var ways: [Way] = []
    /// The likeliest hypothesis beside them.
    var plain = Hypothesis.unplaced(.unchanged)
    /// Whether it was an undo, a redo or neither.
    var lasts = Lasts()
    /// Whether what was seen was compared with the text that the effect leads to.
    var isProven = false
    /// Whether the text that is not shown may be another than the one remembered.
    var isDoubtful = false
    /// How likely that is, as a binary logarithm beside what was concluded.
    var doubt = 0.0
    /// Whether something else may as well have been done, which leaves another text.
    var isDoubted = false
    /// Whether it was an undo or a redo, or may have been one.
    var mayBeRetraced = false
    /// Whether typing goes on with the step that this was.
    var end = History.End.open
    /// What it shows of the announced edits.
    var announced: ExpectedEdits.Event?
  }
}

extension Session.Outcome {
  /// Takes what follows from `verdict`.
  mutating func take(_ verdict: borrowing Verdict, in known: borrowing Known) {
    let winner = verdict.winner
    effect = winner.effect(in: known)
    isProven = winner.isProven
    isDoubted = verdict.isDoubted
    end = verdict.leavesOpen
    switch effect {
    case .retraced(let index):
      isDoubtful = ways[index].weight < Measured.undoPlace
      doubt = Measured.memoryIsDoubted
    case .revisited, .retracedElsewhere: (isDoubtful, doubt) = (true, Measured.memoryIsDoubted)
    case .none, .edit, .move, .announced, .cleared, .unknown:
      isDoubtful = verdict.isAmbiguous
      doubt = min(0, verdict.doubt)
    }
  }
}

extension Hypothesis {
  /// What follows for the session if this is what was done.
  func effect(in known: borrowing Known) -> Session.Effect {
    if kind == .unchanged { return .none }
    if kind == .submission { return .cleared }
    switch (ground, way) {
    case (.snapshot, _): return .unknown
    case (.known, let way?): return .retraced(way)
    case (.known, nil): break
    case (.stretch(let stretch), let way?): return .retracedElsewhere(stretch: stretch, way: way)
    case (.stretch(let stretch), nil):
      return .revisited(
        stretch: stretch, caret: action.caret ?? 0, selecting: action.selected,
        isDoubtful: isAmbiguous)
    }
    if !action.isPlaced || action.joinsLine { return .unknown }
    if let caret = action.caret {
      return .move(
        by: caret - known.left.count, selecting: action.selected, isDoubtful: isAmbiguous)
    }
    return isPartial ? .unknown : .edit(action)
  }
}

extension Verdict {
  /// Whether another edit would show the same, after which the text is another.
  var isAmbiguous: Bool {
    winner.way == nil && winner.action.caret == nil && winner.kind.facts.text != .none
      && !otherEdits.isEmpty
  }

  /// Whether the text may as well be another afterwards, or all of it as it was.
  var isDoubted: Bool {
    alternatives.contains { other in
      switch other.facts.text {
      case .none: other != .unchanged && other.family != .selection
      case .comes, .goes, .isExchanged:
        other.isPlainEdit && winner.kind.isPlainEdit && other.facts.text != winner.kind.facts.text
      case .isElsewhere: false
      }
    }
  }

  /// Whether typing goes on with the step that this was; Chromium's does not with what was cut or pasted.
  var leavesOpen: History.End {
    switch winner.kind {
    case .cut: alternatives.contains(.deletion) ? .doubtful : .closed
    case .paste: alternatives.contains(.insertion) ? .doubtful : .closed
    case .deletion: alternatives.contains(.cut) ? .doubtful : .open
    case .unchanged, .cursorMove, .selection, .deselection, .lineSelection, .lineDeselection,
      .outOfRangeTap, .insertion, .replacement, .undo, .redo, .submission, .windowShift, .expected:
      .open
    }
  }
}
