internal import Synchronization

/// Counts how much of each resource one user holds, and bounds it.
///
/// May be used from any thread; each `Charge` by one at a time.
package final class Account: Sendable {
  /// The user.
  package let userID: UInt32
  /// Whether the user may have what is reserved, and counts as none of those that there may be.
  let isAdministrator: Bool
  private let quota: Quota
  private let state: Mutex<State>

  /// The limits and the amounts held, at the index that each resource's `rawValue` is.
  private struct State {
    var limits: [Int]
    var amounts: [Int]
    /// The sum of the amounts that are memory, in bytes.
    var memory = 0
    /// The same of passing resources alone (`Resource.isPassing`).
    var passing = 0

    /// Adds `amount`, which may be negative, to what is held of a resource.
    mutating func add(_ amount: Int, of resource: Resource) {
      amounts[resource.rawValue] += amount
      if resource.isMemory { memory += amount }
      if resource.isPassing { passing += amount }
    }
  }

  init(userID: UInt32, isAdministrator: Bool, quota: Quota, limits: Quota.Limits) {
    self.userID = userID
    self.isAdministrator = isAdministrator
    self.quota = quota
    let limits = Resource.allCases.map(limits.perUser)
    state = Mutex(State(limits: limits, amounts: limits.map { _ in 0 }))
  }

  deinit { quota.forget(userID) }

  /// Replaces the limits; an amount beyond its new limit stays, and may not grow.
  func apply(_ limits: Quota.Limits) {
    let limits = Resource.allCases.map(limits.perUser)
    state.withLock { $0.limits = limits }
  }

  /// How much of a resource the user holds.
  package func held(_ resource: Resource) -> Int {
    state.withLock { $0.amounts[resource.rawValue] }
  }

  /// How much memory the user holds, in bytes.
  package var heldBytes: Int { state.withLock { $0.memory } }

  /// How much memory all users hold together, in bytes.
  var bytesHeldByAll: Int { quota.heldBytes }

  /// A charge of 0, to be resized, which is given back at the end of its life.
  package func charge(_ resource: Resource) -> Charge { Charge(of: resource, to: self) }

  /// Charges `amount` more of a resource, for a `Charge` or for a caller that gives it back itself by `shrink`.
  ///
  /// Returns false, and charges nothing, where the user may not hold so much.
  package func grow(_ resource: Resource, by amount: Int) -> Bool {
    state.withLock { state in
      let held = state.amounts[resource.rawValue]
      guard held + amount <= state.limits[resource.rawValue] else { return false }
      if resource.isMemory {
        guard
          quota.takeMemory(
            amount, for: resource, beside: state.memory, ofWhichPass: state.passing,
            isAdministrator: isAdministrator)
        else { return false }
      } else if resource == .connections {
        guard quota.takeConnections(amount, beside: held, isAdministrator: isAdministrator) else {
          return false
        }
      }
      state.add(amount, of: resource)
      return true
    }
  }

  /// Gives back `amount` of a resource, which must have been charged.
  package func shrink(_ resource: Resource, by amount: Int) {
    let left = state.withLock { state in
      state.add(-amount, of: resource)
      precondition(state.amounts[resource.rawValue] >= 0, "more is given back than was charged")
      return state.amounts[resource.rawValue]
    }
    if resource == .connections {
      quota.giveBackConnections(amount)
    } else if resource.isMemory {
      quota.giveBackMemory(amount, of: resource, left: left)
    }
  }
}

/// An amount of a resource that an account is charged with; it is given back at the end of the value's life, so that
/// this cannot be forgotten.
///
/// What connections hold is charged by the server, in blocks, with a `VarlinkCharge`; this is for all else, exactly.
package struct Charge: ~Copyable, Sendable {
  private let account: Account
  private let resource: Resource
  /// How much is charged, in the resource's unit.
  package private(set) var amount = 0

  fileprivate init(of resource: Resource, to account: Account) {
    self.account = account
    self.resource = resource
  }

  deinit { if amount > 0 { account.shrink(resource, by: amount) } }

  /// Makes the charge `amount`; returns false, and leaves it as it is, where the user may not hold so much.
  ///
  /// A charge can always be made smaller.
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
