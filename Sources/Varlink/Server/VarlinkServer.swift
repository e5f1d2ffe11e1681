/// Serves Varlink interfaces over Unix sockets.
///
/// A server and its handler belong to one loop: they are made, used and called back on its thread. A server that
/// listens or serves must be kept until it has stopped. It listens itself, or serves clients that a ``VarlinkListener``
/// on another loop has accepted.
///
/// What the specification (<https://varlink.org/Method-Call>) leaves open is decided as sd-varlink does:
///
/// - A call with a member that Varlink does not know, with one of the wrong type, or with both `more` and `oneway` is
///   no call, and ends its connection.
/// - A frame in which an object has two members of one name is no JSON, and ends its connection too.
/// - A connection cannot be upgraded to another protocol: a call that asks for it is answered with
///   `MethodNotImplemented`.
/// - `MethodNotFound` names the method in full.
public final class VarlinkServer {
  /// How many bytes a frame may have, its NUL not counted.
  ///
  /// May be changed at any time, for frames that are read from then on.
  public var frameLimit: Int {
    get { core.frameLimit }
    set { core.frameLimit = newValue }
  }
  /// How many connections there may be at a time.
  ///
  /// May be changed at any time; connections beyond a lower limit stay.
  public var connectionLimit: Int

  private let loop: EpollLoop
  private let core: ServerCore
  private lazy var listener = VarlinkListener(on: loop) { [unowned self] in serve($0) }
  /// What `shutDown` was given, to be called when the last connection is closed.
  private var onStopped: [() -> Void] = []
  private var deadline: EpollLoop.Timer?

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - info: what `GetInfo` says.
  ///   - interfaces: the handler's interfaces; `org.varlink.service` is the server's own.
  ///   - frameLimit: how many bytes a frame may have, its NUL not counted.
  ///   - connectionLimit: how many connections there may be at a time.
  ///   - largeCalls: limits how many large calls are answered at a time, shared by the servers of several loops; `nil`
  ///     for no limit.
  ///   - handler: answers the calls.
  ///   - loop: the loop on whose thread the server is used.
  public init(
    info: VarlinkServiceInfo, interfaces: [VarlinkInterface], frameLimit: Int,
    connectionLimit: Int, largeCalls: LargeCalls? = nil, handler: any VarlinkHandler,
    on loop: EpollLoop
  ) {
    self.loop = loop
    self.connectionLimit = connectionLimit
    core = ServerCore(
      info: info, interfaces: interfaces, frameLimit: frameLimit, largeCalls: largeCalls,
      handler: handler, loop: loop)
    loop.atEndOfTurns { [weak self] in self?.endTurn() }
  }

  /// How many connections there are.
  package var connectionCount: Int { core.connections.count }

  // MARK: Listening

  /// Listens at a path.
  ///
  /// - Parameters:
  ///   - path: the path of the socket's file, at most 107 bytes; its folder must exist, and the file must not.
  ///   - mode: the file's permissions, whatever the umask is.
  /// - Throws: ``VarlinkSocketError``.
  public func listen(at path: String, mode: UInt32) throws(VarlinkSocketError) {
    try listener.listen(at: path, mode: mode)
  }

  /// Accepts clients on a socket that listens already, such as one that systemd has passed.
  ///
  /// - Parameter descriptor: the socket's descriptor, which the server closes when it stops.
  /// - Throws: ``VarlinkSocketError``; the caller keeps the descriptor then.
  public func listen(on descriptor: CInt) throws(VarlinkSocketError) {
    try listener.listen(on: descriptor)
  }

  // MARK: Connections

  /// Serves a client that has been accepted, or closes it where the limit is reached or the handler refuses it.
  ///
  /// - Parameter accepted: a client that no server serves yet.
  public func serve(_ accepted: AcceptedSocket) {
    guard core.connections.count < connectionLimit else {
      core.handler.connectionRefused(accepted.peer, because: .tooMany(limit: connectionLimit))
      return accepted.close()
    }
    let connection = VarlinkConnection(accepted: accepted, loop: loop, core: core)
    do throws(VarlinkSocketError) {
      try connection.socket.watch { connection.ready(for: $0) }
    } catch {
      core.handler.connectionRefused(accepted.peer, because: .system(error))
      return accepted.close()
    }
    guard core.handler.connectionOpened(connection) else { return connection.turnAway() }
    core.connections[ObjectIdentifier(connection)] = connection
    // The client may have been accepted before the server began to stop, and have sent nothing.
    if core.isStopping { connection.closeIfFinished() }
  }

  /// Lets connections take their turns, sends the replies, and lets go of the connections that end.
  private func endTurn() {
    core.takeTurns()
    var leaving: [VarlinkConnection]
    // When a connection has closed, the handler may close others: subscribers, where the server stops.
    repeat {
      core.handler.turnEnded()
      core.sendReplies()
      leaving = core.leaving
      core.leaving = []
      for connection in leaving {
        connection.end()
        core.connections[ObjectIdentifier(connection)] = nil
      }
    } while !leaving.isEmpty
    if !core.turns.isEmpty { loop.turnAgain() }
    finishStopping()
  }

  // MARK: Stopping

  /// Stops the server: accepts no more clients, answers every call that has arrived, then closes the connections.
  ///
  /// A connection with a stream stays open until the handler closes it (``VarlinkConnection/close()``), its client
  /// does, or the time is up. One whose client takes nothing for a second of what waits for it is closed then. A later call
  /// sets the time anew.
  ///
  /// - Parameters:
  ///   - limit: the time after which connections are closed whatever they do.
  ///   - stopped: called once, when all connections are closed.
  public func shutDown(within limit: Duration, _ stopped: @escaping () -> Void) {
    listener.stop(most: connectionLimit)
    onStopped.append(stopped)
    core.isStopping = true
    for connection in core.connections.values {
      _ = connection.takesNothing()
      connection.closeIfFinished()
    }
    deadline?.cancel()
    closeConnections(within: limit)
  }

  /// For how long a client may take nothing of what waits for it while the server stops.
  private static let patience = Duration.seconds(1)

  /// Closes the connections that are open after `limit`, and before that those whose clients take nothing.
  private func closeConnections(within limit: Duration) {
    let wait = min(limit, Self.patience)
    deadline = loop.schedule(after: wait) { [weak self] in
      guard let self else { return }
      for connection in core.connections.values
      where connection.takesNothing() || wait == limit { connection.abort() }
      if wait < limit { closeConnections(within: limit - wait) }
    }
  }

  /// Calls `onStopped` if the server is stopping and has no connection left.
  private func finishStopping() {
    guard !onStopped.isEmpty, core.connections.isEmpty else { return }
    deadline?.cancel()
    let stopped = onStopped
    onStopped = []
    for body in stopped { body() }
  }
}
