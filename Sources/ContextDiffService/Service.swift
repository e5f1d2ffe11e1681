internal import ContextDiff
internal import ContextDiffWire
package import JSON
package import Varlink

/// The daemon's side of `io.contextdiff` for one user: sessions, numbered events, subscribers.
///
/// Belongs to one thread at a time: to the user's loop while anybody of that user is connected, else
/// to the daemon's (``UserLoops``). So nothing here is locked, and events are in order for free. Each
/// call is answered before `handle` returns.
package final class Service: VarlinkHandler {
  /// The name under which the service manager keeps a user's events while no process runs.
  static func storeName(of userID: UInt32) -> String { "events-\(userID)" }

  let shared: Shared
  private(set) var settings: Settings
  private(set) var access: Access
  var classifier: Classifier
  /// Whose thread it belongs to.
  var loop: EpollLoop
  /// What it is served by; `nil` while nobody is connected.
  private(set) var server: VarlinkServer?
  /// How many clients it was given to serve since it has that server.
  private(set) var served = 0
  let user: User

  /// Whether subscribers have something to hear at the end of this turn.
  var isListed = false
  /// The number of the last event when the subscribers were served last.
  var servedUpTo = 0
  /// Whether subscribers only get what waits for them, and then are left.
  var isStopping = false
  /// Where an event is put into JSON once, for the ring, the reply and every subscriber.
  var scratch: JSONWriter {
    _read { yield exclusiveScratch.value }
    _modify { yield &exclusiveScratch.value }
  }
  /// Where of its pair is written what did not come as text, before it is known what happened.
  var pair: JSONWriter {
    _read { yield exclusivePair.value }
    _modify { yield &exclusivePair.value }
  }
  var timers = ServiceTimers()
  var clientEntries = ClientEntries()
  private let exclusiveScratch = Exclusive(JSONWriter())
  private let exclusivePair = Exclusive(JSONWriter())
  private let tally: Tally
  private var loopCharge: Charge
  /// Called when nobody has been connected for a while, with how many clients it was given.
  var onIdle: (_ served: Int) -> Void = { _ in }
  /// Called where it holds nothing any more, while it belongs to the daemon's loop.
  var onEmpty: () -> Void = {}

  var clock: Clock { shared.clock }
  var journal: ServiceJournal { shared.journal }

  /// The service of a user, without sessions.
  ///
  /// - Parameters:
  ///   - ring: Its kept events.
  ///   - account: What is charged with all that it holds.
  ///   - shared: What it has in common with others.
  ///   - settings: The limits and the rest.
  ///   - access: Who administers.
  ///   - loop: The loop that it belongs to.
  package init(
    ring: consuming EventRing, account: Account, shared: Shared, settings: Settings, access: Access,
    loop: EpollLoop
  ) {
    self.shared = shared
    self.settings = settings
    self.access = access
    self.loop = loop
    classifier = settings.classifier
    let userID = ring.userID
    user = User(id: userID, ring: ring, account: account)
    loopCharge = account.charge(.loops)
    tally = shared.tallies.tally(of: userID)
    publish()
  }

  // MARK: - Whose it is

  /// Charges its user with what a loop of its own takes: a thread's stack, as far as it is used, and
  /// the buffers of a server.
  ///
  /// - Returns: Whether there is memory for it.
  func chargeLoop() -> Bool { loopCharge.resize(to: Service.loopBytes) }

  /// In bytes; measured over 200 users who each had posted.
  private static let loopBytes = 96 << 10

  /// Belongs to the user's own loop, whose thread calls this, and is served there.
  package func begin(on loop: EpollLoop) {
    move(to: loop)
    served = 0
    // How many there may be is counted where they are accepted.
    server = VarlinkServer(
      info: shared.info, interfaces: [shared.interface], frameLimit: settings.limits.frameBytes,
      connectionLimit: .max, largeCalls: shared.largeCalls, handler: self, on: loop)
  }

  /// Belongs to the daemon's loop, whose thread calls this.
  func park(on loop: EpollLoop) {
    move(to: loop)
    // Less can always be had.
    _ = loopCharge.resize(to: 0)
    publish()
    user.sessions.forEach { logLeftOut(of: $0, user: user) }
    logLeftOut()
  }

  /// Ends what is due on the loop that it leaves; called on that one's thread.
  package func leaveLoop() {
    cancelTimers()
    server = nil
  }

  private func move(to loop: EpollLoop) {
    self.loop = loop
    scheduleExpiry()
  }

  /// Serves a client; its loop ends where there is none for a while.
  package func serve(_ socket: AcceptedSocket) {
    served += 1
    server?.serve(socket)
    scheduleIdle()
  }

  /// Goes on with other settings.
  func apply(_ settings: Settings, access: Access) {
    self.settings = settings
    self.access = access
    classifier = settings.classifier
    server?.frameLimit = settings.limits.frameBytes
    user.ring.letGo(beyond: settings.limits.keptEvents)
    publish()
    timers.expiry?.cancel()
    timers.expiry = nil
    scheduleExpiry()
  }

  /// Gives back what can be given back, the oldest first, until its user holds `limit` bytes at most:
  /// others have no memory left.
  func shrink(to limit: Int) {
    let over = user.account.heldBytes - limit
    guard over > 0 else { return }
    let text = user.sessions.heldBytes
    var forgotten = 0
    user.sessions.shrink(to: max(0, text - over)) {
      forgotten += 1
      logLeftOut(of: $0, user: user)
    }
    if forgotten > 0 {
      log(for: .user(user.id)) { $0.sessionsForgotten(forgotten, of: user.id) }
      scheduleStatus()
    }
    let events = user.account.held(.events)
    user.ring.shrink(to: max(0, events - max(0, user.account.heldBytes - limit)))
    publish()
  }

  /// Tells others what it holds now.
  func publish() {
    tally.update { counts in
      counts.pairs = user.pairs
      counts.sessions = user.sessions.count
      counts.subscribers = user.subscribers.count
      counts.connections = user.connections
      counts.eventsKept = user.ring.count - user.ring.forgottenCount
      counts.eventsLost = user.eventsLost
    }
  }

  // MARK: - Connections

  package func connectionOpened(_ connection: VarlinkConnection) -> Bool {
    user.connections += 1
    connection.userInfo = Client(connection: connection, user: user)
    if logsConnections { log(for: .user(user.id)) { $0.clientConnected(connection.peer) } }
    timers.idle?.cancel()
    timers.idle = nil
    scheduleStatus()
    return true
  }

  private var logsConnections: Bool { settings.logConnections && journal.isLoggingInfo }

  package func connectionClosed(_ connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    connection.userInfo = nil
    client.user.connections -= 1
    countLoss(of: client)
    logLoss(of: client)
    client.user.subscribers.remove(client)
    if isStopping { isListed = true }
    if logsConnections {
      log(for: .user(client.user.id)) { $0.clientGone(connection.peer) }
    }
    scheduleStatus()
    scheduleIdle()
  }

  package func connectionRefused(_ peer: PeerCredentials, because reason: ConnectionRefusal) {
    log(for: .user(user.id)) { $0.connectionRefused(peer, because: "\(reason)") }
  }

  package func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection) {
    log(for: .user(connection.peer.userID)) { $0.badFrame(reason, from: connection.peer) }
  }

  func client(of connection: VarlinkConnection) -> Client? {
    // Nothing else is ever put there.
    // Unsafe: only `connectionOpened` sets it, to a client.
    connection.userInfo.map { unsafe unsafeDowncast($0, to: Client.self) }
  }

  // MARK: - Calls

  package func handle(_ call: VarlinkCall, on connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    do throws(CallError) {
      switch shared.methods[call.method] {
      case .classify: classify(try pair(.classify, of: call), for: client)
      case .post: try post(try pair(.post, of: call), for: client)
      case .expect: try expect(call, for: client)
      case .withdraw: try withdraw(call, for: client)
      case .subscribe: try subscribe(call, for: client)
      case .forget: try forget(call, for: client)
      case .listSessions: try listSessions(call, for: client)
      case .getStatistics: try getStatistics(call, for: client)
      }
    } catch {
      refuse(shared.methods[call.method], for: client, because: error)
    }
  }

  package func handle(
    _ parameters: inout JSONCursor, interface: Int, method: Int, on connection: VarlinkConnection
  ) -> Bool {
    guard let client = client(of: connection) else { return false }
    var pair = PairParameters.View()
    let fieldLimit = settings.limits.fieldBytes
    switch shared.methods[method] {
    case .classify:
      guard pair.read(.classify, from: &parameters, fieldLimit: fieldLimit), parameters.isAtEnd
      else { return false }
      classify(pair, for: client)
    case .post:
      guard pair.read(.post, from: &parameters, fieldLimit: fieldLimit), parameters.isAtEnd
      else { return false }
      do throws(CallError) {
        try post(pair, for: client)
      } catch {
        refuse(.post, for: client, because: error)
      }
    default: return false
    }
    return true
  }

  /// Answers a call with what is wrong with it.
  private func refuse(_ method: Interface.Method, for client: Client, because error: CallError) {
    if let limit = error.limitReached {
      log(for: .user(client.user.id)) { $0.limitReached(limit, by: client.connection.peer) }
    } else if case .parameters(let error) = error {
      log(for: .user(client.user.id)) {
        $0.callRefused(method.rawValue, because: error, by: client.connection.peer)
      }
    }
    client.connection.reply(error)
  }
}
