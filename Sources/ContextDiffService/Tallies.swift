internal import ContextDiffWire
internal import Synchronization

/// What one user's service has seen and holds, as others may see it: as of its last turn.
final class Tally: Sendable {
  struct Counts {
    var pairs = KindCounts()
    var sessions = 0
    var subscribers = 0
    var connections = 0
    var eventsKept = 0
    var eventsLost = 0
  }

  private let counts = Mutex(Counts())

  /// Changes the counts; `body` calls nothing that waits.
  func update(_ body: (inout Counts) -> Void) {
    counts.withLock { body(&$0) }
  }

  /// Adds what `other` has seen, and not what it holds.
  fileprivate func keepSeen(of other: Tally) {
    let seen = other.counts.withLock { $0 }
    update {
      $0.pairs += seen.pairs
      $0.eventsLost += seen.eventsLost
    }
  }

  fileprivate func add(to statistics: inout Statistics) {
    // Only what is counted is copied under the lock: who counts does not wait for sums.
    let counts = counts.withLock { $0 }
    statistics.pairs += counts.pairs.total
    statistics.pairsByKind.merge(counts.pairs.byName, uniquingKeysWith: +)
    statistics.sessions += counts.sessions
    statistics.subscribers += counts.subscribers
    statistics.connections += counts.connections
    statistics.eventsKept += counts.eventsKept
    statistics.eventsLost += counts.eventsLost
  }
}

/// The tallies of all users.
final class Tallies: Sendable {
  private let byUser = Mutex<[UInt32: Tally]>([:])
  /// What was seen of users who are let go of: it counts up as long as the daemon runs.
  private let gone = Tally()

  func tally(of userID: UInt32) -> Tally {
    byUser.withLock { byUser in
      if let tally = byUser[userID] { return tally }
      let tally = Tally()
      byUser[userID] = tally
      return tally
    }
  }

  /// Lets go of a user who holds nothing any more.
  func forget(_ userID: UInt32) {
    byUser.withLock { byUser in
      if let tally = byUser.removeValue(forKey: userID) { gone.keepSeen(of: tally) }
    }
  }

  /// The sums over all users, or over one, as of their last turns.
  func statistics(
    of userID: UInt32? = nil, instance: String = "", startedAt: Int = 0
  ) -> Statistics {
    let tallies = byUser.withLock { byUser in
      userID.map { byUser[$0].map { [$0] } ?? [] } ?? [gone] + byUser.values
    }
    var statistics = Statistics(instance: instance, startedAt: startedAt)
    for tally in tallies { tally.add(to: &statistics) }
    return statistics
  }
}
