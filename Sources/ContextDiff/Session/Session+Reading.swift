extension Session {
  /// A function that is lent the verdict on a pair, and all that was proposed.
  typealias Explain = (Transition, borrowing Verdict, Pair, [Hypothesis]) -> Void

  /// Reads a pair; `known` is the text known around its old caret, and `outcome` receives what the session takes over.
  ///
  /// `state` is the digest of the new snapshot.
  mutating func read(
    _ observation: borrowing LentObservation, leadingTo state: UInt64, known: Known,
    with classifier: Classifier, into outcome: inout Outcome, explain: Explain? = nil
  ) -> Transition {
    let pair = Pair(
      observation, terminators: classifier.terminators, known: known,
      evidence: evidence(on: observation, leadingTo: state))
    return Inference.verdict(
      on: pair, isTraced: explain != nil,
      beside: { pair, contest in
        contest.beginWays()
        beam.propose(for: pair, from: memory.origin, by: groupingBelief, in: &contest)
        contest.proposeEcho(of: pair, weighing: Measured.echo)
      }
    ) { first, pair, contest in
      var verdict = first
      if mayLieBeyond(verdict, beside: contest.beforeWays) {
        proposeBeyond(verdict, of: pair, in: &contest)
        verdict = Verdict(again: &contest, for: pair)
      }
      (outcome.ways, outcome.beforeWays) = (contest.ways, contest.beforeWays)
      outcome.mayBeRetraced = contest.mayBeRetraced(beside: verdict.winner)
      if known.isRemembered, mayBeWrong(verdict),
        let transition = readWithoutMemory(
          observation, of: pair, beside: &verdict, in: &contest, with: classifier, into: &outcome)
      {
        explain?(transition, verdict, pair, contest.trials)
        return transition
      }
      let transition = conclude(verdict, of: pair, observation, with: classifier, &outcome)
      if case .unknown = outcome.effect { outcome.lastActWeights = contest.lastActWeights }
      explain?(transition, verdict, pair, contest.trials)
      return transition
    }
  }

  /// The evidence of `observation`, and what the session knows besides; `state` is the digest of the new snapshot.
  private mutating func evidence(
    on observation: borrowing LentObservation, leadingTo state: UInt64
  ) -> PairEvidence {
    var evidence = PairEvidence(observation)
    evidence.last = trail[0]
    evidence.hasLeftEdit = trail.hasLeftEdit
    evidence.mayBeLineWindow = toldWindow == nil && windowBelief.mayTurnToLine
    evidence.returning = trail.retracing(to: state)
    evidence.takesLastBack = evidence.last.state == state
    if let pasteboardDigest, let digest = observation.pasteboard.digest {
      evidence.keepsPasteboard = pasteboardDigest == digest
    }
    evidence.isCrediblyByInputMethod = evidence.isByInputMethod && causeBelief.tells
    return evidence
  }

  /// The transition of `verdict`, with the announced edits that it shows; `outcome` receives what the session takes
  /// over.
  private mutating func conclude(
    _ verdict: borrowing Verdict, of pair: Pair,
    _ observation: borrowing LentObservation, with classifier: Classifier, _ outcome: inout Outcome
  ) -> Transition {
    outcome.take(verdict, in: pair.known)
    outcome.key = pair.evidence.key
    let transition =
      if let way = verdict.winner.way, verdict.winner.ground == .known || !pair.showsOnePlace {
        verdict.transition(along: outcome.ways[way], for: pair)
      } else {
        verdict.transition(for: pair)
      }
    if expected.isEmpty { return transition }
    if transition.kind == .unchanged {
      return withoutNetEffect(transition, in: observation, &outcome)
    }
    let plain = Unannounced(
      old: observation.old, new: observation.new, pasteboard: observation.pasteboard,
      evidence: observation.evidence, classifier: classifier, transition: transition,
      isByKey: pair.evidence.isUsers(verdict.winner.act),
      start: expected.start(at: observation.old))
    guard let recognition = recognition(beside: plain) else { return transition }
    outcome.take(recognition, beside: transition)
    return recognition.transition
  }

  /// The transition of an unchanged pair, with the announced edits that together change nothing.
  ///
  /// They are shown then, though the host may still be to make them: of several, each state on their way is late. What an
  /// edit does beyond the known text cannot be told from nothing: one that reaches there waits on.
  private func withoutNetEffect(
    _ unchanged: Transition, in observation: borrowing LentObservation, _ outcome: inout Outcome
  ) -> Transition {
    guard let match = expected.match(from: observation.old, to: observation.new),
      match.nearness == .equal,
      expected.announcements[match.shown].allSatisfy({ !$0.new.contains(where: \.leadsBeyondKnown) }
      )
    else { return unchanged }
    outcome.announcedEvent = .shown(match.shown, rest: .nothing)
    var transition = unchanged
    transition.expected = numbers(of: match.shown)
    return transition
  }

  /// The text known around the caret of `old`: the memory's if the memory is current, else the snapshot's; valid until
  /// the session changes.
  mutating func known(
    around old: Fields, isCurrent: Bool, window: Window, with classifier: Classifier
  ) -> Known {
    var known: Known
    let shown = old.seen(through: window)
    if isCurrent, memory.isReliable(around: shown) {
      memory.lookWhetherPlain()
      known = memory.known(around: shown)
      known.isIndented = isIndented
      known.isAllEmpty = memory.count == 0 && elsewhere.stretches.isEmpty
      known.isErasing = beam.isErasing(at: memory.caret)
      known.hasErasedBreak = known.isErasing && beam.history.hasErasedBreak
      // What an input method puts in, which is mostly not ASCII, is an edit of its own to any host.
      known.mayBeUndoing =
        known.isErasing
        && (beam.history.lastByteLeft.map { $0 >= 0x80 || groupingBelief.mayBeOfEdits } ?? false)
      known.composesByLetters = beam.history.composesByLetters
      known.isComposing = beam.lastRetracing == nil && beam.history.isComposing(at: memory.caret)
      known.composedLength = beam.history.composedLength(at: memory.caret)
    } else {
      known = Known(old, window: window, terminators: classifier.terminators)
      known.isAllEmpty = old.isEmpty && memory.count == 0 && elsewhere.stretches.isEmpty
    }
    known.clips = clips.texts
    return known
  }
}

