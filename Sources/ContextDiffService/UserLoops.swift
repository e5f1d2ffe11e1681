internal import CLinux
internal import ContextDiffWire
internal import Glibc
package import Logging
internal import Synchronization
package import Systemd
package import Varlink

/// The users of the daemon, each with a service, which has a loop and a thread of its own while the user is connected.
///
/// Belongs to the daemon's loop. It decides which clients may connect, and hands each of these to the loop of the
/// client's user. A second after a user's last connection has closed, the thread ends, and the service is kept here
/// for as long as it holds anything.
package final class UserLoops {
  /// Where a user's service is.
  private enum Place {
    /// On the daemon's loop: nobody of the user is connected.
    case parked(Service)
    /// On the user's own loop.
    case running(UserLoop)
    /// On the user's own loop, which is ending; these clients have come meanwhile.
    case ending(UserLoop, waiting: [AcceptedSocket])
  }

  /// Lets users' threads refer to this object, which is used on the daemon's thread alone.
  ///
  /// `@unchecked`: `loops` is read only by functions submitted to the daemon's loop, which are called on its thread.
  private final class Link: @unchecked Sendable {
    weak var loops: UserLoops?
  }

  package private(set) var settings: Settings
  private var access: Access
  private let loop: EpollLoop
  private let shared: Shared
  /// Keeps the memory of events from one process to the next, and shows the status line.
  private let manager: ServiceManager
  private let link = Link()
  /// By user ID.
  private var places: [UInt32: Place] = [:]
  private let quota: Quota
  /// Where the events of forgotten users ended.
  private var lastSequences: LastSequences
  private let refusals: Refusals
  /// Runs while a status line is to be sent.
  private var status: EpollLoop.Timer?
  /// Runs while memory is to be given back to the kernel.
  private var trim: EpollLoop.Timer?
  /// Runs while nobody is connected, if `idleExitSeconds` is set.
  private var idleExit: EpollLoop.Timer?
  /// The limit of a stop, after which connections are closed; `nil` before `stop(within:_:)`.
  private var drainTime: Duration?
  private var onStopped: (() -> Void)?
  /// Called when nobody has been connected for `idleExitSeconds`.
  package var onIdle: () -> Void = {}

  /// Without users.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - access: Who may connect.
  ///   - info: What `GetInfo` answers.
  ///   - loop: The daemon's loop, on whose thread every function is to be called.
  ///   - manager: The service manager.
  ///   - logger: Logs the entries.
  ///   - clock: The clocks.
  /// - Throws: Where there is no descriptor left, the kernel gives no random bytes, or the interface's description
  ///   cannot be read.
  package init(
    settings: Settings, access: Access, info: VarlinkServiceInfo, loop: EpollLoop,
    manager: ServiceManager, logger: Logger, clock: Clock = .system
  ) throws {
    self.settings = settings
    self.access = access
    self.loop = loop
    self.manager = manager
    quota = Quota(Quota.Limits(settings))
    lastSequences = try LastSequences()
    let link = link
    shared = try Shared(
      info: info, main: try loop.makeSubmitter(), logger: logger, clock: clock,
      onStatusDue: { link.loops?.scheduleStatus() })
    refusals = Refusals(on: loop, shared)
    link.loops = self
    let main = shared.main
    quota.onShort { main.submit { link.loops?.relieve() } }
    quota.onFreed { main.submit { link.loops?.scheduleTrim() } }
  }

  // MARK: - Clients

  /// Hands a client to its user's loop, which is begun where there is none, or turns it away and logs why.
  package func accept(_ socket: AcceptedSocket) {
    let peer = socket.peer
    guard
      access.allows(
        userID: peer.userID, groupID: peer.groupID, groups: { socket.supplementaryGroups })
    else { return refuse(socket, because: "its user may not connect") }
    guard let account = account(of: peer.userID) ?? accountInPlaceOfAnother(of: peer.userID) else {
      return refuse(socket, because: "limits.users, \(settings.limits.users), is reached")
    }
    guard socket.charge(to: account) else {
      return refuse(
        socket,
        because:
          "its user's share of limits.connections, \(settings.limits.connections), is reached")
    }
    idleExit?.cancel()
    switch places[peer.userID] {
    case .running(let running): running.serve(socket)
    case .ending(let ending, let waiting):
      places[peer.userID] = .ending(ending, waiting: waiting + [socket])
    case .parked(let service): start(service, for: [socket])
    case nil:
      do {
        let new = try makingRoom(besides: peer.userID) {
          try service(of: peer.userID, account: account)
        }
        start(new, for: [socket])
      } catch {
        refuse(socket, because: "no memory or descriptor for its events: \(error)")
        scheduleIdleExit()
      }
    }
  }

  /// Turns a client away.
  private func refuse(_ socket: AcceptedSocket, because reason: String) {
    let running: UserLoop? =
      if case .running(let running) = places[socket.peer.userID] { running } else { nil }
    refusals.refuse(
      socket, because: reason, closingOn: running, spareDescriptors: settings.spareDescriptors)
  }

  /// Makes the service of a user who has none, with an empty ring that the service manager is asked to keep; the caller
  /// puts it into `places`.
  ///
  /// Throws `EventRing.Failure` where there is no memory for the ring.
  private func service(of userID: UInt32, account: Account) throws -> Service {
    let last = lastSequences.last(of: userID)
    var ring = try EventRing(
      userID: userID, instance: last.instance, capacity: settings.limits.keptEventsBytes,
      after: last.sequence)
    guard ring.charge(to: account) else { throw EventRing.Failure.system(ENOMEM) }
    lastSequences.remove(userID)
    manager.store(descriptor: ring.descriptor, name: Service.storeName(of: userID))
    return service(keeping: ring, account: account)
  }

  private func account(of userID: UInt32) -> Account? {
    quota.account(of: userID, isAdministrator: access.isAdministrator(userID))
  }

  /// An account for a user beyond `limits.users`, in place of that user who holds the least of those not connected.
  ///
  /// Users without a connection must not keep others out: they may all be user IDs of one person (subuid(5)).
  ///
  /// Returns `nil` where as many users as there may be are connected.
  private func accountInPlaceOfAnother(of userID: UInt32) -> Account? {
    let away = usersAway
    guard places.count - away.count < settings.limits.users else { return nil }
    // One is enough, unless the limit was higher before, or an administrator has an account beyond it.
    for other in away {
      forget(other)
      refusals.log { $0.userForgotten(other, limit: settings.limits.users) }
      if let account = account(of: userID) { return account }
    }
    return nil
  }

  /// The users who are not connected and are no administrators, the one of whom least is kept first.
  private var usersAway: [UInt32] {
    let away = places.values.compactMap { place -> (id: UInt32, bytes: Int)? in
      guard case .parked(let service) = place else { return nil }
      let user = service.user
      return access.isAdministrator(user.id) ? nil : (user.id, user.account.heldBytes)
    }
    return away.sorted { $0.bytes < $1.bytes }.map(\.id)
  }

  /// Forgets the one of whom least is kept of the users who are not connected, since each one's events take a
  /// descriptor, of which none is left.
  ///
  /// - Parameter userID: A user who is not to be forgotten; `nil` where anybody may be.
  /// - Returns: Whether there was one.
  @discardableResult
  package func forgetForDescriptor(besides userID: UInt32? = nil) -> Bool {
    guard let other = usersAway.first(where: { $0 != userID }) else { return false }
    forget(other)
    refusals.log { $0.userForgotten(other, limit: nil) }
    return true
  }

  /// Calls `body` for a user again and again, as long as it lacks a descriptor and another user can be forgotten for it.
  private func makingRoom<Made>(
    besides userID: UInt32, _ body: () throws -> Made
  ) throws -> Made {
    while true {
      do { return try body() } catch {
        guard lacksDescriptor(error), forgetForDescriptor(besides: userID) else { throw error }
      }
    }
  }

  private func lacksDescriptor(_ error: any Error) -> Bool {
    if case EventRing.Failure.system(EMFILE) = error { return true }
    return (error as? VarlinkSocketError)?.systemError == EMFILE
  }

  /// Makes a service with that ring, which reports to this object when it is idle or empty.
  private func service(keeping ring: consuming EventRing, account: Account) -> Service {
    let (link, main, userID) = (link, shared.main, ring.userID)
    let service = Service(
      ring: ring, account: account, shared: shared, settings: settings, access: access, loop: loop)
    service.onIdle = { served in main.submit { link.loops?.end(userID, ifServed: served) } }
    service.onEmpty = { link.loops?.forget(userID) }
    return service
  }

  // MARK: - Threads

  /// Starts a thread for a service, with these clients; where it cannot, turns these away.
  private func start(_ service: Service, for sockets: [AcceptedSocket]) {
    let userID = service.user.id
    let (link, main) = (link, shared.main)
    guard service.chargeLoop() else {
      for socket in sockets { refuse(socket, because: "no memory is left for its user") }
      return park(service)
    }
    service.cancelTimers()
    do {
      let running = try makingRoom(besides: userID) {
        try UserLoop(of: service) { service in
          // Unsafe: the user's thread, which hands the service over, does not use it any more.
          nonisolated(unsafe) let service = service
          // Unsafe: only the main loop's thread uses it from here on.
          main.submit { unsafe link.loops?.park(service) }
        }
      }
      places[userID] = .running(running)
      for socket in sockets { running.serve(socket) }
      if let drainTime { running.stop(within: drainTime) }
    } catch {
      for socket in sockets { refuse(socket, because: "no thread for its user: \(error)") }
      park(service)
    }
  }

  /// Ends a user's thread that is idle, unless it was handed a client meanwhile: more than `served` in all.
  private func end(_ userID: UInt32, ifServed served: Int) {
    guard case .running(let running) = places[userID], running.served == served else { return }
    running.end()
    places[userID] = .ending(running, waiting: [])
  }

  /// Takes over a service whose thread has ended, or could not be started.
  private func park(_ service: Service) {
    let userID = service.user.id
    let waiting =
      if case .ending(_, let waiting) = places[userID] { waiting } else { [] as [AcceptedSocket] }
    places[userID] = .parked(service)
    service.park(on: loop)
    // The settings may have been reloaded while the thread was ending.
    service.apply(settings, access: access)
    guard waiting.isEmpty else { return start(service, for: waiting) }
    // At the end the next process is to go on with the user's instance and numbers, though nothing else is kept.
    if service.user.isForgettable, drainTime == nil { forget(userID) }
    scheduleTrim()
    scheduleStatus()
    scheduleIdleExit()
    stopIfAllAreParked()
  }

  /// Forgets a user who is not connected, and all that is kept of the user but the number of the last event.
  private func forget(_ userID: UInt32) {
    guard case .parked(let service) = places[userID] else { return }
    service.cancelTimers()
    places[userID] = nil
    let user = service.user
    lastSequences.keep((user.ring.instance, user.ring.lastSequence), of: userID)
    shared.tallies.forget(userID)
    manager.removeStored(name: Service.storeName(of: userID))
    scheduleTrim()
    scheduleStatus()
  }

  private var isAnybodyActive: Bool {
    places.values.contains { if case .parked = $0 { false } else { true } }
  }

  /// Whether each user's loop sleeps, has ended a turn since the last call of this, or has ended; one that is ending, too.
  package func loopsMakeProgress() -> Bool {
    var allMakeProgress = true
    for place in places.values {
      switch place {
      case .running(let loop), .ending(let loop, _):
        if !loop.makesProgress() { allMakeProgress = false }
      case .parked: break
      }
    }
    return allMakeProgress
  }

  /// Has users give back what they hold beyond their part, because little memory is left.
  private func relieve() {
    let (part, accounts) = quota.accountsOverTheirPart
    var isAnyEnding = false
    for account in accounts {
      switch places[account.userID] {
      case .parked(let service): service.shrink(to: part)
      case .running(let running): running.shrink(to: part)
      case .ending: isAnyEnding = true
      case nil: break
      }
    }
    loop.schedule(after: .milliseconds(100)) { [weak self, isAnyEnding] in
      self?.quota.rearmOnShort()
      // Its thread has ended meanwhile, and nobody else may ask for memory.
      if isAnyEnding { self?.quota.reportShortageIfThereIsOne() }
    }
  }

  // MARK: - Timers

  /// Has the status line sent to the service manager in a second, unless that is planned already.
  private func scheduleStatus() {
    guard status == nil, drainTime == nil else { return }
    status = loop.schedule(after: .seconds(1)) { [unowned self] in
      status = nil
      shared.releaseStatus()
      manager.status(statusLine)
    }
  }

  /// The status line for `systemctl status`: the numbers of sessions, subscribers and pairs of all users.
  package var statusLine: String {
    let all = shared.tallies.statistics()
    func counted(_ number: Int, _ what: String) -> String {
      "\(number) \(what)\(number == 1 ? "" : "s")"
    }
    return [
      counted(all.sessions, "session"), counted(all.subscribers, "subscriber"),
      counted(all.pairs, "pair"),
    ].joined(separator: ", ")
  }

  /// Has free memory between allocations given back to the kernel (malloc_trim(3)) in a second, unless that is planned.
  ///
  /// A thread of its own does it, since it takes about 100 µs for each MiB of small allocations, in which clients would
  /// wait to be accepted.
  private func scheduleTrim() {
    guard trim == nil, drainTime == nil else { return }
    trim = loop.schedule(after: .seconds(1)) { [unowned self] in
      trim = nil
      quota.rearmOnFreed()
      do { try DetachedThread.start { clinux_trim_memory() } } catch { scheduleTrim() }
    }
  }

  /// Has `onIdle` called after `idleExitSeconds`, if that is set and nobody is connected; counts from this call on.
  private func scheduleIdleExit() {
    idleExit?.cancel()
    idleExit = nil
    guard settings.idleExitSeconds > 0, !isAnybodyActive, drainTime == nil else { return }
    idleExit = loop.schedule(after: .seconds(settings.idleExitSeconds)) { [unowned self] in
      onIdle()
    }
  }
}

