public import JSON

/// The connection of one client.
///
/// It is used on the thread of its server's loop, as the handler is.
///
/// The replies to all calls of one read are sent in one write, at the end of the loop's turn. While the client does not
/// read its replies, nothing is read from it. Of the calls of a client that is gone only the `oneway` ones are
/// handled.
public final class VarlinkConnection {
  /// The client's process and user.
  public let peer: PeerCredentials
  /// An object for the handler's own use, kept with the connection.
  public var userInfo: AnyObject? {
    get { handlerInfo }
    set { handlerInfo = newValue }
  }

  // Private, so that the compiler can prove that no two accesses to it overlap, and does not check each at run time.
  private var handlerInfo: AnyObject?
  let core: ServerCore
  let socket: ClientSocket
  let state: ConnectionState
  /// Whether `core` has replies of this connection, or may be given some, that are not sent yet.
  var hasUnsentReplies = false
  /// Whether the connection waits for a turn.
  var isQueued = false
  /// How many bytes the client had taken when `takesNothing` was called last.
  var lastSentBytes = 0

  init(accepted: AcceptedSocket, loop: EpollLoop, core: ServerCore) {
    peer = accepted.peer
    self.core = core
    socket = ClientSocket(accepted: accepted, loop: loop)
    // A MiB of replies, so that a client may send some thousand calls before it reads the first reply.
    state = ConnectionState(account: accepted.account ?? core.account, highWater: 1 << 20)
  }

  // MARK: Answering the present call

  /// Answers the call that is being handled.
  ///
  /// A reply to a `oneway` call is dropped. The program ends where a call is answered twice or after `handle` has
  /// returned, or where a reply continues although its call does not want more.
  ///
  /// - Parameters:
  ///   - continues: whether more replies to the call follow; `false` for the last one.
  ///   - parameters: writes the members of the reply's parameters, and does nothing else.
  public func reply(continues: Bool = false, _ parameters: (inout JSONWriter) -> Void) {
    guard state.reply(continues: continues) else { return }
    core.write { $0.reply(continues: continues, parameters) }
  }

  /// Answers the call that is being handled with an error.
  ///
  /// - Parameters:
  ///   - error: the error's full name: `org.varlink.service.PermissionDenied`.
  ///   - parameters: writes the members of the error's parameters, and does nothing else.
  public func reply(error: StaticString, _ parameters: (inout JSONWriter) -> Void) {
    guard state.reply(continues: false) else { return }
    core.write { $0.reply(error: error, parameters) }
  }

  /// Answers the call that is being handled with `org.varlink.service.InvalidParameter`.
  ///
  /// - Parameter error: names the parameter.
  public func reply(_ error: InvalidParameter) {
    reply(error: "org.varlink.service.InvalidParameter") { writer in
      writer.member("parameter", error.parameter)
    }
  }

  /// Answers the call that is being handled with a stream: the frames that `send(frame:)` sends, now and later.
  ///
  /// The call must want more, or the program ends. No frame that the client sends from now on is answered.
  public func beginStream() {
    // 64 KiB: a stream's handler keeps what follows itself, or leaves it out.
    state.beginStream(highWater: 64 << 10)
  }

  // MARK: Sending at any time

  /// Whether more should be sent: `false` where the connection is closing, or too many bytes wait for the client to
  /// read.
  ///
  /// ``VarlinkHandler/connectionIsWritable(_:)`` is called when this becomes `true` again.
  public var isWritable: Bool { state.isWritable }

  /// Sends one encoded frame or several; what the client does not take at once is queued, and sent as it reads.
  ///
  /// Does nothing where the connection is closing. Ends the connection where its user may not have so much queued.
  ///
  /// - Parameter frame: frames of ``VarlinkFrameEncoder``, each with its NUL.
  public func send(frame: [UInt8]) {
    guard state.isOpen else { return }
    if hasUnsentReplies { core.sendReplies() }
    // Unsafe: sent or copied while it is lent.
    unsafe frame.withUnsafeBytes { unsafe send($0) }
  }

  /// Closes the connection once what is queued has been sent; no further calls are answered.
  public func close() {
    guard state.isOpen else { return }
    core.sendReplies()
    act(state.close())
  }
}
