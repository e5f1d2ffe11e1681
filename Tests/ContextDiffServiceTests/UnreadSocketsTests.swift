import ContextDiffService
import Synchronization
import TestSupport
import Testing

/// Connections that have ended before their clients have read all that they were sent.
@Suite(.timeLimit(.minutes(10))) struct UnreadSocketsTests {
  /// A client of user 10 whose connection has ended, and who has not read the reply to its call.
  private func leaveUnread(_ daemon: TestDaemon) async throws -> TestClient {
    let client = try await daemon.connect(10)
    client.send("Post", #"{"session":"s","new":{"before":"a"}}"#)
    // With the quotation mark it is no JSON.
    client.send(#"""#)
    client.waitForEnd()
    return client
  }

  enum Way: CaseIterable { case reads, leaves }

  @Test(arguments: Way.allCases)
  func theyCountUntilTheirClientsHaveReadOrAreGone(_ way: Way) async throws {
    var settings = Settings()
    settings.limits.connections = 4
    let daemon = try await TestDaemon(settings)
    var clients: [TestClient] = []
    for _ in 0..<4 { clients.append(try await leaveUnread(daemon)) }
    #expect(try await daemon.connect(10).reply() == "")
    switch way {
    case .reads:
      for client in clients {
        #expect(client.reply() != "")
        // The client is told of the end, though the socket is open.
        #expect(client.reply() == "")
      }
    case .leaves: clients = []
    }
    while true {
      let client = try await daemon.connect(10)
      if client.trySend("ListSessions"), client.reply() != "" { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    await daemon.stop()
  }

  @Test func theyKeepTheDaemonAndWhatIsKeptOfTheirUser() async throws {
    var settings = Settings()
    settings.limits.users = 1
    settings.idleExitSeconds = 1
    let daemon = try await TestDaemon(settings)
    let isIdle = Atomic(false)
    let idle = daemon.thread.begin { users, idle in
      users.onIdle = {
        isIdle.store(true, ordering: .relaxed)
        idle()
      }
    }
    let client = try await leaveUnread(daemon)
    // The user's thread ends after a second, and the daemon would be idle after another.
    try await Task.sleep(for: .seconds(3))
    let wasIdle = isIdle.load(ordering: .relaxed)
    #expect(!wasIdle)
    #expect(try await daemon.connect(11).reply() == "")
    #expect(!daemon.entries.all.contains { $0.contains("kept of user 10") })
    #expect(client.reply() == #"{"parameters":{}}"#)
    await idle()
    await daemon.stop()
  }
}
