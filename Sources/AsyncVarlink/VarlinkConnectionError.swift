internal import NIOCore
internal import Varlink

/// Why a client's connection could not be made or did not last.
public struct VarlinkConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public enum Code: Hashable, Sendable {
    /// Nobody could be reached at the path.
    case cannotConnect
    /// The connection ended before the answer came, or was already closed.
    case connectionLost
    /// The service sent something that is no Varlink reply.
    case notAReply
    /// The service sent a reply longer than the client allows.
    case replyTooLarge
    /// The call is longer than `limit` bytes, the most that the client may send; it was not sent, and the connection
    /// stands.
    case callTooLarge(limit: Int)
  }

  /// What happened.
  public let code: Code
  /// The `errno` behind it; 0 where there is none.
  public let systemError: CInt

  package init(_ code: Code, systemError: CInt = 0) {
    self.code = code
    self.systemError = systemError
  }

  /// The error that SwiftNIO gave, seen as `code`.
  init(_ code: Code, from error: any Error) {
    self.init(code, systemError: (error as? IOError)?.errnoCode ?? 0)
  }

  /// In words: `cannot connect: No such file or directory`.
  public var description: String {
    let words =
      switch code {
      case .cannotConnect: "cannot connect"
      case .connectionLost: "the connection was lost"
      case .notAReply: "the service sent something that is no Varlink reply"
      case .replyTooLarge: "the service sent a reply that is too large"
      case .callTooLarge(let limit): "the call is longer than \(limit) bytes"
      }
    return systemError == 0 ? words : "\(words): \(UnixSocket.message(for: systemError))"
  }
}
