internal import NIOCore
internal import Varlink

/// Why a client could not connect, lost its connection, or did not send a call.
public struct VarlinkConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public enum Code: Hashable, Sendable {
    /// Connecting to the path failed.
    case cannotConnect
    /// The connection ended before the answer came, or was already closed.
    case connectionLost
    /// The service sent something that is no Varlink reply.
    case notAReply
    /// The service sent a reply longer than `limit` bytes, the most that the client reads.
    case replyTooLarge(limit: Int)
    /// The call is longer than `limit` bytes, the most that the client may send. It was not sent; the connection stays
    /// open.
    case callTooLarge(limit: Int)
    /// `limit` calls wait for their replies, as many as may. The call was not sent; the connection stays open.
    case tooManyCalls(limit: Int)
    /// `limit` bytes of calls wait for the service to read them, the most that are kept. The call was not sent; the
    /// connection stays open.
    case tooMuchUnsent(limit: Int)
  }

  /// What happened.
  public let code: Code
  /// The `errno` of the system call that failed; 0 where none is known.
  public let systemError: CInt

  package init(_ code: Code, systemError: CInt = 0) {
    self.code = code
    self.systemError = systemError
  }

  /// The error `code` with the `errno` of `error`, SwiftNIO's or a socket's, where that has one.
  init(_ code: Code, from error: any Error) {
    let systemError = (error as? IOError)?.errnoCode ?? (error as? VarlinkSocketError)?.systemError
    self.init(code, systemError: systemError ?? 0)
  }

  /// The error in words: `cannot connect: No such file or directory`.
  public var description: String {
    let words =
      switch code {
      case .cannotConnect: "cannot connect"
      case .connectionLost: "the connection was lost"
      case .notAReply: "the service sent something that is no Varlink reply"
      case .replyTooLarge(let limit): "the service sent a reply that is longer than \(limit) bytes"
      case .callTooLarge(let limit): "the call is longer than \(limit) bytes"
      case .tooManyCalls(let limit): "\(limit) calls wait for an answer"
      case .tooMuchUnsent(let limit):
        "\(limit) bytes of calls wait to be sent, the most that are kept"
      }
    return systemError == 0 ? words : "\(words): \(String(errno: systemError))"
  }
}
