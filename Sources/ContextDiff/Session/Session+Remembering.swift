extension Session {
  mutating func learn(_ known: Known, window: Window) {
    memory.start(with: known)
    history.forget()
    rivals = []
    self.window = window
  }

  mutating func commit(
    _ transition: Transition, _ outcome: borrowing Outcome, from old: Fields, to new: Fields,
    with classifier: Classifier
  ) {
    let kind = transition.kind
    if kind == .unchanged {
      // Another new line shows nothing else.
      if window == .sentence, new.before.bytes == .newline { memory.doubt(beyond: 1) }
      return
    }
    retracing = kind == .undo || kind == .redo ? kind : nil
    let other = takeSides(outcome)
    var isKnown = true
    // Then the readings went by what the memory holds.
    let isHeld = memory.isReliable && memory.holds(old)
    var isProven = false
    switch outcome.change {
    case .nothing: break
    case .edit(let left, let selection, let right, let inserted, let selects):
      isIndented =
        isIndented
        || !outcome.isKey && !outcome.mayBeRetraced && transition.indents(behind: old.before)
      remember(
        transition, left: left, selection: selection, right: right, inserted: inserted,
        selects: selects)
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
    if !new.selected.isEmpty {
      clips.keep(new.selected.bytes, insteadOfLast: !old.selected.isEmpty)
    }
    let known = Known(new, window: window, terminators: classifier.terminators)
    if isKnown {
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
      learn(known, window: window)
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
    let pair = Pair(
      old: new, new: new, window: window, terminators: classifier.terminators,
      pasteboard: .hidden, cause: nil, known: memory.known(around: new))
    let elsewhere = Locating(pair)
    if elsewhere.caret == nil && elsewhere.length >= Evidence.enough { memory.settle() }
  }

  private mutating func remember(
    _ transition: Transition, left: Int, selection: Bool, right: Int, inserted: Bytes,
    selects: Bool
  ) {
    if let removed = transition.removed {
      removed.withBytes { note($0, inserted, left: left, of: transition) }
    } else {
      note(.empty, inserted, left: left, of: transition)
    }
    memory.edit(
      removingLeft: left, removingSelection: selection, removingRight: right, inserting: inserted)
    if selects {
      memory.place(at: memory.caret - inserted.count, selecting: inserted.count)
    }
  }

  /// Has the histories note that `removed`, of which so much is left of the caret, gave way to
  /// `inserted`.
  private mutating func note(
    _ removed: Bytes, _ inserted: Bytes, left: Int, of transition: Transition
  ) {
    let entry = History.Entry(
      position: memory.caret - left, removed: removed, inserted: inserted, caret: memory.caret,
      selected: memory.selectedCount, end: transition.leavesOpen,
      isDoubted: transition.isDoubted,
      isOnEmptyLastLine: removed.isEmpty == inserted.isEmpty
        ? false : memory.isOnEmptyLastLine(without: left))
    history.record(entry)
    for index in rivals.indices { rivals[index].history.record(entry) }
  }
}
