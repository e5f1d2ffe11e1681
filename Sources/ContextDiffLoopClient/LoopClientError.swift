internal import JSON
internal import Varlink

/// Why a call has no answer, or a subscription has ended.
package enum LoopClientError: Error, Equatable {
  /// Connecting to the socket at a path failed, for a reason in words; the call was not sent.
  case unreachable(String, because: String)
  /// The connection ended before the answer came; the daemon may have done the call.
  case disconnected
  /// The deadline passed before the answer came; the daemon may have done the call.
  case timedOut
  /// The client was closed before the answer came.
  case cancelled
  /// The daemon answered by an error, given by its full name; `detail` is what it names: the parameter, the text and the
  /// limit, the session or the announced edit.
  case refused(String, detail: String?)
  /// The daemon's answer cannot be read: it is of another version, or no contextdiffd.
  case unreadable
  /// The daemon's answer is longer than `limit` bytes, the most that is read.
  case replyTooLarge(limit: Int)
  /// `limit` calls wait for an answer, as many as may; the call was not sent.
  case tooManyCalls(limit: Int)
  /// `limit` bytes of calls wait to be sent, the most that are kept, for the daemon does not read as fast as calls are
  /// made, or has not told its limit of a call's length yet; the call was not sent.
  case tooMuchUnsent(limit: Int)
  /// The process has no file descriptors left.
  case noDescriptors
  /// The call, or the subscription, is longer than `limit` bytes, the most that the daemon takes; it was not sent.
  case tooLarge(limit: Int)
  /// The name cannot be a session's; the call was not sent.
  case invalidSession
}

extension LoopClientError {
  /// The error `error` that the daemon replied with.
  static func refused(_ reply: ReplyEnvelope, _ error: String) -> LoopClientError {
    let parameters = reply.parameters
    // A daemon before version 0.2 tells no field.
    let field = parameters["field"].string.map { "\($0), " } ?? ""
    let detail =
      parameters["parameter"].string
      ?? parameters["limit"].integer.map { "\(field)limit \($0)" }
      ?? parameters["session"].string.map { "session \($0)" }
      ?? parameters["expected"].integer.map { "expected \($0)" }
    return .refused(error, detail: detail)
  }
}
