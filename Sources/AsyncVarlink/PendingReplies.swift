internal import JSON
internal import Varlink

/// One who waits for the replies of one call or of several in a row.
///
/// Belongs to the client's event loop.
protocol PendingReplies: AnyObject {
  /// Whether its call may be answered by more than one reply.
  var takesMore: Bool { get }

  /// A reply has come.
  ///
  /// - Returns: whether it was the last one.
  func receive(_ reply: ReplyEnvelope) -> Bool

  /// No reply comes any more.
  func fail(_ error: VarlinkConnectionError)
}

/// Waits for one reply to each of some calls.
///
/// `@unchecked`: everything but `init` is used on the client's event loop only.
final class ReplyCollector<Output: Sendable>: PendingReplies, @unchecked Sendable {
  typealias Decode = @Sendable (Result<JSONValue, VarlinkErrorReply>) throws -> Output

  let takesMore = false
  private let decode: Decode
  private var remaining: Int
  private var outputs: [Output] = []
  private var continuation: CheckedContinuation<[Output], any Error>?
  private var isCancelled = false

  init(count: Int, decode: @escaping Decode) {
    remaining = count
    self.decode = decode
    outputs.reserveCapacity(count)
  }

  /// Whether there is still somebody waiting, to whom `continuation` leads.
  func start(_ continuation: CheckedContinuation<[Output], any Error>) -> Bool {
    guard !isCancelled else {
      continuation.resume(throwing: CancellationError())
      return false
    }
    self.continuation = continuation
    return true
  }

  func receive(_ reply: ReplyEnvelope) -> Bool {
    remaining -= 1
    // Nobody waits any more where the call was cancelled or an earlier reply could not be read.
    if continuation != nil {
      do {
        outputs.append(try decode(reply.result))
        if remaining == 0 { end(with: .success(outputs)) }
      } catch {
        end(with: .failure(error))
      }
    }
    return remaining == 0
  }

  func fail(_ error: VarlinkConnectionError) {
    end(with: .failure(error))
  }

  func cancel() {
    isCancelled = true
    end(with: .failure(CancellationError()))
  }

  private func end(with result: Result<[Output], any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }
}
