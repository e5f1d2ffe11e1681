import Synchronization
import Testing
import Varlink

/// An account of so many bytes, whatever they are of.
final class LimitedAccount: VarlinkAccount {
  private let held = Mutex<[VarlinkResource: Int]>([:])
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func charge(_ amount: Int, of resource: VarlinkResource) -> Bool {
    held.withLock { held in
      guard held[resource, default: 0] + amount <= limit else { return false }
      held[resource, default: 0] += amount
      return true
    }
  }

  func release(_ amount: Int, of resource: VarlinkResource) {
    held.withLock { $0[resource, default: 0] -= amount }
  }

  func held(_ resource: VarlinkResource) -> Int { held.withLock { $0[resource, default: 0] } }
}

@Suite struct VarlinkChargeTests {
  private let account = LimitedAccount(limit: 8192)

  @Test func itIsGivenBackWhenItGoes() {
    do {
      var charge = VarlinkCharge(to: account, of: .connections, block: 1)
      let isTaken = charge.set(1)
      #expect(isTaken)
      #expect(account.held(.connections) == 1)
    }
    #expect(account.held(.connections) == 0)
  }

  @Test func bytesAreChargedABlockAtATime() {
    var charge = VarlinkCharge(to: account, of: .received, block: 4096)
    for (amount, held) in [(1, 4096), (4096, 4096), (4097, 8192), (5000, 8192), (0, 0)] {
      let isTaken = charge.set(amount)
      #expect(isTaken)
      #expect(account.held(.received) == held, "\(amount) bytes")
    }
  }

  @Test func whatTheAccountHasNotLeftChangesNothing() {
    var charge = VarlinkCharge(to: account, of: .queued, block: 1)
    for (amount, isLeft, after) in [(8192, true, 8192), (8193, false, 8192), (8191, true, 8191)] {
      let isTaken = charge.set(amount)
      let counted = charge.amount
      #expect(isTaken == isLeft)
      #expect(counted == after)
      #expect(account.held(.queued) == after)
    }
  }
}
