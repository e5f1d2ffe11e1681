internal import NIOCore

/// The replies of a `more` call, as they come. Can be iterated once.
///
/// Ends after the final reply. Throws ``VarlinkErrorReply`` where the service answers with an error, ``VarlinkConnectionError``
/// where the connection is lost, and what decoding throws. Ending early (leaving the loop, cancelling its task) closes the
/// connection, because a `more` call lasts as long as its connection does.
public struct VarlinkReplies<Output: Sendable>: AsyncSequence, Sendable {
  typealias Producer = NIOThrowingAsyncSequenceProducer<
    Output, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark,
    StreamControl
  >

  /// Gives one reply after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let base: Producer.AsyncIterator
    /// Kept, because the connection closes with it.
    let client: VarlinkClient

    /// The next reply; `nil` after the final one.
    ///
    /// - Returns: the reply, decoded.
    /// - Throws: why there is none.
    @concurrent
    public mutating func next() async throws -> Output? {
      try await base.next()
    }
  }

  let producer: Producer
  let client: VarlinkClient

  /// The iterator; to be made once.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: producer.makeAsyncIterator(), client: client)
  }
}

/// Waits for the replies of a `more` call. Belongs to the client's event loop.
///
/// `@unchecked`: everything but `init` is used on the client's event loop only.
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
      if case .stopProducing = source.yield(output) { control.stop() }
      if !reply.continues { source.finish() }
      return !reply.continues
    } catch {
      source.finish(error)
      // Of the others, more may come; nobody wants them.
      control.didTerminate()
      return true
    }
  }

  func fail(_ error: VarlinkConnectionError) {
    source.finish(error)
  }
}

/// Carries what the reader of a stream wants to its connection.
struct StreamControl: NIOAsyncSequenceProducerDelegate {
  let eventLoop: any EventLoop
  let handler: NIOLoopBound<ClientHandler>

  func stop() {
    handler.value.setReading(false)
  }

  func produceMore() {
    eventLoop.execute { handler.value.setReading(true) }
  }

  func didTerminate() {
    eventLoop.execute { handler.value.abort() }
  }
}
