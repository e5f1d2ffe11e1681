internal import ContextDiffWire

extension Service {
  /// What the daemon has seen and holds: for an administrator of all users, else of this one.
  func statistics(for user: User) -> Statistics {
    var statistics = Statistics(instance: user.ring.instance, startedAt: startedAt)
    for user in access.isAdministrator(user.id) ? Array(users.values) : [user] {
      statistics.pairs += user.pairs.total
      statistics.pairsByKind.merge(user.pairs.byName, uniquingKeysWith: +)
      statistics.sessions += user.sessions.count
      statistics.subscribers += user.subscribers.count
      statistics.connections += user.connections
      statistics.eventsKept += user.ring.count - user.ring.forgottenCount
      statistics.eventsLost += user.eventsLost
    }
    return statistics
  }

  /// One line for `systemctl status`.
  package var status: String {
    let users = users.values
    let sessions = users.reduce(0) { $0 + $1.sessions.count }
    let subscribers = users.reduce(0) { $0 + $1.subscribers.count }
    let pairs = users.reduce(0) { $0 + $1.pairs.total }
    return "\(sessions) sessions, \(subscribers) subscribers, \(pairs) pairs"
  }
}
