internal import CLinux
internal import ContextDiffWire
internal import Glibc
package import Logging
internal import Synchronization
package import Systemd
package import Varlink

/// The users of the daemon, each with a loop of its own, on a thread, while it is connected.
///
/// Belongs to the daemon's loop: who may connect is decided here, and each client that may is handed
/// to its user's loop. Where nobody of a user has been connected for a while, its thread ends, and
/// its service is kept here for as long as it holds anything.
package final class UserLoops {
  /// Where a user's service is.
  private enum Place {
    /// Here: nobody of the user is connected.
    case parked(Service)
    /// On its own thread.
    case running(UserLoop)
    /// On its way back; these clients have come meanwhile.
    case ending(UserLoop, waiting: [AcceptedSocket])
  }

  /// The way from users' threads back to this object, which is used on the daemon's thread only.
  ///
  /// `@unchecked`: what is submitted to the daemon's loop is called on its thread.
  private final class Link: @unchecked Sendable {
    weak var loops: UserLoops?
  }

  package private(set) var settings: Settings
  private var access: Access
  private let loop: EpollLoop
  private let shared: Shared
  /// Keeps the events' memory from one process to the next, and shows the status line.
  private let manager: ServiceManager
  private let link = Link()
  private var places: [UInt32: Place] = [:]
  private let quota: Quota
  /// The run that counts the events of the users who come while it lasts.
  private var instance: String
  /// The numbers of the last events of users who hold nothing any more: their next ones follow.
  private var lastSequences: [UInt32: Int] = [:]
  private let refusals: Refusals
  private var status: EpollLoop.Timer?
  private var trim: EpollLoop.Timer?
  private var idleExit: EpollLoop.Timer?
  /// After what time a loop that is stopping closes what is still open; `nil` while none stops.
  private var drainTime: Duration?
  private var onStopped: (() -> Void)?
  /// Called once nobody has been connected for as long as the settings say.
  package var onIdle: () -> Void = {}

  /// No users.
  ///
  /// - Parameters:
  ///   - settings: The limits and the rest.
  ///   - access: Who may connect.
  ///   - info: What `GetInfo` says.
  ///   - loop: The daemon's loop; everything is called on it.
  ///   - manager: The service manager.
  ///   - logger: Where entries go.
  ///   - clock: What time it is.
  /// - Throws: Where there is no descriptor left, or the interface's description cannot be read.
  package init(
    settings: Settings, access: Access, info: VarlinkServiceInfo, loop: EpollLoop,
    manager: ServiceManager, logger: Logger, clock: Clock = .system
  ) throws {
    self.settings = settings
    self.access = access
    self.loop = loop
    self.manager = manager
    quota = Quota(Quota.Limits(settings))
    instance = try ID128.random()
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

  /// Hands a client to its user's loop, or turns it away.
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
        start(try service(of: peer.userID, account: account), for: [socket])
      } catch {
        refuse(socket, because: "no memory for its events: \(error)")
        scheduleIdleExit()
      }
    }
  }

  private func refuse(_ socket: AcceptedSocket, because reason: String) {
    let running: UserLoop? =
      if case .running(let running) = places[socket.peer.userID] { running } else { nil }
    refusals.refuse(
      socket, because: reason, closingOn: running, spareDescriptors: settings.spareDescriptors)
  }

  /// A new service of a user who has none, with an empty ring; it is not anywhere yet.
  private func service(of userID: UInt32, account: Account) throws -> Service {
    var ring = try EventRing(
      userID: userID, instance: instance, capacity: settings.limits.keptEventsBytes,
      after: lastSequences[userID] ?? 0)
    guard ring.charge(to: account) else { throw EventRing.Failure.system(ENOMEM) }
    lastSequences[userID] = nil
    manager.store(descriptor: ring.descriptor, name: Service.storeName(of: userID))
    return service(keeping: ring, account: account)
  }

  /// Beyond so many users who have gone, another instance begins for those who come.
  private static let mostLastSequences = 1 << 16

  private func account(of userID: UInt32) -> Account? {
    quota.account(of: userID, isAdministrator: access.isAdministrator(userID))
  }

  /// An account for one more user than there may be, in the place of the one who holds the least of those who are not connected.
  ///
  /// These may all be one person's (subuid(5)), who need not do anything any more.
  private func accountInPlaceOfAnother(of userID: UInt32) -> Account? {
    let away = places.values.compactMap { place -> (id: UInt32, bytes: Int)? in
      guard case .parked(let service) = place else { return nil }
      let user = service.user
      return access.isAdministrator(user.id) ? nil : (user.id, user.account.heldBytes)
    }
    guard places.count - away.count < settings.limits.users else { return nil }
    // After one, unless the limit was higher, or an administrator has come beyond it.
    for other in away.sorted(by: { $0.bytes < $1.bytes }) {
      forget(other.id)
      refusals.log { $0.userForgotten(other.id, limit: settings.limits.users) }
      if let account = account(of: userID) { return account }
    }
    return nil
  }

  private func service(keeping ring: consuming EventRing, account: Account) -> Service {
    let (link, main, userID) = (link, shared.main, ring.userID)
    let service = Service(
      ring: ring, account: account, shared: shared, settings: settings, access: access, loop: loop)
    service.onIdle = { served in main.submit { link.loops?.end(userID, ifServed: served) } }
    service.onEmpty = { link.loops?.forget(userID) }
    return service
  }

  // MARK: - Threads

  /// Has a service go on on a thread of its own, with these clients.
  private func start(_ service: Service, for sockets: [AcceptedSocket]) {
    let userID = service.user.id
    let (link, main) = (link, shared.main)
    guard service.chargeLoop() else {
      for socket in sockets { refuse(socket, because: "no memory is left for its user") }
      return park(service)
    }
    service.cancelTimers()
    do {
      let running = try UserLoop(of: service) { service in
        // Nothing of it is used on the thread that hands it over.
        nonisolated(unsafe) let service = service
        // Unsafe: only the main loop's thread uses it.
        main.submit { unsafe link.loops?.park(service) }
      }
      places[userID] = .running(running)
      for socket in sockets { running.serve(socket) }
      if let drainTime { running.stop(within: drainTime) }
    } catch {
      for socket in sockets { refuse(socket, because: "no thread for its user: \(error)") }
      park(service)
    }
  }

  /// Ends a user's thread, where no client has been handed to it since it said that it is idle.
  private func end(_ userID: UInt32, ifServed served: Int) {
    guard case .running(let running) = places[userID], running.served == served else { return }
    running.end()
    places[userID] = .ending(running, waiting: [])
  }

  /// Takes over a service whose thread has ended.
  private func park(_ service: Service) {
    let userID = service.user.id
    let waiting =
      if case .ending(_, let waiting) = places[userID] { waiting } else { [] as [AcceptedSocket] }
    places[userID] = .parked(service)
    service.park(on: loop)
    // Others may hold since it was told last.
    service.apply(settings, access: access)
    guard waiting.isEmpty else { return start(service, for: waiting) }
    if service.user.isForgettable { forget(userID) }
    scheduleTrim()
    scheduleStatus()
    scheduleIdleExit()
    stopIfAllAreParked()
  }

  /// Lets go of a user who is not connected, and of what is kept of it.
  private func forget(_ userID: UInt32) {
    guard case .parked(let service) = places[userID] else { return }
    service.cancelTimers()
    places[userID] = nil
    // Of another instance, the next numbers begin anew.
    let user = service.user
    if user.ring.lastSequence > 0, user.ring.instance.utf8.elementsEqual(instance.utf8) {
      if lastSequences.count >= UserLoops.mostLastSequences, let other = try? ID128.random() {
        lastSequences = [:]
        instance = other
      }
      lastSequences[userID] = user.ring.lastSequence
    }
    shared.tallies.forget(userID)
    manager.removeStored(name: Service.storeName(of: userID))
    scheduleTrim()
    scheduleStatus()
  }

  private var isAnybodyActive: Bool {
    places.values.contains { if case .parked = $0 { false } else { true } }
  }

  /// Whether each user's loop sleeps, or has ended a turn since this was asked last.
  package func loopsGetOn() -> Bool {
    var getOn = true
    for case .running(let running) in places.values where !running.getsOn() { getOn = false }
    return getOn
  }

  /// Has users give back what they hold beyond their part, where others have no memory left.
  private func relieve() {
    let (part, accounts) = quota.accountsOverTheirPart
    for account in accounts {
      switch places[account.userID] {
      case .parked(let service): service.shrink(to: part)
      case .running(let running): running.shrink(to: part)
      case .ending, nil: break
      }
    }
    loop.schedule(after: .milliseconds(100)) { [weak self] in self?.quota.isRelieved() }
  }

  // MARK: - Later

  private func scheduleStatus() {
    guard status == nil, drainTime == nil else { return }
    status = loop.schedule(after: .seconds(1)) { [unowned self] in
      status = nil
      shared.statusIsTold()
      manager.status(statusLine)
    }
  }

  /// One line for `systemctl status`.
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

  /// Gives the kernel back the memory that is free between what is still in use (malloc_trim(3)).
  ///
  /// On a thread of its own: it takes about 100 µs for each MiB of small things, while who connects
  /// is not to wait.
  private func scheduleTrim() {
    guard trim == nil, drainTime == nil else { return }
    trim = loop.schedule(after: .seconds(1)) { [unowned self] in
      trim = nil
      quota.isTrimmed()
      do { try DetachedThread.start { clinux_trim_memory() } } catch { scheduleTrim() }
    }
  }

  /// Ends the daemon after the time set, where nobody is connected.
  private func scheduleIdleExit() {
    idleExit?.cancel()
    idleExit = nil
    guard settings.idleExitSeconds > 0, !isAnybodyActive, drainTime == nil else { return }
    idleExit = loop.schedule(after: .seconds(settings.idleExitSeconds)) { [unowned self] in
      onIdle()
    }
  }
}

