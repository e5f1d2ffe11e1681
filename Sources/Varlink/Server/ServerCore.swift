internal import JSON

/// What all connections of a server share.
///
/// Only one connection at a time reads, parses and answers, so that one buffer, one parser and one
/// writer serve them all, and an idle connection holds none.
final class ServerCore {
  let handler: any VarlinkHandler
  let service: ServiceInterface
  /// The handler's interfaces, then `org.varlink.service`.
  let methods: MethodTable
  let servicePlace: Int

  var frameLimit: Int
  var isStopping = false
  var connections: [ObjectIdentifier: VarlinkConnection] = [:]
  /// What was read last.
  let receiveBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
  var parser = JSONParser()
  /// How many bytes all connections together have sent of frames that are not complete.
  private var keptBytes = 0
  /// Whose calls were answered last.
  private var lastServed: ObjectIdentifier?
  /// Whose calls are being answered.
  private(set) var answering: VarlinkConnection?
  /// The replies that have not been sent yet, of one connection after the other.
  var writer = JSONWriter(capacity: 1 << 16)
  /// Whose these are, and where each one's begin.
  private var unsent: [(connection: VarlinkConnection, start: Int)] = []
  /// The connections that end with this turn of the loop.
  var leaving: [VarlinkConnection] = []

  init(
    info: VarlinkServiceInfo, interfaces: [VarlinkInterface], frameLimit: Int,
    handler: any VarlinkHandler
  ) {
    self.handler = handler
    self.frameLimit = frameLimit
    service = ServiceInterface(info: info, interfaces: interfaces)
    servicePlace = interfaces.count
    methods = MethodTable(
      interfaces + [ServiceInterface.interface])
  }

  deinit { receiveBuffer.deallocate() }

  // MARK: Frames that are not complete

  /// Counts what a connection has sent of such a frame; where all together have sent too much, the
  /// connections that have sent most end.
  func count(keptBytes count: Int, of connection: VarlinkConnection) {
    keptBytes += count - connection.keptBytes
    connection.keptBytes = count
    while keptBytes > frameLimit * 16,
      let largest = connections.values.max(by: { $0.keptBytes < $1.keptBytes }),
      largest.keptBytes > 0
    {
      largest.rejectUnfinished()
    }
  }

  // MARK: Replies

  /// How many bytes of replies are collected before they are sent within a turn of the loop.
  private static let replyLimit = 1 << 16
  /// The same for a client who keeps the server busy alone: it reads the first replies, and sends the
  /// next calls, while the rest are worked on.
  private static let loneReplyLimit = 1 << 12

  /// Has what `body` writes sent to `connection` when the turn ends, in one go with other
  /// connections' replies: who waits for several of them is woken once.
  ///
  /// - Parameters:
  ///   - connection: whose calls are being answered.
  ///   - body: gets how many bytes may be written before `sendReplies`.
  func answer(_ connection: VarlinkConnection, _ body: (_ limit: Int) -> Void) {
    let place = ObjectIdentifier(connection)
    let limit = lastServed == place ? Self.loneReplyLimit : Self.replyLimit
    lastServed = place
    answering = connection
    unsent.append((connection, writer.bytes.count))
    connection.hasUnsentReplies = true
    body(limit)
    answering = nil
  }

  /// Sends each connection its replies, or queues what its client does not take now.
  func sendReplies() {
    for (place, (connection, start)) in unsent.enumerated() {
      connection.hasUnsentReplies = connection === answering
      let end = place + 1 < unsent.count ? unsent[place + 1].start : writer.bytes.count
      guard start < end else { continue }
      connection.sendReplies(UnsafeRawBufferPointer(rebasing: writer.bytes[start..<end]))
    }
    writer.removeAll()
    unsent.removeAll(keepingCapacity: true)
    if let answering { unsent.append((answering, 0)) }
  }
}
