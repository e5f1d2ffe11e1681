internal import Synchronization

/// Who holds how much of what clients can make the daemon hold: one account for each user, as
/// dbus-broker's `src/util/user.c` has it.
///
/// A user may grow as long as it holds no more than its share of each resource, as there is for one
/// user alone, and of the memory no more than is left: so two who take what they can leave a third
/// one room, and so on. A part of the whole is kept back for those who hold little.
///
/// From any thread.
package final class Quota: Sendable {
  /// How much there is.
  package struct Limits: Sendable {
    /// The memory of all users together, in bytes.
    package var budgetBytes: Int
    /// The connections of all users together.
    package var connections: Int
    /// The users who hold anything.
    package var users: Int
    /// What one user may hold of a resource, were it alone: its own limit.
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

  /// A user's part of the memory is at most this part of the budget.
  package static let largestShare = 4
  /// This part of the budget is not for what is kept, but for what is on its way, and for users who hold
  /// little, which is so many bytes at most.
  package static let keptBack = 4
  /// This part is for these users alone.
  package static let keptForLittle = 16
  package static let littleBytes = 128 << 10
  /// This part of the connections is kept back for users who have few, which is so many at most.
  package static let connectionsKeptBack = 8
  package static let littleConnections = 4
  /// Connections that nobody but an administrator gets.
  package static let administratorsConnections = 8

  private struct State {
    var limits: Limits
    var accounts: [UInt32: Unowned] = [:]
  }

  private struct Unowned {
    weak var account: Account?
  }

  private let state: Mutex<State>
  private let budget: Atomic<Int>
  private let connectionLimit: Atomic<Int>
  /// The memory that all accounts hold.
  private let held = Atomic<Int>(0)
  private let connections = Atomic<Int>(0)

  /// Called when little memory is left.
  private let shortage = Mutex<(@Sendable () -> Void)?>(nil)
  private let isShort = Atomic<Bool>(false)

  /// Called when much of what was kept has gone, or all of a user's.
  private let release = Mutex<(@Sendable () -> Void)?>(nil)
  /// How much of that has gone, in bytes, since memory was last trimmed.
  private let freed = Atomic<Int>(0)
  private let isReleaseTold = Atomic<Bool>(false)
  /// So much is much.
  package static let muchFreed = 4 << 20

  /// Nobody holds anything.
  package init(_ limits: Limits) {
    state = Mutex(State(limits: limits))
    budget = Atomic(limits.budgetBytes)
    connectionLimit = Atomic(limits.connections)
  }

  /// Goes on with other limits; what is over them stays until it is given back.
  package func apply(_ limits: Limits) {
    budget.store(limits.budgetBytes, ordering: .relaxed)
    connectionLimit.store(limits.connections, ordering: .relaxed)
    let accounts = state.withLock { state in
      state.limits = limits
      return state.accounts.values.compactMap(\.account)
    }
    for account in accounts { account.apply(limits) }
  }

  /// The memory that all users hold together, in bytes.
  package var heldBytes: Int { held.load(ordering: .relaxed) }

  /// The account of a user, for as long as anybody keeps it.
  ///
  /// - Parameters:
  ///   - userID: The user.
  ///   - isAdministrator: Whether it may take what is kept back, too.
  /// - Returns: The account; `nil` where there are as many users as there may be.
  package func account(of userID: UInt32, isAdministrator: Bool) -> Account? {
    // Whoever is looked at may be let go of by all others meanwhile. It is not to end while this is
    // locked, as it then comes here itself.
    var lookedAt: [Account] = []
    defer { withExtendedLifetime(lookedAt) {} }
    return state.withLock { state in
      if let account = state.accounts[userID]?.account { return account }
      if state.accounts.count >= state.limits.users, !isAdministrator {
        lookedAt = state.accounts.values.compactMap(\.account)
        guard lookedAt.count < state.limits.users else { return nil }
      }
      let account = Account(
        userID: userID, isAdministrator: isAdministrator, quota: self, limits: state.limits)
      state.accounts[userID] = Unowned(account: account)
      return account
    }
  }

  /// The accounts that hold more than their part of the budget, were it divided evenly.
  package var accountsOverTheirPart: (part: Int, accounts: [Account]) {
    let accounts = state.withLock { $0.accounts.values.compactMap(\.account) }
    let part = max(
      Quota.littleBytes, budget.load(ordering: .relaxed) / 2 / max(1, accounts.count))
    return (part, accounts.filter { $0.heldBytes > part })
  }

  /// Has `body` called when little memory is left, or none for somebody, and then not before
  /// `isRelieved`; from any thread, and while an account is locked: it is to do nothing but
  /// hand that on.
  package func onShort(_ body: @escaping @Sendable () -> Void) {
    shortage.withLock { $0 = body }
  }

  /// Is called again when it is short again.
  package func isRelieved() { isShort.store(false, ordering: .relaxed) }

  /// Has `body` called when `muchFreed` bytes of what was kept have gone, or the last of a user's, and
  /// then not before `isTrimmed`; from any thread: it is to do nothing but hand that on.
  package func onFreed(_ body: @escaping @Sendable () -> Void) {
    release.withLock { $0 = body }
  }

  /// What has gone so far counts no more.
  package func isTrimmed() {
    freed.store(0, ordering: .relaxed)
    isReleaseTold.store(false, ordering: .relaxed)
  }

  /// An account of that user has ended; there may be another one already.
  func forget(_ userID: UInt32) {
    // Kept until nothing is locked, as above.
    let other = state.withLock { state in
      let other = state.accounts[userID]?.account
      if other == nil { state.accounts[userID] = nil }
      return other
    }
    withExtendedLifetime(other) {}
  }

  // MARK: - Growing and shrinking

  /// Takes memory from the budget for an account that holds `own` bytes already.
  func takeMemory(
    _ bytes: Int, for resource: Resource, beside own: Int, isAdministrator: Bool
  ) -> Bool {
    let budget = budget.load(ordering: .relaxed)
    let isTaken = take(bytes, of: held) { held in
      let left = budget - held - bytes
      if own + bytes <= Quota.littleBytes || isAdministrator { return left >= 0 }
      // What is on its way makes room for itself, as what is kept is given back meanwhile.
      if resource.isPassing {
        return own + bytes <= budget / Quota.largestShare && left >= budget / Quota.keptForLittle
      }
      return own + bytes <= min(budget / Quota.largestShare, left - budget / Quota.keptBack)
    }
    // Before anybody is refused anything.
    if !isTaken || budget - held.load(ordering: .relaxed) < budget / 8 * 3 { beShort() }
    return isTaken
  }

  private func beShort() {
    guard !isShort.exchange(true, ordering: .relaxed) else { return }
    shortage.withLock { $0 }?()
  }

  /// Takes connections for an account that has `own` already.
  func takeConnections(_ count: Int, beside own: Int, isAdministrator: Bool) -> Bool {
    let limit = connectionLimit.load(ordering: .relaxed)
    return take(count, of: connections) { taken in
      if isAdministrator { return taken + count <= limit }
      // Small limits, as tests have them, are not to be all reserve.
      let part = limit / Quota.connectionsKeptBack
      let reserved = min(Quota.administratorsConnections, part)
      if own + count <= Quota.littleConnections, taken + count <= limit - reserved { return true }
      return own + count <= (limit - (taken - own)) * 3 / 4
        && taken + count <= limit - reserved - part
    }
  }

  /// Gives memory of an account back that still holds `left` bytes of that resource.
  func giveBackMemory(_ bytes: Int, of resource: Resource, left: Int) {
    held.subtract(bytes, ordering: .relaxed)
    // What is on its way comes and goes with each call; events are no memory of the allocator's.
    guard resource == .text || resource == .filters else { return }
    let all = freed.add(bytes, ordering: .relaxed).newValue
    // After a user's last, nothing more may go for a long time.
    guard all >= (left == 0 ? Quota.littleBytes : Quota.muchFreed) else { return }
    guard !isReleaseTold.exchange(true, ordering: .relaxed) else { return }
    release.withLock { $0 }?()
  }

  func giveBackConnections(_ count: Int) { connections.subtract(count, ordering: .relaxed) }

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
