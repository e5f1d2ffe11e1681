/// Why a call has no answer.
package enum LoopClientError: Error, Equatable {
  /// Nobody answers at the socket of that path, for a reason in words; the call was not sent.
  case unreachable(String, because: String)
  /// The daemon went away before it answered; it may have done the call.
  case disconnected
  /// The deadline passed.
  case timedOut
  /// The client was closed first.
  case cancelled
  /// The daemon answered with the error of that name; `detail` is the parameter or the limit that it names.
  case refused(String, detail: String?)
  /// What came is no answer of a daemon of this version.
  case unreadable
  /// As many calls wait as may.
  case tooManyCalls
  /// The daemon reads nothing, and as many bytes wait to be sent as the client keeps.
  case tooMuchUnsent(limit: Int)
  /// The process has no file descriptors left.
  case noDescriptors
  /// The call is longer than any message that a daemon takes.
  case tooLarge
  /// A name that no session can have.
  case invalidSession
}
