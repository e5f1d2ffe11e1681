import Glibc

/// Runs `body` in a thread of its own, beside what the process does; not at all where none can be started.
func startThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  // Unsafe: the thread takes over what is retained; where none starts, it stays until the process ends.
  let body = unsafe Unmanaged.passRetained(Body(body))
  unsafe pthread_create(
    &thread, nil,
    { body in
      unsafe body.map { unsafe Unmanaged<Body>.fromOpaque($0).takeRetainedValue().call() }
      return nil
    }, unsafe body.toOpaque())
}

private final class Body: Sendable {
  let call: @Sendable () -> Void
  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}
