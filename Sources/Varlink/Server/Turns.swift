/// The order in which members (connections) that have work are served, each for a turn.
///
/// There are two queues: newcomers, and members whose turn was over before their work was done. Newcomers are served
/// first, but a round that follows one of newcomers begins with an unfinished member. So a client that asks for little
/// waits for at most one long turn, and one that asks for much gets at least every other turn.
package struct Turns<Member> {
  private var newcomers: [Member] = []
  private var unfinished: [Member] = []
  /// How many members at the beginning of each queue have been served.
  private var servedNewcomers = 0
  private var servedUnfinished = 0
  /// Whether an unfinished member is to be served next.
  private var isUnfinishedNext = false
  /// Whether the member served last was a newcomer.
  private var wasNewcomer = false

  /// Two empty queues.
  package init() {}

  /// Whether no member waits.
  package var isEmpty: Bool {
    servedNewcomers == newcomers.count && servedUnfinished == unfinished.count
  }

  /// Adds a newcomer.
  package mutating func add(_ member: Member) { newcomers.append(member) }

  /// Adds a member whose turn was over before its work was done.
  package mutating func addAgain(_ member: Member) { unfinished.append(member) }

  /// Begins a round, in which an unfinished member comes first if the round before ended with a newcomer.
  package mutating func beginRound() { isUnfinishedNext = wasNewcomer }

  /// Removes and returns the member that is to be served next; `nil` where no member waits.
  package mutating func next() -> Member? {
    if isUnfinishedNext || servedNewcomers == newcomers.count {
      isUnfinishedNext = false
      wasNewcomer = false
      if let member = Turns.take(&unfinished, &servedUnfinished) { return member }
    }
    wasNewcomer = true
    return Turns.take(&newcomers, &servedNewcomers)
  }

  private static func take(_ queue: inout [Member], _ next: inout Int) -> Member? {
    guard next < queue.count else { return nil }
    let member = queue[next]
    next += 1
    // Served members are removed many at a time, so that the cost of each stays constant.
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
