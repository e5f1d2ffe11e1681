internal import ContextDiffWire
package import Logging
internal import Synchronization
package import Varlink

/// What all users' services have in common; from any thread.
package final class Shared: Sendable {
  /// What is served.
  let interface: VarlinkInterface
  let methods: [Interface.Method]
  let info: VarlinkServiceInfo
  let clock: Clock
  let journal: ServiceJournal
  /// When the daemon began, in microseconds since the epoch.
  let startedAt: Int
  let tallies = Tallies()
  let largeCalls = LargeCalls()
  /// The daemon's own loop.
  let main: EpollLoop.Submitter
  /// Called on the daemon's loop when the status line may have changed.
  let onStatusDue: @Sendable () -> Void
  /// Whether the daemon's loop knows that the status line may have changed.
  private let isStatusDue = Atomic<Bool>(false)

  /// What users' services are to have in common.
  ///
  /// - Parameters:
  ///   - info: What `GetInfo` says.
  ///   - main: The daemon's own loop.
  ///   - logger: Where entries go.
  ///   - clock: What time it is.
  ///   - onStatusDue: Called on the daemon's loop when the status line may have changed.
  /// - Throws: Where the interface's description cannot be read.
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

  /// Whether it is for the caller to see to it that the status line is told anew.
  func takesStatusOn() -> Bool {
    guard !isStatusDue.load(ordering: .relaxed) else { return false }
    return !isStatusDue.exchange(true, ordering: .relaxed)
  }

  /// The status line is about to be told.
  func statusIsTold() { isStatusDue.store(false, ordering: .relaxed) }
}
