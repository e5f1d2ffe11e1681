extension Session {
  /// Forgets the text and the histories, and begins anew with `known`, read by `window`.
  mutating func learn(_ known: Known, window: Window) {
    memory.start(with: known)
    beam.forget()
    self.window = window
  }

  /// Takes over what follows from a pair.
  mutating func commit(
    _ transition: borrowing Transition, _ outcome: borrowing Outcome, from old: Fields,
    to new: Fields,
    with classifier: Classifier
  ) {
    if transition.kind == .unchanged {
      // A line break put in at the start of a line changes nothing that a sentence's window shows.
      if window == .sentence, new.before.bytes == .newline {
        memory.doubt(beyond: 1, weighing: Measured.memoryIsDoubted)
      }
      return
    }
    // Then the readings went by what the memory holds.
    let isHeld = memory.isReliable && memory.holds(old)
    let isKnown = make(outcome, from: old, transition)
    if !new.selected.isEmpty {
      clips.keep(new.selected.bytes, insteadOfLast: !old.selected.isEmpty)
    } else if old.selected.isEmpty, transition.mayBeCut, let cut = transition.removed {
      // What was selected out of sight.
      cut.withBytes { clips.keep($0, insteadOfLast: false) }
    }
    let known = Known(new, window: window, terminators: classifier.terminators)
    guard isKnown else {
      elsewhere.keep(memory, beam.history)
      learn(known, window: window)
      beam.start(after: outcome.lasts)
      return
    }
    reconcile(known, showing: new, isProven: outcome.isProven && isHeld, with: classifier)
    if outcome.isDoubtful {
      memory.doubt(beyond: new.before.bytes.count, weighing: outcome.doubt)
    }
  }

  /// Brings what is remembered in line with `known`, what `new` alone shows; with `isProven` what the readings
  /// looked at of it agrees.
  mutating func reconcile(
    _ known: Known, showing new: Fields, isProven: Bool, with classifier: Classifier
  ) {
    // Of a neighbour of the caret's line the readings prove nothing: they do not look at it.
    let isProven = isProven && new.isReadWhole(by: window)
    switch memory.reconcile(with: known, window: window, isProven: isProven) {
    case .contradicted: beam.forgetSteps()
    case .grown(0, 0): break
    case .grown(let left, let right):
      // A memory that holds less than is shown ends within it: nothing goes on there.
      if memory.holds(new) {
        elsewhere.join(&memory, &beam.history, grownLeft: left, grownRight: right)
      }
    }
    if memory.isDoubtful { settle(new, with: classifier) }
  }

  /// Does to the memory and the histories what the pair did; says whether all of it is known.
  private mutating func make(
    _ outcome: borrowing Outcome, from old: Fields, _ transition: borrowing Transition
  ) -> Bool {
    switch outcome.effect {
    case .none: break
    case .edit(let action):
      isIndented = isIndented || outcome.ways.isEmpty && transition.indents(behind: old.before)
      make(action, outcome, transition)
    case .move(let distance, let selecting, let isDoubtful):
      memory.place(at: memory.caret + distance, selecting: selecting, isDoubtful: isDoubtful)
      beam.endRun()
    case .retraced(let index):
      let way = outcome.ways[index]
      if transition.certainty == .certain, let part = way.part { groupingBelief.observe(part) }
      follow(outcome, to: way.change)
      memory.make(way.change, caret: way.caret, selecting: way.selected)
    case .cleared:
      // The caret may have gone elsewhere instead, and come back.
      if transition.alternatives.contains(.outOfRangeTap) { elsewhere.keep(memory, beam.history) }
      let text = memory.text
      text.withBytes {
        let entry = History.Entry(
          position: memory.origin, removed: $0, inserted: .empty, caret: memory.caret,
          selected: memory.selectedCount, end: .closed)
        // An undo may have left nothing, too.
        let ways = outcome.ways.filter {
          $0.change.inserted.isEmpty && $0.change.removed.count == text.count
        }
        beam.follow(ways, or: entry, outcome.plain.weight)
      }
      memory.rewrite([], caret: 0, selecting: 0)
    case .retracedElsewhere(let stretch, let index):
      let way = outcome.ways[index]
      enter(stretch)
      memory.make(way.change, caret: way.caret, selecting: way.selected)
      memory.settle()
      beam.history.retrace(way)
      beam.last = way.kind
    case .revisited(let stretch, let caret, let selecting, let isDoubtful):
      enter(stretch)
      memory.place(
        at: memory.origin + caret, selecting: selecting, isDoubtful: isDoubtful)
      beam.endRun()
    case .announced(let rewrite): return make(rewrite)
    case .unknown: return false
    }
    return true
  }

  /// Makes what announced edits do; says whether the memory holds what they take away.
  private mutating func make(_ rewrite: Rewrite) -> Bool {
    let caret = memory.caret
    let position = caret + rewrite.start
    return rewrite.removed.withBytes { removed in
      rewrite.inserted.withBytes { inserted in
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
        memory.edit(
          removingLeft: 0, removingSelection: false, removingRight: removed.count,
          inserting: inserted)
        memory.place(at: caret + rewrite.caret, selecting: 0)
        return true
      }
    }
  }

  /// Goes on in the stretch at `index`, and keeps the present one in its place.
  private mutating func enter(_ index: Int) {
    beam.forgetOthers()
    if index >= 0 { elsewhere.exchange(index, &memory, &beam.history) }
  }

  /// Relies on the memory again where only the place that it took the caret to shows `new`.
  private mutating func settle(_ new: Fields, with classifier: Classifier) {
    let pair = Pair(
      old: new, new: new, window: window, terminators: classifier.terminators,
      known: memory.known(around: new))
    let elsewhere = Locating(pair)
    if elsewhere.caret == nil && elsewhere.length >= KeptScalars.enough { memory.settle() }
  }

  private mutating func make(
    _ action: Action, _ outcome: borrowing Outcome, _ transition: borrowing Transition
  ) {
    if action.standsBehindInsertion { return makeBehind(action, outcome, transition) }
    let text = action.allInserted.contiguous
    text.withBytes {
      var whole = action
      whole.inserted = $0
      whole.insertedSelected = .empty
      whole.insertedBehind = .empty
      makeBehind(whole, outcome, transition)
    }
    let selected = action.insertedSelected.count
    memory.place(
      at: memory.caret - selected - action.insertedBehind.count, selecting: selected)
  }

  /// Makes an edit that leaves the caret behind what comes.
  private mutating func makeBehind(
    _ action: Action, _ outcome: borrowing Outcome, _ transition: borrowing Transition
  ) {
    if outcome.ways.isEmpty {
      // What the text that goes and the text that comes have in common the transition leaves out.
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

  /// Goes on with each history that leads to `change`, be it by a way or by the edit beside them.
  private mutating func follow(_ outcome: borrowing Outcome, to change: TextChange) {
    let ways = outcome.ways.filter { $0.change == change }
    let plain = outcome.plain
    guard plain.action.isPlaced, plain.action.caret == nil, !plain.action.joinsNextLine,
      !plain.isPartial, plain.weight.isFinite, plain.action.standsBehindInsertion,
      memory.change(by: plain.action) == change
    else { return beam.follow(ways, or: nil, 0) }
    textRemoved(by: plain.action).withBytes {
      let entry = entry(of: plain.action, removing: $0, outcome)
      beam.follow(ways, or: entry, plain.weight)
    }
  }

  /// The remembered text that `action` takes away; a memory that is in doubt may hold less than was shown.
  private mutating func textRemoved(by action: Action) -> [UInt8] {
    let known = memory.known(around: .hidden)
    return Joined(
      known.left.suffix(min(action.removedLeft, known.left.count)),
      action.removesSelection ? known.selected : .empty,
      known.right.prefix(min(action.removedRight, known.right.count))
    ).contiguous
  }

  /// What `action` notes in a history, by which `removed` gave way.
  ///
  /// Changes nothing; it is `mutating` so that the session is looked at where it lies, not copied.
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
  /// What `action` does to the text.
  fileprivate func change(by action: Action) -> TextChange {
    let known = known(around: .hidden)
    let left = known.left.dropLast(min(action.removedLeft, known.left.count))
    let right = known.right.dropFirst(min(action.removedRight, known.right.count))
    return TextChange(
      from: known.text, to: Joined(left, action.inserted, right), start: left.count,
      sameEnd: right.count)
  }
}

extension Transition {
  fileprivate var mayBeCut: Bool { kind == .cut || alternatives.contains(.cut) }

  /// Whether a new line came with an indentation that `before` did not begin with, so that nothing
  /// else explains it.
  fileprivate func indents(behind before: Field) -> Bool {
    guard kind == .insertion, let inserted, before.isShown else { return false }
    return inserted.withBytes { line in
      line.isLineBreak && line.count > 1 && !before.bytes.hasPrefix(line.dropFirst(1))
    }
  }
}