// MARK: - The memory is wrong

extension Session {
  /// Whether the document's text may be another than the memory's: a part of the memory is in doubt, or the verdict by
  /// it is improbable.
  private mutating func mayBeWrong(_ verdict: borrowing Verdict) -> Bool {
    verdict.winner.way == nil
      && (memory.isSeamed && verdict.isUnconfirmed || verdict.winner.weight < Measured.improbable)
  }

  /// Reads the pair as if the memory were wrong; what wins then competes with the hypotheses of `verdict`, which is by the
  /// memory and becomes the verdict on all of them.
  ///
  /// - Returns: The transition, where the memory is likelier to be wrong; else `nil`.
  private mutating func readWithoutMemory(
    _ observation: borrowing LentObservation, of pair: Pair, beside verdict: inout Verdict,
    in contest: inout Contest, with classifier: Classifier, into outcome: inout Outcome
  ) -> Transition? {
    let other = Pair(
      observation, terminators: classifier.terminators,
      known: Known(observation.old, window: pair.window, terminators: classifier.terminators))
    return Inference.verdict(on: other) { doubting, other, _ in
      guard let hypothesis = hypothesis(of: doubting, on: other, beside: verdict) else {
        return nil
      }
      contest.accept(hypothesis)
      verdict = Verdict(again: &contest, for: pair)
      if verdict.winner.ground != .snapshot { return nil }
      return conclude(verdict, of: other, observation, with: classifier, &outcome)
    }
  }

  /// The winner of `doubting`, a verdict without the memory, as a hypothesis that competes with those of `verdict`,
  /// which is by the memory; `nil` where both have one kind, or too little speaks for it.
  private mutating func hypothesis(
    of doubting: borrowing Verdict, on pair: Pair, beside verdict: borrowing Verdict
  ) -> Hypothesis? {
    var hypothesis = doubting.winner
    if hypothesis.kind == verdict.winner.kind { return nil }
    hypothesis.ground = .snapshot
    if memory.isSeamed, let seam = memory.seam {
      hypothesis.weight += seam.weight
      return hypothesis
    }
    hypothesis.weight += Measured.memoryIsWrong
    // A tap keeps nothing: without the memory it leads to text that is not known.
    return hypothesis.keepsEnough(in: pair) ? hypothesis : nil
  }
}

// MARK: - Beyond what is known around the caret

extension Session {
  /// Whether the caret may have gone to another place of the memory, or to another stretch.
  private mutating func mayLieBeyond(
    _ verdict: borrowing Verdict, beside beforeWays: Hypothesis
  ) -> Bool {
    let winner = verdict.winner
    if winner.kind == .submission || winner.kind == .unchanged { return false }
    if beforeWays.isElsewhere { return true }
    if winner.way != nil { return false }
    return !winner.action.isPlaced
      || verdict.alternatives.count == 1 && verdict.alternatives[0] == .outOfRangeTap
      || winner.weight < Measured.elsewhereMatters && !elsewhere.stretches.isEmpty
  }

