extension Session {
  /// Reads a pair, around which `known` is known, and says in `outcome` what it does to the session;
  /// while edits are announced, its `cause` is left out of account.
  ///
  /// Changes nothing; it is `mutating` so that the session is read where it lies, not copied.
  mutating func read(
    _ observation: borrowing LentObservation, known: Known, isCurrent: Bool,
    with classifier: Classifier, into outcome: inout Outcome
  ) -> Transition {
    if observation.cause != nil, !expected.entries.isEmpty {
      let observation = LentObservation(
        old: observation.old, new: observation.new, window: observation.window,
        pasteboard: observation.pasteboard, composition: observation.composition, cause: nil,
        key: observation.key, merged: observation.merged, reset: observation.reset)
      return read(
        observation, known: known, isCurrent: isCurrent, with: classifier, into: &outcome)
    }
    let pair = Pair(observation, terminators: classifier.terminators, known: known)
    var transition = Inference.verdict(on: pair) { verdict, pair, _ in
      let effort = verdict.leastEffort(for: pair)
      if !known.isRemembered
        || rivals.isEmpty
          && history.isSilent(
            on: verdict, effort, after: retracing, for: pair, from: memory.origin)
      {
        return outcome.transition(
          of: verdict, effort, for: pair, isRetracing: retracing != nil,
          composition: observation.composition)
      }
      let hearing = Hearing(
        history: history, origin: memory.origin, retracing: retracing, rivals: rivals,
        known: known)
      return hearing.transition(
        of: verdict, effort, for: pair, composition: observation.composition, with: &outcome)
    }
    reconsider(&transition, &outcome, of: observation, isCurrent: isCurrent, with: classifier)
    return transition
  }

  /// Takes into account what lies beyond the remembered text: other stretches of it, a seam in it,
  /// that somebody else has changed it, and the announced edits.
  private mutating func reconsider(
    _ transition: inout Transition, _ outcome: inout Outcome,
    of observation: borrowing LentObservation,
    isCurrent: Bool, with classifier: Classifier
  ) {
    if outcome.isOpenToRecall {
      recall(in: &transition, &outcome, of: observation, with: classifier)
    }
    if isCurrent, let weight = outcome.weight, memory.isSeamed || weight < Measured.improbable {
      let isSeamed = memory.isSeamed
      let pair = Pair(
        observation, terminators: classifier.terminators,
        known: Known(
          observation.old, window: observation.window ?? .sentence,
          terminators: classifier.terminators))
      Inference.verdict(on: pair) { verdict, pair, _ in
        if isSeamed {
          outcome.weigh(
            verdict, for: pair, composition: observation.composition, in: &transition)
        } else {
          outcome.giveWay(
            to: verdict, for: pair, composition: observation.composition, in: &transition)
        }
      }
    }
    if let last = retracing {
      if case .unknown = outcome.change, transition.kind.family == .selection,
        !observation.old.selected.isEmpty
      {
        // Each undo of what was composed brings a selection, and who undoes goes on.
        transition.giveWay(to: last)
      } else if outcome.mayGoOnRetracing(as: transition.kind) {
        transition.name(.undo)
        transition.name(.redo)
      } else if transition.kind == .deletion, !outcome.isKey {
        // Of an edit from before the session.
        transition.name(last)
      }
    }
    if transition.kind != .unchanged, !expected.isBlank,
      let announced = announced(beside: transition, of: observation, with: classifier)
    {
      transition = announced.transition
      outcome.take(announced.event)
    }
  }

  /// Looks for what explains the pair in the other stretches of remembered text, the memory itself
  /// among them where it is not relied on: a place in them first, then a way through their history.
  private func recall(
    in transition: inout Transition, _ outcome: inout Outcome,
    of observation: borrowing LentObservation,
    with classifier: Classifier
  ) {
    let doubted = memory.isDoubtful ? [Stretches.Stretch(memory: memory, history: history)] : []
    let evidence = retracing != nil ? 1 : Evidence.enough
    search: for isPlace in [true, false] {
      for (place, stretch) in (doubted + elsewhere.stretches).enumerated() {
        withExtendedLifetime(stretch) {
          let pair = Pair(
            old: observation.old, new: observation.new, window: observation.window ?? .sentence,
            terminators: classifier.terminators, pasteboard: .hidden, cause: nil,
            known: stretch.memory.known(around: observation.old))
          let index = place - doubted.count
          if isPlace {
            outcome.revisit(pair, at: index, in: &transition)
          } else {
            outcome.recall(
              pair, in: stretch, at: index, evidence: evidence, in: &transition)
          }
        }
        if !outcome.isOpenToRecall { break search }
      }
    }
    // What the session went through may be what is seen, where none of it is remembered; and an
    // undo may bring a selection back where there is text like it.
    if elsewhere.hasEdits || !history.isBlank,
      transition.kind == .outOfRangeTap && outcome.isOpenToRecall
        || transition.kind.family == .selection
    {
      transition.name(.undo)
    }
  }

  /// What is known around the caret of `old`: by the memory, where that is current; valid until the
  /// session changes.
  mutating func known(
    around old: Fields, isCurrent: Bool, window: Window, with classifier: Classifier
  ) -> Known {
    var known: Known
    if isCurrent, memory.isReliable, memory.holds(old) {
      known = memory.known(around: old)
      known.isIndented = isIndented
      known.isErasing = history.isErasing(at: memory.caret)
    } else {
      known = Known(old, window: window, terminators: classifier.terminators)
    }
    known.clips = clips.texts
    return known
  }

  /// Whether the memory stands where a pair begins whose old snapshot is `old`, or else `latest`.
  func isCurrent(_ old: Fields?, window: Window) -> Bool {
    guard window == self.window, let latest = kept?.fields else { return false }
    guard let old else { return true }
    return latest == old
  }
}
