/// Steps of a session's history taken back, or again: each predicts the text and the places that
/// the caret or the selection may have in it, and is compared with what was seen.
struct Retracing {
  enum Direction: Sendable {
    case back
    case forth
  }

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

    /// Whether it is exactly one step.
    var isOneStep: Bool { steps == 1 && tail == 0 && head == 0 }
  }

  let history: History
  let origin: Int
  /// What was done last, where it was an undo or a redo: that goes on more likely than not.
  var last: Kind?

  /// The likeliest way back, or again, that shows what `pair` shows now.
  ///
  /// At least `evidence` scalars must be seen, to tell it from a coincidence.
  ///
  /// - Complexity: Linear in the remembered text for each step of the history.
  func found(for pair: borrowing Pair, evidence: Int) -> Found? {
    let shown =
      Evidence.count(endOf: pair.new.before.bytes) + Evidence.count(startOf: pair.new.after.bytes)
      + Evidence.count(startOf: pair.new.selected.bytes)
    if shown < evidence && !pair.new.isBlank { return nil }
    // A window cut as it was comes first.
    if pair.admitted != .exact, let found = found(for: pair, shown: shown, admitted: .exact) {
      return found
    }
    return found(for: pair, shown: shown, admitted: pair.admitted)
  }

  private func found(
    for pair: borrowing Pair, shown: Int, admitted: Fit.Agreement
  ) -> Found? {
    let again = walk(.forth, for: pair, admitted)
    let back = walk(.back, for: pair, admitted)
    guard var found = again ?? back else { return nil }
    if let again, let back {
      found = goesForth(again, rather: back) ? again : back
      if again.kind != back.kind { found.rival = found.kind == .undo ? .redo : .undo }
    }
    found.isEvident = shown >= Evidence.enough && found.cost <= 1
    return found
  }

  private func goesForth(_ again: Found, rather back: Found) -> Bool {
    if last == .undo, back.kind == .undo { return again.cost < back.cost }
    return again.isOneStep || again.cost <= back.cost
  }

  private func walk(
    _ direction: Direction, for pair: borrowing Pair, _ admitted: Fit.Agreement
  ) -> Found? {
    let steps = direction == .back ? history.done : history.undone
    if steps.isEmpty { return nil }
    let selected = pair.new.selected.bytes.count
    let old = pair.known.text.contiguous
    var text = old
    var cost = 0
    var isTakenBack = false
    for (index, step) in steps.reversed().enumerated() {
      let gone = direction == .back ? step.inserted : step.removed
      let back = direction == .back ? step.removed : step.inserted
      let start = step.position - origin
      guard start >= 0, start + gone.count <= text.count,
        text[start..<start + gone.count].elementsEqual(gone)
      else { return nil }
      if direction == .back, step.removed.isEmpty,
        let length = partlyShown(step, at: start, of: text, pair, admitted)
      {
        text.removeSubrange(start + length..<start + gone.count)
        return Found(
          from: old, to: text, direction, steps: index, tail: gone.count - length,
          caret: start + length, selected: selected,
          cost: cost + (step.isComposed || step.inserted.isOnlyBlanks(from: length) ? 1 : 3))
      }
      if direction == .back, step.inserted.isEmpty, step.selected == 0, selected == 0,
        let (length, caret) = partlyRestored(step, at: start, of: text, pair, admitted)
      {
        text.insert(contentsOf: step.removed.prefix(length), at: start)
        return Found(
          from: old, to: text, direction, steps: index, head: length, caret: caret,
          selected: selected, cost: cost + 3)
      }
      text.replaceSubrange(start..<start + gone.count, with: back)
      let end = start + back.count
      var places = [end, start, start - selected, end - selected]
      if direction == .back { places.insert(step.caret - origin, at: 0) }
      // A newline that comes back at the end may stay behind the caret.
      if back.last == 0x0A { places.append(end - 1) }
      // The caret may stay where it was.
      let caret = pair.known.left.count
      if selected == pair.known.selected.count {
        places.append(caret <= start ? caret : caret + back.count - gone.count)
      }
      for caret in places
      where caret >= 0 && caret + selected <= text.count
        && shows(text, caret, selected, pair, admitted)
      {
        var found = Found(
          from: old, to: text, direction, steps: index + 1, caret: caret, selected: selected,
          cost: cost)
        if index == 0 {
          found.removed = gone
          found.inserted = back
          // What looked like an edit may have been an undo: then this is the redo, unless it was a
          // word erased.
          if direction == .back, step.isDoubtful {
            let before = steps.count > 1 ? steps[steps.count - 2] : step
            let isWord = step.inserted.isEmpty && !step.isKey && !before.isComposed
            found.kind = isWord ? .undo : .redo
            found.rival = isWord ? .redo : .undo
          }
        }
        return found
      }
      // Some hosts undo erasing together with what was typed next.
      let older = steps.count - 2 - index
      let joins =
        direction == .back && older >= 0 && !step.inserted.isEmpty && steps[older].inserted.isEmpty
      // An edit that may have been an undo takes nothing, nor does what it undid.
      if direction == .back, step.isDoubtful {
        isTakenBack = true
        continue
      }
      if !isTakenBack { cost += joins ? 1 : 2 }
      isTakenBack = false
    }
    return nil
  }

  /// How much of a run is left where its end taken back shows what was seen; `nil` where no such
  /// part does.
  private func partlyShown(
    _ run: History.Step, at start: Int, of text: [UInt8], _ pair: borrowing Pair,
    _ admitted: Fit.Agreement
  ) -> Int? {
    let selected = pair.new.selected.bytes.count
    return text.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      let right = all.dropFirst(start + run.inserted.count)
      guard selected <= right.count,
        pair.compareSelected(Joined(right.prefix(selected))).agreement == .exact,
        pair.compareRight(Joined(right.dropFirst(selected))).agreement <= admitted
      else { return nil }
      var length = run.inserted.count - 1
      while length > 0 {
        if !Bytes.isContinuation(run.inserted[length]),
          pair.compareLeft(Joined(all.prefix(start + length))).agreement <= admitted
        {
          return length
        }
        length -= 1
      }
      return nil
    }
  }

  /// How much of an erased run has come back where that shows what was seen, and where the caret
  /// is; `nil` where no such part does.
  private func partlyRestored(
    _ run: History.Step, at start: Int, of text: [UInt8], _ pair: borrowing Pair,
    _ admitted: Fit.Agreement
  ) -> (Int, caret: Int)? {
    text.withUnsafeBufferPointer { buffer in
      run.removed.withUnsafeBufferPointer { removed in
        let all = Bytes(buffer)
        let right = all.dropFirst(start)
        var length = 1
        while length < removed.count {
          let back = Bytes(removed).prefix(length)
          if !Bytes.isContinuation(removed[length]) {
            if pair.compareRight(Joined(right)).agreement <= admitted,
              pair.compareLeft(Joined(all.prefix(start), back)).agreement <= admitted
            {
              return (length, start + length)
            }
            if back.last == 0x0A,
              pair.compareRight(Joined(.newline, right)).agreement <= admitted,
              pair.compareLeft(Joined(all.prefix(start), back.dropLast(1))).agreement
                <= admitted
            {
              return (length, start + length - 1)
            }
          }
          length += 1
        }
        return nil
      }
    }
  }

  /// Whether the window shows, of `text`, what was seen.
  private func shows(
    _ text: [UInt8], _ caret: Int, _ selected: Int, _ pair: borrowing Pair,
    _ admitted: Fit.Agreement
  ) -> Bool {
    text.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      return pair.compareSelected(Joined(all.dropFirst(caret).prefix(selected))).agreement
        == .exact
        && pair.compareLeft(Joined(all.prefix(caret))).agreement <= admitted
        && pair.compareRight(Joined(all.dropFirst(caret + selected))).agreement <= admitted
    }
  }
}

