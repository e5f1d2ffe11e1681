internal import NIOCore
internal import JSON
internal import Varlink

/// Waits for the replies to a `more` call, and hands them to the stream's reader.
///
/// `@unchecked`: all members but `init` are used on the client's event loop only.
final class StreamReplies<Output: Sendable>: PendingReplies, @unchecked Sendable {
  let takesMore = true
  private let source: VarlinkReplies<Output>.Producer.Source
  private let control: StreamControl
  private let decode: @Sendable (JSONValue) throws -> Output

  init(
    source: VarlinkReplies<Output>.Producer.Source, control: StreamControl,
    decode: @escaping @Sendable (JSONValue) throws -> Output
  ) {
    self.source = source
    self.control = control
    self.decode = decode
  }

  func receive(_ reply: ReplyEnvelope) -> Bool {
    do {
      let output = try decode(reply.result.get())
      if case .stopProducing = source.yield(output), reply.continues { control.stop() }
      if !reply.continues { end(with: nil) }
    } catch {
      // Before the connection ends, which would give the stream an error of its own.
      end(with: error)
      // Where the reply could not be decoded, the service goes on with a stream that nobody reads.
      if reply.continues { control.abort() }
    }
    return !reply.continues
  }

  func fail(_ error: VarlinkConnectionError) {
    end(with: error)
  }

  /// Ends the stream for its reader, with `error` or, where that is `nil`, after its last reply.
  private func end(with error: (any Error)?) {
    control.streamHasEnded()
    if let error {
      source.finish(error)
    } else {
      source.finish()
    }
  }
}

/// Has a stream's connection do what the stream's reader needs: read, pause, or close.
final class StreamControl: NIOAsyncSequenceProducerDelegate {
  private let eventLoop: any EventLoop
  private let handler: NIOLoopBound<ClientHandler>
  /// Whether the stream has had its last reply or an error.
  private let hasEnded: NIOLoopBoundBox<Bool>

  init(eventLoop: any EventLoop, handler: NIOLoopBound<ClientHandler>) {
    self.eventLoop = eventLoop
    self.handler = handler
    hasEnded = .makeBoxSendingValue(false, eventLoop: eventLoop)
  }

  // MARK: On the event loop

  /// Stops reading from the connection, for the reader has enough replies waiting.
  func stop() {
    handler.value.setReading(false)
  }

  /// Closes the connection at once.
  func abort() {
    handler.value.abort()
  }

  /// Notes that the stream has ended, and goes on reading: the connection is free for other calls.
  func streamHasEnded() {
    hasEnded.value = true
    handler.value.setReading(true)
  }

  // MARK: On any thread

  /// Goes on reading, for the reader has room for replies again.
  func produceMore() {
    eventLoop.execute { self.handler.value.setReading(true) }
  }

  /// Closes the connection where the reader has left the stream before its end.
  func didTerminate() {
    eventLoop.execute {
      if !self.hasEnded.value { self.handler.value.abort() }
    }
  }
}
