internal import ContextDiff
internal import ContextDiffWire
package import Logging
internal import Systemd
internal import JSON
package import Varlink

/// The daemon's side of `io.contextdiff`: sessions by user, numbered events, subscribers.
///
/// Belongs to one loop, which its server runs on: nothing here is locked, and events are in
/// order for free. Each call is answered before `handle` returns.
package final class Service: VarlinkHandler {
  /// The name under which the service manager keeps a user's events while no process runs.
  static func storeName(of userID: UInt32) -> String { "events-\(userID)" }

  /// What it serves.
  package let interface: VarlinkInterface
  package internal(set) var settings: Settings
  package internal(set) var access: Access
  var classifier: Classifier
  let loop: EpollLoop
  let clock: Clock
  let journal: ServiceJournal
  let startedAt: Int

  var users: [UInt32: User] = [:]
  /// Whether subscribers only get what waits for them, and then are left.
  var isStopping = false
  /// The users whose subscribers have something to hear at the end of this turn.
  var listed: [User] = []
  /// Where an event is put into JSON once, for the ring, the reply and every subscriber.
  var scratch = JSONWriter()
  /// Where its snapshots are, before it is known what happened between them.
  var pair = JSONWriter()
  let methods: [Interface.Method]
  var timers = Timers()
  var clientEntries = ClientEntries()
  /// Called once nobody has been connected for as long as the settings say.
  package var onIdle: () -> Void = {}

  /// A service without users.
  ///
  /// - Parameters:
  ///   - settings: The limits and the rest.
  ///   - access: Who may connect.
  ///   - loop: The loop of the server that it serves; everything is called on it.
  ///   - logger: Where its entries go.
  ///   - clock: What time it is.
  /// - Throws: Where the interface's description cannot be read.
  package init(
    settings: Settings, access: Access, loop: EpollLoop, logger: Logger,
    clock: Clock = .system
  ) throws {
    self.settings = settings
    self.access = access
    self.loop = loop
    self.clock = clock
    classifier = settings.classifier
    journal = ServiceJournal(logger: logger)
    startedAt = clock.time()
    interface = try VarlinkInterface(description: Interface.description)
    methods = interface.methods.map { name in
      guard let method = Interface.Method(rawValue: name) else {
        preconditionFailure("the interface's method \(name) is not implemented")
      }
      return method
    }
  }

  // MARK: - Connections

  package func connectionOpened(_ connection: VarlinkConnection) -> Bool {
    let peer = connection.peer
    guard
      access.allows(
        userID: peer.userID, groupID: peer.groupID, groups: { connection.supplementaryGroups })
    else {
      log(for: .refused) { $0.connectionRefused(peer, because: "its user may not connect") }
      return false
    }
    do {
      let user = try user(peer.userID)
      let limit = access.connections(of: user.id, within: settings.limits.connections)
      guard user.connections < limit else {
        log(for: .refused) {
          $0.connectionRefused(
            peer, because: "its user's share of limits.connections, \(limit), is reached")
        }
        return false
      }
      user.connections += 1
      connection.userInfo = Client(connection: connection, user: user)
    } catch {
      log(for: .refused) {
        $0.connectionRefused(peer, because: "no memory for its events: \(error)")
      }
      return false
    }
    if logsConnections { log(for: .user(peer.userID)) { $0.clientConnected(peer) } }
    timers.idleExit?.cancel()
    scheduleStatus()
    return true
  }

  private var logsConnections: Bool { settings.logConnections && journal.isLoggingInfo }

  package func connectionRefused(_ peer: PeerCredentials) {
    let limit = settings.limits.connections
    log(for: .refused) {
      $0.connectionRefused(peer, because: "limits.connections, \(limit), is reached")
    }
  }

  package func connectionClosed(_ connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    connection.userInfo = nil
    client.user.connections -= 1
    client.user.removeSubscriber(client)
    if isStopping { list(client.user) }
    forgetIfEmpty(client.user)
    if logsConnections {
      log(for: .user(client.user.id)) { $0.clientGone(connection.peer) }
    }
    scheduleStatus()
    scheduleTrim()
    scheduleIdleExit()
  }

  package func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection) {
    log(for: .user(connection.peer.userID)) { $0.badFrame(reason, from: connection.peer) }
  }

  func client(of connection: VarlinkConnection) -> Client? {
    // Nothing else is ever put there.
    connection.userInfo.map { unsafeDowncast($0, to: Client.self) }
  }

  /// The user of that id, with an empty ring where there was none.
  func user(_ id: UInt32) throws -> User {
    if let user = users[id] { return user }
    let ring = try EventRing(
      userID: id, instance: ID128.random(), capacity: settings.limits.keptEventsBytes)
    ServiceManager.store(descriptor: ring.descriptor, name: Service.storeName(of: id))
    let user = User(id: id, ring: ring)
    users[id] = user
    return user
  }

  func forgetIfEmpty(_ user: User) {
    guard user.isForgettable else { return }
    users[user.id] = nil
    ServiceManager.removeStored(name: Service.storeName(of: user.id))
  }

  // MARK: - Calls

  package func handle(_ call: VarlinkCall, on connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    do throws(CallError) {
      switch methods[call.method] {
      case .classify: try classify(call, for: client)
      case .post: try post(call, for: client)
      case .expect: try expect(call, for: client)
      case .withdraw: try withdraw(call, for: client)
      case .subscribe: try subscribe(call, for: client)
      case .forget: try forget(call, for: client)
      case .listSessions: try listSessions(call, for: client)
      case .getStatistics: try getStatistics(call, for: client)
      }
    } catch {
      if let limit = error.limitReached {
        log(for: .user(client.user.id)) { $0.limitReached(limit, by: connection.peer) }
      } else if case .parameters(let error) = error {
        let method = methods[call.method].rawValue
        log(for: .user(client.user.id)) {
          $0.callRefused(method, because: error, by: connection.peer)
        }
      }
      connection.reply(error)
    }
  }
}
