internal import AsyncVarlink
internal import Glibc

/// What `connect` gives, which is asked again while the daemon's accept queue is full: a socket that
/// never waits is told so (`EAGAIN`), where connect(2) would wait.
///
/// - Parameters:
///   - patience: How long it is asked again.
///   - connect: Ends when its task is cancelled.
/// - Returns: What `connect` returns.
/// - Throws: What `connect` throws, and after `patience` also that there is no room; or
///   `CancellationError`.
package func waitingForRoom<Connected: Sendable>(
  patience: Duration = .seconds(10), _ connect: @Sendable () async throws -> Connected
) async throws -> Connected {
  let end = SuspendingClock.now + patience
  while true {
    do {
      return try await connect()
    } catch let error as VarlinkConnectionError
      where error.systemError == EAGAIN && SuspendingClock.now < end
    {
      try await Task.sleep(for: .milliseconds(10), clock: .suspending)
    }
  }
}
