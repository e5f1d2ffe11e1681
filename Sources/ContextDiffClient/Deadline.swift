/// A call's deadline passed.
struct DeadlineExceeded: Error {}

/// What `body` gives, where it gives it in time; cancelled else.
///
/// - Parameters:
///   - deadline: How long it may take; `nil` for as long as it likes.
///   - body: Must end when its task is cancelled.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or `DeadlineExceeded`.
func within<Value: Sendable>(
  _ deadline: Duration?, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  guard let deadline else { return try await body() }
  return try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: deadline, clock: .suspending)
      throw DeadlineExceeded()
    }
    // There are two, so there is a next one.
    guard let value = try await group.next() else { throw DeadlineExceeded() }
    return value
  }
}
