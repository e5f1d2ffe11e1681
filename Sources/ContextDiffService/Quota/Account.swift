internal import Synchronization

/// What one user holds.
///
/// From any thread; each `Charge` is changed by one at a time.
package final class Account: Sendable {
  /// Whose it is.
  package let userID: UInt32
  private let isAdministrator: Bool
  private let quota: Quota
  private let state: Mutex<State>

  /// By resource.
  private struct State {
    var limits: [Int]
    var amounts: [Int]
    /// How much of them is memory.
    var memory = 0
  }

  init(userID: UInt32, isAdministrator: Bool, quota: Quota, limits: Quota.Limits) {
    self.userID = userID
    self.isAdministrator = isAdministrator
    self.quota = quota
    let limits = Resource.allCases.map(limits.perUser)
    state = Mutex(State(limits: limits, amounts: limits.map { _ in 0 }))
  }

  deinit { quota.forget(userID) }

  func apply(_ limits: Quota.Limits) {
    let limits = Resource.allCases.map(limits.perUser)
    state.withLock { $0.limits = limits }
  }

  /// How much of a resource it holds.
  package func held(_ resource: Resource) -> Int {
    state.withLock { $0.amounts[resource.rawValue] }
  }

  /// How much memory it holds, in bytes.
  package var heldBytes: Int { state.withLock { $0.memory } }

  /// How much memory it and all others hold, in bytes.
  package var bytesHeldByAll: Int { quota.heldBytes }

  /// Charges it with something that it begins to hold.
  ///
  /// - Returns: The charge, which is released when it goes out of use; `nil` where it may not hold
  ///   so much.
  package func charge(_ resource: Resource, _ amount: Int) -> Charge? {
    grow(resource, by: amount) ? Charge(of: resource, amount, to: self) : nil
  }

  /// A charge of nothing, to grow.
  package func charge(_ resource: Resource) -> Charge { Charge(of: resource, 0, to: self) }

  /// Takes more of a resource, for a `Charge` or for who counts otherwise.
  ///
  /// - Returns: Whether it may hold so much.
  package func grow(_ resource: Resource, by amount: Int) -> Bool {
    state.withLock { state in
      let held = state.amounts[resource.rawValue]
      guard held + amount <= state.limits[resource.rawValue] else { return false }
      if resource.isMemory {
        guard
          quota.takeMemory(
            amount, for: resource, beside: state.memory, isAdministrator: isAdministrator)
        else { return false }
        state.memory += amount
      } else if resource == .connections {
        guard quota.takeConnections(amount, beside: held, isAdministrator: isAdministrator) else {
          return false
        }
      }
      state.amounts[resource.rawValue] += amount
      return true
    }
  }

  /// Gives back what was taken.
  package func shrink(_ resource: Resource, by amount: Int) {
    let left = state.withLock { state in
      state.amounts[resource.rawValue] -= amount
      precondition(state.amounts[resource.rawValue] >= 0, "more is given back than was charged")
      if resource.isMemory { state.memory -= amount }
      return state.amounts[resource.rawValue]
    }
    if resource == .connections {
      quota.giveBackConnections(amount)
    } else if resource.isMemory {
      quota.giveBackMemory(amount, of: resource, left: left)
    }
  }
}

/// Something that an account is charged with: given back when the value's life ends, so that it
/// cannot be forgotten.
package struct Charge: ~Copyable, Sendable {
  private let account: Account
  private let resource: Resource
  /// How much.
  package private(set) var amount: Int

  fileprivate init(of resource: Resource, _ amount: Int, to account: Account) {
    self.account = account
    self.resource = resource
    self.amount = amount
  }

  deinit { if amount > 0 { account.shrink(resource, by: amount) } }

  /// Makes it `amount`; where that is more than it may be, it stays as it is and the answer is false.
  package mutating func resize(to amount: Int) -> Bool {
    if amount > self.amount {
      guard account.grow(resource, by: amount - self.amount) else { return false }
    } else if amount < self.amount {
      account.shrink(resource, by: self.amount - amount)
    }
    self.amount = amount
    return true
  }
}
