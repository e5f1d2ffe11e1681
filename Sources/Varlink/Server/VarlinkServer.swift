internal import Glibc
public import NIOCore
internal import NIOPosix

/// Serves Varlink interfaces over Unix sockets.
///
/// Belongs to one event loop: it is made, used and called back there, and so is its handler.
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

  private let eventLoop: any EventLoop
  private let core: ServerCore
  private let receiveBuffer: SharedReceiveBuffer
  private var listeners: [any Channel] = []
  private var connections: [ObjectIdentifier: VarlinkConnection] = [:]
  private var stopped: EventLoopPromise<Void>?
  private var deadline: Scheduled<Void>?

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - info: what `GetInfo` says.
  ///   - interfaces: what is offered besides `org.varlink.service`, which the server answers
  ///     itself.
  ///   - frameLimit: how many bytes a frame may have, its NUL not counted.
  ///   - connectionLimit: how many connections there may be at a time.
  ///   - handler: answers the calls.
  ///   - eventLoop: where everything happens; the loop at hand.
  public init(
    info: VarlinkServiceInfo, interfaces: [VarlinkInterface], frameLimit: Int,
    connectionLimit: Int, handler: any VarlinkHandler, on eventLoop: any EventLoop
  ) {
    eventLoop.preconditionInEventLoop()
    self.eventLoop = eventLoop
    self.connectionLimit = connectionLimit
    core = ServerCore(
      info: info, interfaces: interfaces, frameLimit: frameLimit, handler: handler)
    receiveBuffer = SharedReceiveBuffer(on: eventLoop)
  }

  /// How many connections there are.
  public var connectionCount: Int { connections.count }

  // MARK: Listening

  /// Listens at a path, where nothing may be yet.
  ///
  /// - Parameters:
  ///   - path: of the socket, at most 107 bytes; its folder must be there.
  ///   - mode: the socket file's permissions, whatever the umask is.
  /// - Returns: succeeds when clients can connect.
  /// - Throws: ``VarlinkSocketError``.
  public func listen(at path: String, mode: UInt32) throws(VarlinkSocketError)
    -> EventLoopFuture<Void>
  {
    listen(on: try UnixSocket.listen(at: path, mode: mode))
  }

  /// Accepts clients on a socket that listens already, as systemd hands them over.
  ///
  /// - Parameter descriptor: of the socket. The server closes it.
  /// - Returns: succeeds when clients are being accepted.
  public func listen(on descriptor: CInt) -> EventLoopFuture<Void> {
    let server = NIOLoopBound(self, eventLoop: eventLoop)
    let receiveBuffer = receiveBuffer
    return ServerBootstrap(group: eventLoop)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // A client may send some thousand calls before it reads the first reply.
      .childChannelOption(
        .writeBufferWaterMark, value: .init(low: 512 << 10, high: 1 << 20)
      )
      // One read a turn, so that a busy client cannot keep the others waiting.
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(
        .recvAllocator, value: SharedReceiveBufferAllocator(shared: receiveBuffer)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(server: server.value, receiveBuffer: receiveBuffer))
        }
      }
      .withBoundSocket(descriptor)
      .assumeIsolated()
      .map {
        // SwiftNIO has just set a backlog of 128, and who finds it full is turned away at once.
        Glibc.listen(descriptor, 4_096)
        self.listeners.append($0)
      }
      .nonisolated()
  }

  // MARK: Connections

  /// Makes a connection of a channel that has just been accepted; `nil` where it is not wanted.
  func open(_ context: ChannelHandlerContext) -> VarlinkConnection? {
    guard stopped == nil else { return nil }
    // Fails only where the channel is already closed.
    let accepted = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable {
      (socket: NIOBSDSocket.Handle) in
      PeerCredentials(socket: socket).map { (peer: $0, socket: socket) }
    }
    guard let (peer, socket) = accepted ?? nil else { return nil }
    guard connections.count < connectionLimit else {
      core.handler.connectionRefused(peer)
      return nil
    }
    let connection = VarlinkConnection(peer: peer, socket: socket, core: core, context: context)
    guard core.handler.connectionOpened(connection) else { return nil }
    connections[ObjectIdentifier(connection)] = connection
    return connection
  }

  func forget(_ connection: VarlinkConnection) {
    connections[ObjectIdentifier(connection)] = nil
    finishStopping()
  }

  // MARK: Stopping

  /// Stops: accepts no more, answers every call that has arrived, then closes the connections.
  ///
  /// A connection that streams stays until the handler closes it (``VarlinkConnection/close()``),
  /// its client does, or the deadline comes. Calling again changes the deadline.
  ///
  /// - Parameter deadline: when to close whatever is still open.
  /// - Returns: succeeds when all connections are closed.
  public func shutDown(deadline: NIODeadline) -> EventLoopFuture<Void> {
    let stopped = stopped ?? eventLoop.makePromise()
    self.stopped = stopped
    core.isStopping = true
    for listener in listeners { listener.close(promise: nil) }
    listeners = []
    for connection in connections.values { connection.stop() }
    self.deadline?.cancel()
    self.deadline = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
      for connection in self.connections.values { connection.abort() }
    }
    finishStopping()
    return stopped.futureResult
  }

  private func finishStopping() {
    guard let stopped, connections.isEmpty else { return }
    deadline?.cancel()
    stopped.succeed()
  }
}
