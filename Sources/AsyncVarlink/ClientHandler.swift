internal import NIOCore
internal import JSON
internal import Varlink

/// Sends a client's calls, and hands each reply to the `PendingReplies` that waits for it.
///
/// It is used on the client's event loop only.
final class ClientHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The longest reply that is accepted, in bytes, its NUL not counted.
  private let frameLimit: Int
  private var context: ChannelHandlerContext?
  private let reader = FrameReader()
  private let parser = JSONParser()
  /// What waits for replies, in the order of the calls.
  private var pending = CircularBuffer<any PendingReplies>()
  /// Why the connection has ended; `nil` while it has not.
  private var failure: VarlinkConnectionError?

  init(frameLimit: Int) {
    self.frameLimit = frameLimit
  }

  /// Sends `frames`, to which `replies` gets the replies.
  ///
  /// Where the connection has ended, or as much waits as may, nothing is sent, and `replies` fails at once.
  func send(_ frames: ByteBuffer, replies: any PendingReplies) {
    guard let context, failure == nil else {
      return replies.fail(failure ?? VarlinkConnectionError(.connectionLost))
    }
    guard pending.count < VarlinkClient.pendingLimit else {
      return replies.fail(
        VarlinkConnectionError(.tooManyCalls(limit: VarlinkClient.pendingLimit)))
    }
    // It fails only where the channel is closed, and then the write fails as well.
    let unsent = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
    guard unsent ?? 0 < VarlinkClient.unsentLimit else {
      return replies.fail(VarlinkConnectionError(.tooMuchUnsent(limit: VarlinkClient.unsentLimit)))
    }
    pending.append(replies)
    context.writeAndFlush(wrapOutboundOut(frames), promise: nil)
  }

  /// Sends `frame`, a call without a reply, and calls `done` once it has left, or the connection has ended.
  func sendOneway(_ frame: ByteBuffer, done: @escaping @Sendable () -> Void) {
    guard let context, failure == nil else { return done() }
    context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in done() }
  }

  /// How long `close` waits for a service that does not read what was sent.
  private static let closingTime = TimeAmount.seconds(1)

  /// Closes the connection once what was sent has left, or `closingTime` is over; all that wait fail at once.
  func close() {
    guard let context, failure == nil else { return }
    let error = VarlinkConnectionError(.connectionLost)
    failure = error
    let channel = context.channel
    let limit = context.eventLoop.scheduleTask(in: Self.closingTime) { channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
      limit.cancel()
      channel.close(promise: nil)
    }
    while let replies = pending.popFirst() { replies.fail(error) }
  }

  /// Closes the connection at once.
  func abort() {
    context?.close(promise: nil)
  }

  /// Starts or stops reading from the connection, as a stream's reader has room for replies.
  func setReading(_ isReading: Bool) {
    // It fails only where the channel is closed, and then nothing is read anyway.
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
      // Unsafe: a frame is valid until `receive` returns, while the buffer lends its bytes.
      try unsafe unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
        var rest = unsafe bytes
        while failure == nil, let frame = try unsafe reader.next(in: &rest, limit: frameLimit) {
          unsafe receive(frame)
        }
      }
    } catch {
      fail(VarlinkConnectionError(.replyTooLarge(limit: frameLimit)))
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(VarlinkConnectionError(.connectionLost))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail(VarlinkConnectionError(.connectionLost, from: error))
  }

  /// Hands a reply to the call that has waited the longest; ends the connection where `frame` is no reply to it.
  private func receive(_ frame: UnsafeRawBufferPointer) {
    // Unsafe: the value is used while the frame's bytes are valid.
    guard let value = try? unsafe parser.parse(frame), let reply = ReplyEnvelope(value),
      let replies = pending.first, replies.takesMore || !reply.continues
    else { return fail(VarlinkConnectionError(.notAReply)) }
    if replies.receive(reply) { pending.removeFirst() }
  }

  /// Closes the connection; all that wait fail with its first error.
  private func fail(_ error: VarlinkConnectionError) {
    let error = failure ?? error
    failure = error
    context?.close(promise: nil)
    while let replies = pending.popFirst() { replies.fail(error) }
  }
}
