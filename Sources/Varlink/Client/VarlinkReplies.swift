/// The replies of a `more` call, as they come. Can be iterated once.
///
/// Ends after the final reply. Throws ``VarlinkErrorReply`` where the service answers with an error, ``VarlinkConnectionError``
/// where the connection is lost, and what decoding throws. Ending early (leaving the loop, cancelling its task) closes the
/// connection, because a `more` call lasts as long as its connection does.
public struct VarlinkReplies<Output: Sendable>: AsyncSequence, Sendable {
  /// Gives one reply after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// The next reply; `nil` after the final one.
    public mutating func next() async throws -> Output? { fatalError() }
  }

  /// The iterator; to be made once.
  public func makeAsyncIterator() -> AsyncIterator { fatalError() }
}
