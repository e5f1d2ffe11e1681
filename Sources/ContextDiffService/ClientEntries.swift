/// Bounds how many log entries clients cause in a second, so that they cannot flood the journal.
///
/// Each user has a bound of its own; all refused connections together have one. Entries beyond a bound are left out
/// and counted. Does no I/O.
package struct ClientEntries {
  /// Who has caused entries, and has one bound for them.
  package enum Party: Hashable, Sendable {
    /// The clients of the user with that ID.
    case user(UInt32)
    /// All connections that were refused, whoever tried to connect.
    case refused
  }

  /// How many entries of a party were left out.
  package struct LeftOut {
    /// Transitions, by kind, of sessions for which no sum of their own was logged.
    package internal(set) var transitions = KindCounts()
    /// Entries of other sorts.
    package internal(set) var others = 0

    /// All of these.
    package var total: Int { transitions.total + others }
  }

  /// The bounds of one party, and what was left out.
  private struct Account {
    var entries: EntryRate
    var sums = EntryRate(entriesPerSecond: ClientEntries.sumsPerSecond)
    var leftOut = LeftOut()

    /// Whether the account is still needed: a second is not over, or left-out entries have not been logged.
    func bounds(now: Int) -> Bool {
      leftOut.total > 0 || !entries.isPast(now: now) || !sums.isPast(now: now)
    }
  }

  /// The most entries of one user in a second; transitions are bounded elsewhere (`User.rate`).
  package static let entriesPerSecond = 100
  /// The most sums in a second, each of one session's left-out transitions, of one user.
  package static let sumsPerSecond = 20
  /// The most refused connections that are logged in a second.
  package static let refusedPerSecond = 1

  /// From how many accounts on those that bound nothing are removed before another is made.
  private static let accountsKept = 64

  private var accounts: [Party: Account] = [:]

  /// Without accounts.
  package init() {}

  /// The number of accounts.
  package var accountCount: Int { accounts.count }

  /// Whether another entry of a party may be logged; counts it as left out where it may not.
  ///
  /// - Parameters:
  ///   - party: Who has caused the entry.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: Whether it may be logged.
  package mutating func admit(_ party: Party, now: Int) -> Bool {
    var account = account(of: party, now: now)
    let isAdmitted = account.entries.admit(now: now)
    if !isAdmitted { account.leftOut.others += 1 }
    accounts[party] = account
    return isAdmitted
  }

  /// Whether the sum of one session's left-out transitions may be logged; adds it to what is left out of its user
  /// where it may not.
  ///
  /// - Parameters:
  ///   - counts: The sum.
  ///   - user: The session's user.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: Whether it may be logged.
  package mutating func admitSum(of counts: KindCounts, user: UInt32, now: Int) -> Bool {
    var account = account(of: .user(user), now: now)
    let isAdmitted = account.sums.admit(now: now)
    if !isAdmitted { account.leftOut.transitions += counts }
    accounts[.user(user)] = account
    return isAdmitted
  }

  /// Returns what was left out of each party, and begins to count anew.
  package mutating func takeLeftOut() -> [Party: LeftOut] {
    let leftOut = accounts.mapValues(\.leftOut).filter { $0.value.total > 0 }
    for party in leftOut.keys { accounts[party]?.leftOut = LeftOut() }
    return leftOut
  }

  /// The account of a party, a new one where it has none.
  ///
  /// Accounts that bound nothing any more are removed first, since one person can have any number of user IDs.
  private mutating func account(of party: Party, now: Int) -> Account {
    if let account = accounts[party] { return account }
    if accounts.count >= ClientEntries.accountsKept {
      accounts = accounts.filter { $0.value.bounds(now: now) }
    }
    let rate =
      party == .refused ? ClientEntries.refusedPerSecond : ClientEntries.entriesPerSecond
    return Account(entries: EntryRate(entriesPerSecond: rate))
  }
}
