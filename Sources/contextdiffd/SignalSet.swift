internal import CLinux
internal import Glibc
internal import Varlink

/// Signals that are read from a descriptor, instead of interrupting the process (signalfd(2)).
struct SignalSet {
  /// Readable while a signal is pending.
  let descriptor: Int32

  /// Blocks signals for this thread and for threads that it starts later, and returns the set of them.
  @discardableResult
  static func block(_ numbers: [Int32]) -> sigset_t {
    var signals = sigset_t()
    // Unsafe: C fills and reads the set before each call returns.
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }

  /// Blocks signals, as `block` does, and reads them.
  ///
  /// - Throws: Where the process has no descriptor left.
  init(_ numbers: [Int32]) throws(DaemonError) {
    var signals = SignalSet.block(numbers)
    // Unsafe: C reads the set before the call returns.
    descriptor = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard descriptor >= 0 else {
      throw DaemonError(description: "signals cannot be read: \(String(errno: errno))")
    }
  }

  /// Takes the next pending signal; `nil` where there is none.
  func next() -> Int32? {
    var info = signalfd_siginfo()
    let size = MemoryLayout.size(ofValue: info)
    // Unsafe: C fills no more than the structure that it is given.
    return unsafe read(descriptor, &info, size) == size ? Int32(info.ssi_signo) : nil
  }
}
