internal import Glibc

/// `CLOCK_MONOTONIC`, by which systemd's messages and `LogQueue`'s conditions tell the time.
enum MonotonicClock {
  /// Microseconds since the clock's start.
  static var microseconds: UInt64 {
    let time = now
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }

  /// The time `duration` from now, for a timed wait; now, where `duration` is negative.
  static func deadline(in duration: Duration) -> timespec {
    let (seconds, attoseconds) = max(duration, .zero).components
    var time = now
    let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
    time.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    return time
  }

  private static var now: timespec {
    var time = timespec()
    // Unsafe: C fills the time before it returns.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time
  }
}
