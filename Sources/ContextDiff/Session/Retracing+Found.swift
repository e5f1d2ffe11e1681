extension Retracing {
  /// A way through the history that shows what was seen.
  struct Found {
    var kind: Kind
    var direction: Direction
    /// How many steps it takes whole.
    var steps: Int
    /// How many bytes of the end of the run behind those it takes back besides.
    var tail = 0
    /// How many bytes of the beginning of what the run behind those erased it brings back besides.
    var head = 0
    /// The whole known text afterwards.
    var text: [UInt8]
    /// Where the caret, or the selection's left end, is in `text`.
    var caret: Int
    var selected: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    /// How little speaks for it, beside others that agree.
    var cost = 0
    /// What else it may be: undo for redo, redo for undo.
    var rival: Kind?
    /// Whether as much is seen as tells it from a coincidence.
    var isEvident = false
    /// How many scalars are seen, four of each field at most.
    var shown = 0

    /// Whether it is exactly one step.
    var isOneStep: Bool { steps == 1 && tail == 0 && head == 0 }
  }
}

extension Retracing.Found {
  /// A way from `old` to `text`: what is between the two went and came.
  init(
    from old: [UInt8], to text: [UInt8], _ direction: Retracing.Direction, steps: Int,
    tail: Int = 0, head: Int = 0, caret: Int, selected: Int, cost: Int
  ) {
    self.init(
      kind: direction == .back ? .undo : .redo, direction: direction, steps: steps, tail: tail,
      head: head, text: text, caret: caret, selected: selected, removed: [], inserted: [],
      cost: cost)
    old.withUnsafeBufferPointer { oldBuffer in
      text.withUnsafeBufferPointer { newBuffer in
        let before = Bytes(oldBuffer)
        let after = Bytes(newBuffer)
        let start = before.scalarStart(atOrBefore: before.commonPrefix(after))
        let gone = before.dropFirst(start)
        let come = after.dropFirst(start)
        let same = gone.commonSuffix(come)
        let end = gone.scalarStart(atOrAfter: gone.count - same)
        removed = Array(gone.prefix(end).raw)
        inserted = Array(come.prefix(come.count - (gone.count - end)).raw)
      }
    }
  }

  /// The transition that says so; what `verdict` found without the history is its alternative, where
  /// it is more than a tap.
  func transition(
    from verdict: borrowing Verdict, for pair: borrowing Pair, composition: Composition?
  ) -> Transition {
    let alternatives = alternatives(beside: verdict)
    return Transition(
      kind: kind, basicKind: verdict.basicKind,
      certainty: alternatives.isEmpty ? .certain : .likely, alternatives: alternatives,
      cursorOffset: cursorOffset(from: pair.known),
      inserted: inserted.isEmpty ? nil : String(decoding: inserted, as: UTF8.self),
      removed: removed.isEmpty ? nil : String(decoding: removed, as: UTF8.self),
      leavesComposition: composition == nil ? nil : true)
  }

  /// What else the pair may be, which is `verdict` without the history.
  private func alternatives(beside verdict: borrowing Verdict) -> [Kind] {
    let other = verdict.winner.kind
    let isCoincidence =
      other == .outOfRangeTap || other.family == .selection || other == .windowShift
    var kinds = isCoincidence && isEvident ? [] : [other] + verdict.alternatives
    if let rival, !kinds.contains(rival) { kinds.insert(rival, at: min(1, kinds.count)) }
    kinds.removeAll { $0 == kind }
    return kinds
  }

  /// The text between the two carets: what came before the new one, less what went before the old
  /// one, from where the text differs on.
  private func cursorOffset(from known: Known) -> Extent? {
    known.text.contiguous.withUnsafeBufferPointer { oldBuffer in
      text.withUnsafeBufferPointer { newBuffer in
        let old = Bytes(oldBuffer)
        let new = Bytes(newBuffer)
        guard caret <= new.count else { return nil }
        let same = min(old.commonPrefix(new), known.left.count, caret)
        let start = new.scalarStart(atOrBefore: same)
        return Extent(of: Joined(new.prefix(caret).dropFirst(start)))
          - Extent(of: Joined(old.prefix(known.left.count).dropFirst(start)))
      }
    }
  }
}
