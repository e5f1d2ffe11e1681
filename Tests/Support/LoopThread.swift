internal import Systemd
public import Varlink

/// A loop on a thread of its own, with what lives on it.
///
/// `@unchecked`: the loop and the state are used on that thread only.
public final class LoopThread<State>: @unchecked Sendable {
  private let loop: EpollLoop
  private let submitter: EpollLoop.Submitter
  private var state: State?

  /// Runs a loop until it is stopped.
  ///
  /// - Parameter make: makes what lives on the loop; called on its thread.
  /// - Throws: what `make` throws, or ``VarlinkSocketError`` where there is no descriptor left.
  public init(_ make: @escaping @Sendable (EpollLoop) throws -> State) async throws {
    loop = try EpollLoop()
    submitter = try loop.makeSubmitter()
    try DetachedThread.start {
      self.loop.run()
      // Not before: what is due in the loop's last turn may still call it.
      self.state = nil
    }
    do {
      try await call { self.state = try make(self.loop) }
    } catch {
      stop()
      throw error
    }
  }

  /// Looks at the state or changes it, on the loop's thread.
  public func with<Result: Sendable>(
    _ body: @escaping @Sendable (State) throws -> Result
  ) async throws -> Result {
    try await call {
      guard let state = self.state else { throw CancellationError() }
      return try body(state)
    }
  }

  /// Calls `body` on the loop's thread, and returns when what it gets is called there.
  public func wait(_ body: @escaping @Sendable (State, @escaping () -> Void) -> Void) async {
    await begin(body)()
  }

  /// Has `body` called on the loop's thread; what is returned waits until what that gets is called there.
  ///
  /// Needs no further task, which would wait where other tests take every thread that runs tasks.
  public func begin(
    _ body: @escaping @Sendable (State, @escaping () -> Void) -> Void
  ) -> @Sendable () async -> Void {
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    submitter.submit {
      guard let state = self.state else { return end.finish() }
      body(state) { end.finish() }
    }
    return { for await _ in ended {} }
  }

  /// Ends the thread, and then lets go of the state.
  public func stop() {
    submitter.submit { self.loop.stop() }
  }

  private func call<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      submitter.submit { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}
