import ContextDiffService
import Glibc
import Synchronization
import Systemd
import TestSupport
import Testing
import Varlink

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
    client.send("Post", TestClient.post)
    #expect(client.reply().contains(#""sequence":1"#))
    // Its turn has ended.
    client.send("GetStatistics")
    #expect(client.reply() != "")
    daemon.wallClock.stop()
    client.send("Post", TestClient.post)
    daemon.wallClock.keptSomebody()
    await daemon.thread.wait { users, stopped in users.stop(within: .zero, stopped) }
    try await daemon.thread.with { $0.archiveSessions() }
    let words = "1 session cannot be handed over to the next process: their users' calls"
    #expect(daemon.entries.all.contains { $0.contains(words) })
    daemon.thread.stop()
    daemon.wallClock.start()
  }

  /// As many large calls of others as there may be do not end.
  @Test(.timeLimit(.minutes(5))) func whoWaitsToAnswerALargeCallHearsOfTheStop() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.connect(10)
    let large = try await daemon.thread.with { $0.shared.largeCalls }
    let begun = Atomic<Int>(0)
    for number in 1...max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
      // By threads that use no processor, so that they keep their places.
      try DetachedThread.start {
        _ = large.begin(frameOf: 100_000) { _ in }
        begun.add(1, ordering: .relaxed)
        sleep(300)
      }
      while begun.load(ordering: .relaxed) < number { sched_yield() }
    }
    let text = String(repeating: "b", count: 100_000)
    let deadline = ContinuousClock.now + .seconds(60)
    client.send("Post", #"{"session":"s","old":{"before":"a"},"new":{"before":"a\#(text)"}}"#)
    while large.waitingCount == 0, ContinuousClock.now < deadline { sched_yield() }
    #expect(large.waitingCount == 1)
    await daemon.thread.wait { users, stopped in users.stop(within: .seconds(3_600), stopped) }
    #expect(client.reply().contains(#""sequence":1"#))
    daemon.thread.stop()
  }
}
