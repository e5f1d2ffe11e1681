import ContextDiff
import ContextDiffService
import TestSupport
import Testing

/// One user's sessions, without a socket.
@Suite final class SessionsTests {
  private let quota: Quota
  private let account: Account
  private var sessions: Sessions

  init() throws {
    let limits = Quota.Limits(budgetBytes: 64 << 20, connections: 9, users: 9) {
      $0 == .sessions ? 6 : 1 << 40
    }
    quota = Quota(limits)
    account = try #require(quota.account(of: 1, isAdministrator: false))
    sessions = Sessions(account: account)
  }

  private var names: [String] { sessions.newestFirst.map(\.name) }

  @discardableResult
  private func add(_ name: String, text: Int = 0, limit: Int = 1 << 40) -> [String] {
    let session = sessions[name] ?? LiveSession(name: name, engine: Session(), lastPost: 0)
    if sessions[name] == nil, !sessions.add(session) { return ["full"] }
    sessions.touch(session, now: 1)
    return post(String(repeating: "a", count: text), to: session, limit: limit)
  }

  /// Posts; returned are the names of those that give way, with what there was too little of unless
  /// it was the limit.
  private func post(_ text: String, to session: LiveSession, limit: Int) -> [String] {
    _ = session.engine.post(new: Snapshot(before: text), with: Classifier())
    var forgotten: [String] = []
    sessions.count(session, holding: session.engine.heldBytes, limit: limit) { session, shortage in
      forgotten.append(shortage == .limit ? session.name : "\(session.name): \(shortage)")
    }
    return forgotten
  }

  @Test func theyAreInTheOrderOfTheirLastPosts() {
    for name in ["a", "b", "c"] { add(name) }
    #expect(names == ["c", "b", "a"])
    add("a")
    #expect(names == ["a", "c", "b"])
    sessions.remove("c")
    #expect(names == ["a", "b"])
    #expect(sessions.oldest?.name == "b")
    sessions.remove("b")
    sessions.remove("a")
    #expect(names == [])
    #expect(sessions.oldest == nil)
    #expect(sessions.heldBytes == 0)
    #expect(account.held(.text) == 0)
  }

  @Test func whoStillRefersToAForgottenOneKeepsNothingOfIt() throws {
    add("a", text: 1_000)
    let session = try #require(sessions["a"])
    sessions.remove("a")
    #expect(session.name == "")
    let held = session.engine.heldBytes
    #expect(held < 1_000)
  }

  @Test func oneIsFoundByItsNameAsLongAsItIsThere() {
    func find(_ name: String) -> LiveSession? { name.withBytes { sessions.find($0) } }
    for name in ["a", "b"] { add(name) }
    for name in ["a", "b", "a", "c", "b"] { #expect(find(name) === sessions[name]) }
    sessions.remove("a")
    #expect(find("a") == nil)
    add("a")
    #expect(find("a") != nil && find("a") === sessions["a"])
    for name in ["a", "b"] { sessions.remove(name) }
    #expect(find("a") == nil)
    #expect(account.held(.text) == 0)
    add("a")
    #expect(find("a") != nil && find("a") === sessions["a"])
  }

  @Test func thereAreAsManyAsThereMayBe() {
    for name in ["a", "b", "c", "d", "e", "f"] { #expect(add(name) == []) }
    #expect(add("g") == ["full"])
    sessions.remove("b")
    #expect(add("g") == [])
    #expect(account.held(.sessions) == 6)
  }

  @Test func theOldestGiveWayAndNotTheOneAtHand() {
    add("a", text: 100_000)
    add("b", text: 100_000)
    add("c", text: 100_000)
    #expect(add("d", text: 300_000, limit: 600_000) == ["a", "b"])
    #expect(names == ["d", "c"])
    // Announcing an edit does not make it the one posted to last.
    #expect(sessions.oldest?.name == "c")
    if let c = sessions["c"] {
      #expect(post(String(repeating: "b", count: 500_000), to: c, limit: 600_000) == ["d"])
    }
    #expect(add("c", text: 900_000, limit: 600_000) == [])
  }

  @Test func whatTheAccountHasNoRoomForGivesWayEvenTheLast() throws {
    let other = try #require(quota.account(of: 2, isAdministrator: true))
    add("a", text: 600_000)
    add("b", text: 600_000)
    // Another user takes nearly all that is left.
    while other.grow(.text, by: 1 << 20) || other.grow(.events, by: 1 << 20) {}
    let forgotten = add("c", text: 900_000)
    #expect(!forgotten.isEmpty && forgotten.allSatisfy { $0.hasSuffix(": account") })
    #expect(account.heldBytes <= quota.heldBytes)
    for resource in [Resource.text, .events] {
      other.shrink(resource, by: other.held(resource))
    }
  }

  /// Any order of posts and ends: the list holds what the table does, and the account what they hold.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func nothingIsCountedTwiceOrForgotten(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let name = ["a", "b", "c", "d", "e", "f", "g", "h"].randomElement(using: &random) ?? "a"
      switch Int.random(in: 0..<4, using: &random) {
      case 0: sessions.remove(name)
      case 1: sessions.shrink(to: Int.random(in: 0...400_000, using: &random)) { _ in }
      default:
        add(
          name, text: Int.random(in: 0...200_000, using: &random),
          limit: Int.random(in: 1...500_000, using: &random))
      }
      #expect(Set(names).count == sessions.count)
      #expect(account.held(.sessions) == sessions.count)
      // With the table of 2 KiB by which sessions are found.
      let bytes = sessions.isEmpty ? 0 : sessions.heldBytes + 2_048
      #expect(account.held(.text) >= bytes)
      #expect(account.held(.text) < bytes + (16 << 10))
    }
  }
}
