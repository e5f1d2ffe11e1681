import ContextDiffService
import TestSupport
import Testing

/// A stop, which answers what has arrived and waits for nobody.
@Suite struct UserLoopsStopTests {
  @Test func whatHasArrivedIsAnsweredAtTheEnd() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.connect(10)
    client.send("ListSessions")
    #expect(client.reply() != "")
    daemon.wallClock.stop()
    client.send("Post", TestClient.post)
    daemon.wallClock.keptSomebody()
    client.send("ListSessions")
    let stopped = daemon.thread.begin { users, stopped in
      users.stop(within: .seconds(60), stopped)
    }
    daemon.wallClock.start()
    #expect(client.reply().contains(#""sequence":1"#))
    #expect(client.reply().contains(#""sessions":["s"]"#))
    #expect(client.reply() == "")
    await stopped()
    daemon.thread.stop()
  }

  /// One who subscribes to all, and one who subscribes to what never comes.
  @Test(.timeLimit(.minutes(5)), arguments: ["{}", #"{"kinds":["cut"]}"#])
  func whoSubscribesAtTheEndHoldsUpNoStop(_ subscription: String) async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.connect(10)
    daemon.wallClock.stop()
    client.send("Post", TestClient.post)
    daemon.wallClock.keptSomebody()
    // More than is read in two turns, so that the loop has begun to stop when it comes to the last one.
    client.send(
      "Withdraw", #"{"session":"none","expected":1}"#, flags: #","oneway":true"#, times: 1_600)
    client.send("Subscribe", subscription, flags: #","more":true"#)
    let stopped = daemon.thread.begin { users, stopped in
      users.stop(within: .seconds(3_600), stopped)
    }
    // The daemon's loop has told the user's.
    try await daemon.thread.with { _ in }
    daemon.wallClock.start()
    #expect(client.reply().contains(#""sequence":1"#))
    #expect(client.reply().contains(#""ready":true"#))
    await stopped()
    #expect(client.reply() == "")
    daemon.thread.stop()
  }

  @Test func aLoopThatHangsHoldsUpNoStop() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.connect(10)
    daemon.wallClock.stop()
    client.send("Post", TestClient.post)
    daemon.wallClock.keptSomebody()
    await daemon.stop()
    daemon.wallClock.start()
  }
}
