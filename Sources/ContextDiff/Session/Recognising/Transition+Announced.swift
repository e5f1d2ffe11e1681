// What a pair is, beside what was announced.

extension Key {
  /// Whether it takes text away, and puts none in.
  var erases: Bool { self == .backspace || self == .delete }
}

extension Transition {
  /// The same as the announced edits of those numbers.
  func expected(_ numbers: [Int]) -> Transition {
    var transition = self
    transition.kind = .expected
    transition.certainty = .certain
    transition.alternatives = []
    transition.expectedEdits = numbers.count
    transition.expected = numbers
    transition.leavesComposition = leavesComposition.map { _ in false }
    return transition
  }

  /// The same as the announced edits of those numbers, or as what this says.
  func perhapsExpected(_ numbers: [Int]) -> Transition {
    var transition = expected(numbers)
    transition.certainty = .likely
    transition.alternatives = [kind] + alternatives.filter { $0 != .expected }
    return transition
  }

  /// Whether this is an act that changes the text, and another than `rest`.
  func changesTextOtherwise(than rest: Transition) -> Bool {
    kind != rest.kind && kind.changesText && !saysLeast
  }

  /// Takes it that this may be `kind` as well.
  mutating func doubt(_ kind: Kind) {
    certainty = .likely
    if !alternatives.contains(kind) { alternatives.append(kind) }
  }

  mutating func take(_ exchange: AnnouncedExchange) {
    cursorOffset = exchange.cursorOffset
    inserted = exchange.inserted
    removed = exchange.removed
    isPartial = exchange.isPartial
  }

  /// What the pair was to the announced edits, none of which it showed; `nil` where it was nothing.
  var announcedEvent: ExpectedEdits.Event? {
    if kind == .unchanged || kind == .windowShift { return nil }
    // Through one line's window an empty line looks like a field that was sent.
    if kind == .submission, certainty == .likely, !alternatives.allSatisfy(\.changesText) {
      return .move
    }
    return kind.changesText ? .edit : .move
  }

  /// Whether nothing that is seen contradicts it, whatever was done.
  private var saysLeast: Bool { [.outOfRangeTap, .windowShift, .submission].contains(kind) }

  /// Whether this may be what `announced` says: it is not certain that it is something else.
  func agrees(with announced: Transition) -> Bool {
    if certainty == .likely || kind == .unchanged || saysLeast { return true }
    return isSame(inserted, announced.inserted) && isSame(removed, announced.removed)
  }

  private func isSame(_ text: String?, _ other: String?) -> Bool {
    (text ?? "").utf8.elementsEqual((other ?? "").utf8)
  }

  /// Whether this says with less text changed what `other` says.
  func isPlainer(than other: Transition) -> Bool {
    if kind == .unchanged || saysLeast { return false }
    if other.saysLeast { return true }
    if other.kind == .cursorMove || other.kind.family == .deselection { return false }
    return changedScalars < other.changedScalars
  }

  /// Whether this takes away `text`, all of it, left of where it leads.
  func takes(_ text: String) -> Bool {
    guard let removed = removed?.utf8, !text.isEmpty else { return false }
    return removed.suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  /// Whether this is a line broken, as `other` is, which began without the announced edit: what that did is out of
  /// sight, and nothing says that the host did not make it.
  func breaksLine(as other: Transition) -> Bool {
    kind == .insertion && other.kind == .insertion && isSame(inserted, "\n")
      && isSame(other.inserted, "\n")
  }

  /// Whether `key` does this, and does not do what `other` says.
  func isDone(by key: Key?, unlike other: Transition) -> Bool {
    guard let key, key.erases else { return false }
    return kind == .deletion && other.kind != .deletion && other.kind != .cut
  }

  /// How many bytes came and went.
  var changedLength: Int { (inserted?.utf8.count ?? 0) + (removed?.utf8.count ?? 0) }

  /// How many scalars came and went.
  private var changedScalars: Int {
    (inserted?.unicodeScalars.count ?? 0) + (removed?.unicodeScalars.count ?? 0)
  }
}
