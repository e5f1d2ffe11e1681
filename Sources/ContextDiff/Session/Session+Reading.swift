extension Session {
  /// Is lent the verdict on a pair with all that was proposed.
  typealias Explain = (Transition, borrowing Verdict, borrowing Pair, [Trial]) -> Void

  /// Reads a pair, around which `known` is known, and says in `outcome` what follows for the session.
  ///
  /// Changes nothing; it is `mutating` so that the session is read where it lies, not copied.
  ///
  /// What stands for the new snapshot is `state`. The pair `isCurrent` where it begins where the last one ended, and
  /// is read by the same rule.
  mutating func read(
    _ observation: borrowing LentObservation, leadingTo state: UInt64, known: Known,
    isCurrent: Bool, with classifier: Classifier, into outcome: inout Outcome,
    explain: Explain? = nil
  ) -> Transition {
    var evidence = PairEvidence(observation)
    // A shortcut of which it is known what it does not: it may be bound to anything else.
    if namesShortcuts, evidence.key == .shortcut { evidence.key = nil }
    evidence.lastRetracing = trail.lastRetracing
    evidence.mayBeRetracing = trail.mayBeRetracing
    evidence.hasLeftEdit = trail.hasLeftEdit
    if trail.holds(state) {
      evidence.returning = trail.retracing(to: state)
      evidence.returnsFromDoubt = trail.returnsFromDoubt(to: state)
    }
    if let pasteboardDigest, let digest = observation.pasteboard.digest {
      evidence.keepsPasteboard = pasteboardDigest == digest
    }
    evidence.isInputMethods = observation.evidence.cause == .inputMethod && causeBelief.tells
    let pair = Pair(
      observation, terminators: classifier.terminators, known: known, evidence: evidence)
    return Inference.verdict(
      on: pair, isTraced: explain != nil,
      beside: { pair, contest in
        outcome.plain = contest.best
        beam.propose(
          for: pair, from: memory.origin, by: groupingBelief, in: &contest, &outcome.ways)
        if !outcome.ways.isEmpty, outcome.plain.mayBeEcho(in: pair), !pair.new.isBlank {
          contest.proposeEcho(of: pair, beside: outcome.ways, weighing: Measured.echo)
        }
      }
    ) { first, pair, contest in
      var verdict = first
      if mayLieBeyond(verdict, outcome) {
        proposeBeyond(verdict, of: pair, in: &contest, &outcome)
        verdict = Verdict(again: &contest, for: pair)
      }
      outcome.mayBeRetraced = contest.mayBeRetraced(beside: verdict.winner)
      if isCurrent, known.isRemembered, mayBeWrong(verdict) {
        let other = Pair(
          observation, terminators: classifier.terminators,
          known: Known(
            observation.old, window: pair.window, terminators: classifier.terminators))
        let transition = Inference.verdict(on: other) { doubting, other, _ in
          guard let hypothesis = hypothesis(of: doubting, on: other, beside: verdict) else {
            return Transition?.none
          }
          contest.accept(hypothesis)
          verdict = Verdict(again: &contest, for: pair)
          if verdict.winner.ground != .snapshot { return nil }
          return conclude(verdict, of: other, observation, with: classifier, &outcome)
        }
        if let transition {
          explain?(transition, verdict, pair, contest.trials ?? [])
          return transition
        }
      }
      let transition = conclude(verdict, of: pair, observation, with: classifier, &outcome)
      if case .unknown = outcome.effect { outcome.lastActWeights = contest.lastActWeights }
      explain?(transition, verdict, pair, contest.trials ?? [])
      return transition
    }
  }

  // What follows changes nothing; it is `mutating` so that the session is looked at where it lies.

  /// The transition that says what `verdict` found; `outcome` comes to say what follows.
  private mutating func conclude(
    _ verdict: borrowing Verdict, of pair: borrowing Pair,
    _ observation: borrowing LentObservation, with classifier: Classifier, _ outcome: inout Outcome
  ) -> Transition {
    outcome.take(verdict, in: pair.known)
    let composition = observation.evidence.composition
    let transition =
      if let way = verdict.winner.way {
        verdict.transition(along: outcome.ways[way], for: pair, composition: composition)
      } else {
        verdict.transition(for: pair, composition: composition)
      }
    if transition.kind == .unchanged || expected.isBlank { return transition }
    let act = Act(verdict.winner.kind, verdict.winner.action)
    let plain = Unannounced(
      transition: transition, isByKey: observation.evidence.key?.isUsers(act) ?? false)
    guard let recognition = recognition(beside: plain, of: observation, with: classifier)
    else { return transition }
    outcome.take(recognition)
    return recognition.transition
  }

  /// What is known around the caret of `old`: by the memory, where that is current; valid until the
  /// session changes.
  mutating func known(
    around old: Fields, isCurrent: Bool, window: Window, with classifier: Classifier
  ) -> Known {
    var known: Known
    let shown = old.read(by: window)
    if isCurrent, memory.isReliable, memory.holds(shown) {
      memory.lookWhetherPlain()
      known = memory.known(around: shown)
      known.isIndented = isIndented
      known.isAllEmpty = memory.count == 0 && elsewhere.stretches.isEmpty
      known.isErasing = beam.isErasing(at: memory.caret)
      known.composesByLetters = beam.history.composesByLetters
      known.isComposing = beam.lastRetracing == nil && beam.history.isComposing(at: memory.caret)
    } else {
      known = Known(old, window: window, terminators: classifier.terminators)
    }
    known.clips = clips.texts
    return known
  }
}

