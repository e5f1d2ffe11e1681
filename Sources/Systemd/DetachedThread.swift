internal import Glibc

/// A thread that nobody waits for.
package enum DetachedThread {
  /// Starts a thread that calls `body` and ends.
  ///
  /// No signal interrupts it: signals are for the program's own threads. SIGPIPE is blocked with
  /// them, which a closed standard error would raise.
  ///
  /// - Throws: where there is no memory for a thread, or no further one is allowed.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemdError) {
    var all = sigset_t()
    var previous = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }

    let retained = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { body in
        body.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().call() }
        return nil
      }, retained.toOpaque())
    guard status == 0 else {
      retained.release()
      throw SystemdError(function: "pthread_create", errno: status)
    }
  }

  private final class Body: Sendable {
    let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }
}
