/// In which order those who have something to do are served.
///
/// Who has used up a turn goes behind all others, and whoever comes anew is served before it: so a
/// client that asks for little waits for one long turn at most, and one that asks for much gets at
/// least every other one.
package struct Turns<Member> {
  private var new: [Member] = []
  private var left: [Member] = []
  private var nextNew = 0
  private var nextLeft = 0
  private var isLeftsTurn = false
  private var wasNewsTurn = false

  /// Nobody waits.
  package init() {}

  /// Whether nobody waits.
  package var isEmpty: Bool { nextNew == new.count && nextLeft == left.count }

  /// Adds one who comes anew.
  package mutating func add(_ member: Member) { new.append(member) }

  /// Adds one whose turn was over before its work was done.
  package mutating func addAgain(_ member: Member) { left.append(member) }

  /// A round begins: one of those with much to do comes first where the round before served others.
  package mutating func beginRound() { isLeftsTurn = wasNewsTurn }

  /// Who is to be served next; `nil` where nobody waits.
  package mutating func next() -> Member? {
    if isLeftsTurn || nextNew == new.count {
      isLeftsTurn = false
      wasNewsTurn = false
      if let member = Turns.take(&left, &nextLeft) { return member }
    }
    wasNewsTurn = true
    return Turns.take(&new, &nextNew)
  }

  private static func take(_ queue: inout [Member], _ next: inout Int) -> Member? {
    guard next < queue.count else { return nil }
    let member = queue[next]
    next += 1
    // What was taken is let go of now and then, so that each costs the same.
    if next == queue.count {
      queue.removeAll(keepingCapacity: queue.capacity <= 64)
      next = 0
    } else if next >= 64, next * 2 >= queue.count {
      queue.removeFirst(next)
      next = 0
    }
    return member
  }
}
