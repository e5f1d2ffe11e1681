/// A field sent and cleared: everything goes at once.
enum SubmissionReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    guard pair.new.isBlank, !pair.known.text.isEmpty, pair.new.hasText != true else { return }
    // What an eraser takes was not sent.
    if pair.told.key == .backspace || pair.told.key == .delete { return }
    // The last grapheme backspaced is no submission.
    if pair.known.leftEdge != .open, pair.known.rightEdge == .document,
      pair.old.selected.isEmpty, pair.known.left.isOneGrapheme, pair.known.right.isEmpty
    {
      return
    }
    if pair.new.after.isShown && pair.window == .sentence { return }
    contest.accept(
      .unplaced(
        .submission,
        weight: Model.submitted + Measured.clearedField
          + (pair.window == .paragraph ? Measured.submittedUnderCut : 0)
          + (pair.window == .line ? Measured.submittedLine : 0)))
  }
}
