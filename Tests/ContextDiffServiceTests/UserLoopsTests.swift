import ContextDiffService
import Glibc
import TestSupport
import Testing
import Varlink

/// Users' threads, as the daemon's loop starts and watches them: who is served, and sees nothing of others.
@Suite struct UserLoopsTests {
  @Test func usersAreServedAsideAndSeeNothingOfEachOther() async throws {
    let daemon = try await TestDaemon()
    let (one, other) = (try await daemon.connect(10), try await daemon.connect(11))
    one.send("Post", TestClient.post)
    #expect(one.reply().contains(#""sequence":1"#))
    other.send("ListSessions")
    #expect(other.reply() == #"{"parameters":{"sessions":[],"details":[]}}"#)
    one.send("ListSessions")
    #expect(one.reply().contains(#""sessions":["s"]"#))
    await daemon.stop()
  }

  /// Events and replies leave while later posts of the same turn are read, unless there are so many
  /// subscribers that this costs more than it saves.
  @Test(arguments: [4, 5]) func eventsOfABusyPosterLeaveEarly(subscribers count: Int) async throws {
    let daemon = try await TestDaemon()
    var subscribers: [TestClient] = []
    for _ in 0..<count {
      let subscriber = try await daemon.connect(10)
      subscriber.send("Subscribe", flags: #","more":true"#)
      #expect(subscriber.reply().contains(#""continues":true"#))
      subscribers.append(subscriber)
    }
    let poster = try await daemon.connect(10)
    poster.send("Post", TestClient.post)
    #expect(poster.reply().contains(#""sequence":1"#))
    for subscriber in subscribers { #expect(subscriber.reply().contains(#""sequence":1"#)) }
    // Of some kilobytes are few replies: a turn that has gone on for a while ends.
    let long = String(repeating: "b", count: 1_000)
    let post = #"{"session":"s","old":{"before":"a"},"new":{"before":"a\#(long)"}}"#
    var comesEarly = true
    var sequence = 1
    // On a machine that is busy it may have all the same: not each time.
    for _ in 0..<(count == 4 ? 1 : 50) where comesEarly {
      daemon.wallClock.stop(atLook: 8)
      poster.send("Post", post, times: 10)
      daemon.wallClock.keptSomebody()
      comesEarly = poster.hasReply
      #expect(subscribers.allSatisfy { $0.hasReply == comesEarly })
      daemon.wallClock.start()
      for _ in 0..<10 {
        sequence += 1
        let number = "\"sequence\":\(sequence),"
        #expect(poster.reply().contains(number))
        for subscriber in subscribers { #expect(subscriber.reply().contains(number)) }
      }
    }
    #expect(comesEarly == (count == 4))
    await daemon.stop()
  }

  @Test func whoMayNotConnectIsClosed() async throws {
    let daemon = try await TestDaemon()
    #expect(try await daemon.connect(10, groupID: 8).reply() == "")
    await daemon.stop()
  }

  @Test func beyondTheUsersThereMayBeNobodyIsServedButAnAdministrator() async throws {
    var settings = Settings()
    settings.limits.users = 2
    let daemon = try await TestDaemon(settings)
    let clients = [try await daemon.connect(10), try await daemon.connect(11)]
    for client in clients {
      client.send("ListSessions")
      #expect(client.reply() != "")
    }
    #expect(try await daemon.connect(12).reply() == "")
    let root = try await daemon.connect(0)
    root.send("ListSessions")
    #expect(root.reply() != "")
    await daemon.stop()
  }

  /// Where there are descriptors to spare by the user's thread, else by the daemon's.
  @Test(arguments: [1 << 20, 0])
  func beyondItsShareOfConnectionsAUserIsTurnedAwayAndAnotherServed(spare: Int) async throws {
    var settings = Settings()
    settings.limits.connections = 16
    #expect(settings.boundConnections(byDescriptors: 64 + 16 + spare) == nil)
    #expect(settings.spareDescriptors == spare)
    let daemon = try await TestDaemon(settings)
    var served: [TestClient] = []
    var turnedAway = 0
    for _ in 0..<400 {
      let client = try await daemon.connect(10)
      // Who is turned away finds the connection closed, when it sends or when it reads.
      if client.trySend("ListSessions"), client.reply() != "" {
        served.append(client)
      } else {
        turnedAway += 1
      }
    }
    #expect((2..<16).contains(served.count))
    #expect(turnedAway == 400 - served.count)
    let other = try await daemon.connect(11)
    other.send("ListSessions")
    #expect(other.reply() != "")
    await daemon.stop()
  }

  @Test func eachSubscriberHearsWhatItWantsBesideOthers() async throws {
    let daemon = try await TestDaemon()
    var subscribers: [TestClient] = []
    for subscription in ["{}", #"{"kinds":["insertion"]}"#, #"{"kinds":["cut"]}"#] {
      let subscriber = try await daemon.connect(10)
      subscriber.send("Subscribe", subscription, flags: #","more":true"#)
      #expect(subscriber.reply().contains(#""ready":true"#))
      subscribers.append(subscriber)
    }
    let poster = try await daemon.connect(10)
    for number in 1...2 {
      poster.send("Post", TestClient.post)
      #expect(poster.reply().contains("\"sequence\":\(number)"))
      for subscriber in subscribers[..<2] {
        #expect(subscriber.reply().contains("\"event\":{\"sequence\":\(number),"))
      }
    }
    #expect(subscribers[2].reply().hasPrefix(#"{"parameters":{"sequence":"#))
    await daemon.stop()
  }

  @Test func aLoopThatHangsIsNoticedAndOthersGoOn() async throws {
    let daemon = try await TestDaemon()
    let (one, other) = (try await daemon.connect(10), try await daemon.connect(11))
    other.send("ListSessions")
    #expect(other.reply() != "")
    daemon.wallClock.stop()
    one.send("Post", TestClient.post)
    daemon.wallClock.keptSomebody()
    // Its turn is new to who asks; the next time it is the same one.
    #expect(try await daemon.loopsMakeProgress())
    #expect(try await !daemon.loopsMakeProgress())
    #expect(try await !daemon.loopsMakeProgress())
    other.send("Withdraw", #"{"session":"s","expected":1}"#)
    #expect(other.reply().contains("NoSuchSession"))
    daemon.wallClock.start()
    #expect(one.reply().contains(#""sequence":1"#))
    while try await !daemon.loopsMakeProgress() {}
    await daemon.stop()
  }

  @Test func aClientThatCannotBeWatchedIsToldOf() async throws {
    let daemon = try await TestDaemon()
    try await daemon.thread.with { users in
      // No file that epoll_ctl(2) takes.
      users.accept(
        AcceptedSocket(
          descriptor: open("/dev/null", O_RDWR),
          peer: PeerCredentials(processID: 4711, userID: 10, groupID: 7)))
    }
    try await daemon.entries.wait(
      for: "connection refused: it cannot be watched (epoll_ctl", "4711")
    await daemon.stop()
  }
}
