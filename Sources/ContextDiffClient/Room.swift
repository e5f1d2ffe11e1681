internal import AsyncVarlink
internal import Glibc

/// What `connect` gives, which is asked again while the daemon's accept queue is full: a socket that
/// never waits is told so (`EAGAIN`), where connect(2) would wait.
///
/// - Parameter connect: Ends when its task is cancelled.
/// - Returns: What `connect` returns.
/// - Throws: What `connect` throws: after ten seconds also that there is no room; or
///   `CancellationError`.
package func waitingForRoom<Connected: Sendable>(
  _ connect: @Sendable () async throws -> Connected
) async throws -> Connected {
  let end = SuspendingClock.now + .seconds(10)
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
