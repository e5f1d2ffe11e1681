internal import CLinux
internal import ContextDiffWire
internal import Glibc
internal import Systemd
internal import Varlink

// What one process leaves to the next, with the service manager.

extension UserLoops {
  /// Whether a descriptor of that name, which the service manager passes, was stored by an earlier process; else it is a
  /// listening socket.
  package static func isStored(_ name: String) -> Bool {
    name == SessionArchive.storeName || name.hasPrefix(Service.storePrefix)
  }

  /// Takes over what an earlier process left with the service manager: the kept events of each user and, from a process
  /// that was stopped, the sessions, as far as it came.
  ///
  /// Damaged events and sessions are logged and dropped; a user whose events are dropped gets a ring with a new
  /// instance. Where `limits.users` is lower than it was, what is kept of the users beyond it is logged and dropped, too.
  /// The time to the idle exit begins here.
  ///
  /// - Parameter stored: The descriptors, each with the name that it was stored by; this owns them from now on.
  package func adopt(_ stored: [(descriptor: Int32, name: String)]) {
    var usersBeyondLimit: Set<UInt32> = []
    for (descriptor, name) in stored where name != SessionArchive.storeName {
      adoptEvents(descriptor, named: name, &usersBeyondLimit)
    }
    for (descriptor, name) in stored where name == SessionArchive.storeName {
      adoptSessions(descriptor, &usersBeyondLimit)
    }
    for userID in usersBeyondLimit.sorted() {
      shared.journal.userForgotten(userID, limit: settings.limits.users)
    }
    for case .parked(let service) in places.values {
      service.park(on: loop)
      // A new ring may have been made for a user none of whose sessions could be taken over.
      if service.user.isForgettable { forget(service.user.id) }
    }
    scheduleIdleExit()
  }

  /// Gives a user the kept events in a descriptor, which this owns, unless they are damaged or there may be no more users.
  private func adoptEvents(
    _ descriptor: Int32, named name: String, _ usersBeyondLimit: inout Set<UInt32>
  ) {
    do throws(KeptMemoryError) {
      var ring = try EventRing.adopt(descriptor, now: shared.clock.monotonic())
      let userID = ring.userID
      guard places[userID] == nil, name == Service.storeName(of: userID) else {
        throw KeptMemoryError.damaged("it is not the one user's")
      }
      if let account = account(of: userID) {
        guard ring.charge(to: account) else { throw KeptMemoryError.system(ENOMEM) }
        ring.drop(beyond: settings.limits.keptEvents)
        places[userID] = .parked(service(keeping: ring, account: account))
      } else {
        manager.removeStored(name: name)
        usersBeyondLimit.insert(userID)
      }
    } catch {
      manager.removeStored(name: name)
      shared.journal.storeDamaged("kept events \(name)", error)
    }
  }

  /// Gives users the sessions in an archive, whose descriptor this owns, unless they are damaged or there may be no more
  /// users.
  private func adoptSessions(_ descriptor: Int32, _ usersBeyondLimit: inout Set<UInt32>) {
    manager.removeStored(name: SessionArchive.storeName)
    let (records, failure) = SessionArchive.read(adopting: descriptor)
    var refused = 0
    for record in records where !usersBeyondLimit.contains(record.userID) {
      switch adopt(record) {
      case true?: break
      case false?: refused += 1
      case nil: usersBeyondLimit.insert(record.userID)
      }
    }
    if let failure { shared.journal.storeDamaged("sessions", failure) }
    if refused > 0 { shared.journal.sessionsUnusable(refused, of: records.count) }
  }

  /// Gives a session to its user's service, which is made where there is none.
  ///
  /// - Returns: Whether it was taken over; `nil` where there may be no more users.
  private func adopt(_ record: SessionArchive.Record) -> Bool? {
    if case .parked(let service) = places[record.userID] { return service.adopt(record) }
    guard let account = account(of: record.userID) else { return nil }
    guard let service = try? service(of: record.userID, account: account) else { return false }
    places[record.userID] = .parked(service)
    return service.adopt(record)
  }

  /// Stores all users' sessions with the service manager for the next process, and forgets them here.
  ///
  /// The manager gets the file before anything is in it, and the users whose sessions hold least come first: where this
  /// process is ended before all are written, the next one has those that are, and whose sessions hold much takes from
  /// no other.
  ///
  /// Those on a loop that has not stopped are left out, and those for which there is no memory; both are logged.
  package func archiveSessions() {
    let parked = places.values.compactMap { place -> (service: Service, bytes: Int)? in
      guard case .parked(let service) = place else { return nil }
      return (service, service.user.sessions.heldBytes)
    }
    let records = parked.sorted { $0.bytes < $1.bytes }.lazy
      .flatMap { $0.service.giveUpSessions() }
    // Unsafe: C reads the name before it returns.
    let descriptor = unsafe clinux_memfd_create("contextdiff-sessions")
    if descriptor >= 0 {
      manager.removeStored(name: SessionArchive.storeName)
      manager.store(descriptor: descriptor, name: SessionArchive.storeName)
      // Messages may be queued where the manager does not read.
      manager.flush(timeout: .seconds(1))
    }
    let lost = SessionArchive.write(records, to: descriptor)
    if lost.count > 0 {
      shared.journal.sessionsNotHandedOver(lost.count, because: String(errno: lost.failure))
    }
    let away = sessionsAway
    if away > 0 {
      shared.journal.sessionsNotHandedOver(
        away, because: "their users' calls have not ended in time")
    }
    if descriptor >= 0 { close(descriptor) }
  }

  /// How many sessions are on loops that have not stopped, as of their last turns.
  private var sessionsAway: Int {
    places.reduce(0) { count, place in
      if case .parked = place.value { return count }
      return count + shared.tallies.statistics(of: place.key).sessions
    }
  }
}
