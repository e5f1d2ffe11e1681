internal import CLinux
internal import Glibc

/// `CLOCK_MONOTONIC`, by which systemd's messages and `LogQueue`'s conditions tell the time.
enum MonotonicClock {
  /// Microseconds since the clock's start.
  static var microseconds: UInt64 { UInt64(clinux_monotonic_nanoseconds()) / 1000 }

  /// The time `duration` from now, for a timed wait; now, where `duration` is negative.
  static func deadline(in duration: Duration) -> timespec {
    let (seconds, attoseconds) = max(duration, .zero).components
    let (nowSeconds, now) = clinux_monotonic_nanoseconds().quotientAndRemainder(
      dividingBy: 1_000_000_000)
    let nanoseconds = now + Int(attoseconds / 1_000_000_000)
    return timespec(
      tv_sec: nowSeconds + Int(seconds) + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
  }
}
