// Transitions that name announced edits, and the comparison of two readings of one pair, without and with them.

extension Transition {
  /// The same transition as the announced edits of those numbers, for certain.
  func expected(_ numbers: [Int]) -> Transition {
    var transition = self
    transition.kind = .expected
    transition.certainty = .certain
    transition.alternatives = []
    transition.expected = numbers
    transition.leavesComposition = leavesComposition.map { _ in false }
    return transition
  }

  /// The same transition as the announced edits of those numbers, with its own kind as an alternative.
  func perhapsExpected(_ numbers: [Int]) -> Transition {
    var transition = expected(numbers)
    transition.certainty = .likely
    transition.alternatives = [kind] + alternatives.filter { $0 != .expected }
    return transition
  }

  /// The same transition, which shows a state that an earlier pair skipped, as the host's lateness; where it is a field that
  /// was sent, or an undo, that is the likelier.
  var perhapsLate: Transition {
    guard kind == .submission || kind.retraces else { return perhapsExpected([]) }
    var transition = self
    transition.certainty = .likely
    transition.alternatives.insert(.expected, at: 0)
    return transition
  }

  /// Whether this is an edit of another kind than `rest`.
  func changesTextOtherwise(than rest: Transition) -> Bool {
    kind != rest.kind && kind.changesText && !saysLeast
  }

  /// Whether it is `kind`, and certain.
  func isCertainly(_ kind: Kind) -> Bool { self.kind == kind && certainty == .certain }

  /// All that it may be: its kind, and the alternatives.
  var kinds: [Kind] { [kind] + alternatives }

  /// Adds `kind` to the alternatives.
  mutating func doubt(_ kind: Kind) {
    certainty = .likely
    if !alternatives.contains(kind) { alternatives.append(kind) }
  }

  /// Takes over the text and the caret of `exchange`.
  mutating func take(_ exchange: AnnouncedExchange) {
    cursorOffset = exchange.cursorOffset
    inserted = exchange.inserted.text
    removed = exchange.removed.text
    isPartial = exchange.isPartial
  }

  /// What a pair that shows no announced edit does to them; `nil` for nothing.
  var announcedEvent: ExpectedEdits.Event? {
    if kind == .unchanged || kind == .windowShift { return nil }
    // In a line's window the caret in an empty line looks like a field that was sent.
    if kind == .submission, certainty == .likely, !alternatives.allSatisfy(\.changesText) {
      return .move
    }
    return kind.changesText ? .edit : .move
  }

  /// Whether the new text may be another field's.
  var mayLeaveField: Bool {
    kind == .outOfRangeTap || kind == .submission || kind == .selection && cursorOffset == nil
  }

  /// Whether its kind agrees with nearly any pair, and thus says little.
  private var saysLeast: Bool { [.outOfRangeTap, .windowShift, .submission].contains(kind) }

  /// Whether this does not exclude `announced`: it is not certain, it says little, or it exchanges the same text.
  func agrees(with announced: Transition) -> Bool {
    if certainty == .likely || saysLeast { return true }
    return netExchange == announced.netExchange
  }

  /// What it removes and inserts, without what both begin or end with.
  private var netExchange: [[UInt8]] {
    let (removed, inserted) = (Array((removed ?? "").utf8), Array((inserted ?? "").utf8))
    return removed.withBytes { gone in
      inserted.withBytes { come in
        let (start, end) = Joined(gone).commonEnds(Joined(come))
        return [gone, come].map { Array($0.dropFirst(start).dropLast(end)) }
      }
    }
  }

  /// Whether this explains a pair by fewer changed scalars than `other`, by as many where `other` may be of this kind
  /// too, or by more than a kind that says little.
  func isPlainer(than other: Transition) -> Bool {
    if kind == .unchanged || saysLeast { return false }
    if other.saysLeast { return true }
    return changedScalars < other.changedScalars
      || changedScalars == other.changedScalars && other.alternatives.contains(kind)
  }

  /// Whether this removes text that ends with `text`, or exchanges text that begins with it.
  func takes(_ text: String) -> Bool {
    guard let removed = removed?.utf8, !text.isEmpty else { return false }
    return removed.suffix(text.utf8.count).elementsEqual(text.utf8)
      || kind == .replacement && removed.starts(with: text.utf8)
  }

  /// Whether this removes the end of `text`, and nothing else.
  func takesEnd(of text: String) -> Bool {
    guard kind == .deletion, let removed = removed?.utf8, !removed.isEmpty else { return false }
    return text.utf8.suffix(removed.count).elementsEqual(removed)
  }

  /// Whether this and `other` both insert the same text.
  func isSameInsertion(as other: Transition) -> Bool {
    guard kind == .insertion, other.kind == .insertion, let inserted else { return false }
    return other.inserted.isSame(as: inserted)
  }

  /// Whether this is what `key`, one that erases, does, and `other` is not.
  func isDone(by key: Key?, unlike other: Transition) -> Bool {
    key.erases && kind == .deletion && other.kind != .deletion && other.kind != .cut
  }

  /// Whether this is the deletion of a newline alone.
  var joinsLine: Bool { kind == .deletion && removed.isSame(as: "\n") }

  /// The same as an edit of an input method's, left of the caret; `nil` where it is none, or is not known whole.
  var edit: Edit? {
    guard kind.changesText, !isPartial, let cursorOffset else { return nil }
    let removed = (removed ?? "").unicodeScalars.count
    let inserted = inserted ?? ""
    guard cursorOffset.scalars == inserted.unicodeScalars.count - removed else { return nil }
    return Edit(insert: inserted, deleteBackward: removed, unit: .scalars)
  }

  /// How many bytes were inserted and removed.
  var changedLength: Int { (inserted?.utf8.count ?? 0) + (removed?.utf8.count ?? 0) }

  /// How many scalars were inserted and removed.
  private var changedScalars: Int {
    (inserted?.unicodeScalars.count ?? 0) + (removed?.unicodeScalars.count ?? 0)
  }
}
