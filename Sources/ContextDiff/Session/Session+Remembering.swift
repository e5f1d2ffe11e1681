extension Session {
  mutating func note(_ outcome: borrowing Outcome) {
    if outcome.shownEnd > 0 {
      expected.consume(outcome.shownEnd)
    } else if outcome.transition.kind != .expected && outcome.transition.kind != .unchanged {
      expected.forgetPassed()
    }
  }

  mutating func learn(
    _ new: Fields, window: Window, with classifier: Classifier
  ) {
    memory.start(with: Known(new, window: window, terminators: classifier.terminators))
    history.forget()
    rivals = []
    self.window = window
  }

  mutating func commit(
    _ outcome: borrowing Outcome, from old: Fields, to new: Fields, with classifier: Classifier
  ) {
    let kind = outcome.transition.kind
    if kind == .unchanged {
      // Another new line shows nothing else.
      if window == .sentence, new.before.bytes == .newline { memory.doubt(beyond: 1) }
      return
    }
    retracing = kind == .undo || kind == .redo ? kind : nil
    let other = takeSides(outcome)
    if !new.selected.isEmpty {
      clips.keep(new.selected.bytes, insteadOfLast: !old.selected.isEmpty)
    }
    var isKnown = true
    // Then the readings went by what the memory holds.
    let isHeld = memory.isReliable && memory.holds(old)
    var isProven = false
    switch outcome.change {
    case .nothing: break
    case .edit(let left, let selection, let right, let selects):
      isIndented =
        isIndented || !outcome.mayBeRetraced && outcome.transition.indents(behind: old.before)
      remember(
        outcome.transition, left: left, selection: selection, right: right, selects: selects)
      isProven = outcome.isProven && isHeld
    case .move(let distance, let selecting, let isDoubtful):
      isProven = outcome.isProven && isHeld
      memory.place(
        at: memory.caret + distance, selecting: selecting, isDoubtful: isDoubtful)
      history.endRun()
      for index in rivals.indices { rivals[index].history.endRun() }
    case .retraced(let found):
      memory.rewrite(found.text, caret: found.caret, selecting: found.selected)
      history.retrace(found)
    case .cleared:
      rivals = []
      let text = memory.text
      text.withUnsafeBufferPointer {
        history.record(
          History.Entry(
            position: memory.origin, removed: Bytes($0), inserted: .empty, caret: memory.caret,
            selected: memory.selectedCount, end: .closed))
      }
      memory.rewrite([], caret: 0, selecting: 0)
    case .retracedElsewhere(let index, let found):
      enter(index)
      memory.rewrite(found.text, caret: found.caret, selecting: found.selected)
      memory.settle()
      history.retrace(found)
    case .revisited(let index, let caret, let selecting):
      enter(index)
      memory.place(at: memory.origin + caret, selecting: selecting)
      history.endRun()
    case .unknown: isKnown = false
    }
    if isKnown {
      let known = Known(new, window: window, terminators: classifier.terminators)
      switch memory.reconcile(with: known, window: window, isProven: isProven) {
      case .contradicted:
        history.forget()
        rivals = []
      case .grown(0, 0): break
      case .grown(let left, let right):
        elsewhere.join(&memory, &history, grownLeft: left, grownRight: right)
      }
      if outcome.isDoubtful { memory.doubt(beyond: new.before.bytes.count) }
      if memory.isDoubtful { settle(new, with: classifier) }
      if let other { rivals.admit(other, beside: history) }
    } else {
      elsewhere.keep(memory, history)
      learn(new, window: window, with: classifier)
    }
  }

  /// Goes on with the history that `outcome` goes by; returns what else may have happened then.
  private mutating func takeSides(_ outcome: borrowing Outcome) -> Past? {
    if rivals.isEmpty, case .none = outcome.rival { return nil }
    let left = history
    let past = outcome.taken.map { rivals[$0] }
    rivals.follow(outcome)
    if let past { history = past.history }
    if case .retraced = outcome.change {
      return Past(of: outcome.rival, from: history, at: memory)
    }
    return Past(of: outcome.rival, from: left, at: memory)
  }

  /// Goes on in the stretch at `index`, and keeps the present one in its place.
  private mutating func enter(_ index: Int) {
    rivals = []
    if index >= 0 { elsewhere.exchange(index, &memory, &history) }
  }

  /// Relies on the memory again where only one place of it shows `snapshot`.
  private mutating func settle(_ new: Fields, with classifier: Classifier) {
    let isSettled = memory.withKnown(around: new) { known in
      let pair = Pair(
        old: new, new: new, window: window, terminators: classifier.terminators,
        pasteboard: .hidden, cause: nil, known: known)
      let elsewhere = Locating(pair)
      return elsewhere.caret == nil && elsewhere.length >= Evidence.enough
    }
    if isSettled { memory.settle() }
  }

  private mutating func remember(
    _ transition: Transition, left: Int, selection: Bool, right: Int, selects: Bool
  ) {
    transition.removed.lend { removed in
      transition.inserted.lend { inserted in
        let entry = History.Entry(
          position: memory.caret - left, removed: removed.bytes, inserted: inserted.bytes,
          caret: memory.caret, selected: memory.selectedCount,
          end: transition.leavesOpen,
          isOnEmptyLastLine: removed.isEmpty == inserted.isEmpty
            ? false : memory.isOnEmptyLastLine(without: left))
        history.record(entry)
        for index in rivals.indices { rivals[index].history.record(entry) }
        memory.edit(
          removingLeft: left, removingSelection: selection, removingRight: right,
          inserting: inserted.bytes)
        if selects {
          memory.place(
            at: memory.caret - inserted.bytes.count, selecting: inserted.bytes.count)
        }
      }
    }
  }
}
