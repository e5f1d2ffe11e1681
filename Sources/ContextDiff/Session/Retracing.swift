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
    /// How many bytes of the run's end were taken back, where not all of it was.
    var tail: Int?
  }

  let history: History
  let origin: Int

  /// The shortest way back, or else again, that shows what `pair` shows now.
  ///
  /// The way must account for as much text as tells it from a coincidence.
  ///
  /// `isErasure` says that without the history the pair is text erased at the caret.
  func found(for pair: borrowing Pair, isErasure: Bool) -> Found? {
    let shown =
      Evidence.count(endOf: pair.new.before.bytes) + Evidence.count(startOf: pair.new.after.bytes)
      + Evidence.count(startOf: pair.new.selected.bytes)
    if shown < Evidence.enough && !pair.new.isBlank { return nil }
    let again = walk(.redo, history.undone, for: pair)
    if let again, again.steps == 1 { return again }
    let back = walk(.undo, history.done, for: pair) ?? partOfRun(for: pair, isErasure: isErasure)
    guard let again, let back else { return again ?? back }
    return again.steps <= back.steps ? again : back
  }

  private func walk(_ kind: Kind, _ steps: [History.Step], for pair: borrowing Pair) -> Found? {
    if steps.isEmpty { return nil }
    let selected = pair.new.selected.bytes.count
    var text = pair.known.text.contiguous
    for (index, step) in steps.reversed().enumerated() {
      let gone = kind == .undo ? step.inserted : step.removed
      let back = kind == .undo ? step.removed : step.inserted
      let start = step.position - origin
      guard start >= 0, start + gone.count <= text.count,
        text[start..<start + gone.count].elementsEqual(gone)
      else { return nil }
      text.replaceSubrange(start..<start + gone.count, with: back)
      let end = start + back.count
      for caret in [end, start, start - selected, end - selected]
      where caret >= 0 && caret + selected <= text.count && shows(text, caret, selected, pair) {
        return Found(
          kind: kind, steps: index + 1, text: text, caret: caret, selected: selected,
          removed: gone, inserted: back)
      }
    }
    return nil
  }

  /// The end of the last run taken back: where an input method composes, a run holds several
  /// compositions, and each goes by itself.
  private func partOfRun(for pair: borrowing Pair, isErasure: Bool) -> Found? {
    guard let run = history.done.last, run.isComposed || !isErasure else { return nil }
    let selected = pair.new.selected.bytes.count
    let start = run.position - origin
    var text = pair.known.text.contiguous
    guard start >= 0, start + run.inserted.count <= text.count,
      text[start..<start + run.inserted.count].elementsEqual(run.inserted)
    else { return nil }
    text.removeSubrange(start..<start + run.inserted.count)
    var kept = 0
    var longest: Found?
    while kept < run.inserted.count {
      if !Bytes.isContinuation(run.inserted[kept]) {
        let caret = start + kept
        if caret + selected <= text.count, shows(text, caret, selected, pair) {
          longest = Found(
            kind: .undo, steps: 1, text: text, caret: caret, selected: selected,
            removed: Array(run.inserted[kept...]), inserted: [], tail: run.inserted.count - kept)
        }
      }
      text.insert(run.inserted[kept], at: start + kept)
      kept += 1
    }
    return longest
  }

  /// Whether the window shows, of `text`, what was seen.
  private func shows(
    _ text: [UInt8], _ caret: Int, _ selected: Int, _ pair: borrowing Pair
  ) -> Bool {
    text.withUnsafeBufferPointer { buffer in
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
