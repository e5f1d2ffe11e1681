internal import NIOCore

/// The replies to a `more` call, as they come; they can be iterated once.
///
/// The sequence ends after the last reply. It throws ``VarlinkErrorReply`` where the service answers with an error,
/// ``VarlinkConnectionError`` where the connection is lost, and what decoding throws. Leaving the loop early, or
/// cancelling its task, closes the connection, because only that ends a `more` call.
public struct VarlinkReplies<Output: Sendable>: AsyncSequence, Sendable {
  typealias Producer = NIOThrowingAsyncSequenceProducer<
    Output, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark,
    StreamControl
  >

  /// Waits for one reply after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let base: Producer.AsyncIterator
    /// Kept, because the connection closes when nothing refers to the client any more.
    let client: VarlinkClient

    /// Waits for the next reply.
    ///
    /// - Returns: the reply, decoded; `nil` after the last one.
    /// - Throws: what the sequence throws.
    @concurrent
    public mutating func next() async throws -> Output? {
      try await base.next()
    }
  }

  let producer: Producer
  let client: VarlinkClient

  /// The sequence's iterator; making a second one ends the program.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: producer.makeAsyncIterator(), client: client)
  }
}
