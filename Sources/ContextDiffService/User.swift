/// All that is held for one user: nobody else sees any of it.
final class User {
  let id: UInt32
  /// The user's latest events, and the numbers given to them.
  var ring: EventRing
  var sessions: Sessions
  /// What it is charged with, and may be.
  let account: Account
  let subscribers = Subscribers()
  var connections = 0
  var pairs = KindCounts()
  var eventsLost = 0
  /// Bounds the entries of all sessions together.
  var rate = EntryRate(entriesPerSecond: 1_000)

  init(id: UInt32, ring: consuming EventRing, account: Account) {
    self.id = id
    self.ring = ring
    self.account = account
    sessions = Sessions(account: account)
  }

  /// Whether nobody is connected who could cause another event.
  var hasSubscribersOnly: Bool { connections == subscribers.count }

  /// Whether nothing is held that a later call could ask for.
  var isForgettable: Bool { connections == 0 && sessions.isEmpty && ring.isEmpty }
}
