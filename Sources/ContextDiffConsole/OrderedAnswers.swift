internal import DequeModule

/// Puts answers into the order of their lines, where some come from a daemon later and some are
/// known at once.
///
/// What is asked is answered in the order of asking; a line that was never asked waits for those before it.
package struct OrderedAnswers<Answer> {
  private enum Slot {
    case asked(line: Int)
    case known(Answer)
  }

  private var slots: Deque<Slot> = []

  /// How many lines were asked and wait for their answer.
  package private(set) var asked = 0

  /// Nothing waits.
  package init() {}

  /// The line was sent to be answered.
  package mutating func ask(line: Int) {
    slots.append(.asked(line: line))
    asked += 1
  }

  /// The line's answer is known already; returned are those that are due now.
  package mutating func know(_ answer: Answer) -> [Answer] {
    guard asked > 0 else { return [answer] }
    slots.append(.known(answer))
    return []
  }

  /// The next asked line's answer arrived; returned are those that are due now, `nil` where nothing was asked.
  package mutating func arrive(_ answer: (_ line: Int) -> Answer) -> [Answer]? {
    guard case .asked(let line)? = slots.popFirst() else { return nil }
    asked -= 1
    var due = [answer(line)]
    while case .known(let known)? = slots.first {
      due.append(known)
      slots.removeFirst()
    }
    return due
  }
}
