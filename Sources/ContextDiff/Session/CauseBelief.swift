/// Whether a host's cause tells what the input method did from what the person did.
///
/// Some say `inputMethod` of all they show, some of typing alone (HOSTS): a cause counts only where edits
/// that nobody announced came with another.
struct CauseBelief: Sendable {
  private(set) var others = 0
  private(set) var inputMethods = 0

  /// How many of the person's edits must have come as `other`, for one that came as the input method's.
  private static let least = 4

  var tells: Bool {
    others >= CauseBelief.least && others >= CauseBelief.least * (inputMethods + 1)
  }

  /// Adds what was said of an edit that nobody announced.
  mutating func observe(_ cause: Cause?, of transition: borrowing Transition) {
    guard let cause, transition.kind.changesText, transition.kind != .expected,
      transition.expectedEdits == 0
    else { return }
    if cause == .other { others += 1 } else { inputMethods += 1 }
  }
}