// MARK: - The memory is wrong

extension Session {
  /// Whether the remembered text may be another by now: a part of it is in doubt, or what is seen is
  /// improbable by it.
  private mutating func mayBeWrong(_ verdict: borrowing Verdict) -> Bool {
    verdict.winner.way == nil && verdict.winner.kind != .unchanged
      && (memory.isSeamed && verdict.isUnconfirmed || verdict.winner.weight < Measured.improbable)
  }

  /// What `doubting` says, which does not go by the memory, as a hypothesis beside `verdict`, which does.
  private mutating func hypothesis(
    of doubting: borrowing Verdict, on pair: borrowing Pair, beside verdict: borrowing Verdict
  ) -> Hypothesis? {
    var hypothesis = doubting.winner
    if hypothesis.kind == verdict.winner.kind { return nil }
    hypothesis.ground = .snapshot
    if memory.isSeamed {
      hypothesis.weight += memory.seamWeight
      return hypothesis
    }
    hypothesis.weight += Measured.memoryIsWrong
    let hasEvidence = hypothesis.keptScalars(in: pair) >= KeptScalars.enough
    return hypothesis.kind == .outOfRangeTap || !hasEvidence ? nil : hypothesis
  }
}

// MARK: - Beyond what is known around the caret

extension Session {
  /// Whether another place of the remembered text, or another stretch of it, may explain the pair.
  private mutating func mayLieBeyond(
    _ verdict: borrowing Verdict, _ outcome: borrowing Outcome
  ) -> Bool {
    let winner = verdict.winner
    if winner.kind == .submission || winner.kind == .unchanged { return false }
    if outcome.plain.isElsewhere || !winner.action.isPlaced && winner.way == nil { return true }
    if winner.way != nil { return false }
    return verdict.alternatives.count == 1 && verdict.alternatives[0] == .outOfRangeTap
      || winner.weight < Measured.elsewhereMatters && !elsewhere.stretches.isEmpty
  }

