extension Session {
  /// Reads a pair; while edits are announced, its `cause` is left out of account.
  ///
  /// Changes nothing; it is `mutating` so that the session is read where it lies, not copied.
  mutating func read(
    _ observation: LentObservation, isCurrent: Bool, with classifier: Classifier
  ) -> Outcome {
    if observation.cause != nil, !expected.entries.isEmpty {
      var observation = observation
      observation.cause = nil
      return read(observation, isCurrent: isCurrent, with: classifier)
    }
    func hear(_ known: Known) -> Outcome {
      let pair = Pair(observation, terminators: classifier.terminators, known: known)
      return Judge.rule(on: pair) { ruling, pair, _ in
        let effort = ruling.leastEffort(for: pair)
        if !known.isRemembered
          || rivals.isEmpty
            && history.isSilent(
              on: ruling, effort, after: retracing, for: pair, from: memory.origin)
        {
          return Outcome(
            ruling, effort, for: pair, isRetracing: retracing != nil,
            composition: observation.composition)
        }
        let hearing = Hearing(
          history: history, origin: memory.origin, retracing: retracing, rivals: rivals,
          known: known)
        return hearing.outcome(
          of: ruling, effort, for: pair, composition: observation.composition)
      }
    }
    var outcome: Outcome
    if isRemembered(observation.old, isCurrent: isCurrent) {
      outcome = clips.lend { clips in
        memory.withKnown(around: observation.old) { known in
          var known = known
          known.isIndented = isIndented
          known.isErasing = history.isErasing(at: memory.caret)
          known.clips = clips
          return hear(known)
        }
      }
    } else {
      outcome = clips.lend { clips in
        var known = Known(
          observation.old, window: observation.window, terminators: classifier.terminators)
        known.clips = clips
        return hear(known)
      }
    }
    reconsider(&outcome, of: observation, isCurrent: isCurrent, with: classifier)
    return outcome
  }

  /// Takes into account what lies beyond the remembered text: other stretches of it, a seam in it,
  /// that somebody else has changed it, and the announced edits.
  private mutating func reconsider(
    _ outcome: inout Outcome, of observation: LentObservation, isCurrent: Bool,
    with classifier: Classifier
  ) {
    if outcome.isOpenToRecall { recall(in: &outcome, of: observation, with: classifier) }
    if isCurrent, let weight = outcome.weight, memory.isSeamed || weight < Prior.improbable {
      let isSeamed = memory.isSeamed
      let pair = Pair(
        observation, terminators: classifier.terminators,
        known: Known(
          observation.old, window: observation.window, terminators: classifier.terminators))
      Judge.rule(on: pair) { ruling, pair, _ in
        if isSeamed {
          outcome.weigh(ruling, for: pair, composition: observation.composition)
        } else {
          outcome.giveWay(to: ruling, for: pair, composition: observation.composition)
        }
      }
    }
    if retracing != nil, outcome.mayGoOnRetracing {
      outcome.name(.undo)
      outcome.name(.redo)
    }
    if outcome.transition.kind != .unchanged, !expected.isBlank {
      recognise(in: &outcome, of: observation, with: classifier)
    }
  }

  /// Looks for what explains the pair in the other stretches of remembered text, the memory itself
  /// among them where it is not relied on: a place in them first, then a way through their history.
  private func recall(
    in outcome: inout Outcome, of observation: LentObservation, with classifier: Classifier
  ) {
    let doubted = memory.isDoubtful ? [Stretches.Stretch(memory: memory, history: history)] : []
    let evidence = retracing != nil ? 1 : Evidence.enough
    search: for isPlace in [true, false] {
      for (place, stretch) in (doubted + elsewhere.stretches).enumerated() {
        stretch.memory.withKnown(around: observation.old) { known in
          let pair = Pair(
            old: observation.old, new: observation.new, window: observation.window,
            terminators: classifier.terminators, pasteboard: .hidden, cause: nil, known: known)
          let index = place - doubted.count
          if isPlace {
            outcome.revisit(pair, at: index)
          } else {
            outcome.recall(pair, in: stretch, at: index, evidence: evidence)
          }
        }
        if !outcome.isOpenToRecall { break search }
      }
    }
    // What the session went through may be what is seen, where none of it is remembered; and an
    // undo may bring a selection back where there is text like it.
    if elsewhere.hasEdits || !history.isBlank,
      outcome.transition.kind == .outOfRangeTap && outcome.isOpenToRecall
        || outcome.transition.kind.family == .selection
    {
      outcome.name(.undo)
    }
  }

  /// Recognises announced edits in what `outcome` says without them.
  private func recognise(
    in outcome: inout Outcome, of observation: LentObservation, with classifier: Classifier
  ) {
    switch expected.match(from: observation.old, to: observation.new) {
    case .whole(let shown): outcome.become(expected: shown)
    case .late: outcome.become(expected: ExpectedEdits.Shown(count: 0, end: 0))
    case nil:
      for (state, shown) in expected.states(from: observation.old) {
        let rest = state.lend { state in
          var observation = observation
          observation.old = state
          return classifier.classify(observation)
        }
        if rest.isPlainer(than: outcome.transition) {
          outcome.become(expected: shown, then: rest)
          return
        }
      }
    }
  }

  /// Lends what is known around the caret of `old`: by the memory, where that is current.
  mutating func withKnown<Result: ~Copyable>(
    around old: Fields, isCurrent: Bool, window: Window, with classifier: Classifier,
    _ body: (Known) -> Result
  ) -> Result {
    let terminators = classifier.terminators
    let isIndented = isIndented
    let isErasing = history.isErasing(at: memory.caret)
    return clips.lend { clips in
      if isRemembered(old, isCurrent: isCurrent) {
        return memory.withKnown(around: old) { known in
          var known = known
          known.isIndented = isIndented
          known.isErasing = isErasing
          known.clips = clips
          return body(known)
        }
      }
      var known = Known(old, window: window, terminators: terminators)
      known.clips = clips
      return body(known)
    }
  }

  /// Whether the memory holds what a pair begins with, so that the readings may go by it.
  private func isRemembered(_ old: Fields, isCurrent: Bool) -> Bool {
    memory.isReliable && isCurrent && memory.holds(old)
  }

  /// Whether the memory stands where a pair begins whose old snapshot is `old`, or else `latest`.
  func isCurrent(_ old: Fields?, window: Window) -> Bool {
    guard let kept, window == self.window else { return false }
    guard let old else { return true }
    return kept.lend { $0 == old }
  }
}
