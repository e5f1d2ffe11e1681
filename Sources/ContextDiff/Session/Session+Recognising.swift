// Announced edits, recognised in what a pair is without them.

extension Session {
  /// Recognises announced edits in what `transition` says without them.
  mutating func recognise(
    in transition: inout Transition, _ outcome: inout Outcome,
    of observation: borrowing LentObservation, with classifier: Classifier
  ) {
    let old = observation.old
    let new = observation.new
    switch expected.match(from: old, to: new) {
    case .whole(let shown):
      if shown.isEqual, transition.kind == .outOfRangeTap || transition.kind == .submission {
        transition.describeChange(from: old, to: new)
      }
      outcome.become(expected: numbers(of: shown), in: &transition)
      outcome.announced = .shown(shown, rest: .nothing)
    case .late:
      outcome.become(expected: [], in: &transition)
      outcome.announced = .late
    case nil:
      if recogniseCaret(in: &transition, &outcome, of: observation) { return }
      for (state, shown) in expected.states(from: old, mostLike: new) {
        let rest = rest(of: observation, from: state, with: classifier)
        let isCompletion = state.isCompleted(in: new)
        if !isCompletion, !rest.isPlainer(than: transition),
          !rest.isDone(by: observation.key, unlike: transition)
        {
          continue
        }
        if isInPart(rest, of: transition, state, shown, observation) { continue }
        outcome.become(expected: numbers(of: shown), then: rest, in: &transition)
        outcome.announced = .shown(
          shown, rest: isCompletion ? .completion : rest.kind.changesText ? .edit : .move)
        return
      }
    }
  }

  private func numbers(of shown: ExpectedEdits.Shown) -> [Int] {
    expected.entries[shown.range].map(\.number)
  }

  /// What happened after an announced state.
  private func rest(
    of observation: borrowing LentObservation, from state: AnnouncedText,
    with classifier: Classifier
  ) -> Transition {
    let old = observation.old
    let new = observation.new
    // What is not known of the state is left out of what is seen, where it stayed as it was.
    let left = old.before.bytes.prefix(min(state.unknownLeft, old.before.bytes.count))
    let right = old.after.bytes.suffix(min(state.unknownRight, old.after.bytes.count))
    let seen = new.trimmed(
      left: new.before.bytes.hasPrefix(left) ? left.count : 0,
      right: new.after.bytes.hasSuffix(right) ? right.count : 0)
    return state.lend { state in
      classifier.classify(
        LentObservation(
          old: state, new: seen, window: observation.window, pasteboard: observation.pasteboard,
          composition: observation.composition, cause: observation.cause, key: observation.key,
          merged: observation.merged, reset: observation.reset))
    }
  }

  /// Whether what is seen lies on the way to the announced state, so that the host made the edit in
  /// part; nobody having pressed a key that takes back the rest.
  private func isInPart(
    _ rest: Transition, of whole: Transition, _ state: AnnouncedText, _ shown: ExpectedEdits.Shown,
    _ observation: borrowing LentObservation
  ) -> Bool {
    if observation.merged || rest.changedLength == 0 { return false }
    switch observation.key {
    case .backspace, .delete, .shortcut: return false
    case .none?, .character, .return, .caret, nil: break
    }
    let announced = state.changedLength(from: expected.start(of: shown))
    return whole.changedLength + rest.changedLength == announced
  }

  /// Recognises the caret of an announced edit, shown before its text: the old text with the new
  /// caret.
  private mutating func recogniseCaret(
    in transition: inout Transition, _ outcome: inout Outcome,
    of observation: borrowing LentObservation
  ) -> Bool {
    guard transition.kind == .cursorMove, observation.key != .caret,
      let offset = transition.cursorOffset,
      let place = expected.caretFirst(
        from: observation.old, by: offset, isAtEnd: observation.new.after.isEmpty)
    else { return false }
    transition.alternatives.insert(.cursorMove, at: 0)
    transition.alternatives.removeAll { $0 == .expected }
    transition.kind = .expected
    transition.certainty = .likely
    transition.leavesComposition = transition.leavesComposition.map { _ in false }
    outcome.announced = .caretFirst(place)
    return true
  }

  /// Takes over what the pair that `transition` tells of did to the announced edits, and tells which
  /// will not come.
  mutating func note(
    _ transition: inout Transition, _ outcome: borrowing Outcome, from old: Fields, to new: Fields
  ) {
    if let event = outcome.announced ?? transition.announcedEvent {
      expected.pass(event, from: old, to: new, window: window)
    }
    transition.unfulfilled = expected.takeUnfulfilled()
  }
}