  /// Proposes the places of the remembered text that show what was seen, those of other stretches, the ways
  /// through their histories, and an undo of what the session does not know.
  private mutating func proposeBeyond(
    _ verdict: borrowing Verdict, of pair: borrowing Pair, in contest: inout Contest,
    _ outcome: inout Outcome
  ) {
    // Beside a way through the history stands what the pair would be without.
    let isWay = verdict.winner.way != nil
    let winner = isWay ? Hypothesis.elsewhere(pair) : verdict.winner
    if pair.known.isRemembered {
      let place = Locating(pair)
      if winner.action.isPlaced {
        let known = pair.known
        let isWhole =
          known.leftEdge == .document && known.rightEdge == .document
          && (!known.text.isEmpty || known.isAllEmpty || winner.action.inserted.isOneGrapheme)
        if isWhole, place.caret == nil { contest.excludesElsewhere = true }
      } else if let hypothesis = place.hypothesis(beside: winner, in: pair, on: .known) {
        contest.accept(hypothesis)
        if place.isUnique { return }
      }
    }
    if isWay || winner.action.isPlaced && winner.weight >= Measured.elsewhereMatters { return }
    let hasWay = !outcome.ways.isEmpty
    proposeStretches(beside: winner, of: pair, in: &contest, &outcome)
    if !hasWay, !outcome.ways.isEmpty, outcome.plain.mayBeEcho(in: pair), !pair.new.isBlank {
      contest.proposeEcho(of: pair, beside: outcome.ways, weighing: Measured.echoElsewhere)
    }
    if !winner.action.isPlaced,
      beam.lastRetracing != nil || elsewhere.hasEdits || !beam.history.isBlank
    {
      beam.proposeUnknown(for: pair, in: &contest)
    }
  }

  private mutating func proposeStretches(
    beside winner: Hypothesis, of pair: borrowing Pair, in contest: inout Contest,
    _ outcome: inout Outcome
  ) {
    // What it costs the next undo, and the next redo, that others come first; the memory itself, where it is not relied
    // on, counts as one before the first.
    var costs = SIMD2(
      beam.history.done.isEmpty ? 0 : Measured.undoElsewhere,
      beam.history.undone.isEmpty ? 0 : Measured.undoElsewhere)
    let doubted =
      memory.isDoubtful ? [Stretches.Stretch(memory: memory, history: beam.history)] : []
    for (place, stretch) in (doubted + elsewhere.stretches).enumerated() {
      let index = place - doubted.count
      withExtendedLifetime(stretch) {
        let pair = Pair(
          old: pair.old, new: pair.new, window: pair.window, terminators: pair.terminators,
          known: stretch.memory.known(around: pair.old), alignment: pair.alignment,
          overlaidStart: .some(nil))
        let place = Locating(pair, admittingOldPlace: index >= 0)
        if index >= 0, !winner.action.isPlaced,
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
          var hypothesis = Hypothesis(way, at: outcome.ways.count, weight: 0, in: pair)
          hypothesis.ground = .stretch(index)
          contest.accept(hypothesis)
          outcome.ways.append(way)
        }
      }
    }
  }
}

extension Locating {
  /// That the caret went there, where enough of the text is seen; else as likely as `winner`, a tap or a
  /// selection that can show any text.
  fileprivate func hypothesis(
    beside winner: Hypothesis, in pair: borrowing Pair, on ground: Ground
  ) -> Hypothesis? {
    guard let caret else { return nil }
    let isEvident = length >= KeptScalars.enough
    if ground != .known, !isEvident || winner.kind != .outOfRangeTap { return nil }
    let isSelection = !pair.new.selected.isEmpty
    let weight = (isSelection ? Model.selected : Model.moved) + Measured.rememberedPlace
    return Hypothesis(
      kind: isSelection ? winner.kind : .outOfRangeTap,
      action: .move(to: caret, selecting: pair.new.selected.bytes.count),
      weight: isEvident ? max(weight, winner.weight) : winner.weight,
      keptLeft: pair.new.before.bytes.count, keptRight: pair.new.after.bytes.count,
      ground: ground, isAmbiguous: !isUnique)
  }
}

extension Verdict {
  /// Whether nothing that the memory holds speaks for it: text that came by no key, or that cannot be
  /// placed.
  fileprivate var isUnconfirmed: Bool {
    if winner.kind == .windowShift { return false }
    switch winner.kind.facts.text {
    case .none, .goes, .isElsewhere: return !winner.action.isPlaced
    case .comes, .isExchanged: return !winner.action.inserted.isOneGrapheme
    }
  }
}
