internal import Synchronization
internal import Varlink

/// How many connections users have: by themselves, and all together.
struct Accounts {
  /// All users'.
  private final class Total: Sendable {
    let taken = Atomic<Int>(0)
    let limit: Atomic<Int>

    init(limit: Int) { self.limit = Atomic(limit) }
  }

  /// One user's.
  private final class Account: VarlinkAccount {
    private let total: Total
    private let taken = Atomic<Int>(0)
    let limit: Atomic<Int>

    init(total: Total, limit: Int) {
      self.total = total
      self.limit = Atomic(limit)
    }

    func charge(_ amount: Int, of resource: VarlinkResource) -> Bool {
      guard resource == .connections else { return true }
      // Only the daemon's loop charges connections.
      guard taken.load(ordering: .relaxed) + amount <= limit.load(ordering: .relaxed),
        total.taken.load(ordering: .relaxed) + amount <= total.limit.load(ordering: .relaxed)
      else { return false }
      taken.add(amount, ordering: .relaxed)
      total.taken.add(amount, ordering: .relaxed)
      return true
    }

    func release(_ amount: Int, of resource: VarlinkResource) {
      guard resource == .connections else { return }
      taken.subtract(amount, ordering: .relaxed)
      total.taken.subtract(amount, ordering: .relaxed)
    }
  }

  private let total: Total
  private var byUser: [UInt32: Account] = [:]

  init(connections limit: Int) { total = Total(limit: limit) }

  /// How many connections all may have together.
  var limit: Int {
    get { total.limit.load(ordering: .relaxed) }
    nonmutating set { total.limit.store(newValue, ordering: .relaxed) }
  }

  /// Whether all together have as many connections as they may.
  var isFull: Bool { total.taken.load(ordering: .relaxed) >= limit }

  /// The account of a user who may have so many connections.
  mutating func account(of userID: UInt32, connections limit: Int) -> any VarlinkAccount {
    if let account = byUser[userID] {
      account.limit.store(limit, ordering: .relaxed)
      return account
    }
    let account = Account(total: total, limit: limit)
    byUser[userID] = account
    return account
  }

  mutating func forget(_ userID: UInt32) { byUser[userID] = nil }
}
