/// Steps of a session's history taken back, or again: each predicts the text and the places that
/// the caret or the selection may have in it, and is compared with what was seen.
struct Retracing {
  enum Direction: Sendable {
    case back
    case forth
  }

  let history: History
  let origin: Int
  /// What was done last, where it was an undo or a redo: that goes on more likely than not.
  var last: Kind?
  /// How much may speak against a way at most.
  var limit = 20

  /// The likeliest way, and the one that leads there in the other direction, where one does.
  struct Ways {
    var best: Found
    var other: Found?
  }

  /// The likeliest way back, or again, that shows what `pair` shows now, with what else it may be.
  ///
  /// At least `evidence` scalars must be seen, to tell it from a coincidence.
  ///
  /// - Complexity: Linear in the remembered text for each step of the history.
  func ways(for pair: borrowing Pair, evidence: Int) -> Ways? {
    let shown =
      Evidence.count(endOf: pair.new.before.bytes) + Evidence.count(startOf: pair.new.after.bytes)
      + Evidence.count(startOf: pair.new.selected.bytes)
    if shown < evidence && !pair.new.isBlank { return nil }
    // A window cut as it was comes first.
    if pair.admitted != .exact, let ways = ways(for: pair, shown: shown, admitted: .exact) {
      return ways
    }
    return ways(for: pair, shown: shown, admitted: pair.admitted)
  }

  private func ways(
    for pair: borrowing Pair, shown: Int, admitted: Fit.Agreement
  ) -> Ways? {
    let again = walk(.forth, for: pair, admitted)
    let back = walk(.back, for: pair, admitted)
    guard var found = again ?? back else { return nil }
    var other: Found?
    if let again, let back {
      let isForth = goesForth(again, rather: back)
      found = isForth ? again : back
      other = isForth ? back : again
      found.rival = other?.kind
    }
    found.isEvident = shown >= Evidence.enough && found.cost <= 1 && !isDoubted(found)
    found.shown = shown
    return Ways(best: found, other: other)
  }

  /// Whether `found` goes through a step that may never have been one.
  private func isDoubted(_ found: Found) -> Bool {
    let steps = found.direction == .back ? history.done : history.undone
    return steps.suffix(found.steps + (found.isOneStep ? 0 : 1)).contains { $0.isDoubted }
  }

  private func goesForth(_ again: Found, rather back: Found) -> Bool {
    if again.cost != back.cost { return again.cost < back.cost }
    return last == .redo
  }

  private func walk(
    _ direction: Direction, for pair: borrowing Pair, _ admitted: Fit.Agreement
  ) -> Found? {
    let steps = direction == .back ? history.done : history.undone
    if steps.isEmpty { return nil }
    let selected = pair.new.selected.bytes.count
    let old = pair.known.text.contiguous
    var best: Found?
    var text = old
    // How little speaks for going so far.
    var cost = 0
    var composition: Composition?
    // Where the caret is if nothing moves it.
    var kept = pair.known.left.count
    for (index, step) in steps.reversed().enumerated() {
      if cost > limit || best?.cost ?? .max <= cost { break }
      let gone = direction == .back ? step.inserted : step.removed
      let back = direction == .back ? step.removed : step.inserted
      let start = step.position - origin
      guard start >= 0, start + gone.count <= text.count,
        text[start..<start + gone.count].elementsEqual(gone)
      else { break }
      if direction == .back, let part = part(of: step, at: start, of: text, pair, admitted) {
        let found = Found(
          from: old, to: part.text, direction, steps: index, tail: part.tail, head: part.head,
          caret: part.caret, selected: selected, cost: cost + part.cost)
        if found.cost < best?.cost ?? .max { best = found }
      }
      text.replaceSubrange(start..<start + gone.count, with: back)
      if kept > start { kept = max(start, kept - gone.count) }
      if kept > start { kept += back.count }
      if composition == nil, direction == .back { composition = Composition(step, at: start) }
      let bond =
        direction == .back
        ? step.bond : index + 1 < steps.count ? steps[steps.count - 2 - index].bond : .none
      var shown = text
      if let first = composition?.first(in: text) { shown += beyond(text, from: first, pair) }
      let places = Places(
        around: step, at: start, of: shown, direction, composition, origin: origin,
        kept: kept, keptSelection: pair.known.selected.count)
      let place = places.first(of: selected) { surprise(shown, $0, selected, pair, admitted) }
      if let place {
        var found = Found(
          from: old, to: shown, direction, steps: index + 1, caret: place.caret, selected: selected,
          cost: cost + place.cost + (bond != .firm ? 0 : step.isWhole ? 3 : 1))
        if index == 0 {
          found.removed = gone
          found.inserted = back
        }
        if found.cost < best?.cost ?? .max { best = found }
      }
      if bond == .none { cost += 2 }
      if bond != .firm { composition = nil }
    }
    return best
  }

  /// What is selected beyond `text`, which goes on where its end is not known, if the selection
  /// begins at `first`.
  private func beyond(_ text: [UInt8], from first: Int, _ pair: borrowing Pair) -> [UInt8] {
    let seen = pair.new.selected.bytes
    let known = text.count - first
    guard seen.count > known, pair.known.rightEdge != .document,
      pair.known.rightEdge != .line || seen[known] == 0x0A
    else { return [] }
    return text.withUnsafeBufferPointer { buffer in
      seen.hasPrefix(Bytes(buffer).dropFirst(first)) ? Array(seen.dropFirst(known).raw) : []
    }
  }

  /// A part of `run` taken back that shows what was seen.
  private func part(
    of run: History.Step, at start: Int, of text: [UInt8], _ pair: borrowing Pair,
    _ admitted: Fit.Agreement
  ) -> Part? {
    if run.isWhole { return nil }
    if !run.inserted.isEmpty {
      let text = text + beyond(text, from: start + run.inserted.count, pair)
      guard let length = partlyShown(run, at: start, of: text, pair, admitted) else { return nil }
      var rest = text
      rest.removeSubrange(start + length..<start + run.inserted.count)
      return Part(
        text: rest, tail: run.inserted.count - length, caret: start + length,
        cost: run.breaks.contains(length) ? 1 : 3)
    }
    guard run.selected == 0, pair.new.selected.isEmpty,
      let (length, caret) = partlyRestored(run, at: start, of: text, pair, admitted)
    else { return nil }
    var text = text
    text.insert(contentsOf: run.removed.prefix(length), at: start)
    return Part(text: text, head: length, caret: caret, cost: 3)
  }

  private struct Part {
    var text: [UInt8]
    var tail = 0
    var head = 0
    var caret: Int
    var cost: Int
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

  /// How much less likely it is that the window shows, of `text`, what was seen, where that is not
  /// all predicted; `nil` where it shows something else.
  private func surprise(
    _ text: [UInt8], _ caret: Int, _ selected: Int, _ pair: borrowing Pair,
    _ admitted: Fit.Agreement
  ) -> Int? {
    if caret < 0 || caret + selected > text.count { return nil }
    return text.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      guard
        pair.compareSelected(Joined(all.dropFirst(caret).prefix(selected))).agreement == .exact
      else { return nil }
      let left = pair.compareLeft(Joined(all.prefix(caret)))
      if left.agreement > admitted { return nil }
      let right = pair.compareRight(Joined(all.dropFirst(caret + selected)))
      if right.agreement > admitted { return nil }
      return (left.agreement == .exact && right.agreement == .exact ? 0 : 2)
        + (left.beyond.isEmpty && right.beyond.isEmpty ? 0 : 1)
    }
  }
}
