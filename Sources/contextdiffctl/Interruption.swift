import Dispatch
import Glibc
import Synchronization

/// Receives SIGINT and SIGTERM on a thread of its own, so that a command can finish in good order.
///
/// The first of them calls a handler. It also restores what the same signal does by default, so that a second one ends
/// the process at once.
final class Interruption: Sendable {
  private let state = Mutex<(signal: CInt?, handler: (@Sendable () -> Void)?)>((nil, nil))

  /// Begins to receive the signals; a process may have one `Interruption`, as it has one `SignalPipe`.
  ///
  /// Where no descriptors are left, nothing is received, and a signal ends the process as it does by default.
  init() {
    guard let signals = SignalPipe(for: [SIGINT, SIGTERM]) else { return }
    DispatchQueue(label: "interruption").async { [weak self] in
      var byte: UInt8 = 0
      // Unsafe: C fills the byte before it returns.
      while unsafe read(signals.descriptor, &byte, 1) != 1 {}
      self?.hear(CInt(byte))
    }
  }

  /// The number of the signal that came; `nil` where none has come.
  var signal: CInt? { state.withLock(\.signal) }

  /// Calls `handler` when a signal comes, on the thread that receives it; or at once, where one has come.
  func onSignal(_ handler: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      state.handler = handler
      return state.signal != nil
    }
    if isDue { handler() }
  }

  private func hear(_ number: CInt) {
    let handler = state.withLock { state in
      state.signal = number
      return state.handler
    }
    handler?()
    // The next one ends the process at once.
    Glibc.signal(number, SIG_DFL)
  }
}

/// Ends the process by the signal `number`, so that its parent sees that the signal ended it.
func endProcess(by number: CInt) -> Never {
  signal(number, SIG_DFL)
  // kill(2), for raise(3) sends to this thread alone, which may have the signal blocked.
  kill(getpid(), number)
  sleep(1)
  _exit(128 + number)
}
