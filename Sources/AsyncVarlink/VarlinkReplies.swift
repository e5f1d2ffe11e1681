internal import NIOCore

/// The replies of a `more` call, as they come.
///
/// Can be iterated once.
///
/// Ends after the final reply. Throws ``VarlinkErrorReply`` where the service answers with an
/// error, ``VarlinkConnectionError`` where the connection is lost, and what decoding throws. Ending
/// early (leaving the loop, cancelling its task) closes the connection, because a `more` call lasts
/// as long as its connection does.
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
