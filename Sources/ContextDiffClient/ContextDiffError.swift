/// Why a call failed.
public struct ContextDiffError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, for a program to act on.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Wrapped: String {
      case noDaemon, permissionDenied, connectionLost, noSuchSession, noSuchExpectation
      case snapshotTooLarge
      case tooManySessions, tooManySubscribers, invalidParameter, unsupported, invalidReply
      case cancelled, timedOut, tooManyCalls
    }

    private let wrapped: Wrapped

    private init(_ wrapped: Wrapped) {
      self.wrapped = wrapped
    }

    /// No daemon answers on the socket.
    public static let noDaemon = Code(.noDaemon)
    /// The daemon refuses this to the user, or the socket's mode forbids the user to connect.
    public static let permissionDenied = Code(.permissionDenied)
    /// The connection ended before the answer came; the daemon may have done the call.
    ///
    /// The next call connects anew.
    public static let connectionLost = Code(.connectionLost)
    /// The daemon holds no session of that name.
    public static let noSuchSession = Code(.noSuchSession)
    /// The session waits for no announced edit of that number.
    public static let noSuchExpectation = Code(.noSuchExpectation)
    /// A text, or a call with all of its texts and names, is longer than the daemon takes.
    public static let snapshotTooLarge = Code(.snapshotTooLarge)
    /// The daemon holds as many sessions of this user as it may.
    public static let tooManySessions = Code(.tooManySessions)
    /// The daemon serves as many subscribers of this user as it may.
    public static let tooManySubscribers = Code(.tooManySubscribers)
    /// A parameter is missing or not valid; the message names it.
    public static let invalidParameter = Code(.invalidParameter)
    /// The daemon does not offer the method: it is of another version.
    public static let unsupported = Code(.unsupported)
    /// The daemon's answer cannot be read: it is of another version, or no contextdiffd, or the answer is longer than
    /// 64 MiB.
    public static let invalidReply = Code(.invalidReply)
    /// The task that waited was cancelled; the daemon may have done the call.
    public static let cancelled = Code(.cancelled)

    /// The client's deadline passed; the daemon may have done the call.
    public static let timedOut = Code(.timedOut)

    /// As many calls wait as may; the call was not sent.
    ///
    /// 1,024 wait for their answers, those included that threw ``timedOut`` or ``cancelled`` meanwhile, or 16 MiB of them
    /// wait for the daemon to read them; the message says which.
    public static let tooManyCalls = Code(.tooManyCalls)

    /// The code's name.
    public var description: String { wrapped.rawValue }
  }

  /// What went wrong.
  public let code: Code
  /// What went wrong, in words for a person; it never holds typed text.
  public let message: String
  /// The error that led to this one; `nil` where there is none.
  public let cause: (any Error)?

  /// An error of these values.
  public init(code: Code, message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
