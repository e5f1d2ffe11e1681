extension Session {
  /// Replaces the remembered text by `known`, cut by `window`, and forgets the histories.
  mutating func learn(_ known: Known, window: Window) {
    memory.start(with: known)
    beam.forget()
    self.window = window
  }

  /// Takes over a pair that was read: its effect, what it selected, and what its new snapshot shows.
  mutating func commit(
    _ transition: borrowing Transition, _ outcome: borrowing Outcome, from old: Fields,
    to new: Fields, with classifier: Classifier
  ) {
    if transition.kind == .unchanged {
      if outcome.announcedEvent == nil, mayBreakLine(outcome.key, outOfSightOf: new) {
        leave(for: new, after: outcome, with: classifier)
      } else if window == .sentence, new.before.bytes == .newline {
        // A sentence's window shows "\n|" before and after a newline is typed at a line's start.
        memory.doubt(beyond: 1, weighing: Measured.memoryIsDoubted)
      }
      return
    }
    // If so, the pair was read by the memory.
    let isHeld = memory.isReliable(around: old)
    let isKnown = applyEffect(of: outcome, from: old, to: new, transition)
    if !new.selected.isEmpty {
      clips.keep(new.selected.bytes, insteadOfLast: !old.selected.isEmpty)
    }
    guard isKnown else { return leave(for: new, after: outcome, with: classifier) }
    reconcile(showing: new, isProven: outcome.isProven && isHeld, with: classifier)
    if let doubt = outcome.textDoubt {
      memory.doubt(beyond: new.before.bytes.count, weighing: doubt)
    }
  }

  /// Keeps the memory for when the caret comes back, and begins another with `new`, by which the text around the caret is
  /// known alone.
  private mutating func leave(
    for new: Fields, after outcome: borrowing Outcome, with classifier: Classifier
  ) {
    elsewhere.keep(memory, beam.history)
    learn(Known(new, window: window, terminators: classifier.terminators), window: window)
    beam.start(after: outcome.lastActWeights)
  }

  /// Whether `key` may have typed or erased a newline beside an empty line, or at a line's start, which a window that shows
  /// `new` does not show: how far it is from there to the text beyond is not known then.
  private func mayBreakLine(_ key: Key?, outOfSightOf new: Fields) -> Bool {
    guard new.selected.isEmpty else { return false }
    let isLineStart =
      switch window {
      case .line: new.before.isEmpty
      case .sentence: new.before.bytes == .newline
      case .paragraph, .full: false
      }
    return switch key {
    case .return: isLineStart
    case .backspace: isLineStart && !memory.beginsAtCaret
    case .delete: window.right != .all && new.after.isEmpty && !memory.endsAtCaret
    case nil, .unpressed, .character, .caret, .shortcut, .undo, .redo, .cut, .paste: false
    }
  }

  /// Corrects the memory where `new`, read by itself, contradicts it, and extends it where `new` reaches farther.
  ///
  /// With `isProven` the readings compared `new` with the memory, and the two agree.
  mutating func reconcile(showing new: Fields, isProven: Bool, with classifier: Classifier) {
    let known = Known(new, window: window, terminators: classifier.terminators)
    // The readings do not look at the lines next to the caret's, which some hosts show: nothing there is proven.
    let isProven = isProven && new.isSeenWhole(through: window)
    switch memory.reconcile(with: known, window: window, isProven: isProven) {
    case .contradicted: beam.forgetSteps()
    case .grown(0, 0): break
    case .grown(let left, let right):
      // If its limit cut the memory off within `new`, no stretch can be joined to that end.
      if memory.holds(new) {
        elsewhere.join(&memory, &beam.history, grownLeft: left, grownRight: right)
      }
    }
    if memory.isDoubtful { settleCaret(showing: new, with: classifier) }
  }

  /// Applies the effect to the memory and the histories.
  ///
  /// - Returns: Whether the text around the caret is known afterwards.
  private mutating func applyEffect(
    of outcome: borrowing Outcome, from old: Fields, to new: Fields,
    _ transition: borrowing Transition
  ) -> Bool {
    switch outcome.effect {
    case .edit(let action):
      isIndented = isIndented || outcome.ways.isEmpty && transition.indents(behind: old.before)
      apply(action, outcome, transition)
    case .move(let distance, let selecting, let isDoubtful):
      memory.place(at: memory.caret + distance, selecting: selecting, isDoubtful: isDoubtful)
      // Qt shows an undo in two states: the text, then the caret.
      let isRetraced =
        window == .line && transition.kind == .cursorMove
        && beam.lastRetracing.map { transition.alternatives.contains($0) } ?? false
      beam.endRun(isRetraced: isRetraced)
    case .retraced(let index):
      let way = outcome.ways[index]
      if transition.certainty == .certain || (outcome.key?.retraces ?? false), let part = way.part {
        groupingBelief.observe(part)
      }
      follow(outcome, to: way.change)
      memory.make(way.change, caret: way.caret, selecting: new.selected.bytes.count)
    case .cleared: clear(outcome, transition)
    case .retracedElsewhere(let stretch, let index):
      let way = outcome.ways[index]
      enter(stretch)
      memory.make(way.change, caret: way.caret, selecting: new.selected.bytes.count)
      memory.settle()
      beam.retrace(way)
    case .revisited(let stretch, let caret, let selecting, let isDoubtful):
      enter(stretch)
      memory.place(
        at: memory.origin + caret, selecting: selecting, isDoubtful: isDoubtful)
      beam.endRun()
    case .announced(let exchange): return make(exchange)
    case .unknown: return false
    }
    return true
  }

  /// Removes all the text from the memory, as an edit in the histories.
  private mutating func clear(_ outcome: borrowing Outcome, _ transition: borrowing Transition) {
    // The caret may have gone to another place instead, and may come back.
    if transition.alternatives.contains(.outOfRangeTap) { elsewhere.keep(memory, beam.history) }
    let text = memory.text
    text.withBytes {
      let entry = History.Entry(
        position: memory.origin, removed: $0, inserted: .empty, caret: memory.caret,
        selected: memory.selectedCount, end: .closed)
      // An undo that removes all the text shows the same.
      let ways = outcome.ways.filter {
        $0.change.inserted.isEmpty && $0.change.removed.count == text.count
      }
      beam.follow(ways, or: entry, outcome.beforeWays.weight)
    }
    memory.rewrite([], caret: 0, selecting: 0)
  }

  /// Makes the exchange of announced edits in the memory and the histories.
  ///
  /// - Returns: `false`, with nothing done, where the memory does not hold the text that they remove.
  private mutating func make(_ exchange: AnnouncedExchange) -> Bool {
    let caret = memory.caret
    let position = caret + exchange.start
    return exchange.removed.withBytes { removed in
      exchange.inserted.withBytes { inserted in
        let text = memory.known(around: .hidden).text
        let offset = position - memory.origin
        guard (0...text.count).contains(offset), text.dropFirst(offset).hasPrefix(removed)
        else { return false }
        if removed.isEmpty, inserted.isEmpty {
          beam.endRun()
        } else {
          beam.record(
            History.Entry(
              position: position, removed: removed, inserted: inserted, caret: caret,
              selected: memory.selectedCount))
        }
        memory.place(at: position, selecting: 0)
        memory.edit(removingRight: removed.count, inserting: inserted)
        memory.place(at: caret + exchange.caret, selecting: 0)
        return true
      }
    }
  }

  /// Makes the stretch at `index` the memory, and keeps the present one in its place.
  private mutating func enter(_ index: Int) {
    beam.forgetOthers()
    elsewhere.exchange(index, &memory, &beam.history)
  }

  /// Ends the doubt about the caret's place where `new` is found at no other place of the memory.
  private mutating func settleCaret(showing new: Fields, with classifier: Classifier) {
    let pair = Pair(
      old: new, new: new, window: window, terminators: classifier.terminators,
      known: memory.known(around: new))
    if pair.new.showsEnough, Locating(pair).caret == nil { memory.settle() }
  }

  /// Makes an edit in the memory and the histories.
  private mutating func apply(
    _ action: Action, _ outcome: borrowing Outcome, _ transition: borrowing Transition
  ) {
    if action.standsBehindInsertion { return applyWithCaretBehind(action, outcome, transition) }
    let text = action.allInserted.contiguous
    text.withBytes {
      var whole = action
      whole.inserted = $0
      whole.insertedSelected = .empty
      whole.insertedBehind = .empty
      applyWithCaretBehind(whole, outcome, transition)
    }
    let selected = action.insertedSelected.count
    memory.place(
      at: memory.caret - selected - action.insertedBehind.count, selecting: selected)
  }

  /// The same for an edit that leaves the caret behind the inserted text.
  private mutating func applyWithCaretBehind(
    _ action: Action, _ outcome: borrowing Outcome, _ transition: borrowing Transition
  ) {
    if outcome.ways.isEmpty {
      // The transition leaves out what the removed and the inserted text have in common.
      if (transition.inserted?.utf8.count ?? 0) == action.inserted.count {
        (transition.removed ?? "").withBytes {
          beam.record(entry(of: action, removing: $0, outcome))
        }
      } else {
        textRemoved(by: action).withBytes {
          beam.record(entry(of: action, removing: $0, outcome))
        }
      }
    } else {
      follow(outcome, to: memory.change(by: action))
    }
    memory.edit(
      removingLeft: action.removedLeft, removingSelection: action.removesSelection,
      removingRight: action.removedRight, inserting: action.inserted)
  }

  /// Goes on with each history that makes `change`: by an undo, by a redo, or by the likeliest edit that is neither.
  private mutating func follow(_ outcome: borrowing Outcome, to change: TextChange) {
    let ways = outcome.ways.filter { $0.change == change }
    let other = outcome.beforeWays
    guard other.action.isPlaced, other.action.caret == nil, !other.action.joinsLine,
      !other.isPartial, other.action.standsBehindInsertion,
      memory.change(by: other.action) == change
    else { return beam.follow(ways, or: nil, 0) }
    textRemoved(by: other.action).withBytes {
      beam.follow(ways, or: entry(of: other.action, removing: $0, outcome), other.weight)
    }
  }

  /// The remembered text that `action` removes; a memory in doubt may hold less than the snapshot showed.
  private mutating func textRemoved(by action: Action) -> [UInt8] {
    action.removed(from: memory.known(around: .hidden)).contiguous
  }

  /// The entry of `action`, which removes `removed`, in a history.
  private mutating func entry(
    of action: Action, removing removed: Bytes, _ outcome: borrowing Outcome
  ) -> History.Entry {
    History.Entry(
      position: memory.caret - action.removedLeft, removed: removed, inserted: action.inserted,
      caret: memory.caret, selected: memory.selectedCount, end: outcome.end,
      isDoubted: outcome.isDoubted,
      isOnEmptyLastLine: removed.isEmpty == action.inserted.isEmpty
        ? false : memory.isOnEmptyLastLine(without: action.removedLeft))
  }
}

extension Memory {
  /// The change that `action` makes to the remembered text.
  fileprivate func change(by action: Action) -> TextChange {
    let known = known(around: .hidden)
    let left = known.left.dropLast(atMost: action.removedLeft)
    let right = known.right.dropFirst(atMost: action.removedRight)
    return TextChange(
      from: known.text, to: Joined(left, action.inserted, right), start: left.count,
      sameEnd: right.count)
  }
}

extension Transition {
  /// Whether a newline was inserted together with an indentation with which `before` does not begin: else it could be
  /// left over from the old line.
  fileprivate func indents(behind before: Field) -> Bool {
    guard kind == .insertion, let inserted, before.isShown else { return false }
    return inserted.withBytes { line in
      line.isLineBreak && !before.bytes.hasPrefix(line.dropFirst(1))
    }
  }
}
