internal import JSON
internal import Varlink

/// What waits for the replies to one call, or to several calls in a row.
///
/// It is used on the client's event loop only.
protocol PendingReplies: AnyObject {
  /// Whether a call may be answered by more than one reply.
  var takesMore: Bool { get }

  /// Takes a reply.
  ///
  /// - Returns: whether the reply was the last one.
  func receive(_ reply: ReplyEnvelope) -> Bool

  /// Notes that no reply comes any more, and why.
  func fail(_ error: VarlinkConnectionError)
}

/// Waits for one reply to each of several calls, and resumes the task that made the calls.
///
/// `@unchecked`: all members but `init` are used on the client's event loop only.
final class ReplyCollector<Output: Sendable>: PendingReplies, @unchecked Sendable {
  typealias Decode = @Sendable (Result<JSONValue, VarlinkErrorReply>) throws -> Output

  let takesMore = false
  private let decode: Decode
  /// How many replies have not come yet.
  private var remaining: Int
  private var outputs: [Output] = []
  private var continuation: CheckedContinuation<[Output], any Error>?
  private var isCancelled = false

  init(count: Int, decode: @escaping Decode) {
    remaining = count
    self.decode = decode
    outputs.reserveCapacity(count)
  }

  /// Begins to wait, for the task of `continuation`; returns `false` where that was cancelled before.
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
    // There is no continuation where the task was cancelled, or an earlier reply could not be decoded.
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

  /// Resumes the task, unless that has been done.
  private func end(with result: Result<[Output], any Error>) {
    continuation?.resume(with: result)
    continuation = nil
  }
}
