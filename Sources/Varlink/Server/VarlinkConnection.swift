public import JSON

/// One client's connection.
///
/// Belongs to its server's loop, as its handler does.
///
/// The replies to all frames of a read are sent in one write, at the end of the loop's turn. Where
/// the client does not read them, the connection stops reading from it until it does. Of a client
/// that is gone only the `oneway` calls are still taken.
public final class VarlinkConnection {
  /// Who connected.
  public let peer: PeerCredentials
  /// For the handler's own state of this connection.
  public var userInfo: AnyObject? {
    get { handlerInfo }
    set { handlerInfo = newValue }
  }

  // No other module sees it, so that the compiler proves that nobody uses it twice at a time.
  private var handlerInfo: AnyObject?
  let core: ServerCore
  let socket: ClientSocket
  let state: ConnectionState
  /// Whether replies to it wait for the turn's end.
  var hasUnsentReplies = false
  /// Whether it is among those whose turn comes.
  var isQueued = false

  init(accepted: AcceptedSocket, loop: EpollLoop, core: ServerCore) {
    peer = accepted.peer
    self.core = core
    socket = ClientSocket(accepted: accepted, loop: loop)
    // A client may send some thousand calls before it reads the first reply.
    state = ConnectionState(account: accepted.account ?? core.account, highWater: 1 << 20)
  }

  /// The supplementary groups of the process that connected (`SO_PEERGROUPS`).
  ///
  /// Asks the kernel each time.
  public var supplementaryGroups: [UInt32] { socket.supplementaryGroups }

  // MARK: Answering the call at hand

  /// Answers the call at hand.
  ///
  /// Dropped where the call was oneway. It is a programming error to answer a call twice or after
  /// `handle` has returned, or to let a reply continue whose call does not want more.
  ///
  /// - Parameters:
  ///   - continues: whether more replies follow: not the last one to a call that wants more.
  ///   - parameters: writes the members of the reply's parameters, and does nothing else.
  public func reply(continues: Bool = false, _ parameters: (inout JSONWriter) -> Void) {
    guard state.reply(continues: continues) else { return }
    core.write { $0.reply(continues: continues, parameters) }
  }

  /// Answers the call at hand with an error.
  ///
  /// - Parameters:
  ///   - error: its full name.
  ///   - parameters: writes the members of the error's parameters, and does nothing else.
  public func reply(error: StaticString, _ parameters: (inout JSONWriter) -> Void) {
    guard state.reply(continues: false) else { return }
    core.write { $0.reply(error: error, parameters) }
  }

  /// Answers the call at hand with `org.varlink.service.InvalidParameter`.
  ///
  /// - Parameter error: which parameter.
  public func reply(_ error: InvalidParameter) {
    reply(error: "org.varlink.service.InvalidParameter") { writer in
      writer.name("parameter")
      writer.string(error.parameter)
    }
  }

  /// Answers the call at hand with a stream: what `send(frame:)` sends, now and later.
  ///
  /// No frame that the client sends from now on is answered. The call must want more.
  public func beginStream() {
    // A stream's handler decides what waits, and where: here it is to be little.
    state.beginStream(highWater: 64 << 10)
  }

  // MARK: Sending at any time

  /// Whether what is sent goes to the client soon: no more waits for it than should.
  public var isWritable: Bool { state.isWritable }

  /// Sends an encoded frame, or several, each with its NUL; what the client does not take now goes
  /// as it reads.
  ///
  /// - Parameter frame: from ``VarlinkFrameEncoder``.
  public func send(frame: [UInt8]) {
    guard state.isOpen else { return }
    if hasUnsentReplies { core.sendReplies() }
    // Unsafe: sent or copied while it is lent.
    unsafe frame.withUnsafeBytes { unsafe send($0) }
  }

  /// Closes the connection once what is queued has been sent.
  ///
  /// Nothing is answered any more.
  public func close() {
    guard state.isOpen else { return }
    core.sendReplies()
    act(state.close())
  }
}
