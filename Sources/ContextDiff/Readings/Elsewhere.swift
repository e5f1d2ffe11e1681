/// The caret put, or text selected, outside the visible text: it can show any text.
enum ElsewhereReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    guard pair.new.selected.isEmpty, !pair.new.isBlank, pair.cause != .inputMethod
    else { return }
    let scalars =
      pair.new.before.bytes.scalarCount(upTo: Fit.unknownLimit)
      + pair.new.after.bytes.scalarCount(upTo: Fit.unknownLimit) + 2
    contest.accept(
      Candidate(
        kind: .outOfRangeTap, action: .none,
        weight: Prior.moved + Double(scalars) * Prior.scalar
          + (staysAtAnEnd(pair) ? Prior.anchored : 0), agreement: .exact, keptLeft: 0,
        keptRight: 0, unknownLeft: scalars, unknownRight: 0))
  }

  /// Whether both carets stand at the same end of the document, as far as null tells.
  private static func staysAtAnEnd(_ pair: borrowing Pair) -> Bool {
    guard pair.window != .paragraph, pair.old.selected.isEmpty else { return false }
    return !pair.old.after.isShown && !pair.new.after.isShown
      || !pair.old.before.isShown && !pair.new.before.isShown
  }
}
