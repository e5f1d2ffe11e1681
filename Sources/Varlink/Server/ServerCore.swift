internal import JSON

/// What all connections of a server share.
///
/// Only one connection at a time reads, parses and answers, so that one buffer, one parser and one
/// writer serve them all, and an idle connection holds none.
///
/// Safe: it owns the buffer, which stays where it is as long as this.
@safe
final class ServerCore {
  let handler: any VarlinkHandler
  let service: ServiceInterface
  /// The handler's interfaces, then `org.varlink.service`.
  let methods: MethodTable
  let servicePlace: Int
  private let largeCalls: LargeCalls?
  private let loop: EpollLoop

  var frameLimit: Int
  var isStopping = false
  var connections: [ObjectIdentifier: VarlinkConnection] = [:]
  /// What was read last.
  let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
  let parser = JSONParser()
  /// Who has something to do.
  var turns = Turns<VarlinkConnection>()
  /// When the turn at hand is over, in nanoseconds of the monotonic clock; `nil` until that is asked.
  private var turnEnd: Int?
  /// How many calls of this turn were answered since the clock was looked at.
  private var callsSince = 0
  /// Pays for connections that come without an account.
  let account: any VarlinkAccount
  /// Whose calls were answered last.
  private var lastServed: ObjectIdentifier?
  /// Whether the connection being answered is the one that was answered last, too: nobody else is busy.
  private var isAlone = false
  /// Whose calls are being answered.
  private(set) var answering: VarlinkConnection?
  /// The replies that have not been sent yet, of one connection after the other.
  private let replies = Exclusive(JSONWriter(capacity: 1 << 16))
  private var writer: JSONWriter {
    _read { yield replies.value }
    _modify { yield &replies.value }
  }
  /// How many bytes these are.
  private var unsentCount = 0
  /// Whose these are, and where each one's begin.
  private var unsent: [(connection: VarlinkConnection, start: Int)] = []
  /// From how many bytes on replies are sent before the turn ends; twice as many each time, for a client has
  /// enough to do by then.
  private var earlyReplyLimit = ServerCore.loneReplyLimit
  /// The connections that end with this turn of the loop.
  var leaving: [VarlinkConnection] = []

  init(
    info: VarlinkServiceInfo, interfaces: [VarlinkInterface], frameLimit: Int,
    largeCalls: LargeCalls?, handler: any VarlinkHandler, loop: EpollLoop
  ) {
    self.handler = handler
    self.largeCalls = largeCalls
    self.loop = loop
    self.frameLimit = frameLimit
    // Unsafe: how large the buffer is.
    account = unsafe SharedAccount(receivedLimit: (frameLimit + receiveBuffer.count) * 16)
    service = ServiceInterface(info: info, interfaces: interfaces)
    servicePlace = interfaces.count
    methods = MethodTable(
      interfaces + [ServiceInterface.interface])
  }

  deinit { unsafe receiveBuffer.deallocate() }

  // MARK: Turns

  /// How long a connection may keep the others of its loop waiting, in nanoseconds.
  private static let quantum = 1_000_000

  /// Lets those who have something to do take their turns, for about a quantum: then the loop is to
  /// look who else has come.
  func takeTurns() {
    guard !turns.isEmpty else { return }
    turns.beginRound()
    var start: Int?
    while let connection = turns.next() {
      callsSince = 0
      turnEnd = nil
      guard !connection.takeTurn() else {
        connection.isQueued = true
        return turns.addAgain(connection)
      }
      // Most rounds are of one client that asks for little: the clock costs a hundredth of a call.
      guard !turns.isEmpty else { return }
      let now = EpollLoop.now
      guard now - (start ?? now) < Self.quantum else { return }
      start = start ?? now
    }
  }

  /// Whether a connection has answered calls for a quantum.
  func turnIsOver(afterFrameOf bytes: Int) -> Bool {
    callsSince += 1
    guard callsSince >= 4 || bytes > 4096 else { return false }
    callsSince = 0
    let now = EpollLoop.now
    guard let turnEnd else {
      // Its first calls are behind it.
      turnEnd = now + Self.quantum
      return false
    }
    return now >= turnEnd
  }

  // MARK: Replies

  /// How many bytes of replies are collected before they are sent within a turn of the loop.
  private static let replyLimit = 1 << 16
  /// The least for a client who keeps the server busy alone, where the handler agrees: it reads the first
  /// replies, and sends the next calls, while the rest are worked on.
  private static let loneReplyLimit = 1 << 12

  /// Has what `body` writes sent to `connection` when the turn ends, in one go with other
  /// connections' replies: who waits for several of them is woken once.
  ///
  /// - Parameters:
  ///   - connection: whose calls are being answered.
  ///   - body: answers them, and calls `sendDueReplies` now and then.
  func answer(_ connection: VarlinkConnection, _ body: () -> Void) {
    let place = ObjectIdentifier(connection)
    isAlone = lastServed == place
    lastServed = place
    answering = connection
    earlyReplyLimit = Self.loneReplyLimit
    unsent.append((connection, unsentCount))
    connection.hasUnsentReplies = true
    body()
    answering = nil
  }

  /// Has `body` write a reply to the connection whose calls are being answered.
  func write(_ body: (inout JSONWriter) -> Void) {
    unsentCount = Self.count(in: &writer, after: body)
  }

  private static func count(
    in writer: inout JSONWriter, after body: (inout JSONWriter) -> Void
  ) -> Int {
    body(&writer)
    return writer.byteCount
  }

  /// Sends the replies that are written where they are too many to wait for the turn's end.
  func sendDueReplies() {
    guard unsentCount >= earlyReplyLimit,
      unsentCount >= Self.replyLimit || isAlone && handler.sendsEarly()
    else { return }
    earlyReplyLimit = min(2 * earlyReplyLimit, Self.replyLimit)
    sendReplies()
  }

  /// Answers a call, once it is its turn where it is a large one.
  func inTurn(frameOf bytes: Int, _ body: () -> Void) {
    guard bytes >= LargeCalls.leastBytes, let largeCalls else { return body() }
    largeCalls.begin(frameOf: bytes) { sleep in
      // Nobody waits for what is answered already.
      sendReplies()
      loop.asleep(sleep)
    }
    defer { largeCalls.end(frameOf: bytes) }
    body()
  }

  /// Sends each connection its replies, or queues what its client does not take now.
  func sendReplies() {
    for (place, (connection, start)) in unsent.enumerated() {
      connection.hasUnsentReplies = connection === answering
      let end = place + 1 < unsent.count ? unsent[place + 1].start : unsentCount
      guard start < end else { continue }
      // Unsafe: sent or copied before the writer's next call.
      unsafe connection.send(UnsafeRawBufferPointer(rebasing: writer.bytes[start..<end]))
    }
    writer.removeAll()
    unsentCount = 0
    unsent.removeAll(keepingCapacity: true)
    if let answering { unsent.append((answering, 0)) }
  }
}
