import Dispatch
import Glibc
import Synchronization

/// SIGINT and SIGTERM, heard by a thread of its own instead of ending the process at once.
final class Interruption: Sendable {
  private let state = Mutex<(signal: CInt?, handler: (@Sendable () -> Void)?)>((nil, nil))

  /// Begins to listen; one of these is enough for a process.
  init() {
    guard let signals = SignalPipe(for: [SIGINT, SIGTERM]) else { return }
    DispatchQueue(label: "interruption").async { [weak self] in
      var byte: UInt8 = 0
      // Unsafe: C fills the byte before it returns.
      while unsafe read(signals.descriptor, &byte, 1) != 1 {}
      self?.hear(CInt(byte))
    }
  }

  /// The signal that came; `nil` where none has.
  var signal: CInt? { state.withLock(\.signal) }

  /// Calls `handler` when one comes, or at once where one has.
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
    // A second one ends it where it stands.
    Glibc.signal(number, SIG_DFL)
  }
}

/// Ends the process as the signal would have ended it, so that whoever sent it sees that.
func endProcess(by number: CInt) -> Never {
  signal(number, SIG_DFL)
  // To the process, and not by raise(3): this thread may keep signals from itself.
  kill(getpid(), number)
  sleep(1)
  _exit(128 + number)
}
