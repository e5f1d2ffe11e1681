import Foundation
import Systemd
import TestSupport

/// Runs a test's body on a thread of its own, so that it may block without keeping the shared ones
/// from anybody, when it is its turn to have sockets.
func onOwnThread<Result: Sendable>(
  _ body: @Sendable () async throws -> Result
) async throws -> Result {
  try await Turns.sockets.take {
    let thread = try OwnThread()
    defer { thread.stop() }
    return try await withTaskExecutorPreference(thread) { try await body() }
  }
}

/// A thread that runs what tasks have to do, in order; without a descriptor, of which a test process
/// has few.
///
/// `@unchecked`: the condition's lock guards what changes.
private final class OwnThread: TaskExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private var isStopped = false

  init() throws {
    try DetachedThread.start { self.run() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    jobs.append(job)
    condition.signal()
    condition.unlock()
  }

  /// Ends the thread when nothing is left to do.
  func stop() {
    condition.lock()
    isStopped = true
    condition.signal()
    condition.unlock()
  }

  private func run() {
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func next() -> UnownedJob? {
    condition.lock()
    defer { condition.unlock() }
    while jobs.isEmpty {
      if isStopped { return nil }
      condition.wait()
    }
    return jobs.removeFirst()
  }
}
