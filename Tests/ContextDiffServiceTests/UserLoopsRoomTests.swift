import ContextDiffService
import TestSupport
import Testing

/// What the users share: the memory, and the places there may be; who is refused and what gives way.
@Suite struct UserLoopsRoomTests {
  /// What is logged of sessions that a user gives back for others.
  private static let forOthers = "forgotten, as little memory is left (limits.totalBytes)"

  @Test(arguments: [(bytes: 0, isServed: true), (bytes: -1, isServed: false)])
  func whoseThreadThereIsNoMemoryForIsRefused(beyond: (bytes: Int, isServed: Bool)) async throws {
    var settings = Settings()
    // A thread and the least that kept events take, for four users.
    settings.limits.totalBytes = 4 * (96 + 16) << 10 + beyond.bytes
    let daemon = try await TestDaemon(settings)
    var clients: [TestClient] = []
    for user in 10..<13 as Range<UInt32> {
      clients.append(try await daemon.connect(user))
      clients.last?.send("ListSessions")
      #expect(clients.last?.reply() != "")
    }
    let last = try await daemon.connect(13)
    if beyond.isServed { last.send("ListSessions") }
    #expect((last.reply() != "") == beyond.isServed)
    clients.first?.send("ListSessions")
    #expect(clients.first?.reply() != "")
    await daemon.stop()
  }

