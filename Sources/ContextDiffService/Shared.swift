internal import ContextDiffWire
package import Logging
internal import Synchronization
package import Varlink

/// What the services of all users share; may be used from any thread.
package final class Shared: Sendable {
  /// The interface io.contextdiff, and its methods by their index there.
  let interface: VarlinkInterface
  let methods: [Interface.Method]
  let info: VarlinkServiceInfo
  let clock: Clock
  let journal: ServiceJournal
  /// When the daemon started, in microseconds since the epoch.
  let startedAt: Int
  let tallies = Tallies()
  package let largeCalls = LargeCalls()
  /// Calls functions on the daemon's loop.
  let main: EpollLoop.Submitter
  /// To be called on the daemon's loop when the status line may have changed.
  let onStatusDue: @Sendable () -> Void
  /// Whether a service has claimed to have a new status line sent, which is not sent yet.
  private let isStatusDue = Atomic<Bool>(false)

  /// Reads the interface's description.
  ///
  /// - Parameters:
  ///   - info: What `GetInfo` answers.
  ///   - main: Calls functions on the daemon's loop.
  ///   - logger: Logs the entries.
  ///   - clock: The clocks.
  ///   - onStatusDue: Called on the daemon's loop when the status line may have changed.
  /// - Throws: Where the description cannot be read.
  package init(
    info: VarlinkServiceInfo, main: EpollLoop.Submitter, logger: Logger, clock: Clock,
    onStatusDue: @escaping @Sendable () -> Void
  ) throws {
    self.info = info
    self.main = main
    self.clock = clock
    self.onStatusDue = onStatusDue
    journal = ServiceJournal(logger: logger)
    startedAt = clock.time()
    interface = try VarlinkInterface(description: Interface.description)
    methods = interface.methods.map { name in
      guard let method = Interface.Method(rawValue: name) else {
        preconditionFailure("the interface's method \(name) is not implemented")
      }
      return method
    }
  }

  /// Whether the caller must call `onStatusDue` on the daemon's loop; false where another has claimed it since the last
  /// `releaseStatus`.
  func claimStatus() -> Bool {
    guard !isStatusDue.load(ordering: .relaxed) else { return false }
    return !isStatusDue.exchange(true, ordering: .relaxed)
  }

  /// Lets the next change be claimed; to be called before the status line is made.
  func releaseStatus() { isStatusDue.store(false, ordering: .relaxed) }
}
