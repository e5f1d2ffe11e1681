internal import CLinux
internal import Glibc
internal import Synchronization

extension EpollLoop {
  /// Hands a loop's thread work from others.
  public final class Submitter: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])
    /// An eventfd(2), readable while there is work.
    private let descriptor: CInt

    fileprivate init() throws(VarlinkSocketError) {
      descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
      guard descriptor >= 0 else { throw VarlinkSocketError("eventfd", errno) }
    }

    deinit { close(descriptor) }

    /// Has `body` called on the loop's thread, in the order of submission; from any thread.
    ///
    /// It is never called where the loop does not run any more.
    public func submit(_ body: @escaping @Sendable () -> Void) {
      let isFirst = work.withLock { work in
        work.append(body)
        return work.count == 1
      }
      // Who submitted the first of those that wait has woken the loop, or is about to.
      guard isFirst else { return }
      var one: UInt64 = 1
      // Unsafe: the eight bytes here.
      unsafe write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    fileprivate func watch(on loop: EpollLoop) throws(VarlinkSocketError) {
      // The loop keeps it, and so its descriptor, open.
      try loop.watch(descriptor, for: .readable) { _ in self.callAll() }
    }

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

  /// A way for other threads to have something done on this one, for as long as the loop lives.
  ///
  /// - Throws: ``VarlinkSocketError`` where the process has no descriptor left for it.
  public func makeSubmitter() throws(VarlinkSocketError) -> Submitter {
    let submitter = try Submitter()
    try submitter.watch(on: self)
    return submitter
  }
}
