public import JSON

/// What a server serves.
///
/// Everything comes on the thread of the server's loop, and no call while another one is being
/// handled.
public protocol VarlinkHandler: AnyObject {
  /// May this peer connect? Called before anything is read; `false` closes the connection without a
  /// further word, and nothing more is heard of it.
  func connectionOpened(_ connection: VarlinkConnection) -> Bool

  /// A client was turned away before it was served.
  func connectionRefused(_ peer: PeerCredentials, because reason: ConnectionRefusal)

  /// Answers a call before returning: by one final reply, one error, or
  /// ``VarlinkConnection/beginStream()``. A `oneway` call may be replied to as well: the replies are
  /// dropped.
  func handle(_ call: VarlinkCall, on connection: VarlinkConnection)

  /// Answers a call whose parameters it knows how to read from a cursor, as `handle(_:on:)` does; the
  /// call wants one reply.
  ///
  /// Called before anything is known of the parameters. Nothing may be done, and nothing of the
  /// connection be changed, before they were taken whole, up to the cursor's end.
  ///
  /// - Parameters:
  ///   - parameters: at the beginning of the call's parameters, which end where it ends.
  ///   - interface: the place of the method's interface among the server's interfaces.
  ///   - method: the method's place among its interface's `methods`.
  ///   - connection: whose call it is.
  /// - Returns: `false` where they are not as they usually are: the call then comes as any other.
  func handle(
    _ parameters: inout JSONCursor, interface: Int, method: Int, on connection: VarlinkConnection
  ) -> Bool

  /// A connection's client has read enough of what waited for it:
  /// ``VarlinkConnection/isWritable`` is true again.
  func connectionIsWritable(_ connection: VarlinkConnection)

  /// Replies have collected for a client who keeps the server busy alone: they may be sent before the
  /// turn ends.
  ///
  /// Where something for other connections waits, too, the handler sends that first or has the replies
  /// wait for it, so that who waits for both is woken once.
  ///
  /// - Returns: Whether they are to be sent now.
  func sendsEarly() -> Bool

  /// All calls that came together have been answered, or connections have closed since: what that
  /// leads to for other connections is best sent now, in one go.
  func turnEnded()

  /// A frame that is no Varlink call ended the connection; replies already due are still sent, but
  /// where too many of them wait.
  func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection)

  /// A connection that had been opened is gone. The last that is heard of it.
  func connectionClosed(_ connection: VarlinkConnection)
}

extension VarlinkHandler {
  /// Has every call come to `handle(_:on:)`.
  public func handle(
    _ parameters: inout JSONCursor, interface: Int, method: Int, on connection: VarlinkConnection
  ) -> Bool { false }

  /// Does nothing.
  public func connectionRefused(_ peer: PeerCredentials, because reason: ConnectionRefusal) {}

  /// Always: nothing is for others.
  public func sendsEarly() -> Bool { true }

  /// Does nothing.
  public func turnEnded() {}
}

/// Why a client was not served.
public enum ConnectionRefusal: Hashable, Sendable {
  /// There are as many connections as there may be.
  case tooMany(limit: Int)
  /// The system cannot tell when it has sent something.
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

/// Why a frame ended its connection.
public enum FrameRejection: Error, Hashable, Sendable {
  /// It is not one JSON text: broken, not UTF-8, a lone surrogate, a name twice, too deep.
  case notJSON
  /// It is longer than the server allows.
  case tooLarge
  /// It is JSON but no Varlink call: no object, no `method`, a member of the wrong type or of an
  /// unknown name.
  case notACall
  /// It is not complete, or waits to be answered, and its user has sent too much such.
  case tooMuchUnfinished
  /// The client does not read its replies, and too much waits for its user to be read.
  case tooMuchUnread
}

extension FrameRejection: CustomStringConvertible {
  /// The reason in words: "it sent what is not JSON".
  public var description: String {
    switch self {
    case .notJSON: "it sent what is not JSON"
    case .tooLarge: "it sent a frame that is longer than the limit"
    case .notACall: "it sent JSON that is no Varlink call"
    case .tooMuchUnfinished: "too much that its user sent is not complete, or waits to be answered"
    case .tooMuchUnread: "too much that its user is due waits to be read"
    }
  }
}
