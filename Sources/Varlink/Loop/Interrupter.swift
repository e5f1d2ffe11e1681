internal import CLinux
internal import Glibc

/// Ends what the kernel has one thread wait for, where that takes longer than it ever should.
///
/// A client may send descriptors with its bytes. The kernel closes them on the thread that reads, or that closes what was not
/// read, and has it wait there where one is a socket that lingers (`SO_LINGER`, socket(7)), for as long as the client has set,
/// or until a signal comes. Since Linux 6.16 that can be refused to the client (``UnixSocket/prepareToAccept(_:)``), and
/// no thread needs this.
///
/// Made and used on the thread that it interrupts.
///
/// Safe: the timer is its own, and goes with it.
@safe
final class Interrupter {
  /// Longer than any wait that is meant: everything that a loop calls comes back at once.
  private static let limit = 1_000  // µs

  /// The kernel's number of it, as a pointer: `nil` is the process's first one.
  private let timer: timer_t?
  private var isOn = false

  /// For the calling thread; `nil` where the kernel has no timer left.
  init?() {
    var timer: timer_t?
    // Unsafe: C fills the handle before it returns.
    guard unsafe clinux_make_interrupter(&timer) == 0 else { return nil }
    unsafe self.timer = timer
  }

  deinit { unsafe timer_delete(timer) }

  /// From now on no wait takes longer than a millisecond.
  func begin() {
    guard !isOn else { return }
    isOn = true
    unsafe clinux_interrupt_every(timer, Interrupter.limit)
  }

  /// The thread may wait as long as it likes.
  func end() {
    guard isOn else { return }
    isOn = false
    unsafe clinux_interrupt_every(timer, 0)
  }
}
