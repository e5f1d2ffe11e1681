extension Quota.Limits {
  /// The limits that the settings give.
  ///
  /// docs/Limits.md lists them for people.
  package init(_ settings: Settings) {
    let limits = settings.limits
    let budget = limits.totalBytes > 0 ? limits.totalBytes : MemoryBudget.whereNoneIsSet
    self.init(budgetBytes: budget, connections: limits.connections, users: limits.users) {
      switch $0 {
      case .connections: limits.connections
      case .subscribers: limits.subscribers
      case .sessions: limits.sessions
      case .loops: budget / Quota.largestShare
      // Room for at least four of the longest frames at a time.
      case .frames, .replies: max(4 * limits.frameBytes, budget / 16)
      case .filters: max(64 << 10, budget / 128)
      // Beyond `limits.sessionsBytes` the oldest sessions are forgotten; this bounds the one that is left.
      case .text: budget / Quota.largestShare
      case .events: limits.keptEventsBytes + (64 << 10)
      }
    }
  }
}
