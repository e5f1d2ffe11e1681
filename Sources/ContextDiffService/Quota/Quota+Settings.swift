extension Quota.Limits {
  /// What the settings let users hold.
  ///
  /// docs/Limits.md lists the same for people.
  package init(_ settings: Settings) {
    let limits = settings.limits
    let budget = limits.totalBytes > 0 ? limits.totalBytes : MemoryBudget.whereNoneIsSet
    self.init(budgetBytes: budget, connections: limits.connections, users: limits.users) {
      switch $0 {
      case .connections: limits.connections
      case .subscribers: limits.subscribers
      case .sessions: limits.sessions
      case .loops: budget / Quota.largestShare
      // Room for some frames of the longest kind at a time.
      case .frames, .replies: max(4 * limits.frameBytes, budget / 16)
      case .filters: max(64 << 10, budget / 128)
      // `limits.sessionsBytes` has the oldest give way; here is where no one session may be beyond.
      case .text: budget / Quota.largestShare
      case .events: limits.keptEventsBytes + (64 << 10)
      }
    }
  }
}
