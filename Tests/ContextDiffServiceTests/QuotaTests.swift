import ContextDiffService
import Foundation
import Glibc
import Synchronization
import Systemd
import Testing

@Suite struct QuotaTests {
  private static let mib = 1 << 20

  private func quota(
    budget: Int = 512 << 20, connections: Int = 2_048, users: Int = 1_000,
    perUser: @escaping @Sendable (Resource) -> Int = { _ in .max / 2 }
  ) -> Quota {
    Quota(
      Quota.Limits(
        budgetBytes: budget, connections: connections, users: users, perUser: perUser))
  }

  private func account(_ user: UInt32, of quota: Quota, isAdministrator: Bool = false) throws
    -> Account
  {
    try #require(quota.account(of: user, isAdministrator: isAdministrator))
  }

  @Test func whatGoesOutOfUseIsGivenBack() throws {
    let quota = quota()
    let account = try account(1, of: quota)
    do {
      var charge = account.charge(.text)
      let isThere = charge.resize(to: 100)
      #expect(isThere)
      #expect(account.held(.text) == 100)
      let isMore = charge.resize(to: 300)
      #expect(isMore)
      #expect(account.held(.text) == 300)
      #expect(quota.heldBytes == 300)
      let isLess = charge.resize(to: 50)
      #expect(isLess)
      #expect(account.heldBytes == 50)
    }
    #expect(account.held(.text) == 0)
    #expect(quota.heldBytes == 0)
  }

  @Test(arguments: Resource.allCases)
  func aUserHasItsLimitAndNotOneBeyond(resource: Resource) throws {
    let quota = quota(connections: 1 << 20, perUser: { $0 == resource ? 1_000 : 0 })
    let account = try account(1, of: quota)
    #expect(account.grow(resource, by: 1_000))
    #expect(!account.grow(resource, by: 1))
    #expect(account.held(resource) == 1_000)
    account.shrink(resource, by: 1_000)
    #expect(account.grow(resource, by: 1_000))
  }

  @Test func aUserHasAQuarterOfTheMemoryWhateverItIsFor() throws {
    let account = try account(1, of: quota())
    #expect(account.grow(.text, by: 80 * QuotaTests.mib))
    #expect(account.grow(.events, by: 16 * QuotaTests.mib))
    #expect(account.grow(.frames, by: 32 * QuotaTests.mib))
    #expect(!account.grow(.replies, by: 1))
  }

  @Test func whatIsOnItsWayTakesNothingFromWhatAUserKeeps() throws {
    let account = try account(1, of: quota(budget: 32 << 20))
    #expect(account.grow(.replies, by: 2 << 20))
    #expect(fill(account, .text).reduce(0, +) == 6 * QuotaTests.mib)
  }

  @Test(arguments: [Resource.text, .events, .filters])
  func whatAUserKeepsLeavesRoomForItsCalls(kept: Resource) throws {
    let account = try account(1, of: quota(budget: 32 << 20))
    #expect(fill(account, kept).reduce(0, +) == 6 * QuotaTests.mib)
    #expect(account.grow(.frames, by: 1 << 20))
    #expect(account.grow(.replies, by: 1 << 20))
    #expect(!account.grow(.frames, by: 1))
  }

  /// Takes as much as it gets, byte-wise halved.
  private func fill(_ account: Account, _ resource: Resource) -> [Int] {
    var taken: [Int] = []
    var step = 512 << 20
    while step > 0 {
      if account.grow(resource, by: step) { taken.append(step) } else { step /= 2 }
    }
    return taken
  }

  @Test func whateverOthersTakeAThousandUsersHaveALittle() throws {
    let quota = quota()
    var accounts: [Account] = []
    for user in 0..<1_000 as Range<UInt32> {
      let account = try account(user, of: quota)
      accounts.append(account)
      let taken = fill(account, .text).reduce(0, +)
      #expect(taken >= Quota.littleBytes, "user \(user)")
    }
    #expect(quota.heldBytes <= 512 * QuotaTests.mib)
    for account in accounts { account.shrink(.text, by: account.held(.text)) }
    #expect(quota.heldBytes == 0)
  }

  @Test func whatIsOnItsWayHasRoomBesideWhatIsKept() throws {
    let quota = quota()
    // Until nothing more may be kept.
    let keepers = try (0..<100 as Range<UInt32>).map { try account($0, of: quota) }
    for account in keepers { _ = fill(account, .text) }
    let last = try account(1_000, of: quota)
    #expect(last.grow(.text, by: Quota.littleBytes))
    #expect(!last.grow(.text, by: 1 << 20))
    #expect(last.grow(.frames, by: 1 << 20))
    #expect(last.grow(.replies, by: 1 << 20))
    #expect(quota.heldBytes <= 512 * QuotaTests.mib)
    withExtendedLifetime(keepers) {}
  }

  @Test func whatIsOnItsWayLeavesALittleForEachUser() throws {
    let quota = quota()
    let accounts = try (1...4 as ClosedRange<UInt32>).map { try account($0, of: quota) }
    for account in accounts { _ = fill(account, .frames) }
    #expect(quota.heldBytes == 480 * QuotaTests.mib)
    #expect(try account(5, of: quota).grow(.text, by: Quota.littleBytes))
    withExtendedLifetime(accounts) {}
  }

