extension Session {
  /// What a pair did to the remembered text and to the histories.
  enum Effect {
    /// An edit at the caret; the bytes of `inserted` are the pair's, or those of `clips`.
    case edit(Action)
    /// The caret moved by so many bytes in the known text, and `selecting` bytes are selected from there on.
    ///
    /// `isDoubtful` says, here and in `revisited`, that another place looks the same.
    case move(by: Int, selecting: Int, isDoubtful: Bool)
    /// An undo or a redo: the index of its way in `Outcome.ways`.
    case retraced(way: Int)
    /// The caret moved to an offset in another stretch of remembered text: its index in `elsewhere`.
    case revisited(stretch: Int, caret: Int, selecting: Int, isDoubtful: Bool)
    /// An undo or a redo in another stretch: the indices of both, as above.
    case retracedElsewhere(stretch: Int, way: Int)
    /// Announced edits, whose text is known.
    case announced(AnnouncedExchange)
    /// All the text went, as in a field that was sent.
    case cleared
    /// The caret is in text that is not remembered, or not all of the edit is known.
    case unknown
  }

  /// How likely it is that a pair after which the text is not known was an undo, a redo or anything else, each as a
  /// binary logarithm.
  struct LastActWeights {
    var undo = -Double.infinity
    var redo = -Double.infinity
    var other = 0.0
  }

  /// What a session takes over from a pair.
  ///
  /// It cannot be copied, for one is made for every pair.
  struct Outcome: ~Copyable {
    var effect = Effect.unknown
    /// `Contest.ways` of the contest that the verdict is of.
    var ways: [Way] = []
    /// `Contest.beforeWays`.
    var beforeWays = Hypothesis.unplaced(.unchanged)
    /// Of use where `effect` is `unknown`.
    var lastActWeights = LastActWeights()
    /// Whether the new snapshot was compared with all of the text that the effect leads to.
    var isProven = false
    /// How likely it is that the text beyond the new snapshot is other than the effect's, relative to the effect's, as a
    /// binary logarithm: 0 for as likely; `nil` where that text is relied on.
    var textDoubt: Double?
    /// Whether it may have been another edit, which leaves another text.
    var isDoubted = false
    /// Whether it was an undo or a redo, or may have been one.
    var mayBeRetraced = false
    /// What went to the host, where its client says so.
    var key: Key?
    /// Whether the next edit may be coalesced with this one.
    var end = History.End.open
    /// What the pair did to the announced edits; `nil` where this follows from the transition.
    var announcedEvent: ExpectedEdits.Event?
  }
}

extension Session.Outcome {
  /// Fills in what `verdict` says; the caller sets the other members.
  mutating func take(_ verdict: borrowing Verdict, in known: borrowing Known) {
    let winner = verdict.winner
    effect = winner.effect(in: known)
    isProven = winner.isProven
    isDoubted = verdict.isDoubted
    end = verdict.leavesOpen
    switch effect {
    case .retraced(let index):
      textDoubt = ways[index].weight < Measured.undoPlace ? Measured.memoryIsDoubted : nil
    case .revisited, .retracedElsewhere:
      textDoubt = Measured.memoryIsDoubted
    case .edit, .move, .announced, .cleared, .unknown:
      // Another edit may show the same snapshot, and leave another text beyond it.
      let mayDiffer = winner.action.caret == nil && !verdict.otherEdits.isEmpty
      textDoubt = mayDiffer ? min(0, verdict.doubt) : nil
    }
  }
}

extension Hypothesis {
  /// What this does to the session if it is what happened.
  func effect(in known: borrowing Known) -> Session.Effect {
    if kind == .submission { return .cleared }
    switch (ground, way) {
    case (.snapshot, _): return .unknown
    case (.known, let way?): return .retraced(way: way)
    case (.known, nil): break
    case (.stretch(let stretch), let way?): return .retracedElsewhere(stretch: stretch, way: way)
    case (.stretch(let stretch), nil):
      return .revisited(
        stretch: stretch, caret: action.caret ?? 0, selecting: action.selected,
        isDoubtful: isAmbiguous)
    }
    if !action.isPlaced || action.joinsLine || isGuessed { return .unknown }
    if let caret = action.caret {
      return .move(
        by: caret - known.left.count, selecting: action.selected, isDoubtful: isAmbiguous)
    }
    return isPartial ? .unknown : .edit(action)
  }
}

extension Verdict {
  /// Whether an alternative leaves another text than the winner, or the old one.
  var isDoubted: Bool {
    alternatives.contains { other in
      switch other.facts.text {
      case .none: other.family != .selection
      case .comes, .goes, .isExchanged: other.isPlainEdit && winner.kind.isPlainEdit
      // The caret may have gone to the text that seemed to come.
      case .isElsewhere: winner.kind.isPlainEdit
      }
    }
  }

  /// Whether the next edit may be coalesced with this one: Chromium coalesces none with a cut or a paste.
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
