internal import Varlink

/// All that is held for one user; no other user sees any of it.
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
  /// Counts what is held, and bounds it.
  let account: Account
  let subscribers = Subscribers()
  /// How many are connected.
  var connections = 0
  /// How many pairs were classified, by kind, since the service began.
  var pairs = KindCounts()
  /// How many events subscribers have lost, since the service began.
  var eventsLost = 0
  /// Bounds the log entries of transitions, of all sessions together.
  var rate = EntryRate(entriesPerSecond: ClientEntries.transitionsPerSecond)

  private let exclusiveRing: Exclusive<EventRing>
  private let exclusiveSessions: Exclusive<Sessions>

  init(id: UInt32, ring: consuming EventRing, account: Account) {
    self.id = id
    exclusiveRing = Exclusive(ring)
    self.account = account
    exclusiveSessions = Exclusive(Sessions(account: account))
  }

  /// Whether each client that is connected is a subscriber, so that no call can cause another event.
  var hasSubscribersOnly: Bool { connections == subscribers.count }

  /// Whether nobody is connected, and neither a session nor the contents of an event are held.
  var isForgettable: Bool { connections == 0 && sessions.isEmpty && ring.isEmpty }
}
