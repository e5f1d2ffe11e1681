internal import ContextDiffWire

extension Service {
  /// What the daemon has seen and holds: for an administrator of all users, else of this one.
  func statistics() -> Statistics {
    // What this turn has changed is to be seen at once by who asks.
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
