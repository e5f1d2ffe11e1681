/// Whether the cause that a host gives tells the input method's edits from the user's.
///
/// Some hosts say `inputMethod` of every change (Qt), some of typing (GTK): the cause counts only if most edits that
/// were not announced, and so were the user's, came with `other`.
struct CauseBelief: Sendable {
  /// How many of the user's edits came with the cause `other`, and with `inputMethod`.
  private(set) var others = 0
  private(set) var inputMethods = 0

  /// Whether the cause counts.
  var tells: Bool { others >= Measured.causesTelling * (inputMethods + 1) }

  /// Counts the cause of `transition`, if that is an edit and was not announced.
  mutating func observe(_ cause: Cause?, of transition: borrowing Transition) {
    guard let cause, transition.kind.changesText, transition.kind != .expected,
      transition.expected.isEmpty
    else { return }
    count(cause)
  }

  /// Counts the cause of one of the user's edits.
  mutating func count(_ cause: Cause) {
    if cause == .other { others += 1 } else { inputMethods += 1 }
  }
}
