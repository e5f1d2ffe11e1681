internal import ContextDiffWire
internal import Synchronization

/// The counts of one user's service as of the end of its last turn, for other threads to read.
final class Tally: Sendable {
  /// Pairs and lost events are counted since the daemon started; the others are what there is now.
  struct Counts {
    var pairs = KindCounts()
    var sessions = 0
    var subscribers = 0
    var connections = 0
    var eventsKept = 0
    var eventsLost = 0
  }

  private let counts = Mutex(Counts())

  /// Changes the counts under the lock; `body` must not block.
  func update(_ body: (inout Counts) -> Void) {
    counts.withLock { body(&$0) }
  }

  /// Adds the pairs and the lost events of `other`, whose user is forgotten.
  fileprivate func keepSeen(of other: Tally) {
    let seen = other.counts.withLock { $0 }
    update {
      $0.pairs += seen.pairs
      $0.eventsLost += seen.eventsLost
    }
  }

  fileprivate func add(to statistics: inout Statistics) {
    // The sums are made without the lock, so that a service that updates its counts does not wait for them.
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
  /// The pairs and the lost events of users who were forgotten, since the daemon started.
  private let gone = Tally()

  /// The tally of a user, a new one where there is none.
  func tally(of userID: UInt32) -> Tally {
    byUser.withLock { byUser in
      if let tally = byUser[userID] { return tally }
      let tally = Tally()
      byUser[userID] = tally
      return tally
    }
  }

  /// Forgets a user who holds nothing any more; pairs and lost events stay in the sums.
  func forget(_ userID: UInt32) {
    byUser.withLock { byUser in
      if let tally = byUser.removeValue(forKey: userID) { gone.keepSeen(of: tally) }
    }
  }

  /// The sums over all users, or the counts of one, as of their last turns; zeros for a user without a tally.
  ///
  /// `instance` and `startedAt` (microseconds since the epoch) are taken over.
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
