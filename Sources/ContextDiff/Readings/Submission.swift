/// A field sent and cleared: everything goes at once.
enum SubmissionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    // A line beside the caret's that is still shown is text of the field, which was not cleared.
    guard pair.shownNew.isEmpty, !pair.known.text.isEmpty, pair.new.hasText != true
    else { return }
    // Backspace, Delete and the keys that move the caret send nothing.
    if pair.evidence.keyRulesOut(.sent) { return }
    // Backspace at the last grapheme is no submission.
    if pair.evidence.key != .return, pair.known.leftEdge != .open,
      pair.known.rightEdge == .document,
      pair.old.selected.isEmpty, pair.known.left.isOneGrapheme, pair.known.right.isEmpty
    {
      return
    }
    if pair.new.after.isShown && pair.window == .sentence { return }
    contest.accept(
      .unplaced(
        .submission,
        weight: Model.submitted + Measured.clearedField
          + (pair.evidence.isEmptied ? 0 : costOfWindow(pair.window))))
  }

  /// What it costs, in bits, that the window may not show all of the field.
  private static func costOfWindow(_ window: Window) -> Double {
    switch window {
    case .paragraph: Measured.submittedUnderCut
    case .line: Measured.submittedLine
    case .sentence, .full: 0
    }
  }
}
