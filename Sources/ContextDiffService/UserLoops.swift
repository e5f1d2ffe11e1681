internal import Glibc
package import Logging
package import Systemd
package import Varlink

/// The users of the daemon, each with a service, which has a loop and a thread of its own while the user is connected.
///
/// Belongs to the daemon's loop. It decides which clients may connect, and hands each of these to the loop of the
/// client's user. A second after a user's last connection has closed, the thread ends, and the service is kept here
/// for as long as it holds anything.
package final class UserLoops {
  /// Where a user's service is.
  enum Place {
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
  private(set) var access: Access
  let loop: EpollLoop
  package let shared: Shared
  /// Keeps the memory of events from one process to the next, and shows the status line.
  let manager: ServiceManager
  private let link = Link()
  /// By user ID.
  var places: [UInt32: Place] = [:]
  let quota: Quota
  /// Where the events of forgotten users ended.
  private var lastSequences: LastSequences
  let refusals: Refusals
  let unread: UnreadSockets
  /// Runs while a status line is to be sent.
  var status: EpollLoop.Timer?
  /// Runs while memory is to be given back to the kernel.
  var trim: EpollLoop.Timer?
  /// Runs while nobody is connected, if `idleExitSeconds` is set.
  var idleExit: EpollLoop.Timer?
  /// The limit of a stop, after which connections are closed; `nil` before `stop(within:_:)`.
  private(set) var drainTime: Duration?
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
    unread = UnreadSockets(on: loop)
    link.loops = self
    unread.onEmpty = { link.loops?.scheduleIdleExit() }
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
  /// Throws `KeptMemoryError` where there is no memory for the ring.
  func service(of userID: UInt32, account: Account) throws -> Service {
    let last = lastSequences.last(of: userID)
    var ring = try EventRing(
      userID: userID, instance: last.instance, capacity: settings.limits.keptEventsBytes,
      after: last.sequence)
    guard ring.charge(to: account) else { throw KeptMemoryError.system(ENOMEM) }
    lastSequences.remove(userID)
    manager.store(descriptor: ring.descriptor, name: Service.storeName(of: userID))
    return service(keeping: ring, account: account)
  }

  /// Makes a service with that ring, which reports to this object when it is idle or empty.
  func service(keeping ring: consuming EventRing, account: Account) -> Service {
    let (link, main, userID) = (link, shared.main, ring.userID)
    let service = Service(
      ring: ring, account: account, shared: shared, settings: settings, access: access, loop: loop)
    service.onIdle = { served in main.submit { link.loops?.end(userID, ifServed: served) } }
    service.onEmpty = { link.loops?.forget(userID) }
    service.onUnread = { socket in main.submit { link.loops?.unread.keep(socket) } }
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
  func forget(_ userID: UInt32) {
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

  var isAnybodyActive: Bool {
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

  // MARK: - Reload and stop

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
    // A loop that waits there would not hear of the stop.
    shared.largeCalls.letAllThrough()
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
