/// Why a call did not do what was asked.
public struct ContextDiffError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, for a program to decide on.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Wrapped: String {
      case noDaemon, permissionDenied, connectionLost, noSuchSession, noSuchExpectation
      case snapshotTooLarge
      case tooManySessions, tooManySubscribers, invalidParameter, unsupported, invalidReply
      case cancelled, timedOut
    }

    private let wrapped: Wrapped

    private init(_ wrapped: Wrapped) {
      self.wrapped = wrapped
    }

    /// Nobody answers on the socket.
    public static let noDaemon = Code(.noDaemon)
    /// The daemon, or the socket's mode, does not let this user in.
    public static let permissionDenied = Code(.permissionDenied)
    /// The daemon went away before it answered; what was asked may have been done or not.
    ///
    /// The next call connects anew.
    public static let connectionLost = Code(.connectionLost)
    /// The daemon holds no session of that name.
    public static let noSuchSession = Code(.noSuchSession)
    /// No announced edit of that number waits in the session.
    public static let noSuchExpectation = Code(.noSuchExpectation)
    /// A text of a snapshot, or all of a call, is longer than the daemon takes.
    public static let snapshotTooLarge = Code(.snapshotTooLarge)
    /// The daemon holds as many sessions of this user as it may.
    public static let tooManySessions = Code(.tooManySessions)
    /// The daemon serves as many subscribers of this user as it may.
    public static let tooManySubscribers = Code(.tooManySubscribers)
    /// A parameter is not what its method takes; the message names it.
    public static let invalidParameter = Code(.invalidParameter)
    /// The daemon does not offer the method: it is of another version.
    public static let unsupported = Code(.unsupported)
    /// The daemon's answer cannot be read: it is of another version, or no contextdiffd.
    public static let invalidReply = Code(.invalidReply)
    /// The task that waited was cancelled; what was asked may have been done or not.
    public static let cancelled = Code(.cancelled)

    /// The client's deadline passed; what was asked may have been done or not.
    public static let timedOut = Code(.timedOut)

    /// The code's name.
    public var description: String { wrapped.rawValue }
  }

  /// What went wrong.
  public let code: Code
  /// What happened, in words for a person.
  ///
  /// Never holds typed text.
  public let message: String
  /// What lies behind it; `nil` where the code says all.
  public let cause: (any Error)?

  /// An error of the parts given.
  public init(code: Code, message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
