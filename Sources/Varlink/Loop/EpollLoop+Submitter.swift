internal import CLinux
internal import Glibc
internal import Synchronization

extension EpollLoop {
  /// Has other threads' work done on a loop's thread.
  public final class Submitter: Sendable {
    /// What has been submitted and not been called yet.
    private let work = Mutex<[@Sendable () -> Void]>([])
    /// An eventfd(2), readable while there is work.
    private let descriptor: CInt

    fileprivate init() throws(VarlinkSocketError) {
      descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
      guard descriptor >= 0 else { throw VarlinkSocketError("eventfd", errno) }
    }

    deinit { close(descriptor) }

    /// Has `body` called on the loop's thread, in the order of submission.
    ///
    /// Any thread may submit. Where the loop does not run any more, `body` is never called.
    public func submit(_ body: @escaping @Sendable () -> Void) {
      let isFirst = work.withLock { work in
        work.append(body)
        return work.count == 1
      }
      // Otherwise the loop has been woken for the work that is there already, or is about to be.
      guard isFirst else { return }
      var one: UInt64 = 1
      // Unsafe: C reads the eight bytes before it returns.
      unsafe write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Has `loop` call what is submitted.
    fileprivate func watch(on loop: EpollLoop) throws(VarlinkSocketError) {
      // The loop keeps the submitter, and so its descriptor stays open.
      try loop.watch(descriptor, for: .readable) { _ in self.callAll() }
    }

    /// Calls what has been submitted, on the loop's thread.
    private func callAll() {
      var count: UInt64 = 0
      // Unsafe: C fills the eight bytes before it returns.
      unsafe read(descriptor, &count, MemoryLayout.size(ofValue: count))
      let due = work.withLock { work in
        defer { work = [] }
        return work
      }
      for body in due { body() }
    }
  }

  /// Makes a submitter, which the loop keeps for as long as it lives.
  ///
  /// - Returns: the submitter.
  /// - Throws: ``VarlinkSocketError`` where the process has no descriptor left for it.
  public func makeSubmitter() throws(VarlinkSocketError) -> Submitter {
    let submitter = try Submitter()
    try submitter.watch(on: self)
    return submitter
  }
}
