public import JSON

/// One client's connection.
///
/// Belongs to its server's loop, as its handler does.
///
/// The replies to all frames of a read are sent in one write, at the end of the loop's turn. Where
/// the client does not read them, the connection stops reading from it until it does.
public final class VarlinkConnection {
  /// What becomes of the frames that are read.
  enum Phase {
    /// Each is a call to be answered.
    case answering
    /// They are kept until the client has read enough of what it is due.
    case paused
    /// They are dropped: a `more` call has begun a stream, after which nothing is answered.
    case streaming
    /// They are dropped: the connection closes when what is due has been sent.
    case closing
    /// There are none any more.
    case closed
  }

  /// How the call at hand can be answered.
  enum Answer {
    /// There is no call, or it has been answered.
    case none
    case due(wantsMore: Bool)
    /// The call was oneway.
    case dropped
  }

  /// Who connected.
  public let peer: PeerCredentials
  /// For the handler's own state of this connection.
  public var userInfo: AnyObject?

  let core: ServerCore
  var socket: ClientSocket
  var reader = FrameReader()
  /// How many bytes it has sent of a frame that is not complete, as the core counts them.
  var keptBytes = 0
  var phase = Phase.answering
  var answer = Answer.none
  /// Whether replies to it wait for the turn's end.
  var hasUnsentReplies = false
  /// Whether the client has ended its side.
  var inputHasEnded = false

  init(peer: PeerCredentials, socket: ClientSocket, core: ServerCore) {
    self.peer = peer
    self.socket = socket
    self.core = core
  }

  /// The supplementary groups of the process that connected (`SO_PEERGROUPS`).
  ///
  /// Asks the kernel each time.
  public var supplementaryGroups: [UInt32] {
    PeerCredentials.supplementaryGroups(socket: socket.descriptor)
  }

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
    guard takeAnswer(continues: continues) else { return }
    core.writer.reply(continues: continues, parameters)
  }

  /// Answers the call at hand with an error.
  ///
  /// - Parameters:
  ///   - error: its full name.
  ///   - parameters: writes the members of the error's parameters, and does nothing else.
  public func reply(error: StaticString, _ parameters: (inout JSONWriter) -> Void) {
    guard takeAnswer(continues: false) else { return }
    core.writer.reply(error: error, parameters)
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
    guard case .due(wantsMore: true) = answer else {
      preconditionFailure("only a call that wants more can be answered with a stream")
    }
    answer = .none
    phase = .streaming
    // A stream's handler decides what waits, and where: here it is to be little.
    socket.highWater = 64 << 10
  }

  private func takeAnswer(continues: Bool) -> Bool {
    switch answer {
    case .due(let wantsMore):
      precondition(wantsMore || !continues, "the call takes one reply only")
      if !continues { answer = .none }
      return true
    case .dropped:
      if !continues { answer = .none }
      return false
    case .none:
      preconditionFailure("there is no call to be answered")
    }
  }

  // MARK: Sending at any time

  /// Whether what is sent goes to the client soon: no more waits for it than should.
  public var isWritable: Bool { !socket.isFull && phase != .closing && phase != .closed }

  /// Sends an encoded frame, or several, each with its NUL; what the client does not take now goes
  /// as it reads.
  ///
  /// - Parameter frame: from ``VarlinkFrameEncoder``. It is not copied.
  public func send(frame: [UInt8]) {
    guard phase != .closing, phase != .closed else { return }
    if hasUnsentReplies { core.sendReplies() }
    socket.send(frame)
    abortIfLost()
  }

  /// Closes the connection once what is queued has been sent.
  ///
  /// Nothing is answered any more.
  public func close() {
    guard phase != .closing, phase != .closed else { return }
    core.sendReplies()
    phase = .closing
    socket.isReading = false
    leaveIfAllIsSent()
  }
}
