/// Bounds how many entries are logged in a second.
///
/// A second begins with the first entry after the one before is over. Does no I/O.
package struct EntryRate {
  private let entriesPerSecond: Int
  /// Monotonic time, in microseconds; `.min` before the first entry.
  private var secondBegan = Int.min
  private var admitted = 0

  /// Admits at most `entriesPerSecond`.
  package init(entriesPerSecond: Int) {
    self.entriesPerSecond = entriesPerSecond
  }

  /// Whether another entry may be logged; counts it where it may.
  ///
  /// - Parameter now: Monotonic time, in microseconds.
  /// - Returns: Whether it may be logged.
  package mutating func admit(now: Int) -> Bool {
    if secondBegan == .min || now - secondBegan >= 1_000_000 {
      secondBegan = now
      admitted = 0
    }
    guard admitted < entriesPerSecond else { return false }
    admitted += 1
    return true
  }
}
