extension Verdict {
  /// The transition that the verdict stands for.
  func transition(for pair: Pair) -> Transition {
    if winner.kind.retraces, !winner.action.isPlaced { return transition(retracingUnseenIn: pair) }
    let (start, end) = keptEnds(in: pair)
    let inserted = come(in: pair).dropFirst(start).dropLast(end)
    return Transition(
      kind: winner.kind, basicKind: pair.rule.kind, expected: [], unfulfilled: [],
      certainty: certainty, alternatives: alternatives,
      cursorOffset: cursorOffset(in: pair),
      inserted: inserted.isEmpty ? nil : inserted.string,
      removed: removed(in: pair, start, end),
      isPartial: isPartial(in: pair),
      leavesComposition: leavesComposition(in: pair))
  }

  /// The same where the winner is an undo or redo along `way`.
  func transition(along way: Way, for pair: Pair) -> Transition {
    Transition(
      kind: winner.kind, basicKind: pair.rule.kind, certainty: certainty,
      alternatives: alternatives,
      cursorOffset: winner.ground == .known
        ? way.cursorOffset(from: pair.known)
        : pair.evidence.caretOffset.map(Extent.init(ofUnseen:)),
      inserted: (way.step?.inserted ?? way.change.inserted).text,
      removed: (way.step?.removed ?? way.change.removed).text,
      leavesComposition: leavesComposition(in: pair))
  }

  /// The same where the winner is an undo or redo of an edit that is not remembered.
  ///
  /// The exchange is what lies between the ends that both windows have in common, if they begin and end at the same
  /// places of the text; a sentence's window goes along with the caret.
  private func transition(retracingUnseenIn pair: Pair) -> Transition {
    var transition = Transition(
      kind: winner.kind, basicKind: pair.rule.kind, certainty: certainty,
      alternatives: alternatives,
      cursorOffset: pair.evidence.caretOffset.map(Extent.init(ofUnseen:)), isPartial: true,
      leavesComposition: leavesComposition(in: pair))
    let (old, new) = (pair.old, pair.new)
    let ends = old.all.commonEnds(new.all)
    let isFull = pair.window == .full
    guard pair.window != .sentence, !pair.keepsText,
      ends.start > 0 || isFull && (old.before.isEmpty || new.before.isEmpty),
      ends.end > 0 || isFull && (old.after.isEmpty || new.after.isEmpty)
    else { return transition }
    let start = min(ends.start, old.before.bytes.count, new.before.bytes.count)
    transition.removed = old.all.dropFirst(ends.start).dropLast(ends.end).contiguous.text
    transition.inserted = new.all.dropFirst(ends.start).dropLast(ends.end).contiguous.text
    // Where all that both show is the same, text went, or came, that one of them does not show.
    transition.isPartial = transition.removed == nil && transition.inserted == nil
    transition.cursorOffset =
      transition.cursorOffset
      ?? Extent(of: new.before.bytes.dropFirst(start))
      - Extent(of: old.before.bytes.dropFirst(start))
    return transition
  }

  /// The length of the text between the two carets, or left ends of selections; the host's caret positions tell it
  /// where the text does not, or differs from them.
  private func cursorOffset(in pair: Pair) -> Extent? {
    let known = knownOffset(in: pair)
    guard let told = pair.evidence.caretOffset, known?.scalars != told else { return known }
    return Extent(ofUnseen: told)
  }

  /// The same by the known text; `nil` where that does not tell it.
  private func knownOffset(in pair: Pair) -> Extent? {
    let action = winner.action
    let isKnown = winner.ground == .known || winner.ground == .snapshot
    if !action.isPlaced { return offsetOfSelectionGoingOn(in: pair) }
    guard !winner.isAmbiguous, !winner.isGuessed, isKnown, !winner.isPartial || action.caret != nil,
      !mayBeFartherOn(in: pair)
    else { return nil }
    if let caret = action.caret {
      return Extent(
        from: pair.known.left.count, to: caret, in: pair.known.text, isPlain: pair.known.isPlain)
    }
    let come = Extent(of: action.inserted)
    return come
      - Extent(
        of: Joined(
          action.joinsPreviousLine ? .newline : .empty,
          pair.known.left.suffix(action.removedLeft)))
  }

