internal import CLinux
internal import Glibc

/// Interrupts one thread's waits in the kernel by a signal, where they take longer than they ever should.
///
/// A client may send descriptors with its bytes. The kernel closes those that nobody receives, on the thread that reads
/// or closes the client's socket. Where one is a socket that lingers (`SO_LINGER`, socket(7)), closing it waits for as
/// long as the client has set, or until a signal comes. Since Linux 6.16 sending descriptors can be refused
/// (``UnixSocket/prepareToAccept(_:)``), and no thread needs an interrupter.
///
/// An interrupter is made and used on the thread that it interrupts.
///
/// Safe: it owns the timer, and deletes it when it goes.
@safe
final class Interrupter {
  /// How long a wait may take, in microseconds: all calls of a loop, `epoll_wait` aside, return at once.
  private static let limit = 1_000

  /// The kernel's number of the timer, as a pointer: `nil` is 0, the number of a process's first timer.
  private let timer: timer_t?
  private var isOn = false

  /// An interrupter of the calling thread, switched off; `nil` where the kernel has no timer left.
  init?() {
    var timer: timer_t?
    // Unsafe: C fills the handle before it returns.
    guard unsafe clinux_make_interrupter(&timer) == 0 else { return nil }
    unsafe self.timer = timer
  }

  deinit { unsafe timer_delete(timer) }

  /// Interrupts the thread every millisecond from now on.
  func begin() {
    guard !isOn else { return }
    isOn = true
    unsafe clinux_interrupt_every(timer, Interrupter.limit)
  }

  /// Stops interrupting the thread.
  func end() {
    guard isOn else { return }
    isOn = false
    unsafe clinux_interrupt_every(timer, 0)
  }
}
