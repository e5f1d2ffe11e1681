internal import JSON

/// What all connections of a server share.
///
/// Only one connection at a time reads, parses and answers, so that one buffer, one parser and one
/// writer serve them all, and an idle connection holds none.
///
/// Safe: it owns the receive buffer, which is neither moved nor freed before this is.
@safe
final class ServerCore {
  let handler: any VarlinkHandler
  let service: ServiceInterface
  /// The methods of the handler's interfaces, then those of `org.varlink.service`.
  let methods: MethodTable
  /// The place of `org.varlink.service` among the interfaces of `methods`.
  let servicePlace: Int
  private let largeCalls: LargeCalls?
  private let loop: EpollLoop

  /// How many bytes a frame may have, its NUL not counted.
  var frameLimit: Int
  var isStopping = false
  var connections: [ObjectIdentifier: VarlinkConnection] = [:]
  /// The bytes that were read last; overwritten with zeros once they are answered or kept.
  let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
  let parser = JSONParser()
  /// The connections that have calls to read or to answer.
  var turns = Turns<VarlinkConnection>()
  /// When the present connection's turn is over, in nanoseconds of the monotonic clock; `nil` before its first calls
  /// are answered.
  private var turnEnd: Int?
  /// How many calls have been answered since `turnIsOver` last read the clock.
  private var callsSinceClock = 0
  /// The account of connections that have none.
  let account: any VarlinkAccount
  /// The connection whose calls were answered last.
  private var lastServed: ObjectIdentifier?
  /// Whether the connection whose calls are being answered was also the one before: no other is busy.
  private var isAlone = false
  /// The connection whose calls are being answered.
  private(set) var answering: VarlinkConnection?
  /// The replies that have not been sent yet, grouped by connection.
  private let replies = Exclusive(JSONWriter(capacity: 1 << 16))
  private var writer: JSONWriter {
    _read { yield replies.value }
    _modify { yield &replies.value }
  }
  /// How many bytes `replies` holds.
  private var unsentCount = 0
  /// The connections whose replies are in `replies`, each with the offset at which its replies begin.
  private var unsent: [(connection: VarlinkConnection, start: Int)] = []
  /// Replies are sent before the turn ends once this many bytes have collected; doubled each time, since the client is
  /// busy with the earlier ones by then.
  private var earlyReplyLimit = ServerCore.loneReplyLimit
  /// The connections that are to be ended at the end of the loop's turn.
  var leaving: [VarlinkConnection] = []

  init(
    info: VarlinkServiceInfo, interfaces: [VarlinkInterface], frameLimit: Int,
    largeCalls: LargeCalls?, handler: any VarlinkHandler, loop: EpollLoop
  ) {
    self.handler = handler
    self.largeCalls = largeCalls
    self.loop = loop
    self.frameLimit = frameLimit
    // Unsafe: only the buffer's size is read.
    account = unsafe SharedAccount(receivedLimit: (frameLimit + receiveBuffer.count) * 16)
    service = ServiceInterface(info: info, interfaces: interfaces)
    servicePlace = interfaces.count
    methods = MethodTable(
      interfaces + [ServiceInterface.interface])
  }

  deinit { unsafe receiveBuffer.deallocate() }

  // MARK: Turns

  /// How long a connection's turn may last, in nanoseconds: a millisecond.
  private static let quantum = 1_000_000

  /// Lets the connections that have work take their turns, for about a quantum; then the loop is to look for
  /// connections that have become ready.
  func takeTurns() {
    guard !turns.isEmpty else { return }
    turns.beginRound()
    var start: Int?
    while let connection = turns.next() {
      callsSinceClock = 0
      turnEnd = nil
      guard !connection.takeTurn() else {
        connection.isQueued = true
        return turns.addAgain(connection)
      }
      // Most rounds serve one client that asks for little; they save reading the clock, which takes a hundredth of a
      // call's time.
      guard !turns.isEmpty else { return }
      let now = EpollLoop.now
      guard now - (start ?? now) < Self.quantum else { return }
      start = start ?? now
    }
  }

  /// Whether the present connection has answered calls for a quantum; `bytes` is the length of the frame answered last.
  ///
  /// Reads the clock after every fourth call, and after each frame of more than 4 KiB.
  func turnIsOver(afterFrameOf bytes: Int) -> Bool {
    callsSinceClock += 1
    guard callsSinceClock >= 4 || bytes > 4096 else { return false }
    callsSinceClock = 0
    let now = EpollLoop.now
    guard let turnEnd else {
      // The quantum is counted from the first time that the clock is read.
      turnEnd = now + Self.quantum
      return false
    }
    return now >= turnEnd
  }

  // MARK: Calls

  /// Has the handler read `parameters` by a cursor, and answer a call of `connection` that has them.
  ///
  /// A method of the core: in the connection's the compiler would retain and release parser and handler for each call.
  ///
  /// - Returns: whether the call was answered.
  func handle(
    _ parameters: UnsafeRawBufferPointer, interface: Int, method: Int,
    on connection: VarlinkConnection
  ) -> Bool {
    // Unsafe: the caller lends the parameters.
    unsafe parser.read(parameters) {
      handler.handle(&$0, interface: interface, method: method, on: connection)
    }
  }

  // MARK: Replies

  /// How many bytes of replies are collected before they are sent within a turn of the loop: 64 KiB.
  private static let replyLimit = 1 << 16
  /// The same at first for a client that keeps the server busy alone, where the handler agrees: 4 KiB.
  ///
  /// The client reads the first replies, and sends further calls, while the server answers the others.
  private static let loneReplyLimit = 1 << 12

  /// Calls `body`, and has the replies that it writes sent to `connection` when the loop's turn ends.
  ///
  /// They are sent right after or before other connections' replies, so that a client that waits for several of them is
  /// woken once.
  ///
  /// - Parameters:
  ///   - connection: the connection whose calls are being answered.
  ///   - body: answers them, and calls `sendDueReplies` after each.
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

  /// Calls `body` and returns how many bytes `writer` then holds, in one access to it.
  private static func count(
    in writer: inout JSONWriter, after body: (inout JSONWriter) -> Void
  ) -> Int {
    body(&writer)
    return writer.byteCount
  }

  /// Sends the written replies if they are too many bytes to wait for the turn's end.
  func sendDueReplies() {
    guard unsentCount >= earlyReplyLimit,
      unsentCount >= Self.replyLimit || isAlone && handler.sendsEarly()
    else { return }
    earlyReplyLimit = min(2 * earlyReplyLimit, Self.replyLimit)
    sendReplies()
  }

  /// Calls `body`, which answers a call; where the call is a large one, once ``LargeCalls`` lets it.
  ///
  /// - Parameters:
  ///   - bytes: the length of the call's frame, in bytes.
  ///   - body: answers the call.
  func inTurn(frameOf bytes: Int, _ body: () -> Void) {
    guard bytes >= LargeCalls.leastBytes, let largeCalls else { return body() }
    let turn = largeCalls.begin(frameOf: bytes) { sleep in
      // Clients are not to wait for replies that are written already.
      sendReplies()
      loop.asleep(sleep)
    }
    defer { largeCalls.end(turn) }
    body()
  }

  /// Sends each connection its replies, and queues those that its client does not take at once.
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
