import Glibc

/// A moment in this machine's local time.
///
/// `@safe`: `tm` points to the time zone's name alone, which the C library keeps.
@safe
struct Timestamp {
  private let microseconds: Int
  private let parts: tm

  /// The moment `microseconds` after the Unix epoch, 1970-01-01T00:00:00Z; the epoch where they are negative.
  init(microseconds: Int) {
    let microseconds = max(0, microseconds)
    self.microseconds = microseconds
    var seconds = time_t(microseconds / 1_000_000)
    // Unsafe: C fills the parts before it returns.
    var parts = unsafe tm()
    unsafe localtime_r(&seconds, &parts)
    unsafe self.parts = parts
  }

  /// The time with milliseconds, without the date: `14:03:59.120`.
  var timeOfDay: String {
    let milliseconds = String(1_000 + microseconds / 1_000 % 1_000).dropFirst()
    return "\(formatted("%H:%M:%S")).\(milliseconds)"
  }

  /// The date, the time and the offset from UTC: `2026-11-21T14:03:59+0900`.
  var full: String { formatted("%Y-%m-%dT%H:%M:%S%z") }

  /// The present time, in microseconds after the Unix epoch.
  static var now: Int {
    var time = timespec()
    // Unsafe: C fills the time before it returns.
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
  }

  /// How long before `now` the time `moment` was: `3 s ago`, `2 min ago`, `5 h ago`, `4 d ago`, rounded down.
  ///
  /// Both are in microseconds after the Unix epoch. A `moment` later than `now` is `0 s ago`; one before the epoch
  /// counts as the epoch.
  static func age(of moment: Int, at now: Int) -> String {
    let seconds = max(0, now - max(0, moment)) / 1_000_000
    return switch seconds {
    case ..<120: "\(seconds) s ago"
    case ..<7_200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3_600) h ago"
    default: "\(seconds / 86_400) d ago"
    }
  }

  /// The moment in the `format` of strftime(3), which must give less than 64 bytes; empty where it gives more.
  private func formatted(_ format: String) -> String {
    // Unsafe: C reads the parts, and fills no more than there is room for.
    var parts = unsafe parts
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      let count = unsafe strftime(text.baseAddress, text.count, format, &parts)
      return unsafe String(
        decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