extension Retracing.Found {
  /// A way from `old` to `text`: what is between the two went and came.
  fileprivate init(
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

  /// The transition that says so; what `ruling` found without the history is its alternative, where
  /// it is more than a tap.
  func transition(
    from ruling: borrowing Ruling, for pair: borrowing Pair, composition: Composition?
  ) -> Transition {
    let old = pair.known.left.count
    let other = ruling.candidate.kind
    let alternatives = alternatives(beside: other)
    return Transition(
      kind: kind, basicKind: ruling.basicKind,
      certainty: alternatives.isEmpty ? .certain : .likely, alternatives: alternatives,
      cursorOffset: cursorOffset(from: old),
      inserted: inserted.isEmpty ? nil : String(decoding: inserted, as: UTF8.self),
      removed: removed.isEmpty ? nil : String(decoding: removed, as: UTF8.self),
      leavesComposition: composition == nil ? nil : true)
  }

  /// What else the pair may be where it would be `other` without the history.
  func alternatives(beside other: Kind) -> [Kind] {
    let isCoincidence =
      other == .outOfRangeTap || other.family == .selection || other == .windowShift
    return (isCoincidence && isEvident ? [] : [other]) + (rival.map { [$0] } ?? [])
  }

  /// The text between the two carets, as the text is now.
  private func cursorOffset(from old: Int) -> Extent? {
    text.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      let start = min(old, caret)
      let end = min(max(old, caret), all.count)
      guard start <= end else { return nil }
      let length = Extent(of: Joined(all.prefix(end).dropFirst(start)))
      return caret < old ? -length : length
    }
  }
}

extension [UInt8] {
  /// Whether there are blanks alone from `index` on, and one before: some hosts begin a step with
  /// the second of several.
  fileprivate func isOnlyBlanks(from index: Int) -> Bool {
    index > 0 && self[(index - 1)...].allSatisfy { $0 == 0x20 }
  }
}