  /// Proposes moves to other places, of the memory and of the other stretches, where the new snapshot's text is; undos
  /// and redos in those stretches; and an undo of an edit that the session does not know.
  private mutating func proposeBeyond(
    _ verdict: borrowing Verdict, of pair: Pair, in contest: inout Contest
  ) {
    // Beside an undo or a redo, places compete with the hypothesis that the caret went elsewhere.
    let isWay = verdict.winner.way != nil
    let winner = isWay ? Hypothesis.elsewhere(pair) : verdict.winner
    if pair.known.isRemembered {
      let place = Locating(pair)
      if winner.action.isPlaced {
        let known = pair.known
        // Text that comes into view beyond the known text shows that not all of the document is known.
        let isWhole =
          known.leftEdge == .document && known.rightEdge == .document && !winner.showsUnknown
          && (!known.text.isEmpty || known.isAllEmpty || winner.action.inserted.isOneGrapheme)
        if isWhole, place.caret == nil { contest.excludesElsewhere = true }
      } else if let hypothesis = place.hypothesis(beside: winner, in: pair, on: .known) {
        contest.accept(hypothesis)
        if place.isUnique { return }
      }
    }
    if isWay || winner.action.isPlaced && winner.weight >= Measured.elsewhereMatters { return }
    let hasWay = !contest.ways.isEmpty
    proposeStretches(beside: winner, of: pair, in: &contest)
    if !hasWay { contest.proposeEcho(of: pair, weighing: Measured.echoElsewhere) }
    if !winner.action.isPlaced,
      beam.lastRetracing != nil || elsewhere.hasEdits || !beam.history.isEmpty
    {
      beam.proposeUnknown(for: pair, in: &contest)
    }
  }

  /// Proposes moves to the other stretches, and undos and redos there.
  private mutating func proposeStretches(
    beside winner: Hypothesis, of pair: Pair, in contest: inout Contest
  ) {
    // What is added to an undo, and to a redo, in the next stretch: steps of the stretches before it come first.
    var costs = SIMD2(
      beam.history.done.isEmpty ? 0 : Measured.undoElsewhere,
      beam.history.undone.isEmpty ? 0 : Measured.undoElsewhere)
    let isByShortcut = pair.evidence.mayRetrace
    let showsOnePlace = pair.showsOnePlace
    for (index, stretch) in elsewhere.stretches.enumerated() {
      withExtendedLifetime(stretch) {
        let pair = Pair(pair, around: stretch.memory.known(around: pair.old))
        let place = Locating(pair, admittingOldPlace: true)
        if !winner.action.isPlaced,
          let hypothesis = place.hypothesis(beside: winner, in: pair, on: .stretch(index))
        {
          contest.accept(hypothesis)
        }
        let retracing = Retracing(
          history: stretch.history, origin: stretch.memory.origin, grouping: groupingBelief)
        for (turn, kind) in [Kind.undo, .redo].enumerated() {
          let steps = kind == .undo ? stretch.history.done : stretch.history.undone
          if steps.isEmpty { continue }
          let cost = costs[turn]
          costs[turn] += Measured.undoNextStretch
          guard var way = retracing.way(kind, for: pair, limit: Measured.improbable) else {
            continue
          }
          way.prior = beam.share(of: kind) + cost
          var hypothesis = Hypothesis(way, weight: 0, in: pair)
          hypothesis.ground = .stretch(index)
          // A later edit is undone first: where one is known, and no key says otherwise, another place may look like
          // this one.
          if cost < 0, !isByShortcut { hypothesis.isDoubted = true }
          // Nor did the caret surely leave where both windows show the same text around what differs.
          if showsOnePlace { hypothesis.isDoubted = true }
          contest.accept(hypothesis, along: way)
        }
      }
    }
  }
}

extension Locating {
  /// The hypothesis that the caret went to the place found.
  ///
  /// Where the new window shows too little text to prove the place, it is as likely as `winner`, a tap or a selection.
  fileprivate func hypothesis(
    beside winner: Hypothesis, in pair: Pair, on ground: Ground
  ) -> Hypothesis? {
    guard let caret else { return nil }
    let isEvident = pair.new.showsEnough
    if ground != .known, !isEvident || winner.kind != .outOfRangeTap { return nil }
    let isSelection = !pair.new.selected.isEmpty
    let weight = (isSelection ? Model.selected : Model.moved) + Measured.rememberedPlace
    // A `line` window shows the whole line: what is cut elsewhere may be another line.
    let isShown =
      ground == .known && pair.window != .line && caret >= pair.shownRange.lowerBound
      && caret <= pair.shownRange.upperBound
    let moved: Kind =
      !isShown ? .outOfRangeTap : pair.old.selected.isEmpty ? .cursorMove : .deselection
    return Hypothesis(
      kind: isSelection ? winner.kind : moved,
      action: .move(to: caret, selecting: pair.new.selected.bytes.count),
      weight: isEvident ? max(weight, winner.weight) : winner.weight,
      keptLeft: pair.new.before.bytes.count, keptRight: pair.new.after.bytes.count,
      ground: ground, isAmbiguous: !isUnique)
  }
}

extension Pair {
  /// Whether both windows show the same text around what differs, and enough of it.
  fileprivate var showsOnePlace: Bool {
    let (before, after) = (old.before.bytes, old.after.bytes)
    return KeptScalars.areEnough(
      endOf: before.prefix(before.commonStart(new.before.bytes)),
      startOf: after.suffix(after.commonEnd(new.after.bytes)))
  }
}

extension Verdict {
  /// Whether the memory does not confirm the winner, which inserts something else than one character, or has no place
  /// in the memory.
  fileprivate var isUnconfirmed: Bool {
    switch winner.kind.facts.text {
    case .none, .goes, .isElsewhere: return !winner.action.isPlaced
    case .comes, .isExchanged: return !winner.action.inserted.isOneGrapheme
    }
  }
}
