internal import ContextDiffWire

extension Service {
  /// What the daemon has seen and holds: for an administrator of all users, else of this one.
  func statistics() -> Statistics {
    // What this turn has changed is to be seen at once by who asks.
    publish()
    return shared.tallies.statistics(
      of: access.isAdministrator(user.id) ? nil : user.id, instance: user.ring.instance,
      startedAt: shared.startedAt)
  }
}