// MARK: - Restart, reload and stop

extension UserLoops {
  /// Whether a descriptor of that name, which the service manager passes, was stored by an earlier process; else it is a
  /// listening socket.
  package static func isStored(_ name: String) -> Bool {
    name == SessionArchive.storeName || name.hasPrefix(Service.storePrefix)
  }

  /// Takes over what an earlier process left with the service manager: the kept events of each user and, after a clean
  /// restart, the sessions.
  ///
  /// Damaged events and sessions are logged and dropped; a user whose events are dropped gets a ring with a new
  /// instance. Where `limits.users` is lower than it was, what is kept of the users beyond it is logged and dropped, too.
  /// The time to the idle exit begins here.
  ///
  /// - Parameter stored: The descriptors, each with the name that it was stored by; this owns them from now on.
  package func adopt(_ stored: [(descriptor: Int32, name: String)]) {
    var usersBeyondLimit: Set<UInt32> = []
    for (descriptor, name) in stored where name != SessionArchive.storeName {
      do throws(EventRing.Failure) {
        var ring = try EventRing.adopt(descriptor, now: shared.clock.monotonic())
        let userID = ring.userID
        guard places[userID] == nil, name == Service.storeName(of: userID) else {
          throw EventRing.Failure.damaged("it is not the one user's")
        }
        guard let account = account(of: userID) else {
          manager.removeStored(name: name)
          usersBeyondLimit.insert(userID)
          continue
        }
        guard ring.charge(to: account) else { throw EventRing.Failure.system(ENOMEM) }
        places[userID] = .parked(service(keeping: ring, account: account))
      } catch {
        manager.removeStored(name: name)
        shared.journal.storeDamaged("kept events \(name)", error)
      }
    }
    for (descriptor, name) in stored where name == SessionArchive.storeName {
      manager.removeStored(name: name)
      let (records, isWhole) = SessionArchive.read(adopting: descriptor)
      var refused = 0
      for record in records where !usersBeyondLimit.contains(record.userID) {
        switch adopt(record) {
        case true?: break
        case false?: refused += 1
        case nil: usersBeyondLimit.insert(record.userID)
        }
      }
      if !isWhole { shared.journal.storeDamaged("sessions", .damaged("a record is damaged")) }
      if refused > 0 {
        shared.journal.storeDamaged(
          "\(refused) of \(records.count) sessions",
          .damaged(
            """
            another version of contextdiffd kept them, they are damaged, or there is no memory for \
            their users' events
            """))
      }
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
  /// Those on a loop that has not stopped are left out, and those for which there is no memory, which is logged.
  package func archiveSessions() {
    let parked = places.values.lazy.compactMap { place -> Service? in
      if case .parked(let service) = place { service } else { nil }
    }
    let records = parked.flatMap { $0.giveUpSessions() }
    let written = SessionArchive.write(records)
    if written.lostCount > 0 {
      shared.journal.sessionsNotHandedOver(written.lostCount, because: written.failure)
    }
    guard let descriptor = written.descriptor else { return }
    manager.removeStored(name: SessionArchive.storeName)
    manager.store(descriptor: descriptor, name: SessionArchive.storeName)
    close(descriptor)
  }

  /// Replaces the settings.
  ///
  /// Clients and sessions stay, also beyond a new limit; kept events beyond `limits.keptEvents` are dropped.
  package func apply(_ settings: Settings, access: Access) {
    self.settings = settings
    self.access = access
    quota.apply(Quota.Limits(settings))
    for place in places.values {
      switch place {
      case .parked(let service): service.apply(settings, access: access)
      case .running(let running): running.apply(settings, access: access)
      // `park` applies them.
      case .ending: break
      }
    }
    scheduleIdleExit()
  }

  /// Stops: each user's loop answers the calls that have arrived, and sends subscribers the events that wait for them.
  ///
  /// - Parameters:
  ///   - limit: After what time to close the connections that are still open; zero closes them now, also where a stop
  ///     is under way.
  ///   - stopped: Called once, when every user's thread has ended, or a second after the limit where a thread hangs.
  package func stop(within limit: Duration, _ stopped: @escaping () -> Void) {
    drainTime = limit
    onStopped = stopped
    status?.cancel()
    trim?.cancel()
    idleExit?.cancel()
    refusals.tellLeftOut()
    for case .running(let running) in places.values { running.stop(within: limit) }
    stopIfAllAreParked()
    loop.schedule(after: limit + UserLoops.mostOfATurn) { [weak self] in self?.tellStopped() }
  }

  /// How long a stop waits after its limit for loops to end their turn.
  private static let mostOfATurn = Duration.seconds(1)

  private func stopIfAllAreParked() {
    if !isAnybodyActive { tellStopped() }
  }

  /// Calls the function of `stop`, once; before that there is none.
  private func tellStopped() {
    let stopped = onStopped
    onStopped = nil
    stopped?()
  }
}
