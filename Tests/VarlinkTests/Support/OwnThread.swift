import NIOCore
import NIOPosix

/// Runs a test's body on a thread of its own, so that it may block without keeping the shared ones
/// from anybody.
func onOwnThread<Result: Sendable>(
  _ body: @Sendable () async throws -> Result
) async throws -> Result {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  do {
    let result = try await withTaskExecutorPreference(EventLoopExecutor(loop: group.next())) {
      try await body()
    }
    try await group.shutdownGracefully()
    return result
  } catch {
    try await group.shutdownGracefully()
    throw error
  }
}

private final class EventLoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(loop: any EventLoop) {
    self.loop = loop
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
