/// Bounds how many entries are logged in a second.
///
/// Does no I/O.
package struct EntryRate {
  private let entriesPerSecond: Int
  private var secondBegan = Int.min
  private var admitted = 0

  /// At most that many in a second.
  package init(entriesPerSecond: Int) {
    self.entriesPerSecond = entriesPerSecond
  }

  /// Whether its last second is over, so that it bounds no more than a new one would.
  ///
  /// - Parameter now: Monotonic time, in microseconds.
  /// - Returns: Whether it is.
  package func isPast(now: Int) -> Bool {
    secondBegan == .min || now - secondBegan >= 1_000_000
  }

  /// Whether one more may be logged; counts it where it may.
  ///
  /// - Parameter now: Monotonic time, in microseconds.
  /// - Returns: Whether it may.
  package mutating func admit(now: Int) -> Bool {
    if isPast(now: now) {
      secondBegan = now
      admitted = 0
    }
    guard admitted < entriesPerSecond else { return false }
    admitted += 1
    return true
  }
}
