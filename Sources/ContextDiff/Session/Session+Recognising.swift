// Announced edits, recognised in what a pair is without them.

extension Session {
  /// What a pair is that shows announced edits.
  struct Announced {
    let transition: Transition
    let event: ExpectedEdits.Event
  }

  /// What the pair of `observation` is, which without announced edits is `plain`; `nil` where it shows
  /// none.
  func announced(
    beside plain: Transition, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Announced? {
    switch expected.match(from: observation.old, to: observation.new) {
    case .whole(let shown): whole(shown, beside: plain, of: observation)
    case .late: Announced(transition: plain.expected([]), event: .late)
    case nil:
      halfway(beside: plain, of: observation)
        ?? partly(beside: plain, of: observation, with: classifier)
    }
  }

  /// The pair shows announced edits, and nothing else.
  private func whole(
    _ shown: ExpectedEdits.Shown, beside plain: Transition,
    of observation: borrowing LentObservation
  ) -> Announced {
    var transition = plain.expected(numbers(of: shown))
    if shown.isEqual {
      let exchange = Exchange(from: observation.old, to: observation.new)
      transition.cursorOffset = exchange.cursorOffset
      transition.inserted = exchange.inserted
      transition.removed = exchange.removed
      transition.isPartial = false
    }
    return Announced(transition: transition, event: .shown(shown, rest: .nothing))
  }

  /// The pair shows an announced edit half-way: the old text with the new caret (Firefox), or without
  /// what was selected (Qt).
  private func halfway(
    beside plain: Transition, of observation: borrowing LentObservation
  ) -> Announced? {
    guard let place = halfway(plain, of: observation) else { return nil }
    var transition = plain.expected([])
    transition.certainty = .likely
    transition.alternatives = [plain.kind] + plain.alternatives.filter { $0 != .expected }
    return Announced(transition: transition, event: .halfway(place))
  }

  /// The place of the announced edit that a pair shows half-way; `nil` where it shows none, or a key
  /// was pressed that does the same.
  private func halfway(
    _ plain: Transition, of observation: borrowing LentObservation
  ) -> Int? {
    if plain.kind == .cursorMove, let offset = plain.cursorOffset {
      if observation.key == .caret { return nil }
      return expected.caretFirst(
        from: observation.old, by: offset, isAtEnd: observation.new.after.isEmpty)
    }
    switch observation.key {
    case .backspace, .delete, .shortcut: return nil
    case .none?, .character, .return, .caret, nil: break
    }
    return expected.selectionFirst(from: observation.old, to: observation.new)
  }

  /// The pair shows announced edits, and then something else that is less than all of it at once.
  private func partly(
    beside plain: Transition, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Announced? {
    for (state, shown) in expected.states(from: observation.old, mostLike: observation.new) {
      let rest = rest(of: observation, from: state, with: classifier)
      let isCompletion = state.isCompleted(in: observation.new)
      guard
        isCompletion || rest.isPlainer(than: plain)
          || rest.isDone(by: observation.key, unlike: plain)
      else { continue }
      if isInPart(rest, of: plain, state, shown, observation) { continue }
      let numbers = numbers(of: shown)
      var transition = rest
      transition.basicKind = plain.basicKind
      transition.cursorOffset = plain.cursorOffset
      transition.leavesComposition = plain.leavesComposition
      transition.expectedEdits = numbers.count
      transition.expected = numbers
      return Announced(
        transition: transition,
        event: .shown(
          shown, rest: isCompletion ? .completion : rest.kind.changesText ? .edit : .move))
    }
    return nil
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

  /// Takes over what a pair did to the announced edits: `event`, or, where it showed none, what
  /// follows from `transition`.
  ///
  /// - Returns: The numbers of those that will not come.
  mutating func settle(
    _ event: ExpectedEdits.Event?, _ transition: Transition, from old: Fields, to new: Fields
  ) -> [Int] {
    if let event = event ?? transition.announcedEvent {
      expected.pass(event, from: old, to: new, window: window)
    }
    return expected.takeUnfulfilled()
  }
}

/// What is exchanged between two snapshots whose windows are cut alike.
private struct Exchange {
  let cursorOffset: Extent
  let inserted: String?
  let removed: String?

  init(from old: Fields, to new: Fields) {
    let before = old.before.bytes
    let common = before.scalarStart(atOrBefore: before.commonPrefix(new.before.bytes))
    cursorOffset =
      Extent(of: Joined(new.before.bytes.dropFirst(common)))
      - Extent(of: Joined(before.dropFirst(common)))
    let gone = old.all.contiguous
    let come = new.all.contiguous
    (removed, inserted) = gone.withUnsafeBufferPointer { gone in
      come.withUnsafeBufferPointer { come in
        let (gone, come) = (Bytes(gone), Bytes(come))
        let start = gone.scalarStart(atOrBefore: gone.commonPrefix(come))
        let (left, right) = (gone.dropFirst(start), come.dropFirst(start))
        let end = left.count - left.scalarStart(atOrAfter: left.count - left.commonSuffix(right))
        let (removed, inserted) = (left.dropLast(end), right.dropLast(end))
        return (
          removed.isEmpty ? nil : removed.string, inserted.isEmpty ? nil : inserted.string
        )
      }
    }
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
    switch facts.text {
    case .comes, .goes, .isExchanged: true
    case .none, .isElsewhere: false
    }
  }
}

extension Transition {
  /// The same as the announced edits of those numbers.
  fileprivate func expected(_ numbers: [Int]) -> Transition {
    var transition = self
    transition.kind = .expected
    transition.certainty = .certain
    transition.alternatives = []
    transition.expectedEdits = numbers.count
    transition.expected = numbers
    transition.leavesComposition = leavesComposition.map { _ in false }
    return transition
  }

  /// What the pair was to the announced edits, none of which it showed; `nil` where it was nothing.
  fileprivate var announcedEvent: ExpectedEdits.Event? {
    if kind == .unchanged || kind == .windowShift { return nil }
    // Through one line's window an empty line looks like a field that was sent.
    if kind == .submission, certainty == .likely, !alternatives.allSatisfy(\.changesText) {
      return .move
    }
    return kind.changesText ? .edit : .move
  }

  /// Whether this says with less text changed what `other` says.
  fileprivate func isPlainer(than other: Transition) -> Bool {
    let saysLeast: [Kind] = [.outOfRangeTap, .windowShift, .submission]
    if kind == .unchanged || saysLeast.contains(kind) { return false }
    if saysLeast.contains(other.kind) { return true }
    if other.kind == .cursorMove || other.kind.facts.family == .deselection { return false }
    return changedLength < other.changedLength
  }

  /// Whether `key` does this, and does not do what `other` says.
  fileprivate func isDone(by key: Key?, unlike other: Transition) -> Bool {
    guard let key, key == .backspace || key == .delete else { return false }
    return kind == .deletion && other.kind != .deletion && other.kind != .cut
  }

  fileprivate var changedLength: Int {
    (inserted?.utf8.count ?? 0) + (removed?.utf8.count ?? 0)
  }
}

extension Session.Outcome {
  /// Takes over that announced edits explain the pair: the memory holds the text before them, and
  /// whoever announced an edit did not undo.
  mutating func take(_ event: ExpectedEdits.Event) {
    announced = event
    switch (event, effect) {
    case (.shown(_, rest: .edit), _), (.shown(_, rest: .move), _),
      (.shown(_, rest: .completion), _), (_, .retraced), (_, .retracedElsewhere):
      effect = .unknown
    default: break
    }
  }
}
