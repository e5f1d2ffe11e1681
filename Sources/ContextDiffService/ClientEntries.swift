/// Bounds how many log entries clients cause in a second, so that they cannot flood the journal.
///
/// The clients of a user have one, so have all refused connections together, and so have all users who are forgotten for
/// others. Entries beyond the bound are left out and counted. Does no I/O.
package struct ClientEntries {
  /// How many entries were left out.
  package struct LeftOut {
    /// Transitions, by kind, of sessions for which no sum of their own was logged.
    package internal(set) var transitions = KindCounts()
    /// Entries of other sorts.
    package internal(set) var others = 0

    /// All of these.
    package var total: Int { transitions.total + others }
  }

  /// The most entries of one user in a second, transitions aside.
  package static let entriesPerSecond = 100
  /// The most transitions of one user, of all sessions together, that are logged in a second.
  static let transitionsPerSecond = 1_000
  /// The most transitions of one session that are logged in a second.
  static let sessionTransitionsPerSecond = 200
  /// The most sums in a second, each of one session's left-out transitions, of one user.
  package static let sumsPerSecond = 20
  /// The most refused connections that are logged in a second, of which no two are of one user.
  package static let refusedPerSecond = 10
  /// The most users who are forgotten for others that are logged in a second.
  package static let forgottenPerSecond = 10

  private var entries: EntryRate
  private var sums = EntryRate(entriesPerSecond: ClientEntries.sumsPerSecond)
  private var leftOut = LeftOut()

  /// Admits at most `entriesPerSecond` entries, and `sumsPerSecond` sums.
  package init(entriesPerSecond: Int) {
    entries = EntryRate(entriesPerSecond: entriesPerSecond)
  }

  /// Whether another entry may be logged; counts it as left out where it may not.
  ///
  /// - Parameter now: Monotonic time, in microseconds.
  /// - Returns: Whether it may be logged.
  package mutating func admit(now: Int) -> Bool {
    let isAdmitted = entries.admit(now: now)
    if !isAdmitted { leftOut.others += 1 }
    return isAdmitted
  }

  /// Counts an entry as left out that may not be logged whatever the bound.
  mutating func leaveOut() { leftOut.others += 1 }

  /// Whether the sum of one session's left-out transitions may be logged; adds it to what is left out where it may not.
  ///
  /// - Parameters:
  ///   - counts: The sum.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: Whether it may be logged.
  package mutating func admitSum(of counts: KindCounts, now: Int) -> Bool {
    let isAdmitted = sums.admit(now: now)
    if !isAdmitted { leftOut.transitions += counts }
    return isAdmitted
  }

  /// Returns what was left out, and begins to count anew; `nil` where nothing was.
  package mutating func takeLeftOut() -> LeftOut? {
    guard leftOut.total > 0 else { return nil }
    defer { leftOut = LeftOut() }
    return leftOut
  }
}
