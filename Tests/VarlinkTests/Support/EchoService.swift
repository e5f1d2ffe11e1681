import JSON
import Varlink

/// A service that does on demand what a test wants to see, and notes what happens to its
/// connections.
final class EchoService: VarlinkHandler {
  static let description = """
    interface org.example.echo
    method Echo(text: string) -> (text: string)
    method Count(to: int) -> (n: int)
    method Stream(frames: int) -> (n: int)
    method Hold() -> ()
    method Repeat(text: string, times: int) -> (text: string)
    method Spin(microseconds: int) -> ()
    """

  private static let methods = ["Echo", "Count", "Stream", "Hold", "Repeat", "Spin"]

  /// What a stream has still to send.
  private final class Stream {
    var next = 0
    let end: Int
    let isHeld: Bool

    init(end: Int, isHeld: Bool) {
      self.end = end
      self.isHeld = isHeld
    }
  }

  private(set) var rejections: [FrameRejection] = []
  private(set) var refused: [(peer: PeerCredentials, reason: ConnectionRefusal)] = []
  /// How many calls of each method there were.
  private(set) var handled: [String: Int] = [:]
  /// How many calls of Echo were read by a cursor.
  private(set) var echoedAtOnce = 0
  private(set) var peers: [PeerCredentials] = []
  private(set) var open: [VarlinkConnection] = []
  /// How many calls of Spin were handled before the first Echo since this was reset.
  var spinsBeforeEcho: Int?
  var isWelcoming = true
  /// Called when a connection is gone.
  var onClose: () -> Void = {}
  private var encoder = VarlinkFrameEncoder()

  func connectionOpened(_ connection: VarlinkConnection) -> Bool {
    peers.append(connection.peer)
    if isWelcoming { open.append(connection) }
    return isWelcoming
  }

  func connectionRefused(_ peer: PeerCredentials, because reason: ConnectionRefusal) {
    refused.append((peer, reason))
  }

  func handle(_ call: VarlinkCall, on connection: VarlinkConnection) {
    handled[Self.methods[call.method], default: 0] += 1
    switch call.method {
    case 0:
      spinsBeforeEcho = spinsBeforeEcho ?? handled["Spin", default: 0]
      guard let text = call.parameters["text"].string else {
        return connection.reply(InvalidParameter("text"))
      }
      reply(text, on: connection)
    case 1:
      guard call.wantsMore else {
        return connection.reply(error: "org.varlink.service.ExpectedMore") { _ in }
      }
      let end = call.parameters["to"].integer ?? 0
      for number in 1...end {
        connection.reply(continues: number < end) { writer in
          writer.name("n")
          writer.integer(number)
        }
      }
    case 2, 3:
      connection.beginStream()
      connection.userInfo = Stream(
        end: call.parameters["frames"].integer ?? 0, isHeld: call.method == 3)
      advance(connection)
    case 5:
      let end = ContinuousClock.now + .microseconds(call.parameters["microseconds"].integer ?? 0)
      while ContinuousClock.now < end {}
      connection.reply { _ in }
    default:
      let text = call.parameters["text"].string ?? ""
      reply(
        String(repeating: text, count: call.parameters["times"].integer ?? 0), on: connection)
    }
  }

  func handle(
    _ parameters: inout JSONCursor, interface: Int, method: Int, on connection: VarlinkConnection
  ) -> Bool {
    guard method == 0, parameters.take(#"{"text":"#), let text = parameters.string(),
      parameters.take("}"), parameters.isAtEnd
    else { return false }
    handled["Echo", default: 0] += 1
    echoedAtOnce += 1
    spinsBeforeEcho = spinsBeforeEcho ?? handled["Spin", default: 0]
    reply(String(decoding: text, as: UTF8.self), on: connection)
    return true
  }

  private func reply(_ text: String, on connection: VarlinkConnection) {
    connection.reply { writer in
      writer.name("text")
      writer.string(text)
    }
  }

  /// Sends as much of a connection's stream as may wait to be sent; closes it at the end.
  private func advance(_ connection: VarlinkConnection) {
    guard let stream = connection.userInfo as? Stream, !stream.isHeld else { return }
    while stream.next < stream.end, connection.isWritable {
      let number = stream.next
      connection.send(
        frame: encoder.reply(continues: true) { writer in
          writer.name("n")
          writer.integer(number)
        })
      stream.next += 1
    }
    if stream.next == stream.end { connection.close() }
  }

  /// How many frames of its stream each connection has been given.
  var streamed: [Int] {
    open.compactMap { ($0.userInfo as? Stream)?.next }
  }

  func connectionIsWritable(_ connection: VarlinkConnection) { advance(connection) }

  func frameRejected(_ reason: FrameRejection, on connection: VarlinkConnection) {
    rejections.append(reason)
  }

  func connectionClosed(_ connection: VarlinkConnection) {
    open.removeAll { $0 === connection }
    onClose()
  }
}
