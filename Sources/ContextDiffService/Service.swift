internal import ContextDiff
internal import ContextDiffWire
package import JSON
package import Varlink

/// The daemon's side of `io.contextdiff` for one user: sessions, numbered events, subscribers.
///
/// Belongs to one loop at a time, and is used on that loop's thread alone: the user's loop while clients of the user
/// are connected, else the daemon's (``UserLoops``). So nothing here needs a lock, and events are in order. Each call
/// is answered before `handle` returns.
package final class Service: VarlinkHandler {
  /// The name under which the service manager keeps the descriptor of a user's events from one process to the next.
  static func storeName(of userID: UInt32) -> String { "\(storePrefix)\(userID)" }
  /// What each of these names begins with.
  static let storePrefix = "events-"

  let shared: Shared
  private(set) var settings: Settings
  private(set) var access: Access
  var classifier: Classifier
  /// The loop that it belongs to.
  var loop: EpollLoop
  /// Reads the connections on the user's loop; `nil` while the service belongs to the daemon's loop.
  private(set) var server: VarlinkServer?
  /// How many clients it was given to serve since it has this server.
  private(set) var served = 0
  let user: User

  /// Whether `serveSubscribers` is to be called at the end of this turn.
  var isServingDue = false
  /// The number of the last event when `serveSubscribers` was last called.
  var servedUpTo = 0
  /// Whether the service is stopping: subscribers are sent what waits for them, and then are closed.
  var isStopping = false
  /// Writes the JSON of a transition, once for the ring, the reply and every subscriber.
  var transitionWriter: JSONWriter {
    _read { yield exclusiveTransitionWriter.value }
    _modify { yield &exclusiveTransitionWriter.value }
  }
  /// Writes the JSON that a posted pair adds to its event (`pairText`), before the engine reads the pair.
  var pairWriter: JSONWriter {
    _read { yield exclusivePairWriter.value }
    _modify { yield &exclusivePairWriter.value }
  }
  var timers = ServiceTimers()
  var clientEntries = ClientEntries(entriesPerSecond: ClientEntries.entriesPerSecond)
  private let exclusiveTransitionWriter = Exclusive(JSONWriter())
  private let exclusivePairWriter = Exclusive(JSONWriter())
  private let tally: Tally
  private var loopCharge: Charge
  /// Called when nobody has been connected for `linger`, with `served`.
  var onIdle: (_ served: Int) -> Void = { _ in }
  /// Called when its user holds nothing any more, while it belongs to the daemon's loop.
  var onEmpty: () -> Void = {}
  /// Called with the socket of a connection that has ended, of which the client has not read all that it was sent.
  var onUnread: (AcceptedSocket) -> Void = { _ in }

  var clock: Clock { shared.clock }
  var journal: ServiceJournal { shared.journal }

  /// The service of the ring's user, without sessions.
  ///
  /// - Parameters:
  ///   - ring: The user's kept events.
  ///   - account: Is charged with all that the user holds.
  ///   - shared: What the services of all users share.
  ///   - settings: The settings.
  ///   - access: Tells whether the user is an administrator.
  ///   - loop: The loop that it belongs to at first.
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

  // MARK: - Its loop, settings and memory

  /// Charges the user with a loop of its own: the part of the thread's stack that is used, and the server's buffers.
  ///
  /// - Returns: Whether the user may hold so much.
  func chargeLoop() -> Bool { loopCharge.resize(to: Service.loopBytes) }

  /// What a loop takes, in bytes; measured over 200 users who each had posted.
  private static let loopBytes = 96 << 10

  /// Makes the service belong to the user's own loop, with a server there; called on that loop's thread.
  package func begin(on loop: EpollLoop) {
    move(to: loop)
    served = 0
    // The number of connections is bounded where they are accepted (`UserLoops`).
    server = VarlinkServer(
      info: shared.info, interfaces: [shared.interface], frameLimit: settings.limits.frameBytes,
      connectionLimit: .max, largeCalls: shared.largeCalls, handler: self, on: loop)
  }

  /// Makes the service belong to the daemon's loop; called on that loop's thread.
  func park(on loop: EpollLoop) {
    move(to: loop)
    // A charge can always be made smaller.
    _ = loopCharge.resize(to: 0)
    publish()
    logAllLeftOut()
  }

  /// Cancels the timers, and ends the server; called on the thread of the loop that the service leaves.
  package func leaveLoop() {
    cancelTimers()
    server = nil
  }

  private func move(to loop: EpollLoop) {
    self.loop = loop
    planExpiry()
  }

  /// Serves a client.
  package func serve(_ socket: AcceptedSocket) {
    served += 1
    server?.serve(socket)
    // The client may have gone already, and no other be connected.
    scheduleIdle()
  }

  /// Replaces the settings; of the events, those beyond the new `limits.keptEvents` are dropped.
  func apply(_ settings: Settings, access: Access) {
    self.settings = settings
    self.access = access
    classifier = settings.classifier
    server?.frameLimit = settings.limits.frameBytes
    user.ring.drop(beyond: settings.limits.keptEvents)
    publish()
    planExpiry()
  }

  /// Forgets sessions, then drops events, the oldest first, until its user holds at most `limit` bytes, or neither is
  /// left but the last event.
  ///
  /// For when other users have no memory left.
  func shrink(to limit: Int) {
    let excess = user.account.heldBytes - limit
    guard excess > 0 else { return }
    let text = user.sessions.heldBytes
    var forgotten = 0
    user.sessions.shrink(to: max(0, text - excess)) {
      forgotten += 1
      logLeftOut(of: $0)
    }
    if forgotten > 0 {
      log { $0.sessionsForgotten(forgotten, of: user.id) }
      scheduleStatus()
    }
    let events = user.account.held(.events)
    user.ring.shrink(to: max(0, events - max(0, user.account.heldBytes - limit)))
    publish()
  }

  /// Updates the counts that other threads see.
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
    connection.userInfo = Client(connection: connection, account: user.account)
    if logsConnections { log { $0.clientConnected(connection.peer) } }
    timers.idle?.cancel()
    timers.idle = nil
    scheduleStatus()
    return true
  }

  private var logsConnections: Bool { settings.logConnections && journal.isLoggingInfo }

  package func connectionClosed(_ connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    connection.userInfo = nil
    user.connections -= 1
    countLoss(of: client)
    logLoss(of: client)
    user.subscribers.remove(client)
    if isStopping { isServingDue = true }
    if logsConnections {
      log { $0.clientGone(connection.peer) }
    }
    scheduleStatus()
    scheduleIdle()
  }

  package func leftUnread(_ socket: AcceptedSocket) { onUnread(socket) }

  package func connectionRefused(_ peer: PeerCredentials, because reason: ConnectionRefusal) {
    log { $0.connectionRefused(peer, because: "\(reason)") }
  }

  package func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection) {
    log { $0.badFrame(reason, from: connection.peer) }
  }

  func client(of connection: VarlinkConnection) -> Client? {
    // Unsafe: only `connectionOpened` sets it, to a `Client`.
    connection.userInfo.map { unsafe unsafeDowncast($0, to: Client.self) }
  }

  // MARK: - Calls

  package func handle(_ call: VarlinkCall, on connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    do throws(CallError) {
      switch shared.methods[call.method] {
      case .classify: classify(try readPair(.classify, of: call), for: client)
      case .post:
        try post(try readPair(.post, of: call), after: client.lastSession, for: client)
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
      let last = client.lastSession
      let isRead =
        if let last {
          pair.readPost(
            from: &parameters, likelyStart: last.postStart, fieldLimit: fieldLimit)
        } else { pair.read(.post, from: &parameters, fieldLimit: fieldLimit) }
      guard isRead, parameters.isAtEnd else { return false }
      do throws(CallError) {
        try post(pair, after: last, for: client)
      } catch {
        refuse(.post, for: client, because: error)
      }
    default: return false
    }
    return true
  }

  /// Answers a call with an error, and logs one about a limit or a parameter.
  private func refuse(_ method: Interface.Method, for client: Client, because error: CallError) {
    if let limit = error.limitReached {
      log { $0.limitReached(limit, by: client.connection.peer) }
    } else if case .parameters(let error) = error {
      log {
        $0.callRefused(method.rawValue, because: error, by: client.connection.peer)
      }
    }
    client.connection.reply(error)
  }
}