  @Test func manyWhoTakeAFewConnectionsLeaveSomeForRoot() throws {
    let quota = quota(connections: 64)
    let accounts = try (1...30 as ClosedRange<UInt32>).map { try account($0, of: quota) }
    for account in accounts { _ = fill(account, .connections) }
    let taken = accounts.reduce(0) { $0 + $1.held(.connections) }
    #expect(taken == 64 - Quota.administratorsConnections)
  }

  @Test func twoWhoTakeAllConnectionsLeaveSomeForAThirdAndForRoot() throws {
    let quota = quota()
    var accounts: [Account] = []
    for user in 1...40 as ClosedRange<UInt32> {
      let account = try account(user, of: quota)
      accounts.append(account)
      let taken = fill(account, .connections).reduce(0, +)
      #expect(taken >= Quota.littleConnections, "user \(user)")
    }
    #expect(accounts[0].held(.connections) == 1_536)
    let root = try account(0, of: quota, isAdministrator: true)
    #expect(fill(root, .connections).reduce(0, +) >= Quota.administratorsConnections)
    for account in accounts + [root] {
      account.shrink(.connections, by: account.held(.connections))
    }
  }

  @Test func aFewConnectionsAreAllForOne() throws {
    let account = try account(1, of: quota(connections: 4))
    #expect(fill(account, .connections).reduce(0, +) >= 3)
  }

  @Test func thereIsALastUserAndItsRoomIsTheNextOnes() throws {
    let quota = quota(users: 2)
    let first = try account(1, of: quota)
    do {
      let second = try account(2, of: quota)
      let third = quota.account(of: 3, isAdministrator: false)
      #expect(third == nil)
      let same = quota.account(of: 1, isAdministrator: false)
      #expect(same === first)
      let root = quota.account(of: 0, isAdministrator: true)
      #expect(root != nil)
      withExtendedLifetime(second) {}
    }
    let third = quota.account(of: 3, isAdministrator: false)
    #expect(third != nil)
  }

  @Test func whoHoldsMoreThanItsPartIsFound() throws {
    let quota = quota(budget: 100 << 20)
    let accounts = try (1...10 as ClosedRange<UInt32>).map { try account($0, of: quota) }
    #expect(accounts[3].grow(.text, by: 18 << 20))
    let over = quota.accountsOverTheirPart
    #expect(over.part == 5_242_880)
    #expect(over.accounts.map(\.userID) == [4])
    withExtendedLifetime(accounts) {}
  }

