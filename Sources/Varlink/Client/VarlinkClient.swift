public import NIOCore
public import NIOPosix

/// A connection to a Varlink service over a Unix socket.
///
/// Calls may be made from any task at any time; their replies come in the order of the calls. Where the connection is lost,
/// every call that waits throws ``VarlinkConnectionError``, and so does each later one: make a new client to connect again.
/// The connection closes when the client is closed, or when nothing refers to the client any more.
public final class VarlinkClient: Sendable {
  /// Connects.
  ///
  /// - Parameters:
  ///   - path: of the socket.
  ///   - frameLimit: the longest reply that is accepted, in bytes.
  ///   - group: whose event loop runs the connection.
  /// - Returns: the client, connected.
  /// - Throws: ``VarlinkConnectionError``.
  public static func connect(
    to path: String, frameLimit: Int = 4 << 20,
    on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) async throws(VarlinkConnectionError) -> VarlinkClient {
    fatalError()
  }

  /// Calls a method and waits for its one reply.
  ///
  /// A cancelled call throws `CancellationError` at once; its reply is dropped when it comes.
  ///
  /// - Parameters:
  ///   - method: its full name.
  ///   - parameters: writes the members of the parameters' object.
  ///   - decode: reads the reply's parameters on the event loop; they are valid until it returns.
  /// - Returns: what `decode` returns.
  /// - Throws: ``VarlinkErrorReply``, ``VarlinkConnectionError``, `CancellationError` or what `decode` throws.
  public func call<Output: Sendable>(
    _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in },
    decode: @escaping @Sendable (JSONValue) throws -> Output
  ) async throws -> Output {
    fatalError()
  }

  /// Makes all calls of a batch, and waits for all of their replies.
  ///
  /// Costs one task switch for the whole batch. Two or more batches under way at a time keep the service busy.
  ///
  /// - Parameters:
  ///   - batch: the calls; it may be emptied and filled again when this has returned.
  ///   - decode: reads each reply, or error reply, in the order of the calls, on the event loop.
  /// - Returns: what `decode` returned, in the order of the calls.
  /// - Throws: ``VarlinkConnectionError``, `CancellationError`, or what `decode` throws (the rest is dropped then).
  public func call<Output: Sendable>(
    _ batch: borrowing VarlinkCallBatch,
    decode: @escaping @Sendable (Result<JSONValue, VarlinkErrorReply>) throws -> Output
  ) async throws -> [Output] {
    fatalError()
  }

  /// Makes a call that gets no reply, errors included. Does not wait until it has been sent.
  ///
  /// - Parameters:
  ///   - method: its full name.
  ///   - parameters: writes the members of the parameters' object.
  public func callOneway(_ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }) {
    fatalError()
  }

  /// Makes a `more` call. Nothing else can be called on this client afterwards.
  ///
  /// - Parameters:
  ///   - method: its full name.
  ///   - parameters: writes the members of the parameters' object.
  ///   - decode: reads a reply's parameters on the event loop; they are valid until it returns.
  /// - Returns: the replies. Not reading them stops the service from sending more.
  public func stream<Output: Sendable>(
    _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in },
    decode: @escaping @Sendable (JSONValue) throws -> Output
  ) -> VarlinkReplies<Output> {
    fatalError()
  }

  /// Closes the connection; calls that wait throw. Returns when it is closed.
  public func close() async {
    fatalError()
  }
}
