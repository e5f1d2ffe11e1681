internal import AsyncVarlink
internal import ContextDiffWire
internal import Glibc
internal import JSON
internal import Varlink

extension ContextDiffError {
  /// The error of this module for any error that a call threw.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as ContextDiffError: self = error
    case let error as VarlinkConnectionError: self.init(connection: error, path: path)
    case let error as VarlinkErrorReply: self.init(reply: error)
    case is DeadlineExceeded:
      self.init(
        code: .timedOut, message: "the daemon on \(path) did not answer in time", cause: error)
    case is CancellationError:
      self.init(code: .cancelled, message: "the call was cancelled", cause: error)
    default:
      self.init(
        code: .invalidReply, message: "the daemon on \(path) gave an answer that cannot be read",
        cause: error)
    }
  }

  private init(connection error: VarlinkConnectionError, path: String) {
    switch error.code {
    case .cannotConnect where error.systemError == EACCES || error.systemError == EPERM:
      self.init(
        code: .permissionDenied, message: "no permission to connect to \(path)", cause: error)
    case .cannotConnect:
      self.init(
        code: .noDaemon,
        message: "no daemon answers on \(path)\(Self.why(error.systemError, path: path))",
        cause: error)
    case .connectionLost:
      self.init(
        code: .connectionLost, message: "the daemon on \(path) ended the connection", cause: error)
    case .callTooLarge(let limit):
      self.init(
        code: .snapshotTooLarge,
        message:
          "the call, with all of its texts and names, is longer than \(limit) bytes, the daemon's limits.frameBytes",
        cause: error)
    case .tooManyCalls, .tooMuchUnsent:
      self.init(code: .tooManyCalls, message: error.description, cause: error)
    case .replyTooLarge(let limit):
      self.init(
        code: .invalidReply,
        message:
          "the daemon on \(path) gave an answer longer than \(limit) bytes, the most that is read",
        cause: error)
    case .notAReply:
      self.init(
        code: .invalidReply, message: "the daemon on \(path) gave an answer that cannot be read",
        cause: error)
    }
  }

  /// Why connecting to `path` failed with the `errno` `systemError`, as the end of a sentence; empty where nothing is
  /// known.
  private static func why(_ systemError: CInt, path: String) -> String {
    var status = stat()
    // Unsafe: C reads the path and fills the status before it returns.
    let isThere = unsafe stat(path, &status) == 0
    return switch systemError {
    case ENOENT: ", where there is no socket"
    // A file that is no socket refuses connections too.
    case ECONNREFUSED where isThere && status.st_mode & S_IFMT != S_IFSOCK: ", which is no socket"
    case ECONNREFUSED: ", whose socket nobody listens on"
    case EAGAIN: ", which takes no connection now"
    case ENAMETOOLONG: ": a socket's path has 1 to 107 bytes"
    case 0: ""
    default: " (\(String(errno: systemError)))"
    }
  }

  /// The error of this module for an error reply: `io.contextdiff.varlink` has the interface's errors, varlink.org the
  /// protocol's.
  init(reply: VarlinkErrorReply) {
    let (limit, field, parameter, session, expected) = reply.withParameters {
      (
        $0["limit"].integer ?? 0, $0["field"].string, $0["parameter"].string ?? "",
        $0["session"].string ?? "", $0["expected"].integer ?? 0
      )
    }
    let (code, message): (Code, String) =
      switch reply.name {
      case "io.contextdiff.NoSuchSession": (.noSuchSession, "there is no session named \(session)")
      case "io.contextdiff.NoSuchExpectation":
        (.noSuchExpectation, "no announced edit of the number \(expected) waits")
      case "io.contextdiff.SnapshotTooLarge":
        // A daemon before version 0.2 tells no field.
        (.snapshotTooLarge, "\(field ?? "a text") is longer than \(limit) bytes")
      case "io.contextdiff.TooManySessions":
        (.tooManySessions, "one user may have \(limit) sessions at most, and has as many")
      case "io.contextdiff.TooManySubscribers":
        (
          .tooManySubscribers,
          "one user may have \(limit) subscribers at most, and has as many"
        )
      case "org.varlink.service.InvalidParameter":
        (
          .invalidParameter,
          "\(parameter): not known to the daemon, missing, or not what it must be; its log says which"
        )
      case "org.varlink.service.PermissionDenied":
        (.permissionDenied, "the daemon does not allow this to this user")
      case "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound",
        "org.varlink.service.MethodNotImplemented":
        (.unsupported, "the daemon does not offer this: it is of another version")
      default: (.invalidReply, "the daemon answered with an unknown error: \(reply.name)")
      }
    self.init(code: code, message: message, cause: reply)
  }
}
