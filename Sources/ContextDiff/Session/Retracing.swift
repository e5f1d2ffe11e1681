/// Steps of a session's history taken back, or again: each predicts the text and the places that
/// the caret or the selection may have in it, and is compared with what was seen.
struct Retracing {
  /// A way through the history that shows what was seen.
  struct Found {
    var kind: Kind
    var steps: Int
    /// The whole known text afterwards.
    var text: [UInt8]
    /// Where the caret, or the selection's left end, is in `text`.
    var caret: Int
    var selected: Int
    var removed: [UInt8]
    var inserted: [UInt8]
  }

  let history: History
  let origin: Int

  /// The shortest way back, or else again, that shows what `pair` shows now.
  ///
  /// The way must account for as much text as tells it from a coincidence.
  func found(for pair: borrowing Pair) -> Found? {
    let shown =
      Evidence.count(endOf: pair.new.before.bytes) + Evidence.count(startOf: pair.new.after.bytes)
      + Evidence.count(startOf: pair.new.selected.bytes)
    if shown < Evidence.enough && !pair.new.isBlank { return nil }
    if let back = walk(.undo, history.done, for: pair) { return back }
    return walk(.redo, history.undone, for: pair)
  }

  private func walk(_ kind: Kind, _ steps: [History.Step], for pair: borrowing Pair) -> Found? {
    if steps.isEmpty { return nil }
    var text = pair.known.text.contiguous
    for (index, step) in steps.reversed().enumerated() {
      let gone = kind == .undo ? step.inserted : step.removed
      let back = kind == .undo ? step.removed : step.inserted
      let start = step.position - origin
      guard start >= 0, start + gone.count <= text.count,
        text[start..<start + gone.count].elementsEqual(gone)
      else { return nil }
      text.replaceSubrange(start..<start + gone.count, with: back)
      let places = [
        (start + back.count, 0), (start, back.count), (start, 0),
      ]
      for (caret, selected) in places where shows(text, caret, selected, pair) {
        return Found(
          kind: kind, steps: index + 1, text: text, caret: caret, selected: selected,
          removed: gone, inserted: back)
      }
    }
    return nil
  }

  /// Whether the window shows, of `text`, what was seen.
  private func shows(
    _ text: [UInt8], _ caret: Int, _ selected: Int, _ pair: borrowing Pair
  ) -> Bool {
    guard selected == pair.new.selected.bytes.count else { return false }
    return text.withUnsafeBufferPointer { buffer in
      let all = Bytes(buffer)
      return pair.compareSelected(Joined(all.dropFirst(caret).prefix(selected))).agreement
        == .exact
        && pair.compareLeft(Joined(all.prefix(caret))).agreement <= pair.admitted
        && pair.compareRight(Joined(all.dropFirst(caret + selected))).agreement <= pair.admitted
    }
  }
}

extension Retracing.Found {
  /// The transition that says so; what `ruling` found without the history is its alternative, where
  /// it is more than a tap.
  func transition(
    from ruling: Ruling, for pair: borrowing Pair, composition: Composition?
  ) -> Transition {
    let old = pair.known.left.count
    let other = ruling.candidate.kind
    let isCoincidence =
      other == .outOfRangeTap || other.family == .selection || other == .windowShift
    return Transition(
      kind: kind, basicKind: ruling.basicKind, certainty: isCoincidence ? .certain : .likely,
      alternatives: isCoincidence ? [] : [other],
      cursorOffset: cursorOffset(from: old),
      inserted: inserted.isEmpty ? nil : String(decoding: inserted, as: UTF8.self),
      removed: removed.isEmpty ? nil : String(decoding: removed, as: UTF8.self),
      leavesComposition: composition == nil ? nil : true)
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
