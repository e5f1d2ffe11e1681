/// The deadline of a call has passed.
package struct DeadlineExceeded: Error {}

/// Runs `body`, and cancels it where it has not ended by a deadline.
///
/// - Parameters:
///   - deadline: how long `body` may take; `nil` for no limit. With 0 or less it is not run.
///   - body: must end soon when its task is cancelled, for this waits until it has.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws, or `DeadlineExceeded`.
package func within<Value: Sendable>(
  _ deadline: Duration?, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  guard let deadline else { return try await body() }
  guard deadline > .zero else { throw DeadlineExceeded() }
  return try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await body() }
    group.addTask {
      // A moment that no clock reaches would end the program: 68 years are as good as any more.
      try await Task.sleep(for: min(deadline, Duration.seconds(1 << 31)), clock: .suspending)
      throw DeadlineExceeded()
    }
    // It is never `nil`, for there are two tasks.
    guard let value = try await group.next() else { throw DeadlineExceeded() }
    return value
  }
}