  /// How far the left end of a selection went that reaches out of the window to the right: all that was shown is still shown,
  /// and more behind it.
  private func offsetOfSelectionGoingOn(in pair: Pair) -> Extent? {
    let (old, new) = (pair.old, pair.new)
    let (from, to) = (old.before.bytes.count, new.before.bytes.count)
    guard winner.kind == .selection || winner.kind == .lineSelection, to <= old.all.count,
      old.all.count < new.all.count, new.all.prefix(old.all.count) == old.all,
      KeptScalars.areEnough(endOf: old.before.bytes, startOf: old.after.bytes)
    else { return nil }
    return Extent(from: from, to: to, in: old.all)
  }

  /// Whether the caret went to an empty line that ends the document, from text of which no end is known: there may be
  /// other lines between.
  private func mayBeFartherOn(in pair: Pair) -> Bool {
    pair.window == .sentence && winner.action.caret == pair.known.text.count
      && pair.known.rightEdge == .open && pair.new.before.bytes == .newline
      && pair.new.selected.isEmpty && !pair.new.after.isShown
  }

  /// The lengths, in bytes, of the common beginning and end of the removed and the inserted text, where a
  /// transition leaves these out; else 0.
  ///
  /// `num` exchanged for `number` is the insertion of `ber`.
  private func keptEnds(in pair: Pair) -> (start: Int, end: Int) {
    guard winner.kind == .insertion || winner.kind == .deletion else { return (0, 0) }
    return gone(in: pair).commonEnds(come(in: pair))
  }

  /// The removed text, as far as it is known; without a selection that is kept.
  private func gone(in pair: Pair) -> Joined {
    var action = winner.action
    if keepsSelection(in: pair) { action.removesSelection = false }
    return action.removed(from: pair.known)
  }

  /// The inserted text; without a selection that is kept.
  private func come(in pair: Pair) -> Joined {
    let action = winner.action
    return keepsSelection(in: pair)
      ? Joined(action.inserted, action.insertedBehind) : action.allInserted
  }

  /// Whether text was deleted or inserted beside a selection that is kept.
  private func keepsSelection(in pair: Pair) -> Bool {
    (winner.kind == .deletion || winner.kind == .insertion)
      && winner.action.insertedSelected == pair.known.selected
  }

  private func removed(in pair: Pair, _ start: Int, _ end: Int) -> String? {
    let action = winner.action
    if winner.kind == .submission { return pair.old.isEmpty ? nil : pair.old.all.string }
    let text = gone(in: pair)
    if action.joinsLine {
      return (action.joinsPreviousLine ? "\n" : "") + text.string
        + (action.joinsNextLine ? "\n" : "")
    }
    let rest = text.dropFirst(start).dropLast(end)
    return rest.isEmpty ? nil : rest.string
  }

  /// Whether text came or went that is not known: beyond the known text or, where the winner does not say which text
  /// it was, all of it.
  private func isPartial(in pair: Pair) -> Bool {
    if winner.kind == .submission {
      return pair.known.leftEdge != .document || pair.known.rightEdge != .document
    }
    return winner.isPartial || winner.kind.changesText && !winner.action.isPlaced
  }

  /// Whether the caret, or the edit, left the text being composed; `nil` where none was.
  private func leavesComposition(in pair: Pair) -> Bool? {
    guard let composition = pair.evidence.composition else { return nil }
    let action = winner.action
    switch winner.kind.facts.composition {
    case .goesOn: return false
    case .ends: return true
    // What the key for it put in is a paste, whatever its kind where the pasteboard is not known.
    case .dependsOnPlace where pair.evidence.key == .paste && winner.kind.changesText: return true
    case .dependsOnPlace: break
    }
    guard action.isPlaced, !action.joinsLine else { return true }
    let left = pair.known.left
    let reachLeft = left.length(ofLastScalars: composition.before)
    let reachRight = pair.known.right.byteOffset(ofScalar: composition.after)
    if let caret = action.caret {
      let end = left.count + pair.known.selected.count + reachRight
      return caret < left.count - reachLeft || caret + action.selected > end
    }
    return action.removedLeft > reachLeft || action.removedRight > reachRight
  }
}
