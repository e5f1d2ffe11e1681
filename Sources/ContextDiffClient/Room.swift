internal import AsyncVarlink
internal import Glibc

/// Calls `connect`, again every 10 ms while the daemon's accept queue is full.
///
/// A full queue makes connect(2) wait, but fail with `EAGAIN` for a socket that never waits.
///
/// - Parameters:
///   - patience: for how long to call `connect` again.
///   - connect: connects; must end soon when its task is cancelled.
/// - Returns: what `connect` returns.
/// - Throws: what `connect` throws, `EAGAIN` only after `patience`; or `CancellationError`.
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