  @Test func itIsToldOnceThatLittleIsLeft() throws {
    let quota = quota(budget: 80 << 20)
    let told = Mutex(0)
    quota.onShort { told.withLock { $0 += 1 } }
    let accounts = try (1...4 as ClosedRange<UInt32>).map { try account($0, of: quota) }
    func taken() -> Int { told.withLock { $0 } }
    for account in accounts.prefix(3) { #expect(account.grow(.text, by: 15 << 20)) }
    #expect(accounts[3].grow(.text, by: 4 << 20))
    #expect(taken() == 0)
    #expect(accounts[3].grow(.text, by: 2 << 20))
    #expect(taken() == 1)
    #expect(!accounts[3].grow(.text, by: 9 << 20))
    #expect(taken() == 1)
    quota.rearmOnShort()
    // Beyond its own share: what others give back would not help.
    #expect(!accounts[3].grow(.text, by: 10 << 20))
    #expect(taken() == 1)
    #expect(!accounts[3].grow(.text, by: 9 << 20))
    #expect(taken() == 2)
  }

  @Test func itIsToldThatALowerBudgetLeavesLittle() throws {
    let quota = quota(budget: 80 << 20)
    let told = Mutex(0)
    quota.onShort { told.withLock { $0 += 1 } }
    let account = try account(1, of: quota)
    #expect(account.grow(.text, by: 15 << 20))
    for (budget, count) in [(80, 0), (24, 0), (23, 1), (23, 2)] {
      quota.apply(
        Quota.Limits(budgetBytes: budget << 20, connections: 1, users: 1, perUser: { _ in .max }))
      #expect(told.withLock { $0 } == count)
    }
  }

  @Test func itIsToldOnceThatMuchHasGone() throws {
    let quota = quota()
    let told = Mutex(0)
    quota.onFreed { told.withLock { $0 += 1 } }
    func taken() -> Int { told.withLock { $0 } }
    let accounts = try (1...2 as ClosedRange<UInt32>).map { try account($0, of: quota) }
    func passes(_ resource: Resource, _ bytes: Int) {
      for account in accounts {
        #expect(account.grow(resource, by: bytes))
        account.shrink(resource, by: bytes)
      }
    }
    // What is on its way, and what is no memory of the allocator's.
    for resource in [Resource.frames, .replies, .events] { passes(resource, Quota.muchFreed) }
    // Nobody's last.
    for account in accounts { #expect(account.grow(.text, by: 1)) }
    passes(.text, Quota.muchFreed / 2 - 1)
    #expect(taken() == 0)
    passes(.text, Quota.muchFreed)
    #expect(taken() == 1)
    quota.rearmOnFreed()
    passes(.text, Quota.muchFreed / 2)
    #expect(taken() == 2)
  }

  @Test func itIsToldWhenAUsersLastHasGone() throws {
    let quota = quota()
    let told = Mutex(0)
    quota.onFreed { told.withLock { $0 += 1 } }
    func taken() -> Int { told.withLock { $0 } }
    let account = try account(1, of: quota)
    for round in 1...2 {
      #expect(account.grow(.text, by: Quota.littleBytes))
      account.shrink(.text, by: Quota.littleBytes - 1)
      #expect(taken() == round - 1)
      account.shrink(.text, by: 1)
      #expect(taken() == round)
      // Who comes and goes has it told no more often than memory is trimmed.
      #expect(account.grow(.text, by: Quota.littleBytes))
      account.shrink(.text, by: Quota.littleBytes)
      #expect(taken() == round)
      quota.rearmOnFreed()
    }
  }

  @Test func usersWhoComeAndGoAtATimeAreInNobodysWay() throws {
    let quota = quota(users: 2)
    let ended = Mutex(0)
    let threads = 4
    for thread in 0..<threads {
      try DetachedThread.start {
        for round in 0..<50_000 {
          let user = UInt32((round + thread) % 3)
          let account = quota.account(of: user, isAdministrator: round % 7 == 0)
          let other = quota.account(of: user + 3, isAdministrator: false)
          withExtendedLifetime((account, other)) {}
        }
        ended.withLock { $0 += 1 }
      }
    }
    while ended.withLock({ $0 }) < threads { sched_yield() }
    #expect(quota.account(of: 100, isAdministrator: false) != nil)
  }

  @Test func otherLimitsHoldForWhatComesNext() throws {
    let quota = quota()
    let account = try account(1, of: quota)
    #expect(account.grow(.text, by: 100))
    quota.apply(
      Quota.Limits(budgetBytes: 1_000, connections: 1, users: 1, perUser: { _ in 120 }))
    #expect(!account.grow(.text, by: 21))
    #expect(account.grow(.text, by: 20))
  }
}

@Suite struct MemoryBudgetTests {
  /// Files in a folder of their own, as the kernel shows control groups.
  private func groups(_ files: [String: String], _ body: (String) throws -> Void) rethrows {
    var template = Array("/tmp/contextdiff-groups-XXXXXX".utf8CString)
    mkdtemp(&template)
    let root = template.withUnsafeBufferPointer {
      String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    defer { try? FileManager.default.removeItem(atPath: root) }
    for (path, text) in files {
      var folder = root
      for part in path.split(separator: "/").dropLast() {
        folder += "/\(part)"
        mkdir(folder, 0o700)
      }
      if let file = fopen("\(root)/\(path)", "we") {
        fputs(text, file)
        fclose(file)
      }
    }
    try body(root)
  }

  @Test func itIsThreeQuartersOfTheUnitsMemory() {
    groups(["system.slice/contextdiffd.service/memory.max": "1073741824\n"]) { root in
      let membership = "0::/system.slice/contextdiffd.service\n"
      func budget(connections: Int) -> Int {
        MemoryBudget.derived(connections: connections, membership: membership, root: root)
      }
      #expect(budget(connections: 0) == 768 << 20)
      // The kernel's part is not the clients', but never all.
      #expect(budget(connections: 2_048) == 660 << 20)
      #expect(budget(connections: 1_000_000) == 576 << 20)
    }
  }

  @Test func aLimitOfTheGroupsAroundItHoldsToo() {
    groups(["a/b/memory.max": "max\n", "a/memory.max": "400000\n", "memory.max": "9000000\n"]) {
      root in
      #expect(MemoryBudget.derived(connections: 0, membership: "0::/a/b\n", root: root) == 1 << 20)
    }
    groups(["memory/a/memory.limit_in_bytes": "41943040\n"]) { root in
      let membership = "3:cpu:/a\n4:memory:/a/b\n"
      #expect(
        MemoryBudget.derived(connections: 0, membership: membership, root: root) == 31_457_280)
    }
  }

  @Test func theProcesssOwnLimitsHoldToo() {
    groups(["a/memory.max": "1073741824\n"]) { root in
      for (left, budget) in [
        ([], 768 << 20), ([8 << 30], 768 << 20), ([2 << 30, 400 << 20], 100 << 20), ([0], 1 << 20),
      ] {
        let derived = MemoryBudget.derived(
          connections: 0, membership: "0::/a\n", root: root, left: left)
        #expect(derived == budget)
      }
    }
  }

  @Test(arguments: ["", "0::/a\n", "nonsense", "4:memory:/a\n"])
  func withoutALimitItIsTheDefault(membership: String) {
    groups(["a/memory.max": "max\n", "memory/a/memory.limit_in_bytes": "9223372036854771712\n"]) {
      root in
      let derived = MemoryBudget.derived(connections: 1, membership: membership, root: root)
      #expect(derived == MemoryBudget.whereNoneIsSet)
    }
  }
}
