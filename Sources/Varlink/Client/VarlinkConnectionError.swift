/// Why a client's connection could not be made or did not last.
public struct VarlinkConnectionError: Error, Hashable, Sendable {
  /// What happened.
  public enum Code: Hashable, Sendable {
    /// Nobody could be reached at the path; `systemError` says why.
    case cannotConnect
    /// The connection ended before the answer came, or was already closed.
    case connectionLost
    /// The service sent something that is no Varlink reply.
    case notAReply
    /// The service sent a reply longer than the client allows.
    case replyTooLarge
  }

  /// What happened.
  public let code: Code
  /// The `errno` behind it; 0 where there is none.
  public let systemError: CInt

  package init(_ code: Code, systemError: CInt = 0) {
    self.code = code
    self.systemError = systemError
  }
}
