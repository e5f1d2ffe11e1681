// Edits: one stretch of text that touches the caret, or the selection, exchanged for another (MODEL, 3b).

extension Action {
  /// The edit's name; `nil` where the text is the same afterwards.
  ///
  /// With nothing selected, text exchanged for text that begins or ends alike is what remains when
  /// the common part is taken off.
  func kind(in pair: borrowing Pair) -> Kind? {
    let known = pair.known
    let come = allInserted
    if joinsLine {
      // A line break in the place of the one that goes is the same text.
      if come == Joined(.newline), removedLeft + removedRight == 0, known.selected.isEmpty {
        return nil
      }
      return come.isEmpty ? .deletion : .replacement
    }
    let gone = Joined(
      known.left.suffix(removedLeft), known.selected, known.right.prefix(removedRight))
    if come == gone { return nil }
    if !pair.old.selected.isEmpty { return come.isEmpty ? .deletion : .replacement }
    if gone.isEmpty { return .insertion }
    if come.isEmpty { return .deletion }
    let (start, end) = gone.commonEnds(come)
    // A word that the caret goes to the end of was exchanged as a whole.
    if standsBehindInsertion, come.dropFirst(come.count - end).scalarCount > 1 {
      return .replacement
    }
    if start + end == come.count { return .deletion }
    return start + end == gone.count ? .insertion : .replacement
  }

  /// What the text that comes costs, and how much goes: the plainest edit is the likeliest.
  func cost(in pair: borrowing Pair) -> Double {
    let scalars = allInserted.newScalars
    let known = pair.known
    let gone =
      known.left.suffix(removedLeft).newScalars + known.right.prefix(removedRight).newScalars
    return Double(scalars) * Measured.scalar + Double(max(0, gone - 2)) * Measured.goneScalar
  }

  /// How likely the range is that it exchanges for one character, where it is one of those that the model
  /// has people exchange, and all that there is may be in view; `nil` where that is not known.
  func exchange(in pair: borrowing Pair) -> Double? {
    guard pair.mayShowAll, inserted.count == inserted.firstScalarLength else { return nil }
    let (left, right) = (pair.known.left, pair.known.right)
    guard left.suffix(removedLeft).scalarCount(upTo: 3) <= 2,
      right.prefix(removedRight).scalarCount(upTo: 3) <= 2
    else { return nil }
    return Model.exchanged(
      left: left.scalarCount(upTo: 2), right: right.scalarCount(upTo: 2))
  }

  /// Whether what was seen parts within a few characters from what stands beside the caret, or the
  /// selection, afterwards.
  private func differsNearCaret(in pair: borrowing Pair) -> Bool {
    let right =
      insertedBehind.isEmpty ? pair.known.right.dropFirst(removedRight) : insertedBehind
    if right.differsAtStart(from: pair.new.after.bytes) { return true }
    let seen = pair.new.before.bytes
    return pair.known.left.dropLast(removedLeft)
      .differsAtEnd(from: seen.dropLast(min(inserted.count, seen.count)))
  }

  /// Proposes it under the name that it has; `prior` is how likely it is without the text that comes and goes.
  func propose(
    prior: @autoclosure () -> Double, for pair: borrowing Pair, in contest: inout Contest
  ) {
    // Most edits part from what was seen in the first characters.
    if contest.trials == nil, differsNearCaret(in: pair) { return }
    guard let kind = kind(in: pair) else { return }
    contest.propose(kind, self, prior: prior() + cost(in: pair), for: pair)
  }
}
