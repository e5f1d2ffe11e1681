internal import NIOCore
internal import JSON
internal import Varlink

/// Waits for the replies of a `more` call.
///
/// Belongs to the client's event loop. `@unchecked`: everything but `init` is used there only.
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
      // First, for the end of the connection is an error of its own.
      end(with: error)
      // Where it is not the service that ended the stream, more comes that nobody wants.
      if reply.continues { control.abort() }
    }
    return !reply.continues
  }

  func fail(_ error: VarlinkConnectionError) {
    end(with: error)
  }

  private func end(with error: (any Error)?) {
    control.streamHasEnded()
    if let error {
      source.finish(error)
    } else {
      source.finish()
    }
  }
}

/// Carries what the reader of a stream wants to its connection.
final class StreamControl: NIOAsyncSequenceProducerDelegate {
  private let eventLoop: any EventLoop
  private let handler: NIOLoopBound<ClientHandler>
  private let hasEnded: NIOLoopBoundBox<Bool>

  init(eventLoop: any EventLoop, handler: NIOLoopBound<ClientHandler>) {
    self.eventLoop = eventLoop
    self.handler = handler
    hasEnded = .makeBoxSendingValue(false, eventLoop: eventLoop)
  }

  // MARK: On the event loop

  func stop() {
    handler.value.setReading(false)
  }

  func abort() {
    handler.value.abort()
  }

  /// The service has answered for the last time, so that the connection is free again.
  func streamHasEnded() {
    hasEnded.value = true
    handler.value.setReading(true)
  }

  // MARK: From anywhere

  func produceMore() {
    eventLoop.execute { self.handler.value.setReading(true) }
  }

  func didTerminate() {
    eventLoop.execute {
      if !self.hasEnded.value { self.handler.value.abort() }
    }
  }
}
