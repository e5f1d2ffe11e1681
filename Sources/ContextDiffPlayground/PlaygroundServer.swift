internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// An HTTP server of one page with two text fields, which shows what an input method would see of each change in them.
///
/// It listens on the loopback interface, so that only programs on this machine reach it. A request whose path lacks the
/// random token of ``address`` is answered by an error, and nothing of it is kept. Typed text is kept in this process's
/// memory alone.
package struct PlaygroundServer: Sendable {
  /// The page's URL, which holds the token.
  package let address: String
  private let channel: any Channel

  /// The server cannot listen on the port.
  package struct CannotListen: Error {
    /// The `errno` of the system call that failed.
    package let number: CInt
  }

  /// Starts a server.
  ///
  /// - Parameter port: The TCP port; 0 for any that is free.
  /// - Returns: The server, which listens already.
  /// - Throws: ``CannotListen`` where the system refuses the port.
  package static func start(port: Int) async throws -> PlaygroundServer {
    do { return try await listen(port: port) } catch let error as IOError {
      throw CannotListen(number: error.errnoCode)
    }
  }

  private static func listen(port: Int) async throws -> PlaygroundServer {
    let token = Self.token()
    let playground = Playground()
    let connections = Connections()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
          try channel.pipeline.syncOperations.addHandler(
            PageHandler(token: token, playground: playground, connections: connections))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    let bound = channel.localAddress?.port ?? port
    return PlaygroundServer(address: "http://127.0.0.1:\(bound)/\(token)/", channel: channel)
  }

  /// Waits until the server has stopped listening.
  package func waitUntilClosed() async throws {
    try await channel.closeFuture.get()
  }

  /// 128 random bits, as 32 hexadecimal digits.
  private static func token() -> String {
    let digits = Array("0123456789abcdef")
    var generator = SystemRandomNumberGenerator()
    return String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
  }
}

/// Counts the connections that are open, on any thread.
private final class Connections: Sendable {
  /// The most that are open at a time; a browser opens six.
  private static let most = 64

  private let count = Atomic<Int>(0)

  /// Counts one more; returns false, and counts none, where there are enough.
  func open() -> Bool {
    if count.add(1, ordering: .relaxed).newValue <= Self.most { return true }
    close()
    return false
  }

  func close() { count.subtract(1, ordering: .relaxed) }
}

/// Answers one connection's requests.
///
/// Anybody on this machine can connect, so a request's body is kept only where its head has the token.
private final class PageHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The most bytes that a request's body may have: six for each byte of four texts of `Playground.textLimit`, for each
  /// may be escaped as `\uXXXX`, and 64 KiB for the rest.
  private static let bodyLimit = 24 * Playground.textLimit + 1 << 16
  private static let tooLong = "too long\n"
  /// How long a connection stays open on which no request is answered.
  private static let patience = TimeAmount.seconds(10)

  private let token: String
  private let playground: Playground
  private let connections: Connections
  private var isCounted = false
  /// Closes the connection once `patience` is over.
  private var deadline: Scheduled<Void>?
  /// The head of the request that is being received; `nil` between two, and once one is refused.
  private var head: HTTPRequestHead?
  /// The body as received so far.
  private var body: [UInt8] = []
  /// The answer to a refused request, after which the connection is closed; `nil` before one is.
  private var refused: EventLoopFuture<Void>?

  init(token: String, playground: Playground, connections: Connections) {
    self.token = token
    self.playground = playground
    self.connections = connections
  }

  func channelActive(context: ChannelHandlerContext) {
    isCounted = connections.open()
    if isCounted { setDeadline(context) } else { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if isCounted { connections.close() }
    isCounted = false
    deadline?.cancel()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard refused == nil else { return }
      self.head = head
      body = []
      if let (status, text) = refusal(of: head, port: context.localAddress?.port ?? 0) {
        refuse(status, text, context)
      }
    case .body(let part):
      guard head != nil else { return }
      body += part.readableBytesView
      if body.count > Self.bodyLimit { refuse(.payloadTooLarge, Self.tooLong, context) }
    case .end:
      if let head {
        self.head = nil
        answer(head, context: context)
      } else {
        // Not before: a client that still sends would lose the answer.
        let channel = context.channel
        refused?.whenComplete { _ in channel.close(promise: nil) }
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func setDeadline(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }

  /// The status and the text for a request that is refused by its head; `nil` for any other.
  private func refusal(of head: HTTPRequestHead, port: Int) -> (HTTPResponseStatus, String)? {
    // Refuses DNS rebinding: a page of another site whose name was made to resolve to this machine.
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard hosts.contains(head.headers.first(name: "host") ?? "") else {
      return (.misdirectedRequest, "not the playground's address\n")
    }
    switch (head.method, head.uri) {
    case (.GET, "/\(token)/"), (.GET, "/\(token)/running"): return nil
    case (.POST, "/\(token)/change"):
      let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
      return length > Self.bodyLimit ? (.payloadTooLarge, Self.tooLong) : nil
    default: return (.notFound, "nothing here: take the whole address, with the / at its end\n")
    }
  }

  /// Answers a request before its body is complete; the rest of it is passed over, and the connection then closed.
  private func refuse(
    _ status: HTTPResponseStatus, _ text: String, _ context: ChannelHandlerContext
  ) {
    head = nil
    body = []
    send(status, "text/plain", text, context, closing: true)
    refused = context.writeAndFlush(wrapOutboundOut(.end(nil)))
  }

  /// Answers a request whose body is complete, and closes the connection where the client asks for that.
  private func answer(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
    setDeadline(context)
    if head.method == .GET, head.uri.hasSuffix("/running") {
      // Its end, when the process ends, tells the page that nobody is to be told what is typed.
      deadline?.cancel()
      context.write(wrapOutboundOut(.head(responseHead(.ok, "text/plain"))), promise: nil)
      return context.flush()
    }
    if head.method == .GET {
      send(.ok, "text/html; charset=utf-8", PackageResources.page_html, context)
    } else {
      do throws(Playground.Refusal) {
        send(.ok, "application/json", try playground.read(body), context)
      } catch {
        send(.badRequest, "text/plain; charset=utf-8", "\(error.message)\n", context)
      }
    }
    body = []
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if !head.isKeepAlive { channel.close(promise: nil) }
    }
  }

  private func send(
    _ status: HTTPResponseStatus, _ type: String, _ text: String, _ context: ChannelHandlerContext,
    closing: Bool = false
  ) {
    send(status, type, Array(text.utf8), context, closing: closing)
  }

  private func send(
    _ status: HTTPResponseStatus, _ type: String, _ bytes: [UInt8],
    _ context: ChannelHandlerContext, closing: Bool = false
  ) {
    var head = responseHead(status, type)
    head.headers.add(name: "content-length", value: "\(bytes.count)")
    if closing { head.headers.add(name: "connection", value: "close") }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let buffer = context.channel.allocator.buffer(bytes: bytes)
    context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
  }
  /// The head of an answer, which says nothing of its length.
  private func responseHead(_ status: HTTPResponseStatus, _ type: String) -> HTTPResponseHead {
    HTTPResponseHead(
      version: .http1_1, status: status,
      headers: [
        "content-type": type, "cache-control": "no-store", "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff", "x-frame-options": "DENY",
        "content-security-policy":
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'",
      ])
  }
}
