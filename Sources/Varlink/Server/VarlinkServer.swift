/// Serves Varlink interfaces over Unix sockets.
///
/// Belongs to one loop: it is made, used and called back on its thread, and so is its handler. Once
/// it listens or serves, it is to be kept until it has stopped. It listens itself, or serves clients
/// that a ``VarlinkListener`` on another loop has accepted.
///
/// What the specification (<https://varlink.org/Method-Call>) leaves open is decided as sd-varlink
/// does: a call with a member that Varlink does not know, with one of the wrong type, or with both
/// `more` and `oneway` is none, and ends its connection. A name that stands twice anywhere in a
/// frame makes it no JSON. A connection cannot be upgraded to another protocol: a call that asks
/// for it is answered with `MethodNotImplemented`. `MethodNotFound` names the method in full.
public final class VarlinkServer {
  /// How many bytes a frame may have, its NUL not counted.
  ///
  /// Can be changed at any time; counts for frames read from then on.
  public var frameLimit: Int {
    get { core.frameLimit }
    set { core.frameLimit = newValue }
  }
  /// How many connections there may be.
  ///
  /// Can be changed at any time; those beyond a lower limit stay.
  public var connectionLimit: Int

  private let loop: EpollLoop
  private let core: ServerCore
  private lazy var listener = VarlinkListener(on: loop) { [unowned self] in serve($0) }
  /// Called when the last connection is closed, once it is to stop.
  private var onStopped: [() -> Void] = []
  private var deadline: EpollLoop.Timer?

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - info: what `GetInfo` says.
  ///   - interfaces: what is offered besides `org.varlink.service`, which the server answers
  ///     itself.
  ///   - frameLimit: how many bytes a frame may have, its NUL not counted.
  ///   - connectionLimit: how many connections there may be at a time.
  ///   - largeCalls: what large calls wait for, which servers on other loops share; `nil` where none
  ///     waits.
  ///   - handler: answers the calls.
  ///   - loop: where everything happens.
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
  public var connectionCount: Int { core.connections.count }

  // MARK: Listening

  /// Listens at a path, where nothing may be yet.
  ///
  /// - Parameters:
  ///   - path: of the socket, at most 107 bytes; its folder must be there.
  ///   - mode: the socket file's permissions, whatever the umask is.
  /// - Throws: ``VarlinkSocketError``.
  public func listen(at path: String, mode: UInt32) throws(VarlinkSocketError) {
    try listener.listen(at: path, mode: mode)
  }

  /// Accepts clients on a socket that listens already, as systemd hands them over.
  ///
  /// - Parameter descriptor: of the socket. The server closes it when it stops.
  /// - Throws: ``VarlinkSocketError``; the descriptor stays the caller's then.
  public func listen(on descriptor: CInt) throws(VarlinkSocketError) {
    try listener.listen(on: descriptor)
  }

  // MARK: Connections

  /// Serves a client that has been accepted, or closes it where the handler does not want it.
  ///
  /// - Parameter accepted: not served by anybody yet.
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
    // It may have been accepted before the server was told to stop, and have sent nothing.
    if core.isStopping { connection.closeIfFinished() }
  }

  private func endTurn() {
    core.takeTurns()
    var leaving: [VarlinkConnection]
    // That one connection has closed may have the handler close others: subscribers, where it stops.
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

  /// Stops: accepts no more, answers every call that has arrived, then closes the connections.
  ///
  /// A connection that streams stays until the handler closes it (``VarlinkConnection/close()``),
  /// its client does, or the deadline comes. Calling again changes the deadline.
  ///
  /// - Parameters:
  ///   - limit: after what time to close whatever is still open.
  ///   - stopped: called when all connections are closed, once.
  public func shutDown(within limit: Duration, _ stopped: @escaping () -> Void) {
    listener.stop(most: connectionLimit)
    onStopped.append(stopped)
    core.isStopping = true
    for connection in core.connections.values { connection.closeIfFinished() }
    deadline?.cancel()
    deadline = loop.schedule(after: limit) { [weak self] in
      guard let self else { return }
      for connection in core.connections.values { connection.abort() }
    }
  }

  private func finishStopping() {
    guard !onStopped.isEmpty, core.connections.isEmpty else { return }
    deadline?.cancel()
    let stopped = onStopped
    onStopped = []
    for body in stopped { body() }
  }
}
