internal import Glibc

/// Threads that nobody joins.
package enum DetachedThread {
  /// Starts a thread that calls `body` and ends.
  ///
  /// All signals are blocked on the thread: the program's own threads are to receive them, and a write to a closed
  /// standard error would raise SIGPIPE.
  ///
  /// - Throws: the error of pthread_create(3), where there is no memory for a thread or the process may start no
  ///   further one.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemdError) {
    var all = sigset_t()
    var previous = sigset_t()
    // Unsafe: C fills and reads the sets and the attributes before each call returns.
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }

    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { unsafe pthread_attr_destroy(&attributes) }

    // Unsafe: the thread takes over the retained reference; where no thread starts, it is released here.
    let retained = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, &attributes,
      { body in
        unsafe body.map { unsafe Unmanaged<Body>.fromOpaque($0).takeRetainedValue().call() }
        return nil
      }, unsafe retained.toOpaque())
    guard status == 0 else {
      unsafe retained.release()
      throw SystemdError(function: "pthread_create", errno: status)
    }
  }

  private final class Body: Sendable {
    let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
}
