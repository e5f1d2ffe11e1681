internal import ContextDiffWire

extension Service {
  /// The answer to GetStatistics: for an administrator the sums over all users, else the counts of this one.
  func statistics() -> Statistics {
    // The counts of this turn are to be in the answer.
    publish()
    let isAdministrator = access.isAdministrator(user.id)
    var statistics = shared.tallies.statistics(
      of: isAdministrator ? nil : user.id, instance: user.ring.instance,
      startedAt: shared.startedAt)
    statistics.bytes = isAdministrator ? user.account.bytesHeldByAll : user.account.heldBytes
    statistics.limits = settings.limitsByName
    return statistics
  }
}
