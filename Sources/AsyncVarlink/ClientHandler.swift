internal import NIOCore
internal import JSON
internal import Varlink

/// Sends a client's calls and gives each reply to the one who waits for it.
///
/// Belongs to the client's event loop.
final class ClientHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let frameLimit: Int
  private var context: ChannelHandlerContext?
  private let reader = FrameReader()
  private let parser = JSONParser()
  /// In the order of the calls.
  private var pending = CircularBuffer<any PendingReplies>()
  /// Why the connection is over, once it is.
  private var failure: VarlinkConnectionError?

  init(frameLimit: Int) {
    self.frameLimit = frameLimit
  }

  /// Sends frames whose replies `replies` waits for; `nil` where there are none.
  func send(_ frames: ByteBuffer, replies: (any PendingReplies)?) {
    guard let context, failure == nil else {
      replies?.fail(failure ?? VarlinkConnectionError(.connectionLost))
      return
    }
    if let replies { pending.append(replies) }
    context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
  }

  /// How long a service that reads nothing keeps a connection that is to be closed.
  private static let patience = TimeAmount.seconds(1)

  /// Closes once what was sent is out, or the service had time enough to read it; nobody is answered any more.
  func close() {
    guard let context, failure == nil else { return }
    let error = VarlinkConnectionError(.connectionLost)
    failure = error
    let channel = context.channel
    let limit = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
      limit.cancel()
      channel.close(promise: nil)
    }
    while let replies = pending.popFirst() { replies.fail(error) }
  }

  /// Closes at once.
  func abort() {
    context?.close(promise: nil)
  }

  /// Reads on, or not: a stream's replies are not wanted as fast as they come.
  func setReading(_ isReading: Bool) {
    // Fails only where the channel is already closed, and then nothing is read anyway.
    try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard failure == nil else { return }
    do {
      // Unsafe: bytes that are lent. No frame outlives `receive`, nor that the buffer's lending.
      try unsafe unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
        var rest = unsafe bytes
        while failure == nil, let frame = try unsafe reader.next(in: &rest, limit: frameLimit) {
          unsafe receive(frame)
        }
      }
    } catch {
      fail(VarlinkConnectionError(.replyTooLarge))
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(VarlinkConnectionError(.connectionLost))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(VarlinkConnectionError(.connectionLost, from: error))
  }

  private func receive(_ frame: UnsafeRawBufferPointer) {
    // Unsafe: the value is the frame's bytes, which are lent until this returns.
    guard let value = try? unsafe parser.parse(frame), let reply = ReplyEnvelope(value),
      let replies = pending.first, replies.takesMore || !reply.continues
    else { return fail(VarlinkConnectionError(.notAReply)) }
    if replies.receive(reply) { pending.removeFirst() }
  }

  /// Ends the connection, and everyone's wait.
  private func fail(_ error: VarlinkConnectionError) {
    let error = failure ?? error
    failure = error
    context?.close(promise: nil)
    while let replies = pending.popFirst() { replies.fail(error) }
  }
}
