public import NIOCore
public import NIOPosix
public import JSON
internal import Glibc
internal import Synchronization
internal import Varlink

/// A connection to a Varlink service over a Unix socket.
///
/// Any task may make calls at any time; replies come in the order of the calls. Where the connection is lost, every
/// call that waits throws ``VarlinkConnectionError``, and so does each later one: make a new client to connect again.
/// The connection is closed by ``close()``, or when nothing refers to the client any more.
///
/// A service that hangs takes no memory without end: past ``pendingLimit`` and ``unsentLimit`` a call is refused, not
/// sent. A call whose task was cancelled counts until its reply comes.
public final class VarlinkClient: Sendable {
  /// How many calls may wait for their replies at a time: 1,024; a batch, and a stream, counts as one.
  public static let pendingLimit = 1_024
  /// Once how many bytes of calls wait for the service to read them no more are taken: 16 MiB.
  public static let unsentLimit = 16 << 20
  /// The same of `oneway` calls, which wait beside the others: 1 MiB.
  public static let onewayLimit = 1 << 20

  private let eventLoop: any EventLoop
  private let channel: any Channel
  private let handler: NIOLoopBound<ClientHandler>
  private let atomicCallLimit: Atomic<Int>
  /// How many bytes of `oneway` calls have not been sent.
  private let unsentOneway = UnsentBytes()

  private init(channel: any Channel, handler: NIOLoopBound<ClientHandler>, callLimit: Int) {
    self.channel = channel
    eventLoop = channel.eventLoop
    self.handler = handler
    atomicCallLimit = Atomic(callLimit)
  }

  deinit {
    guard channel.isActive else { return }
    eventLoop.execute { [handler] in handler.value.close() }
  }

