internal import Varlink

/// All that is held for one user: nobody else sees any of it.
final class User {
  let id: UInt32
  /// The user's latest events, and the numbers given to them.
  var ring: EventRing {
    _read { yield exclusiveRing.value }
    _modify { yield &exclusiveRing.value }
  }
  var sessions: Sessions {
    _read { yield exclusiveSessions.value }
    _modify { yield &exclusiveSessions.value }
  }
  /// What it is charged with, and may be.
  let account: Account
  let subscribers = Subscribers()
  var connections = 0
  var pairs = KindCounts()
  var eventsLost = 0
  /// Bounds the entries of all sessions together.
  var rate = EntryRate(entriesPerSecond: 1_000)

  private let exclusiveRing: Exclusive<EventRing>
  private let exclusiveSessions: Exclusive<Sessions>

  init(id: UInt32, ring: consuming EventRing, account: Account) {
    self.id = id
    exclusiveRing = Exclusive(ring)
    self.account = account
    exclusiveSessions = Exclusive(Sessions(account: account))
  }

  /// Whether nobody is connected who could cause another event.
  var hasSubscribersOnly: Bool { connections == subscribers.count }

  /// Whether nothing is held that a later call could ask for.
  var isForgettable: Bool { connections == 0 && sessions.isEmpty && ring.isEmpty }
}