extension Session.Outcome {
  /// It shows announced edits, and nothing else.
  fileprivate mutating func become(expected numbers: [Int], in transition: inout Transition) {
    transition.kind = .expected
    transition.certainty = .certain
    transition.alternatives = []
    transition.expectedEdits = numbers.count
    transition.expected = numbers
    transition.leavesComposition = transition.leavesComposition.map { _ in false }
    switch change {
    case .retraced, .retracedElsewhere: change = .unknown
    default: break
    }
  }

  /// It shows announced edits, and then `rest`.
  fileprivate mutating func become(
    expected numbers: [Int], then rest: Transition, in transition: inout Transition
  ) {
    let whole = transition
    transition = rest
    transition.basicKind = whole.basicKind
    transition.cursorOffset = whole.cursorOffset
    transition.leavesComposition = whole.leavesComposition
    transition.expectedEdits = numbers.count
    transition.expected = numbers
    // The memory holds the text before the announced edits; the new snapshot is the safer start.
    change = .unknown
  }
}

extension AnnouncedText {
  /// Whether `fields` shows this with text behind the caret that is selected.
  fileprivate func isCompleted(in fields: Fields) -> Bool {
    guard selectedCount == 0, !fields.selected.isEmpty else { return false }
    var fields = fields
    fields.selected = .hidden
    return isShown(by: fields, .equal)
  }
}

extension Kind {
  /// Whether it exchanges, puts in or takes away text.
  fileprivate var changesText: Bool {
    switch self {
    case .cut, .paste, .insertion, .deletion, .replacement, .undo, .redo, .submission: true
    case .unchanged, .cursorMove, .selection, .deselection, .lineSelection, .lineDeselection,
      .outOfRangeTap, .windowShift, .expected:
      false
    }
  }
}

extension Transition {
  /// What the pair was to the announced edits, none of which it showed; `nil` where it was nothing.
  fileprivate var announcedEvent: ExpectedEdits.Event? {
    switch kind {
    case .unchanged, .windowShift: nil
    // Through one line's window an empty line looks like a field that was sent.
    case .submission where certainty == .likely && !alternatives.allSatisfy(\.changesText): .move
    default: kind.changesText ? .edit : .move
    }
  }

  /// Whether this says with less text changed what `other` says.
  fileprivate func isPlainer(than other: Transition) -> Bool {
    switch kind {
    case .outOfRangeTap, .windowShift, .submission, .unchanged: return false
    default: break
    }
    switch other.kind {
    case .outOfRangeTap, .windowShift, .submission: return true
    case .cursorMove, .deselection, .lineDeselection: return false
    default: return changedLength < other.changedLength
    }
  }

  /// Whether `key` does this, and does not do what `other` says.
  fileprivate func isDone(by key: Key?, unlike other: Transition) -> Bool {
    guard let key, key == .backspace || key == .delete else { return false }
    return kind == .deletion && other.kind != .deletion
  }

  fileprivate var changedLength: Int {
    (inserted?.utf8.count ?? 0) + (removed?.utf8.count ?? 0)
  }

  /// Says what is exchanged between two snapshots whose windows are cut alike, and how far the caret
  /// goes.
  fileprivate mutating func describeChange(from old: Fields, to new: Fields) {
    let common = old.before.bytes.scalarStart(
      atOrBefore: old.before.bytes.commonPrefix(new.before.bytes))
    cursorOffset =
      Extent(of: Joined(new.before.bytes.dropFirst(common)))
      - Extent(of: Joined(old.before.bytes.dropFirst(common)))
    let (gone, come) = old.all.difference(from: new.all)
    removed = gone.isEmpty ? nil : gone.string
    inserted = come.isEmpty ? nil : come.string
    isPartial = false
  }
}

extension Joined {
  /// What of this, and of `other`, is left without what both begin and end with.
  fileprivate func difference(from other: Joined) -> (Joined, Joined) {
    let old = contiguous
    let new = other.contiguous
    let (start, end) = old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        let old = Bytes(old)
        let new = Bytes(new)
        let start = old.scalarStart(atOrBefore: old.commonPrefix(new))
        let rest = old.dropFirst(start)
        let end = rest.commonSuffix(new.dropFirst(start))
        return (start, rest.count - rest.scalarStart(atOrAfter: rest.count - end))
      }
    }
    return (
      dropFirst(start).prefix(count - start - end),
      other.dropFirst(start).prefix(other.count - start - end)
    )
  }
}
