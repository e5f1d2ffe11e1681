extension Session {
  /// Makes a `keystroke` in the memory and the histories.
  ///
  /// `state` is the digest of `new`. `isCurrent` says that `old` is the last snapshot, cut by the same window as then.
  ///
  /// It has the same effect as `read` and `commit`, without a contest; `KeystrokeTests` compares the two.
  ///
  /// - Returns: `false`, with nothing done, where the pair may be something else by what the session knows.
  mutating func take(
    _ keystroke: Keystroke, from old: Fields, to new: Fields, leadingTo state: UInt64,
    isCurrent: Bool, window: Window, with classifier: Classifier
  ) -> Bool {
    guard !trail.holds(state), expected.isEmpty, beam.rulesOut(keystroke) else { return false }
    let goesOn = isCurrent && typedBy.map { $0 == classifier.terminators } ?? false
    if goesOn {
      if beam.history.composesByLetters { return false }
    } else {
      let shown = old.seen(through: window)
      let isRemembered = isCurrent && memory.isReliable(around: shown)
      if isRemembered, beam.history.composesByLetters { return false }
      let known =
        isRemembered
        ? memory.known(around: shown)
        : Known(old, window: window, terminators: classifier.terminators)
      guard known.goesOn(around: old, window: window, terminators: classifier.terminators)
      else { return false }
      if !isCurrent { learn(known, window: window) }
    }
    let isHeld = goesOn || memory.isReliable(around: old)
    beam.record(
      History.Entry(
        position: memory.caret, removed: .empty, inserted: keystroke.text, caret: memory.caret,
        selected: memory.selectedCount, isOnEmptyLastLine: memory.isOnEmptyLastLine(without: 0)))
    memory.edit(inserting: keystroke.text)
    // The memory held all that `old` showed, and `new` shows no more; but the memory may exceed its limit now.
    if isHeld, memory.isWithinLimit {
      if !goesOn { typedBy = classifier.terminators }
      return true
    }
    typedBy = nil
    reconcile(showing: new, isProven: isHeld, with: classifier)
    return true
  }
}
