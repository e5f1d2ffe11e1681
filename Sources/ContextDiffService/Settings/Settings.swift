internal import ContextDiff
internal import ContextDiffWire

/// The values of all settings; the initial values are the daemon's defaults.
package struct Settings: Sendable {
  /// How much clients may make the daemon hold.
  package struct Limits: Sendable {
    /// The longest frame that is read, in bytes, its NUL not counted.
    package var frameBytes = Interface.callLimit
    /// The longest field of a snapshot, pasteboard or edit, in bytes of UTF-8.
    package var fieldBytes = Interface.textLimit
    /// How much memory the clients of all users may make the daemon hold together, in bytes.
    ///
    /// 0 stands for three quarters of the unit's `MemoryMax=`, or 512 MiB where that sets no limit, and for no more than
    /// a quarter of what the process's own limits leave (`MemoryBudget`).
    package var totalBytes = 0
    /// The most users, of those who are connected or of whom anything is kept.
    package var users = 1_000
    /// The most connections, of all users together; `Quota` says how many of them one user may have.
    package var connections = 2_048
    /// The most subscribers of a user.
    package var subscribers = 1_024
    /// The most sessions of a user.
    package var sessions = 4_096
    /// How many bytes a user's sessions hold together at most; beyond that the oldest are forgotten.
    package var sessionsBytes = 64 << 20
    /// The most text that a session remembers, in bytes of UTF-8.
    package var memoryBytes = Session.standardMemoryLimit
    /// The most events of a user that are kept for subscribers that come back.
    package var keptEvents = 4_096
    /// The most memory of a user's kept events, in bytes; it is taken as the events need it.
    package var keptEventsBytes = 8 << 20
    /// How long an event is kept, in seconds; 0 for as long as there is room.
    package var keptEventsSeconds = 3_600
    /// The most events that wait for a subscriber that reads slowly.
    package var backlog = 1_024
  }

  /// How much clients may make the daemon hold.
  package var limits = Limits()
  /// How long a session without a post is kept, in seconds; 0 for ever.
  package var sessionIdleSeconds = 3_600
  /// After how many seconds without a connection the daemon ends, which its socket unit then starts again for the next
  /// client; 0 for never.
  package var idleExitSeconds = 0
  /// The scalars that end a sentence.
  package var terminators = "。．.!?！？…"
  /// The group whose members may connect besides the daemon's own user and root; empty for none.
  package var accessGroup = ""
  /// The least level that is logged, by its name in swift-log.
  package var logLevel = "info"
  /// Whether each transition is logged.
  package var logTransitions = true
  /// Whether each connection that comes or goes is logged.
  package var logConnections = true

  /// How many descriptors the process may have beyond those of all connections and those reserved; not a setting.
  package private(set) var spareDescriptors = 0

  /// The defaults.
  package init() {}

  /// Lowers `limits.connections` to what the descriptors of the process suffice for, and sets `spareDescriptors`.
  ///
  /// - Parameter descriptors: How many descriptors the process may have.
  /// - Returns: The `limits.connections` before, where that was too many; else `nil`.
  package mutating func boundConnections(byDescriptors descriptors: Int) -> Int? {
    let wanted = limits.connections
    limits.connections = min(wanted, max(1, descriptors - Settings.reservedDescriptors))
    spareDescriptors = max(0, descriptors - Settings.reservedDescriptors - limits.connections)
    return limits.connections < wanted ? wanted : nil
  }

  /// Lowers `limits.users` to what the service manager's store has room for: one descriptor for each user's events, and
  /// one for the sessions.
  ///
  /// Events without room in the store would not outlive the process.
  ///
  /// - Parameter descriptors: How many descriptors the manager keeps (`$FDSTORE`); `nil`, where it does not say, lowers
  ///   nothing.
  /// - Returns: The `limits.users` before, where that was too many; else `nil`.
  package mutating func boundUsers(byStore descriptors: Int?) -> Int? {
    guard let descriptors else { return nil }
    let wanted = limits.users
    limits.users = min(wanted, max(1, descriptors - 1))
    return limits.users < wanted ? wanted : nil
  }

  /// How many descriptors are reserved for all but connections: sockets, users' kept events, the log, files.
  private static let reservedDescriptors = 64

  /// A classifier with these settings.
  var classifier: Classifier { Classifier(terminators: Terminators(terminators)) }
}
