// An action that is an edit: it exchanges one stretch of text that touches the caret, or the selection.

extension Pair {
  /// The insertion of `text` and `behind` at the old caret, or over the old selection; the new caret is between them.
  func inserting(_ text: Bytes, behind: Bytes = .empty) -> Action {
    Action(removesSelection: !old.selected.isEmpty, inserted: text, insertedBehind: behind)
  }

  /// The kind of inserting text: `replacement` over a selection, else `insertion`.
  var insertionKind: Kind { old.selected.isEmpty ? .insertion : .replacement }
}

extension Action {
  /// The caret and the selection stay where they are.
  static func stay(in known: borrowing Known) -> Action {
    .move(to: known.left.count, selecting: known.selected.count)
  }

  /// Insertion, deletion or replacement; `nil` where the text is the same afterwards.
  ///
  /// With nothing selected, the common beginning and end of the removed and the inserted text do not count:
  /// `num` exchanged for `number` is an insertion.
  func kind(in pair: Pair) -> Kind? {
    let known = pair.known
    let come = allInserted
    if joinsLine {
      // A newline in the place of the removed newline is the same text.
      if come == Joined(.newline), removedLeft + removedRight == 0, known.selected.isEmpty {
        return nil
      }
      return come.isEmpty ? .deletion : .replacement
    }
    let gone = removed(from: known)
    if come == gone { return nil }
    if !pair.old.selected.isEmpty { return come.isEmpty ? .deletion : .replacement }
    let (start, end) = gone.commonEnds(come)
    // If the new caret is behind the common end, all of the word was exchanged.
    if standsBehindInsertion, come.dropFirst(come.count - end).scalarCount > 1 {
      return .replacement
    }
    if start + end == come.count { return .deletion }
    return start + end == gone.count ? .insertion : .replacement
  }

  /// What its scalars cost, in bits: each inserted one, and each removed one beyond the first `Measured.goneFree`; where
  /// nothing is inserted and the window is `full`, without a session, up to `Measured.mostGone` of them.
  func cost(in pair: Pair) -> Double {
    let scalars = allInserted.newScalars
    let known = pair.known
    let gone =
      known.left.suffix(removedLeft).newScalars + known.right.prefix(removedRight).newScalars
    let isBounded = scalars == 0 && pair.known.isAlone && pair.window == .full
    let counted = isBounded ? min(gone, Measured.mostGone) : gone
    return Double(scalars) * Measured.scalar
      + Double(max(0, counted - Measured.goneFree)) * Measured.goneScalar
  }

  /// The prior of exchanging its range for one character, where the model has such an exchange: up to
  /// `Model.exchangedReach` scalars on either side, the window showing the whole document; else `nil`.
  func exchange(in pair: Pair) -> Double? {
    guard pair.mayShowAll, inserted.count == inserted.firstScalarLength else { return nil }
    let (left, right) = (pair.known.left, pair.known.right)
    let reach = Model.exchangedReach
    if left.suffix(removedLeft).isLonger(thanScalars: reach)
      || right.prefix(removedRight).isLonger(thanScalars: reach)
    {
      return nil
    }
    return Model.exchanged(
      left: left.scalarCount(upTo: reach), right: right.scalarCount(upTo: reach))
  }

  /// Whether the new window differs within 8 bytes of the caret, or selection, from the predicted text.
  private func differsNearCaret(in pair: Pair) -> Bool {
    let right =
      insertedBehind.isEmpty ? pair.known.right.dropFirst(removedRight) : insertedBehind
    if right.differsAtStart(from: pair.new.after.bytes) { return true }
    return pair.known.left.dropLast(removedLeft)
      .differsAtEnd(from: pair.new.before.bytes.dropLast(atMost: inserted.count))
  }

  /// Proposes it as `kind(in:)`, with `cost(in:)` added to `prior`.
  func propose(
    prior: @autoclosure () -> Double, for pair: Pair, in contest: inout Contest
  ) {
    // Most edits are refuted by the first characters.
    if !contest.isTraced, differsNearCaret(in: pair) { return }
    guard let kind = kind(in: pair) else { return }
    contest.propose(kind, self, prior: prior() + cost(in: pair), for: pair)
  }
}