  /// Connects to the service that listens at a path.
  ///
  /// - Parameters:
  ///   - path: the path of the service's socket.
  ///   - frameLimit: the longest reply that is accepted, in bytes, its NUL not counted.
  ///   - callLimit: the first value of ``callLimit``.
  ///   - group: the group whose next event loop runs the connection.
  /// - Returns: the connected client.
  /// - Throws: ``VarlinkConnectionError`` with the code `cannotConnect`.
  public static func connect(
    to path: String, frameLimit: Int = 4 << 20, callLimit: Int = .max,
    on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) async throws(VarlinkConnectionError) -> VarlinkClient {
    let eventLoop = group.next()
    do {
      return try await eventLoop.flatSubmit {
        // SwiftNIO itself takes no path of more than 103 bytes.
        let socket: CInt
        do { socket = try connectedSocket(to: path) } catch {
          return eventLoop.makeFailedFuture(error)
        }
        let handler = NIOLoopBound(ClientHandler(frameLimit: frameLimit), eventLoop: eventLoop)
        return ClientBootstrap(group: eventLoop)
          .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 16))
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(handler.value)
            }
          }
          .withConnectedSocket(socket)
          .map { VarlinkClient(channel: $0, handler: handler, callLimit: callLimit) }
      }.get()
    } catch {
      throw VarlinkConnectionError(.cannotConnect, from: error)
    }
  }

  /// A socket that is connected to the service at `path`; where its accept queue is full, that is the error `EAGAIN`.
  private static func connectedSocket(to path: String) throws(VarlinkSocketError) -> CInt {
    let socket = try UnixSocket.makeUnconnected()
    do throws(VarlinkSocketError) {
      guard try UnixSocket.connect(socket, to: path) else {
        throw VarlinkSocketError("connect", EAGAIN)
      }
      return socket
    } catch {
      Glibc.close(socket)
      throw error
    }
  }

  /// The longest call that ``call(_:_:decode:)`` and ``stream(_:_:decode:)`` send, in bytes, its NUL not counted.
  ///
  /// A service closes the connection when a call is longer than it accepts, and with it all other calls fail.
  public var callLimit: Int {
    get { atomicCallLimit.load(ordering: .relaxed) }
    set { atomicCallLimit.store(newValue, ordering: .relaxed) }
  }

  /// Whether the connection is open, as far as is known: `false` once either side has closed it.
  public var isConnected: Bool { channel.isActive }

  /// Calls a method and waits for its one reply.
  ///
  /// Where the task is cancelled, the call throws `CancellationError` at once, and its reply is dropped when it comes.
  ///
  /// - Parameters:
  ///   - method: the method's full name.
  ///   - parameters: writes the members of the parameters' object.
  ///   - decode: reads the reply's parameters on the event loop; they are valid until it returns.
  /// - Returns: what `decode` returns.
  /// - Throws: ``VarlinkErrorReply``, ``VarlinkConnectionError`` (also with the codes `tooManyCalls` and
  ///   `tooMuchUnsent`), `CancellationError` or what `decode` throws.
  public func call<Output: Sendable>(
    _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in },
    decode: @escaping @Sendable (JSONValue) throws -> Output
  ) async throws -> Output {
    let frame = try limitedFrame(method, nil, parameters)
    return try await call(frame, count: 1) { reply in try decode(reply.get()) }[0]
  }

  /// Makes all calls of a batch, and waits for all of their replies.
  ///
  /// The whole batch costs one switch of tasks. Two or more batches under way at a time keep the service busy.
  ///
  /// - Parameters:
  ///   - batch: the calls; it may be emptied and filled again when this has returned. ``callLimit`` is not checked.
  ///   - decode: reads each reply, or error reply, in the order of the calls, on the event loop.
  /// - Returns: what `decode` returned, in the order of the calls; empty for an empty batch.
  /// - Throws: ``VarlinkConnectionError``, `CancellationError`, or what `decode` throws; the other replies are dropped
  ///   then.
  public func call<Output: Sendable>(
    _ batch: borrowing VarlinkCallBatch,
    decode: @escaping @Sendable (Result<JSONValue, VarlinkErrorReply>) throws -> Output
  ) async throws -> [Output] {
    guard batch.count > 0 else { return [] }
    return try await call(batch.frames, count: batch.count, decode: decode)
  }

  /// Sends `frames`, which hold `count` calls, and waits for as many replies.
  private func call<Output: Sendable>(
    _ frames: ByteBuffer, count: Int, decode: @escaping ReplyCollector<Output>.Decode
  ) async throws -> [Output] {
    let replies = ReplyCollector(count: count, decode: decode)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        eventLoop.execute { [handler] in
          if replies.start(continuation) { handler.value.send(frames, replies: replies) }
        }
      }
    } onCancel: {
      eventLoop.execute { replies.cancel() }
    }
  }

  /// Makes a `oneway` call, which gets no reply and no error.
  ///
  /// Does not wait until the call has been sent; where the connection is lost, the call is dropped.
  ///
  /// - Parameters:
  ///   - method: the method's full name.
  ///   - parameters: writes the members of the parameters' object.
  /// - Throws: ``VarlinkConnectionError`` with the code `callTooLarge` or, where ``onewayLimit`` bytes of such calls wait
  ///   to be sent, `tooMuchUnsent`.
  public func callOneway(
    _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) throws(VarlinkConnectionError) {
    let frame = try limitedFrame(method, "oneway", parameters)
    let size = frame.readableBytes
    guard unsentOneway.add(size, limit: VarlinkClient.onewayLimit) else {
      throw VarlinkConnectionError(.tooMuchUnsent(limit: VarlinkClient.onewayLimit))
    }
    eventLoop.execute { [handler, unsentOneway] in
      handler.value.sendOneway(frame) { unsentOneway.remove(size) }
    }
  }

  /// Makes a `more` call, which a stream of replies answers.
  ///
  /// Calls made afterwards are answered only when the service has ended the stream, if it ever does.
  ///
  /// - Parameters:
  ///   - method: the method's full name.
  ///   - parameters: writes the members of the parameters' object.
  ///   - decode: reads a reply's parameters on the event loop; they are valid until it returns.
  /// - Returns: the replies. Once 1,024 of them wait to be read, no more are received until 64 are left.
  /// - Throws: ``VarlinkConnectionError`` with the code `callTooLarge`; the sequence throws all others.
  public func stream<Output: Sendable>(
    _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in },
    decode: @escaping @Sendable (JSONValue) throws -> Output
  ) throws(VarlinkConnectionError) -> VarlinkReplies<Output> {
    let frame = try limitedFrame(method, "more", parameters)
    let control = StreamControl(eventLoop: eventLoop, handler: handler)
    let made = VarlinkReplies<Output>.Producer.makeSequence(
      elementType: Output.self, failureType: (any Error).self,
      backPressureStrategy: .init(lowWatermark: 64, highWatermark: 1024),
      finishOnDeinit: false, delegate: control)
    let replies = StreamReplies(source: made.source, control: control, decode: decode)
    eventLoop.execute { [handler] in handler.value.send(frame, replies: replies) }
    return VarlinkReplies(producer: made.sequence, client: self)
  }

  /// Closes the connection once what was sent has left; calls that wait throw.
  ///
  /// Returns when the connection is closed: within a second or so, even where the service reads nothing.
  public func close() async {
    eventLoop.execute { [handler] in handler.value.close() }
    // It fails only where closing failed, and then the channel is closed as well.
    try? await channel.closeFuture.get()
  }

  /// A call as a frame, as `frame` makes it; throws where it is longer than `callLimit`.
  private func limitedFrame(
    _ method: String, _ flag: StaticString?, _ parameters: (inout JSONWriter) -> Void
  ) throws(VarlinkConnectionError) -> ByteBuffer {
    let frame = Self.frame(method, flag, parameters)
    let limit = callLimit
    // A service does not count the NUL either.
    guard frame.readableBytes - 1 <= limit else {
      throw VarlinkConnectionError(.callTooLarge(limit: limit))
    }
    return frame
  }

  /// A call as a frame, its NUL included; `flag` is `more`, `oneway` or none.
  private static func frame(
    _ method: String, _ flag: StaticString?, _ parameters: (inout JSONWriter) -> Void
  ) -> ByteBuffer {
    var writer = JSONWriter(capacity: 512)
    writer.call(method, flag: flag, parameters)
    // Unsafe: the writer's bytes are copied at once.
    return unsafe ByteBuffer(bytes: writer.bytes)
  }
}

/// How many bytes wait to be sent; may be used on any thread.
private final class UnsentBytes: Sendable {
  private let count = Atomic(0)

  /// Adds `more`; returns `false`, and adds nothing, where `limit` or more wait already.
  func add(_ more: Int, limit: Int) -> Bool {
    guard count.load(ordering: .relaxed) < limit else { return false }
    count.wrappingAdd(more, ordering: .relaxed)
    return true
  }

  func remove(_ sent: Int) { count.wrappingSubtract(sent, ordering: .relaxed) }
}
