/// How far a window reaches to one side of the caret.
enum SideRule {
  /// Left, the sentence just ended or under way, or one newline at a line's left edge; right, the rest of the
  /// sentence, or the next one, and never a newline.
  case sentence
  /// The line up to the caret, or from it on; never a newline.
  case line
  /// Everything, or as much as the host likes.
  case all
}

extension SideRule {
  /// Whether it, which is not `all`, cuts the window beside the scalar `outside`, the first one that is not shown.
  @inline(__always) func cuts(
    beside outside: UInt32, endingSentence isSentenceEnd: @autoclosure () -> Bool
  ) -> Bool {
    outside == .newline || self == .sentence && isSentenceEnd()
  }
}