// MARK: - From one process, and from one settings file, to the next

extension UserLoops {
  /// Takes over what an earlier process left with the service manager: every user's kept events
  /// and, after a clean restart, the sessions.
  ///
  /// What is damaged is reported and let go of, so that a new instance begins. From here on nobody
  /// being connected counts as idle.
  ///
  /// - Parameter stored: The descriptors with the names they were stored by; all are taken.
  package func adopt(_ stored: [(descriptor: Int32, name: String)]) {
    for (descriptor, name) in stored where name != SessionArchive.storeName {
      do throws(EventRing.Failure) {
        var ring = try EventRing.adopt(descriptor, now: shared.clock.monotonic())
        let userID = ring.userID
        guard places[userID] == nil, name == Service.storeName(of: userID) else {
          throw EventRing.Failure.damaged("it is not the one user's")
        }
        guard let account = account(of: userID) else {
          throw EventRing.Failure.damaged("there are more users than limits.users")
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
      let refused = records.count { !adopt($0) }
      if !isWhole { shared.journal.storeDamaged("sessions", .damaged("a record is damaged")) }
      if refused > 0 {
        shared.journal.storeDamaged(
          "\(refused) of \(records.count) sessions",
          .damaged("they are damaged, or there is no memory for their users' events"))
      }
    }
    for case .parked(let service) in places.values {
      service.park(on: loop)
      // Of a user whose sessions are all refused nothing is held.
      if service.user.isForgettable { forget(service.user.id) }
    }
    scheduleIdleExit()
  }

  private func adopt(_ record: SessionArchive.Record) -> Bool {
    if case .parked(let service) = places[record.userID] { return service.adopt(record) }
    guard let account = account(of: record.userID),
      let service = try? service(of: record.userID, account: account)
    else { return false }
    places[record.userID] = .parked(service)
    return service.adopt(record)
  }

  /// Leaves the sessions with the service manager for the next process; those of a loop that has
  /// not stopped are left out.
  package func archiveSessions() {
    let parked = places.values.lazy.compactMap { place -> Service? in
      if case .parked(let service) = place { service } else { nil }
    }
    let records = parked.flatMap { $0.giveUpSessions() }
    guard let descriptor = SessionArchive.write(records) else { return }
    manager.removeStored(name: SessionArchive.storeName)
    manager.store(descriptor: descriptor, name: SessionArchive.storeName)
    close(descriptor)
  }

  /// Goes on with other settings.
  ///
  /// Clients and sessions stay; what is over a new limit stays too until it goes by itself, but for kept events.
  package func apply(_ settings: Settings, access: Access) {
    self.settings = settings
    self.access = access
    quota.apply(Quota.Limits(settings))
    for place in places.values {
      switch place {
      case .parked(let service): service.apply(settings, access: access)
      case .running(let running): running.apply(settings, access: access)
      // It gets them when it is back.
      case .ending: break
      }
    }
    scheduleIdleExit()
  }

  /// Ends: each loop gives its subscribers what waits for them, and answers what has arrived.
  ///
  /// - Parameters:
  ///   - limit: After what time to close whatever is still open; zero for at once, also where a stop
  ///     is under way.
  ///   - stopped: Called, once, when every user's thread has ended, or a second after the limit: one that hangs
  ///     is not waited for.
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

  /// A loop that takes longer than that to end its turn, and be parked, is not waited for at the end.
  private static let mostOfATurn = Duration.seconds(1)

  private func stopIfAllAreParked() {
    if drainTime != nil, !isAnybodyActive { tellStopped() }
  }

  private func tellStopped() {
    let stopped = onStopped
    onStopped = nil
    stopped?()
  }
}