  @Test func theLeastMemoryThatCanBeSetServesAUser() async throws {
    var settings = Settings()
    settings.limits.totalBytes = MemoryBudget.least
    let daemon = try await TestDaemon(settings)
    let client = try await daemon.connect(10)
    let long = String(repeating: "b", count: 10_000)
    client.send("Post", #"{"session":"s","old":{"before":"a"},"new":{"before":"a\#(long)"}}"#)
    #expect(client.reply().contains(#""sequence":1"#))
    client.send("ListSessions")
    #expect(client.reply().contains(#""sessions":["s"]"#))
    await daemon.stop()
  }

  /// Where there is no memory for a user's events, or for its thread.
  @Test(arguments: [1_000, 300 << 10])
  func aClientThatIsRefusedKeepsNoDaemon(totalBytes: Int) async throws {
    var settings = Settings()
    settings.limits.totalBytes = totalBytes
    settings.idleExitSeconds = 1
    let daemon = try await TestDaemon(settings)
    let idle = daemon.thread.begin { users, idle in users.onIdle = idle }
    #expect(try await daemon.connect(10).reply() == "")
    await idle()
    await daemon.stop()
  }

  @Test func aFilterThatThereIsNoRoomForIsNoSubscriber() async throws {
    var settings = Settings()
    settings.limits.totalBytes = 8 << 20
    settings.limits.subscribers = 1
    let daemon = try await TestDaemon(settings)
    let client = try await daemon.connect(10)
    let names = (0..<200).map { #""\#($0)\#(String(repeating: "a", count: 250))""# }
    client.send(
      "Subscribe", #"{"sessions":[\#(names.joined(separator: ","))]}"#, flags: #","more":true"#)
    let refused = client.reply()
    #expect(refused.contains("org.varlink.service.InvalidParameter"))
    #expect(refused.contains(#""parameter":"sessions""#))
    client.send("Subscribe", flags: #","more":true"#)
    #expect(client.reply().contains(#""ready":true"#))
    await daemon.stop()
  }

  @Test func beyondTheUsersThereMayBeGivesWayWhoHoldsTheLeastAndHasGone() async throws {
    var settings = Settings()
    settings.limits.users = 2
    settings.idleExitSeconds = 1
    let daemon = try await TestDaemon(settings)
    for (userID, length) in [(10, 100_000), (11, 1)] as [(UInt32, Int)] {
      let client = try await daemon.connect(userID)
      let text = String(repeating: "a", count: length)
      client.send("Post", #"{"session":"s","new":{"before":"\#(text)"}}"#)
      #expect(client.reply() == #"{"parameters":{}}"#)
    }
    await daemon.thread.wait { users, gone in users.onIdle = gone }
    let other = try await daemon.connect(12)
    other.send("ListSessions")
    #expect(other.reply() != "")
    #expect(daemon.entries.all.contains { $0.contains("kept of user 11, who is not connected") })
    let stays = try await daemon.connect(10)
    stays.send("ListSessions")
    #expect(stays.reply().contains(#""sessions":["s"]"#))
    // Both are connected.
    #expect(try await daemon.connect(11).reply() == "")
    await daemon.stop()
  }

  /// A daemon of one user at most, who was user 10 and is connected no more.
  private func daemonWhoseOneUserHasGone() async throws -> TestDaemon {
    var settings = Settings()
    settings.limits.users = 1
    settings.idleExitSeconds = 1
    let daemon = try await TestDaemon(settings)
    try await daemon.postAndLeave(10)
    await daemon.thread.wait { users, gone in users.onIdle = gone }
    return daemon
  }

  /// The clock stands still: all within a second.
  @Test func refusedConnectionsOfOneUserHideNothingOfAnother() async throws {
    let daemon = try await daemonWhoseOneUserHasGone()
    for user in [20, 20, 20, 21] as [UInt32] {
      #expect(try await daemon.connect(user, groupID: 8).reply() == "")
    }
    let other = try await daemon.connect(12)
    other.send("ListSessions")
    #expect(other.reply() != "")
    await daemon.stop()
    for words in [
      "may not connect (user 20,", "may not connect (user 21,",
      "kept of user 10, who is not connected",
    ] {
      #expect(daemon.entries.all.count { $0.contains(words) } == 1, "\(words)")
    }
    // On a busy machine a second passes in between, and each of the two is told by itself.
    let told = daemon.entries.all.filter { $0.contains("more entries of refused connections") }
    let isTold = [["2 more"], ["1 more", "1 more"]].contains { parts in
      parts.count == told.count && zip(told, parts).allSatisfy { $0.contains($1) }
    }
    #expect(isTold, "\(told)")
  }

  /// The clock stands still: all within a second.
  @Test func refusedConnectionsOfManyHideNobodyWhoIsForgottenAndAreTold() async throws {
    let daemon = try await daemonWhoseOneUserHasGone()
    for user in 0..<UInt32(ClientEntries.refusedPerSecond) + 3 {
      #expect(try await daemon.connect(20 + user, groupID: 8).reply() == "")
    }
    let other = try await daemon.connect(12)
    other.send("ListSessions")
    #expect(other.reply() != "")
    try await daemon.entries.wait(for: "of refused connections")
    #expect(daemon.entries.all.contains { $0.contains("kept of user 10, who is not connected") })
    await daemon.stop()
  }

  @Test func sessionsThatGiveWayToOtherUsersAreCounted() async throws {
    var settings = Settings()
    settings.limits.totalBytes = 8 << 20
    let daemon = try await TestDaemon(settings)
    let text = String(repeating: "a", count: 100_000)
    for userID in 10..<15 as Range<UInt32> {
      let client = try await daemon.connect(userID)
      // Of one user, more than its share; of five, beyond five eighths of the budget.
      for name in 0..<12 {
        client.send("Post", #"{"session":"s\#(name)","new":{"before":"\#(text)"}}"#)
        #expect(client.reply() == #"{"parameters":{}}"#)
      }
    }
    try await daemon.entries.wait(for: UserLoopsRoomTests.forOthers)
    await daemon.stop()
  }

  /// Where the user is when the budget is lowered.
  enum Whereabouts: CaseIterable { case connected, leaving, gone }

  @Test(.timeLimit(.minutes(5)), arguments: Whereabouts.allCases)
  func aLowerBudgetHoldsThoughNobodyAsksForMemory(_ whereabouts: Whereabouts) async throws {
    var settings = Settings()
    settings.idleExitSeconds = 1
    let daemon = try await TestDaemon(settings)
    let text = String(repeating: "a", count: 100_000)
    var client: TestClient? = try await daemon.connect(10)
    for name in 0..<60 {
      client?.send("Post", #"{"session":"s\#(name)","new":{"before":"\#(text)"}}"#)
      #expect(client?.reply() == #"{"parameters":{}}"#)
    }
    @Sendable func lowerBudget(of users: UserLoops) {
      var settings = users.settings
      settings.limits.totalBytes = 8 << 20
      users.apply(settings, access: Access(ownUserID: 1, groupID: 7))
    }
    switch whereabouts {
    case .connected: try await daemon.thread.with { lowerBudget(of: $0) }
    case .leaving:
      client = nil
      await daemon.whileThreadsEnd { lowerBudget(of: $0) }
    case .gone:
      client = nil
      await daemon.thread.wait { users, gone in users.onIdle = gone }
      try await daemon.thread.with { lowerBudget(of: $0) }
    }
    try await daemon.entries.wait(for: UserLoopsRoomTests.forOthers)
    await daemon.stop()
  }

  @Test func aLowerLimitOfKeptEventsHoldsAtOnce() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.connect(10)
    client.send("Post", TestClient.post, times: 5)
    for _ in 0..<5 { #expect(client.reply().contains(#""sequence":"#)) }
    try await daemon.thread.with { users in
      var settings = users.settings
      settings.limits.keptEvents = 2
      users.apply(settings, access: Access(ownUserID: 1, groupID: 7))
    }
    client.send("GetStatistics")
    #expect(client.reply().contains(#""eventsKept":2"#))
    await daemon.stop()
  }
}
