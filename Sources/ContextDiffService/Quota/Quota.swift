internal import Synchronization

/// The accounts of all users, and the limits that they share: the design of dbus-broker's `src/util/user.c`.
///
/// What a user holds may grow up to the user's own limit of each resource and, in memory, up to a share of the budget,
/// and no further than to what is left of it: however much some users take, others find room. A part of the budget and
/// of the connections is reserved for users who hold little.
///
/// May be used from any thread.
package final class Quota: Sendable {
  /// How much all users, and each user, may hold.
  package struct Limits: Sendable {
    /// The memory of all users together, in bytes.
    package var budgetBytes: Int
    /// The connections of all users together.
    package var connections: Int
    /// The number of users with an account.
    package var users: Int
    /// One user's own limit of each resource, in the resource's unit.
    package var perUser: @Sendable (Resource) -> Int

    package init(
      budgetBytes: Int, connections: Int, users: Int,
      perUser: @escaping @Sendable (Resource) -> Int
    ) {
      self.budgetBytes = budgetBytes
      self.connections = connections
      self.users = users
      self.perUser = perUser
    }
  }

  /// One user holds at most the budget divided by this.
  static let largestShare = 4
  /// A user's share divided by this is left for the user's passing resources (`Resource.isPassing`): else what is kept could
  /// fill the share, and the next call would end its connection.
  private static let passingShare = 4
  /// The budget divided by this is reserved for passing resources and for users who hold little.
  private static let keptBack = 4
  /// The budget divided by this is reserved for users who hold little, even from passing resources.
  private static let keptForLittle = 16
  /// A user holds little who holds at most this many bytes.
  package static let littleBytes = 128 << 10
  /// The connections divided by this are reserved for users who have few.
  private static let connectionsKeptBack = 8
  /// A user has few connections who has at most this many.
  package static let littleConnections = 4
  /// How many connections are reserved for administrators, or an eighth of all where that is less.
  package static let administratorsConnections = 8

  private struct State {
    var limits: Limits
    var accounts: [UInt32: Unowned] = [:]
  }

  /// An account as the quota has it: whoever charges it keeps it alive.
  private struct Unowned {
    weak var account: Account?
  }

  private let state: Mutex<State>
  private let budget: Atomic<Int>
  private let connectionLimit: Atomic<Int>
  /// The memory that all accounts hold, in bytes.
  private let held = Atomic<Int>(0)
  private let connections = Atomic<Int>(0)

  /// The function of `onShort`.
  private let shortage = Mutex<(@Sendable () -> Void)?>(nil)
  /// Whether it was called since the last `rearmOnShort`.
  private let isShort = Atomic<Bool>(false)

  /// The function of `onFreed`.
  private let release = Mutex<(@Sendable () -> Void)?>(nil)
  /// How many bytes of texts and filters were given back since the last `rearmOnFreed`.
  private let freed = Atomic<Int>(0)
  /// Whether the function was called since then.
  private let isReleaseTold = Atomic<Bool>(false)
  /// How many bytes given back make it worth while to trim the memory.
  package static let muchFreed = 4 << 20

  /// Without accounts.
  package init(_ limits: Limits) {
    state = Mutex(State(limits: limits))
    budget = Atomic(limits.budgetBytes)
    connectionLimit = Atomic(limits.connections)
  }

  /// Replaces the limits; an amount beyond a new limit stays until it is given back, and a shortage of memory is told
  /// at once (`onShort`).
  package func apply(_ limits: Limits) {
    budget.store(limits.budgetBytes, ordering: .relaxed)
    connectionLimit.store(limits.connections, ordering: .relaxed)
    let accounts = state.withLock { state in
      state.limits = limits
      return state.accounts.values.compactMap(\.account)
    }
    for account in accounts { account.apply(limits) }
    // What was told before was of the old limits.
    rearmOnShort()
    reportShortageIfThereIsOne()
  }

  /// The memory that all users hold together, in bytes.
  package var heldBytes: Int { held.load(ordering: .relaxed) }

  /// The account of a user, a new one where there is none; it lives as long as the caller, or a charge, keeps it.
  ///
  /// - Parameters:
  ///   - userID: The user.
  ///   - isAdministrator: Whether the user may have what is reserved, and an account beyond the number of users.
  /// - Returns: The account; `nil` where there are as many users as there may be, administrators not counted.
  package func account(of userID: UInt32, isAdministrator: Bool) -> Account? {
    // The account's owners may release it while it is looked at here. It must not end under the lock, because its
    // `deinit` calls `forget`, which takes the lock.
    var lookedAt: [Account] = []
    defer { withExtendedLifetime(lookedAt) {} }
    return state.withLock { state in
      if let account = state.accounts[userID]?.account { return account }
      if state.accounts.count >= state.limits.users, !isAdministrator {
        lookedAt = state.accounts.values.compactMap(\.account)
        let users = lookedAt.count { !$0.isAdministrator }
        guard users < state.limits.users else { return nil }
      }
      let account = Account(
        userID: userID, isAdministrator: isAdministrator, quota: self, limits: state.limits)
      state.accounts[userID] = Unowned(account: account)
      return account
    }
  }

  /// The accounts that hold more than their part: half of the budget, divided evenly, or `littleBytes` where that is
  /// more.
  package var accountsOverTheirPart: (part: Int, accounts: [Account]) {
    let accounts = state.withLock { $0.accounts.values.compactMap(\.account) }
    let part = max(
      Quota.littleBytes, budget.load(ordering: .relaxed) / 2 / max(1, accounts.count))
    return (part, accounts.filter { $0.heldBytes > part })
  }

  /// Has `body` called when less than three eighths of the budget are left, or an account within its share is refused
  /// memory; after that not again before `rearmOnShort`.
  ///
  /// `body` is called on any thread, while an account is locked, so it may only submit work to another loop.
  package func onShort(_ body: @escaping @Sendable () -> Void) {
    shortage.withLock { $0 = body }
  }

  /// Lets the function of `onShort` be called again.
  package func rearmOnShort() { isShort.store(false, ordering: .relaxed) }

  /// Has `body` called when `muchFreed` bytes of texts and filters have been given back, or `littleBytes` with the last
  /// of one user's; after that not again before `rearmOnFreed`.
  ///
  /// `body` is called on any thread, and may only submit work to another loop.
  package func onFreed(_ body: @escaping @Sendable () -> Void) {
    release.withLock { $0 = body }
  }

  /// Begins to count anew, and lets the function of `onFreed` be called again.
  package func rearmOnFreed() {
    freed.store(0, ordering: .relaxed)
    isReleaseTold.store(false, ordering: .relaxed)
  }

  /// Removes the account of a user that has ended; the user may have another one already, which stays.
  func forget(_ userID: UInt32) {
    // Kept alive until the lock is released, as in `account(of:isAdministrator:)`.
    let other = state.withLock { state in
      let other = state.accounts[userID]?.account
      if other == nil { state.accounts[userID] = nil }
      return other
    }
    withExtendedLifetime(other) {}
  }

  // MARK: - Growing and shrinking

  /// Takes memory from the budget for an account that holds `own` bytes, `passing` of them of passing resources; returns
  /// false, and takes none, where it may not have more.
  func takeMemory(
    _ bytes: Int, for resource: Resource, beside own: Int, ofWhichPass passing: Int,
    isAdministrator: Bool
  ) -> Bool {
    let budget = budget.load(ordering: .relaxed)
    let holdsLittle = own + bytes <= Quota.littleBytes || isAdministrator
    let share = budget / Quota.largestShare
    // Beyond its own share a user is short of nothing that others could give back.
    if !holdsLittle {
      guard own + bytes <= share,
        resource.isPassing || own - passing + bytes <= share - share / Quota.passingShare
      else { return false }
    }
    let isTaken = take(bytes, of: held) { held in
      let left = budget - held - bytes
      if holdsLittle { return left >= 0 }
      // Passing resources may use the reserve: users give back what they keep meanwhile (`onShort`).
      if resource.isPassing { return left >= budget / Quota.keptForLittle }
      return own + bytes <= left - budget / Quota.keptBack
    }
    if isTaken { reportShortageIfThereIsOne() } else { reportShortage() }
    return isTaken
  }

  /// Calls the function of `onShort` where less than three eighths of the budget are left.
  ///
  /// They are more than the reserve, so that this comes before anybody is refused memory.
  package func reportShortageIfThereIsOne() {
    let budget = budget.load(ordering: .relaxed)
    if budget - held.load(ordering: .relaxed) < budget / 8 * 3 { reportShortage() }
  }

  /// Calls the function of `onShort`, unless it was called since the last `rearmOnShort`.
  private func reportShortage() {
    guard !isShort.exchange(true, ordering: .relaxed) else { return }
    shortage.withLock { $0 }?()
  }

  /// Takes connections for an account that has `own`; returns false, and takes none, where it may not have more.
  func takeConnections(_ count: Int, beside own: Int, isAdministrator: Bool) -> Bool {
    let limit = connectionLimit.load(ordering: .relaxed)
    return take(count, of: connections) { taken in
      if isAdministrator { return taken + count <= limit }
      // An eighth at most, so that small limits, as tests have them, are not all reserved.
      let part = limit / Quota.connectionsKeptBack
      let reserved = min(Quota.administratorsConnections, part)
      if own + count <= Quota.littleConnections, taken + count <= limit - reserved { return true }
      return own + count <= (limit - (taken - own)) * 3 / 4
        && taken + count <= limit - reserved - part
    }
  }

  /// Gives back memory of an account that still holds `left` bytes of that resource.
  func giveBackMemory(_ bytes: Int, of resource: Resource, left: Int) {
    held.subtract(bytes, ordering: .relaxed)
    // Passing resources come and go with each call; events are not in the allocator's memory.
    guard resource == .text || resource == .filters else { return }
    let all = freed.add(bytes, ordering: .relaxed).newValue
    // After the last of a user's texts, nothing more may be given back for a long time.
    guard all >= (left == 0 ? Quota.littleBytes : Quota.muchFreed) else { return }
    guard !isReleaseTold.exchange(true, ordering: .relaxed) else { return }
    release.withLock { $0 }?()
  }

  func giveBackConnections(_ count: Int) { connections.subtract(count, ordering: .relaxed) }

  /// Adds `amount` to `total` where `isAllowed` says so of the total before; returns whether it did.
  private func take(
    _ amount: Int, of total: borrowing Atomic<Int>, where isAllowed: (Int) -> Bool
  ) -> Bool {
    var taken = total.load(ordering: .relaxed)
    while isAllowed(taken) {
      let (isExchanged, now) = total.weakCompareExchange(
        expected: taken, desired: taken + amount, ordering: .relaxed)
      if isExchanged { return true }
      taken = now
    }
    return false
  }
}
