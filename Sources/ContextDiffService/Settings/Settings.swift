internal import ContextDiff
internal import ContextDiffWire

/// What an administrator can set.
///
/// The daemon has each default from here.
public struct Settings: Sendable {
  /// What a client may make the daemon hold.
  public struct Limits: Sendable {
    /// The longest frame that is read, in bytes.
    public var frameBytes = Interface.callLimit
    /// The longest field of a snapshot, pasteboard or edit, in bytes of UTF-8.
    public var fieldBytes = Interface.textLimit
    /// What all users' clients may make the daemon hold together, in bytes; 0 for three quarters of
    /// what the service manager lets the unit have (`MemoryMax=`), and 512 MiB where it sets no limit.
    public var totalBytes = 0
    /// The most users who are connected or of whom anything is kept.
    public var users = 1_000
    /// The most connections, of all users together; `Quota` says how many of them one user may have.
    public var connections = 2_048
    /// The most subscribers of a user.
    public var subscribers = 1_024
    /// The most sessions of a user.
    public var sessions = 4_096
    /// The most that a user's sessions hold together, in bytes of text.
    public var sessionsBytes = 64 << 20
    /// The most text that a session remembers, in bytes of UTF-8.
    public var memoryBytes = 64 << 10
    /// The most events of a user that are kept for subscribers that come back.
    public var keptEvents = 4_096
    /// The room for them, in bytes: a user's memory grows up to it.
    public var keptEventsBytes = 8 << 20
    /// How long an event is kept, in seconds; 0 for as long as there is room.
    public var keptEventsSeconds = 3_600
    /// The most events that wait for a subscriber that reads slowly.
    public var backlog = 1_024
  }

  /// What a client may make the daemon hold.
  public var limits = Limits()
  /// How long a session without a post is kept, in seconds; 0 for ever.
  public var sessionIdleSeconds = 3_600
  /// After how many seconds without a connection the daemon ends, for its socket to start it
  /// again; 0 for never.
  public var idleExitSeconds = 0
  /// The scalars that end a sentence.
  public var terminators = "。．.!?！？…"
  /// The group whose members may connect besides the daemon's own user and root; empty for none.
  public var accessGroup = ""
  /// The least level that is logged, by its name in swift-log.
  public var logLevel = "info"
  /// Whether each transition is logged.
  public var logTransitions = true
  /// Whether each connection that comes or goes is logged.
  public var logConnections = true

  /// How many descriptors are left beside all connections: no setting, but what the process has.
  package private(set) var spareDescriptors = 0

  /// The defaults.
  public init() {}

  /// Bounds the connections by how many descriptors the process may have, since nobody else could
  /// be accepted beyond them.
  ///
  /// - Parameter descriptors: How many it may have.
  /// - Returns: How many connections had been set, where that was too many.
  package mutating func boundConnections(byDescriptors descriptors: Int) -> Int? {
    let wanted = limits.connections
    limits.connections = min(wanted, max(1, descriptors - Settings.reservedDescriptors))
    spareDescriptors = max(0, descriptors - Settings.reservedDescriptors - limits.connections)
    return limits.connections < wanted ? wanted : nil
  }

  /// Bounds the users by how many descriptors the service manager keeps, one of them for each user's
  /// events: what it has no room for would not outlive the process.
  ///
  /// - Parameter descriptors: How many it keeps (`$FDSTORE`); `nil` where it does not say.
  package mutating func boundUsers(byStore descriptors: Int?) {
    guard let descriptors else { return }
    limits.users = min(limits.users, max(1, descriptors - 1))
  }

  /// Descriptors for what is no connection: sockets, users' kept events, the log, files.
  private static let reservedDescriptors = 64

  /// The engine that these settings ask for.
  var classifier: Classifier { Classifier(terminators: Terminators(terminators)) }
}
