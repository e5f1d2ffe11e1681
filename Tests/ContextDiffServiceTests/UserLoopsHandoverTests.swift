import CLinux
import ContextDiffService
import Glibc
import TestSupport
import Testing

/// What a user has, from one thread of its own to the next, and from one process to the next.
@Suite struct UserLoopsHandoverTests {
  @Test func whatAUserHasIsThereWhenItComesBack() async throws {
    let daemon = try await TestDaemon()
    try await daemon.postAndLeave(10)
    // Whether its thread has ended meanwhile or not.
    for _ in 0..<50 {
      let client = try await daemon.connect(10)
      client.send("ListSessions")
      #expect(client.reply().contains(#""sessions":["s"]"#))
    }
    await daemon.stop()
  }

  /// A user's thread is told to end once nobody has been connected for a second; who comes then is kept until it has.
  @Test func whoComesWhileItsThreadEndsIsServedByTheNext() async throws {
    let daemon = try await TestDaemon()
    try await daemon.postAndLeave(10)
    let clients = try (0..<2).map { _ in try daemon.makeClient(10) }
    let sockets = clients.map(\.1)
    await daemon.whileThreadsEnd { users in
      for socket in sockets { users.accept(socket) }
    }
    for (client, _) in clients {
      client.send("ListSessions")
      #expect(client.reply().contains(#""sessions":["s"]"#))
    }
    await daemon.stop()
  }

  /// Nothing is lost to who subscribed before the restart.
  @Test(arguments: [0, 3])
  func numbersGoOnInTheNextProcessThoughNothingElseIsKept(last: Int) async throws {
    let daemon = try await TestDaemon()
    let instance = String(repeating: "a", count: 32)
    let ring = try EventRing(userID: 10, instance: instance, capacity: 4_096, after: last)
    let descriptor = dup(ring.descriptor)
    try await daemon.thread.with { $0.adopt([(descriptor, "events-10")]) }
    let subscriber = try await daemon.connect(10)
    subscriber.send(
      "Subscribe", #"{"since":\#(last),"instance":"\#(instance)"}"#, flags: #","more":true"#)
    let ready = subscriber.reply()
    #expect(ready.contains(#""instance":"\#(instance)""#))
    #expect(ready.contains(#""sequence":\#(last)"#))
    let client = try await daemon.connect(10)
    client.send("Post", TestClient.post)
    #expect(client.reply().contains(#""sequence":\#(last + 1)"#))
    #expect(subscriber.reply().contains(#"{"event":{"sequence":\#(last + 1),"#))
    await daemon.stop()
  }

  @Test func aLimitThatWasLoweredHoldsForWhatIsTakenOver() async throws {
    var settings = Settings()
    settings.limits.keptEvents = 2
    let daemon = try await TestDaemon(settings)
    let instance = String(repeating: "a", count: 32)
    var ring = try EventRing(userID: 10, instance: instance, capacity: 4_096)
    for text in ["\"a\"", "\"b\"", "\"c\"", "\"d\""] { append(text, to: &ring) }
    let descriptor = dup(ring.descriptor)
    try await daemon.thread.with { $0.adopt([(descriptor, "events-10")]) }
    let subscriber = try await daemon.connect(10)
    subscriber.send(
      "Subscribe", #"{"since":0,"instance":"\#(instance)"}"#, flags: #","more":true"#)
    #expect(subscriber.reply().contains(#""ready":true"#))
    #expect(subscriber.reply().contains(#""lost":2"#))
    await daemon.stop()
  }

  @Test func aUserOfWhomNothingCanBeTakenOverHasNoPlace() async throws {
    var settings = Settings()
    settings.limits.users = 1
    let daemon = try await TestDaemon(settings)
    let descriptor = clinux_memfd_create("test")
    let record = SessionArchive.Record(userID: 10, name: "s", age: 0, bytes: [1])
    #expect(SessionArchive.write([record], to: descriptor).count == 0)
    try await daemon.thread.with { $0.adopt([(descriptor, SessionArchive.storeName)]) }
    let client = try await daemon.connect(11)
    client.send("ListSessions")
    #expect(client.reply() != "")
    await daemon.stop()
  }
}
