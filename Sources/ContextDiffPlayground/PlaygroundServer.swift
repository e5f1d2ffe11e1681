internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// An HTTP server of one page with two text fields, which shows what an input method would see of each change in them.
///
/// It listens on the loopback interface, so that only programs on this machine reach it. A request whose path lacks the
/// random token of ``address`` is answered by an error. Typed text is kept in this process's memory alone.
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
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
          try channel.pipeline.syncOperations.addHandler(
            PageHandler(token: token, playground: playground))
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

/// Answers one connection's requests.
private final class PageHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The most bytes that a request's body may have: six for each byte of four texts of `Playground.textLimit`, for each
  /// may be escaped as `\uXXXX`, and 64 KiB for the rest.
  private static let bodyLimit = 24 * Playground.textLimit + 1 << 16

  private let token: String
  private let playground: Playground
  /// The head of the request that is being received; `nil` between two.
  private var head: HTTPRequestHead?
  /// The body as received so far; no more is kept once it is longer than `bodyLimit`.
  private var body: [UInt8] = []

  init(token: String, playground: Playground) {
    self.token = token
    self.playground = playground
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
    case .body(let part):
      if body.count <= Self.bodyLimit { body += part.readableBytesView }
    case .end:
      guard let head else { return }
      self.head = nil
      answer(head, context: context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Answers a request whose body is complete, and closes the connection where the client asks for that.
  private func answer(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
    reply(to: head, context: context)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      if !head.isKeepAlive { channel.close(promise: nil) }
    }
  }

  /// Writes the answer to a request, without its end.
  private func reply(to head: HTTPRequestHead, context: ChannelHandlerContext) {
    // Refuses DNS rebinding: a page of another site whose name was made to resolve to this machine.
    let port = context.localAddress?.port ?? 0
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard hosts.contains(head.headers.first(name: "host") ?? "") else {
      return send(.misdirectedRequest, "text/plain", "not the playground's address\n", context)
    }
    switch (head.method, head.uri) {
    case (.GET, "/\(token)/"):
      send(.ok, "text/html; charset=utf-8", PackageResources.page_html, context)
    case (.POST, "/\(token)/change"):
      guard body.count <= Self.bodyLimit else {
        return send(.payloadTooLarge, "text/plain", "too long\n", context)
      }
      do throws(Playground.Refusal) {
        send(.ok, "application/json", try playground.read(body), context)
      } catch {
        send(.badRequest, "text/plain; charset=utf-8", "\(error.message)\n", context)
      }
    default: send(.notFound, "text/plain", "nothing here\n", context)
    }
  }

  private func send(
    _ status: HTTPResponseStatus, _ type: String, _ text: String, _ context: ChannelHandlerContext
  ) {
    send(status, type, Array(text.utf8), context)
  }

  private func send(
    _ status: HTTPResponseStatus, _ type: String, _ bytes: [UInt8], _ context: ChannelHandlerContext
  ) {
    let headers: HTTPHeaders = [
      "content-type": type, "content-length": "\(bytes.count)", "cache-control": "no-store",
      "referrer-policy": "no-referrer", "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy":
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'",
    ]
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let buffer = context.channel.allocator.buffer(bytes: bytes)
    context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
  }
}
