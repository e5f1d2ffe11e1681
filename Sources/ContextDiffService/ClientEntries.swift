/// Bounds the entries that clients cause, so that no flood of theirs is one of the journal.
///
/// Each user has a bound, and all refused connections have one together. What is left out is
/// counted. Does no I/O.
package struct ClientEntries {
  /// Whose entries they are.
  package enum Party: Hashable, Sendable {
    /// A user's clients'.
    case user(UInt32)
    /// Connections' that were refused, whoever tried.
    case refused
  }

  /// What was left out for somebody.
  package struct LeftOut {
    /// How many transitions whose sessions have no sum of their own, by kind.
    package internal(set) var transitions = KindCounts()
    /// How many entries of other sorts.
    package internal(set) var others = 0

    /// How many entries.
    package var total: Int { transitions.total + others }
  }

  /// What stands to somebody's account.
  private struct Account {
    var entries: EntryRate
    var sums = EntryRate(entriesPerSecond: ClientEntries.sumsPerSecond)
    var leftOut = LeftOut()

    func bounds(now: Int) -> Bool {
      leftOut.total > 0 || !entries.isPast(now: now) || !sums.isPast(now: now)
    }
  }

  /// The most entries of a user's in a second, transitions aside.
  package static let entriesPerSecond = 100
  /// The most sums of a user's sessions in a second.
  package static let sumsPerSecond = 20
  /// The most refused connections that are told of in a second.
  package static let refusedPerSecond = 1

  private static let accountsKept = 64

  private var accounts: [Party: Account] = [:]

  /// Nobody has caused any.
  package init() {}

  /// How many accounts are kept.
  package var accountCount: Int { accounts.count }

  /// Whether one more of somebody's entries may be logged; counts it where it may not.
  ///
  /// - Parameters:
  ///   - party: Whose it is.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: Whether it may.
  package mutating func admit(_ party: Party, now: Int) -> Bool {
    var account = account(of: party, now: now)
    let isAdmitted = account.entries.admit(now: now)
    if !isAdmitted { account.leftOut.others += 1 }
    accounts[party] = account
    return isAdmitted
  }

  /// Whether the sum of one session's left-out transitions may be logged; adds it to its user's where
  /// it may not.
  ///
  /// - Parameters:
  ///   - counts: The sum.
  ///   - user: The session's user.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: Whether it may.
  package mutating func admitSum(of counts: KindCounts, user: UInt32, now: Int) -> Bool {
    var account = account(of: .user(user), now: now)
    let isAdmitted = account.sums.admit(now: now)
    if !isAdmitted { account.leftOut.transitions += counts }
    accounts[.user(user)] = account
    return isAdmitted
  }

  /// Hands out what was left out, and forgets it.
  package mutating func takeLeftOut() -> [Party: LeftOut] {
    let leftOut = accounts.mapValues(\.leftOut).filter { $0.value.total > 0 }
    for party in leftOut.keys { accounts[party]?.leftOut = LeftOut() }
    return leftOut
  }

  /// Somebody's account, a new one where there is none.
  ///
  /// Lets go of those that bound nothing any more, since one person can have any number of users.
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
