package import ContextDiff

/// How many of a session's transitions are logged one by one: at most 200 in a second, the rest
/// summed up by kind. Does no I/O.
package struct EntryRate {
  /// The most entries of a session in one second.
  package static let entriesPerSecond = 200

  private var secondBegan = Int.min
  private var admitted = 0
  private var leftOut: KindCounts?

  /// A session that has logged nothing.
  package init() {}

  /// Whether a transition at `now` is logged; where it is not, it counts for the next sum.
  ///
  /// - Parameter now: Monotonic time, in microseconds.
  package mutating func admit(_ kind: Kind, now: Int) -> Bool {
    if secondBegan == .min || now - secondBegan >= 1_000_000 {
      secondBegan = now
      admitted = 0
    }
    guard admitted < EntryRate.entriesPerSecond else {
      leftOut = leftOut ?? KindCounts()
      leftOut?[kind] += 1
      return false
    }
    admitted += 1
    return true
  }

  /// How many were left out since the last call, by kind; `nil` where none was.
  package mutating func takeLeftOut() -> KindCounts? {
    defer { leftOut = nil }
    return leftOut
  }
}
