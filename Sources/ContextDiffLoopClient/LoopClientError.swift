/// Why a call has no answer.
package enum LoopClientError: Error, Equatable {
  /// Nobody answers at the socket, or went away before answering.
  case notConnected
  /// The deadline passed.
  case timedOut
  /// The client was closed first.
  case cancelled
  /// The daemon answered with the error of that name, and of a parameter where it names one.
  case refused(String, parameter: String?)
  /// What came is no answer of a daemon of this version.
  case unreadable
  /// As many calls wait as may, or as many bytes as the client keeps.
  case tooManyCalls
  /// The process has no file descriptors left.
  case noDescriptors
  /// The call is longer than any message that a daemon takes.
  case tooLarge
  /// A name that no session can have.
  case invalidSession
}
