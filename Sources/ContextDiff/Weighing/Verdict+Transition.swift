extension Verdict {
  /// The transition that says so.
  func transition(for pair: borrowing Pair, composition: Composition?) -> Transition {
    var isOutside: Bool?
    if let composition { isOutside = leaves(composition, in: pair.known) }
    let (start, end) = keptEnds(in: pair)
    let inserted = come(in: pair).dropFirst(start).dropLast(end)
    return Transition(
      kind: winner.kind, basicKind: pair.rule.kind, expectedEdits: 0,
      certainty: certainty, alternatives: alternatives,
      cursorOffset: cursorOffset(in: pair),
      inserted: inserted.isEmpty ? nil : inserted.string,
      removed: removed(in: pair, start, end),
      isPartial: isPartial(in: pair),
      leavesComposition: isOutside)
  }

  /// The transition that says that `way` through the history was taken.
  func transition(
    along way: Way, for pair: borrowing Pair, composition: Composition?
  ) -> Transition {
    Transition(
      kind: winner.kind, basicKind: pair.rule.kind, certainty: certainty,
      alternatives: alternatives,
      cursorOffset: winner.ground == .known
        ? way.cursorOffset(from: pair.known) : pair.told.caretOffset.map(Extent.init(told:)),
      inserted: (way.step?.inserted ?? way.change.inserted).text,
      removed: (way.step?.removed ?? way.change.removed).text,
      leavesComposition: composition.map { _ in winner.kind.facts.composition == .ends })
  }

  /// The text between the two carets, where something is selected its left end for the caret; what the host says
  /// of that where it is not known, or another distance.
  private func cursorOffset(in pair: borrowing Pair) -> Extent? {
    let known = knownOffset(in: pair)
    guard let told = pair.told.caretOffset, known?.scalars != told else { return known }
    return Extent(told: told)
  }

  /// What the texts say of that; `nil` where they say nothing.
  private func knownOffset(in pair: borrowing Pair) -> Extent? {
    let action = winner.action
    let isKnown = winner.ground == .known || winner.ground == .snapshot
    guard action.isPlaced, !winner.isAmbiguous, isKnown, !winner.isPartial || action.caret != nil
    else { return nil }
    if let caret = action.caret {
      let old = pair.known.left.count
      if caret == old { return .zero }
      let isPlain = pair.known.isPlain
      if caret < old {
        return -Extent(of: Joined(pair.known.left.dropFirst(caret)), isPlain: isPlain)
      }
      return Extent(of: pair.known.text.dropFirst(old).prefix(caret - old), isPlain: isPlain)
    }
    let come = Extent(of: Joined(action.inserted))
    if action.removedLeft == 0, !action.joinsPreviousLine { return come }
    return come
      - Extent(
        of: Joined(
          action.joinsPreviousLine ? .newline : .empty,
          pair.known.left.suffix(action.removedLeft)))
  }

  /// With how many bytes the text that goes and the text that comes begin and end alike, where the edit is
  /// called by what remains without these.
  private func keptEnds(in pair: borrowing Pair) -> (start: Int, end: Int) {
    let action = winner.action
    guard winner.kind == .insertion || winner.kind == .deletion,
      !action.removesSelection || action.selectsInsertion, !action.joinsLine,
      !action.allInserted.isEmpty
    else { return (0, 0) }
    return gone(in: pair).commonEnds(come(in: pair))
  }

  /// The known text that goes; not what stays selected beside a deletion, or an insertion.
  private func gone(in pair: borrowing Pair) -> Joined {
    let action = winner.action
    return Joined(
      pair.known.left.suffix(action.removedLeft),
      action.removesSelection && !keepsSelection(in: pair) ? pair.known.selected : .empty,
      pair.known.right.prefix(action.removedRight))
  }

  /// The text that comes; not what stays selected.
  private func come(in pair: borrowing Pair) -> Joined {
    let action = winner.action
    return keepsSelection(in: pair)
      ? Joined(action.inserted, action.insertedBehind) : action.allInserted
  }

  /// Whether the edit is called by what goes, or comes, beside a selection that stays.
  private func keepsSelection(in pair: borrowing Pair) -> Bool {
    (winner.kind == .deletion || winner.kind == .insertion) && winner.action.selectsInsertion
      && winner.action.insertedSelected == pair.known.selected
  }

  private func removed(in pair: borrowing Pair, _ start: Int, _ end: Int) -> String? {
    let action = winner.action
    if winner.kind == .submission { return pair.old.isBlank ? nil : pair.old.all.string }
    let text = gone(in: pair)
    if action.joinsLine {
      return (action.joinsPreviousLine ? "\n" : "") + text.string
        + (action.joinsNextLine ? "\n" : "")
    }
    let rest = text.dropFirst(start).dropLast(end)
    return rest.isEmpty ? nil : rest.string
  }

  private func isPartial(in pair: borrowing Pair) -> Bool {
    if winner.kind == .submission {
      return pair.known.leftEdge != .document || pair.known.rightEdge != .document
    }
    return winner.isPartial
  }

  /// Whether the caret, or the edit, is outside the text being composed.
  private func leaves(_ composition: Composition, in known: Known) -> Bool {
    let action = winner.action
    switch winner.kind.facts.composition {
    case .goesOn: return false
    case .ends: return true
    case .dependsOnPlace: break
    }
    guard action.isPlaced, !action.joinsLine else { return true }
    let left = known.left
    let right = known.right
    let reachLeft = left.length(ofLastScalars: composition.before)
    let reachRight = right.byteOffset(ofScalar: max(0, composition.after))
    if let caret = action.caret {
      let end = left.count + known.selected.count + reachRight
      return caret < left.count - reachLeft || caret + action.selected > end
    }
    return action.removedLeft > reachLeft || action.removedRight > reachRight
  }
}
