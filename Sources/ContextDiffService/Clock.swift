internal import CLinux
internal import Glibc

/// The two clocks that the service reads; tests pass their own.
package struct Clock: Sendable {
  /// The time since the epoch, in microseconds.
  package var time: @Sendable () -> Int
  /// Monotonic time, in microseconds.
  package var monotonic: @Sendable () -> Int

  /// The two clocks given.
  package init(
    time: @escaping @Sendable () -> Int, monotonic: @escaping @Sendable () -> Int
  ) {
    self.time = time
    self.monotonic = monotonic
  }

  /// The machine's clocks (clock_gettime(2)).
  package static var system: Clock {
    Clock(
      time: {
        var now = timespec()
        // Unsafe: C fills the time before it returns.
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
      },
      monotonic: { clinux_monotonic_nanoseconds() / 1_000 })
  }
}
