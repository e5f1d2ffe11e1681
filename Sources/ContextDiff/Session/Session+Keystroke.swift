extension Session {
  /// Does what a `keystroke` does to the text and its history.
  ///
  /// What stands for `new` is `state`. The pair `isCurrent` where it begins where the last one ended, and is read by the
  /// same rule.
  ///
  /// What `read` and `commit` come to for it, without a contest: a test holds the two to the same.
  ///
  /// - Returns: `false`, with nothing done, where the session knows what else it may be.
  mutating func take(
    _ keystroke: Keystroke, from old: Fields, to new: Fields, leadingTo state: UInt64,
    isCurrent: Bool, window: Window, with classifier: Classifier
  ) -> Bool {
    guard !trail.holds(state), expected.isBlank, beam.rulesOut(keystroke) else { return false }
    let shown = old.read(by: window)
    if isCurrent, memory.isReliable, memory.holds(shown) {
      guard !beam.history.composesByLetters,
        memory.known(around: shown).goesOn(
          around: old, window: window, terminators: classifier.terminators)
      else { return false }
    } else {
      let known = Known(old, window: window, terminators: classifier.terminators)
      guard known.goesOn(around: old, window: window, terminators: classifier.terminators)
      else { return false }
      if !isCurrent { learn(known, window: window) }
    }
    let isHeld = memory.isReliable && memory.holds(old)
    beam.record(
      History.Entry(
        position: memory.caret, removed: .empty, inserted: keystroke.text, caret: memory.caret,
        selected: memory.selectedCount, isOnEmptyLastLine: memory.isOnEmptyLastLine(without: 0)))
    memory.edit(
      removingLeft: 0, removingSelection: false, removingRight: 0, inserting: keystroke.text)
    reconcile(
      Known(new, window: window, terminators: classifier.terminators), showing: new,
      isProven: isHeld, with: classifier)
    return true
  }
}
