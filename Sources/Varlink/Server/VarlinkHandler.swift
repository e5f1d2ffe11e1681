public import JSON

/// Answers the calls of a server's clients.
///
/// All functions are called on the thread of the server's loop; no call comes while another one is being handled.
public protocol VarlinkHandler: AnyObject {
  /// Whether to serve a client that has connected.
  ///
  /// Called before anything is read from it. With `false` the connection is closed, and no other function is called
  /// with it.
  func connectionOpened(_ connection: VarlinkConnection) -> Bool

  /// Tells that a client was refused, and its connection closed, without a call of `connectionOpened`.
  func connectionRefused(_ peer: PeerCredentials, because reason: ConnectionRefusal)

  /// Answers a call before returning: by one final reply, one error, or ``VarlinkConnection/beginStream()``.
  ///
  /// Replies to a `oneway` call are dropped, and may be left out.
  func handle(_ call: VarlinkCall, on connection: VarlinkConnection)

  /// Answers a call that wants one reply, by reading its parameters from a cursor: a faster way than `handle(_:on:)`.
  ///
  /// The parameters have not been validated yet. The handler must take them whole, up to the cursor's end, before it
  /// does anything else.
  ///
  /// - Parameters:
  ///   - parameters: a cursor over the call's parameters.
  ///   - interface: the place of the method's interface among the server's interfaces.
  ///   - method: the method's place among its interface's `methods`.
  ///   - connection: the connection of the call.
  /// - Returns: `false` where the handler could not take the parameters; the call is then parsed, and comes to
  ///   `handle(_:on:)`.
  func handle(
    _ parameters: inout JSONCursor, interface: Int, method: Int, on connection: VarlinkConnection
  ) -> Bool

  /// Tells that a connection's client has read enough of what was queued: ``VarlinkConnection/isWritable`` is true
  /// again.
  func connectionIsWritable(_ connection: VarlinkConnection)

  /// Whether to send replies before the turn ends; asked when many have collected for a client that keeps the server
  /// busy alone.
  ///
  /// Where the handler has frames for other connections, it sends these first, or answers `false`, so that a client
  /// that waits for both is woken once.
  ///
  /// - Returns: whether the replies are to be sent now.
  func sendsEarly() -> Bool

  /// Tells that all calls that came together have been answered, or that connections have closed since.
  ///
  /// Frames that the calls lead to for other connections are best sent here, all at once.
  func turnEnded()

  /// Tells that a connection is to be closed, for one of the reasons of ``FrameRejection``.
  ///
  /// Replies that are queued are still sent, unless the reason is that too many of them wait.
  func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection)

  /// Tells that a connection for which `connectionOpened` returned `true` is closed; no further function is called with
  /// it.
  func connectionClosed(_ connection: VarlinkConnection)

  /// Takes over the socket of a connection that is closed, of which the client has not read all that it was sent.
  ///
  /// Nothing can be sent or received by it any more. The kernel keeps what is not read as memory of this process, closed
  /// or not; as long as the handler keeps the socket, its account is charged with a connection.
  func leftUnread(_ socket: AcceptedSocket)
}

extension VarlinkHandler {
  /// Returns `false`, so that every call comes to `handle(_:on:)`.
  public func handle(
    _ parameters: inout JSONCursor, interface: Int, method: Int, on connection: VarlinkConnection
  ) -> Bool { false }

  /// Does nothing.
  public func connectionRefused(_ peer: PeerCredentials, because reason: ConnectionRefusal) {}

  /// Returns `true`, for handlers that send no frames to other connections.
  public func sendsEarly() -> Bool { true }

  /// Does nothing.
  public func turnEnded() {}

  /// Closes the socket.
  public func leftUnread(_ socket: AcceptedSocket) {}
}

/// Why a client was not served.
public enum ConnectionRefusal: Hashable, Sendable {
  /// There are `limit` connections, the most that there may be.
  case tooMany(limit: Int)
  /// The loop cannot watch the client's socket.
  case system(VarlinkSocketError)
}

extension ConnectionRefusal: CustomStringConvertible {
  /// The reason in words: "there are 64 connections already".
  public var description: String {
    switch self {
    case .tooMany(let limit): "there are \(limit) connections already"
    case .system(let error): "it cannot be watched (\(error))"
    }
  }
}

/// Why a connection is closed: for a frame of its client's, or for what waits.
///
/// Holds nothing of what was sent, so that it can be logged.
public enum FrameRejection: Error, Hashable, Sendable {
  /// The frame is not one valid JSON text.
  case notJSON(JSONError)
  /// The frame is longer than `limit`, which is what the server allows in bytes.
  case tooLarge(limit: Int)
  /// The frame is JSON but no Varlink call.
  case notACall(CallMistake)
  /// The client's user has sent more than allowed of frames that are not complete or wait to be answered.
  case tooMuchUnfinished
  /// The client does not read its replies, and more waits for its user's clients than allowed.
  case tooMuchUnread
}

extension FrameRejection: CustomStringConvertible {
  /// The reason in words: "it sent a frame of more than 1048576 bytes".
  public var description: String {
    switch self {
    case .notJSON(let error): "it sent what is not JSON: \(error)"
    case .tooLarge(let limit): "it sent a frame of more than \(limit) bytes"
    case .notACall(let mistake): "it sent JSON that is no Varlink call: \(mistake)"
    case .tooMuchUnfinished: "too much that its user sent is not complete, or waits to be answered"
    case .tooMuchUnread: "too much that its user is due waits to be read"
    }
  }
}
