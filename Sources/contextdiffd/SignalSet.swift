internal import Glibc

/// Signals that one thread waits for, instead of being interrupted by them.
struct SignalSet {
  private var signals = sigset_t()

  /// The set of these signals.
  init(_ numbers: [Int32]) {
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
  }

  /// Keeps them from interrupting this thread and those that it starts from now on.
  func block() {
    var signals = signals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for the next of them (sigwait(3)).
  func wait() -> Int32 {
    var signals = signals
    var number: Int32 = 0
    sigwait(&signals, &number)
    return number
  }
}
