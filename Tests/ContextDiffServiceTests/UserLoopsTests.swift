import CLinux
import ContextDiffService
import Glibc
import Logging
import Synchronization
import Systemd
import TestSupport
import Testing
import Varlink

/// Users' threads, as the daemon's loop starts, watches and ends them.
///
/// Each client is one end of a pair of sockets, said to be whoever a test wants.
@Suite struct UserLoopsTests {
  /// The daemon's loop, on a thread of its own.
  private final class Daemon: Sendable {
    let thread: LoopThread<UserLoops>
    let wallClock = WallClock()
    let entries = Entries()

    init(
      _ settings: Settings = Settings(), monotonic: @escaping @Sendable () -> Int = { 1 }
    ) async throws {
      let (wallClock, entries) = (wallClock, entries)
      thread = try await LoopThread { loop in
        try UserLoops(
          settings: settings, access: Access(ownUserID: 1, groupID: 7),
          info: VarlinkServiceInfo(vendor: "V", product: "P", version: "1", url: "https://u"),
          loop: loop, manager: ServiceManager(at: nil),
          logger: Logger(label: "test") { _ in Keeper(entries: entries) },
          clock: Clock(time: { wallClock.look() }, monotonic: monotonic))
      }
    }

    /// Connects a client of a user; what it sends is read by that user's loop.
    func connect(_ userID: UInt32, groupID: UInt32 = 7) async throws -> Client {
      let (client, socket) = try makeClient(userID, groupID: groupID)
      try await thread.with { $0.accept(socket) }
      return client
    }

    /// A client that is not accepted yet, and its socket on the daemon's side.
    func makeClient(_ userID: UInt32, groupID: UInt32 = 7) throws -> (Client, AcceptedSocket) {
      var ends: [Int32] = [0, 0]
      try #require(
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
      let peer = PeerCredentials(processID: 1, userID: userID, groupID: groupID)
      return (Client(ends[0]), AcceptedSocket(descriptor: ends[1], peer: peer))
    }

    /// Whether each user's loop sleeps, or has ended a turn since this was asked last.
    func loopsMakeProgress() async throws -> Bool {
      try await thread.with { $0.loopsMakeProgress() }
    }

    /// Has a client of a user connect, post once and leave.
    func postAndLeave(_ userID: UInt32) async throws {
      let client = try await connect(userID)
      client.send("Post", UserLoopsTests.post)
      #expect(client.reply() != "")
    }

    /// Calls `body` on the daemon's loop right after that was told that users have gone, while their threads end.
    func whileThreadsEnd(_ body: @escaping @Sendable (UserLoops) -> Void) async {
      // What the threads tell the loop waits until it goes on.
      let stands = Mutex(true)
      let stood = thread.begin { _, stood in
        while stands.withLock(\.self) { usleep(1_000) }
        stood()
      }
      // Where this is too short, `body` finds the threads running, which is to make no difference.
      try? await Task.sleep(for: .milliseconds(1_200))
      let (called, call) = AsyncStream.makeStream(of: Never.self)
      // The loop comes to this before it reads what it was told, and to `body` in the turn after that.
      _ = thread.begin { [thread] _, _ in
        _ = thread.begin { users, _ in
          body(users)
          call.finish()
        }
      }
      stands.withLock { $0 = false }
      await stood()
      for await _ in called {}
    }

    /// Ends all users' threads, and this one.
    func stop() async {
      await thread.wait { users, stopped in users.stop(within: .zero, stopped) }
      thread.stop()
    }
  }

  /// A wall clock that is an hour earlier each time, and keeps who looks waiting while it is stopped.
  private final class WallClock: Sendable {
    private let time = Atomic<Int>(1 << 60)
    private let isStopped = Atomic<Bool>(false)
    private let isLookedAt = Atomic<Bool>(false)
    private let looksLeft = Atomic<Int>(.max)

    /// Stops when it is looked at for the `count`th time from now on; nobody looks at it yet.
    func stop(atLook count: Int) {
      isLookedAt.store(false, ordering: .releasing)
      looksLeft.store(count, ordering: .releasing)
    }
    func stop() { isStopped.store(true, ordering: .releasing) }
    func start() { isStopped.store(false, ordering: .releasing) }

    /// Returns once somebody waits.
    func keptSomebody() { while !isLookedAt.load(ordering: .acquiring) { sched_yield() } }

    func look() -> Int {
      if looksLeft.subtract(1, ordering: .relaxed).newValue == 0 { stop() }
      while isStopped.load(ordering: .acquiring) {
        isLookedAt.store(true, ordering: .releasing)
        sched_yield()
      }
      return time.subtract(3_600_000_000, ordering: .relaxed).newValue
    }
  }

  private final class Client: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      let flags = fcntl(descriptor, F_GETFL)
      _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
      var patience = timeval(tv_sec: 120, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(
      _ method: String, _ parameters: String = "{}", flags: String = "", times: Int = 1
    ) {
      #expect(trySend(method, parameters, flags: flags, times: times))
    }

    /// Whether the calls were sent, all at once; not where the connection is closed already.
    func trySend(
      _ method: String, _ parameters: String = "{}", flags: String = "", times: Int = 1
    ) -> Bool {
      let call = #"{"method":"io.contextdiff.\#(method)","parameters":\#(parameters)\#(flags)}"#
      let frames = [[UInt8]](repeating: Array(call.utf8) + [0], count: times).flatMap(\.self)
      return Glibc.send(descriptor, frames, frames.count, Int32(MSG_NOSIGNAL)) == frames.count
    }

    /// Whether something has come.
    var hasReply: Bool {
      var byte: UInt8 = 0
      return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
    }

    /// The next reply; empty where the connection has ended.
    func reply() -> String {
      var frame: [UInt8] = []
      var byte: UInt8 = 0
      while recv(descriptor, &byte, 1, 0) == 1, byte != 0 { frame.append(byte) }
      return String(decoding: frame, as: UTF8.self)
    }
  }

  private static let post = #"{"session":"s","old":{"before":"a"},"new":{"before":"ab"}}"#

  @Test func usersAreServedAsideAndSeeNothingOfEachOther() async throws {
    let daemon = try await Daemon()
    let (one, other) = (try await daemon.connect(10), try await daemon.connect(11))
    one.send("Post", Self.post)
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
    let daemon = try await Daemon()
    var subscribers: [Client] = []
    for _ in 0..<count {
      let subscriber = try await daemon.connect(10)
      subscriber.send("Subscribe", flags: #","more":true"#)
      #expect(subscriber.reply().contains(#""continues":true"#))
      subscribers.append(subscriber)
    }
    let poster = try await daemon.connect(10)
    poster.send("Post", Self.post)
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
    let daemon = try await Daemon()
    #expect(try await daemon.connect(10, groupID: 8).reply() == "")
    await daemon.stop()
  }

  @Test func beyondTheUsersThereMayBeNobodyIsServedButAnAdministrator() async throws {
    var settings = Settings()
    settings.limits.users = 2
    let daemon = try await Daemon(settings)
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
    let daemon = try await Daemon(settings)
    var served: [Client] = []
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

  @Test(arguments: [(bytes: 0, isServed: true), (bytes: -1, isServed: false)])
  func whoseThreadThereIsNoMemoryForIsRefused(beyond: (bytes: Int, isServed: Bool)) async throws {
    var settings = Settings()
    // A thread and the least that kept events take, for four users.
    settings.limits.totalBytes = 4 * (96 + 16) << 10 + beyond.bytes
    let daemon = try await Daemon(settings)
    var clients: [Client] = []
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
    let daemon = try await Daemon(settings)
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
    let daemon = try await Daemon(settings)
    let idle = daemon.thread.begin { users, idle in users.onIdle = idle }
    #expect(try await daemon.connect(10).reply() == "")
    await idle()
    await daemon.stop()
  }

  @Test func aLowerLimitOfKeptEventsHoldsAtOnce() async throws {
    let daemon = try await Daemon()
    let client = try await daemon.connect(10)
    client.send("Post", Self.post, times: 5)
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

  @Test func aLoopThatHangsIsNoticedAndOthersGoOn() async throws {
    let daemon = try await Daemon()
    let (one, other) = (try await daemon.connect(10), try await daemon.connect(11))
    other.send("ListSessions")
    #expect(other.reply() != "")
    daemon.wallClock.stop()
    one.send("Post", Self.post)
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

  @Test func aLoopThatHangsHoldsUpNoStop() async throws {
    let daemon = try await Daemon()
    let client = try await daemon.connect(10)
    daemon.wallClock.stop()
    client.send("Post", Self.post)
    daemon.wallClock.keptSomebody()
    await daemon.stop()
    daemon.wallClock.start()
  }

  @Test func beyondTheUsersThereMayBeGivesWayWhoHoldsTheLeastAndHasGone() async throws {
    var settings = Settings()
    settings.limits.users = 2
    settings.idleExitSeconds = 1
    let daemon = try await Daemon(settings)
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

  @Test func whatAUserHasIsThereWhenItComesBack() async throws {
    let daemon = try await Daemon()
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
    let daemon = try await Daemon()
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

  @Test func whatIsOldGoesThoughItsUserHasGone() async throws {
    var settings = Settings()
    settings.sessionIdleSeconds = 2
    settings.limits.keptEventsSeconds = 2
    let daemon = try await Daemon(settings, monotonic: Clock.system.monotonic)
    try await daemon.postAndLeave(10)
    let began = ContinuousClock.now
    while try await daemon.thread.with({ !$0.statusLine.hasPrefix("0 sessions") }) {
      try #require(began.duration(to: .now) < .seconds(120), "its session stays")
      try await Task.sleep(for: .milliseconds(10))
    }
    // Its numbers go on: what it held is let go of as well.
    let client = try await daemon.connect(10)
    client.send("Post", Self.post)
    #expect(client.reply().contains(#""sequence":2"#))
    await daemon.stop()
  }

  /// Nothing is lost to who subscribed before the restart.
  @Test(arguments: [0, 3])
  func numbersGoOnInTheNextProcessThoughNothingElseIsKept(last: Int) async throws {
    let daemon = try await Daemon()
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
    client.send("Post", Self.post)
    #expect(client.reply().contains(#""sequence":\#(last + 1)"#))
    #expect(subscriber.reply().contains(#"{"event":{"sequence":\#(last + 1),"#))
    await daemon.stop()
  }

  @Test func aClockThatIsSetBackChangesNeitherNumbersNorOrder() async throws {
    let daemon = try await Daemon()
    let client = try await daemon.connect(10)
    for _ in 0..<5 { client.send("Post", Self.post) }
    for number in 1...5 { #expect(client.reply().contains(#""sequence":\#(number)"#)) }
    let subscriber = try await daemon.connect(10)
    subscriber.send("Subscribe", #"{"since":0}"#, flags: #","more":true"#)
    #expect(subscriber.reply().contains(#""ready":true"#))
    for number in 1...5 { #expect(subscriber.reply().contains(#""sequence":\#(number),"#)) }
    client.send("ListSessions")
    #expect(client.reply().contains(#""sessions":["s"]"#))
    await daemon.stop()
  }

  @Test func whatHasArrivedIsAnsweredAtTheEnd() async throws {
    let daemon = try await Daemon()
    let client = try await daemon.connect(10)
    client.send("ListSessions")
    #expect(client.reply() != "")
    daemon.wallClock.stop()
    client.send("Post", Self.post)
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
    let daemon = try await Daemon()
    let client = try await daemon.connect(10)
    daemon.wallClock.stop()
    client.send("Post", Self.post)
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

  @Test func eachSubscriberHearsWhatItWantsBesideOthers() async throws {
    let daemon = try await Daemon()
    var subscribers: [Client] = []
    for subscription in ["{}", #"{"kinds":["insertion"]}"#, #"{"kinds":["cut"]}"#] {
      let subscriber = try await daemon.connect(10)
      subscriber.send("Subscribe", subscription, flags: #","more":true"#)
      #expect(subscriber.reply().contains(#""ready":true"#))
      subscribers.append(subscriber)
    }
    let poster = try await daemon.connect(10)
    for number in 1...2 {
      poster.send("Post", Self.post)
      #expect(poster.reply().contains("\"sequence\":\(number)"))
      for subscriber in subscribers[..<2] {
        #expect(subscriber.reply().contains("\"event\":{\"sequence\":\(number),"))
      }
    }
    #expect(subscribers[2].reply().hasPrefix(#"{"parameters":{"sequence":"#))
    await daemon.stop()
  }

  @Test func sessionsThatGiveWayToOtherUsersAreCounted() async throws {
    var settings = Settings()
    settings.limits.totalBytes = 8 << 20
    let daemon = try await Daemon(settings)
    let text = String(repeating: "a", count: 100_000)
    for userID in 10..<15 as Range<UInt32> {
      let client = try await daemon.connect(userID)
      for name in 0..<10 {
        client.send("Post", #"{"session":"s\#(name)","new":{"before":"\#(text)"}}"#)
        #expect(client.reply() == #"{"parameters":{}}"#)
      }
    }
    let reason = "forgotten, as others need the memory (limits.totalBytes)"
    while !daemon.entries.all.contains(where: { $0.contains(reason) }) { await Task.yield() }
    await daemon.stop()
  }

  /// Where the user is when the budget is lowered.
  enum Whereabouts: CaseIterable { case connected, leaving, gone }

  @Test(.timeLimit(.minutes(5)), arguments: Whereabouts.allCases)
  func aLowerBudgetHoldsThoughNobodyAsksForMemory(_ whereabouts: Whereabouts) async throws {
    var settings = Settings()
    settings.idleExitSeconds = 1
    let daemon = try await Daemon(settings)
    let text = String(repeating: "a", count: 100_000)
    var client: Client? = try await daemon.connect(10)
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
    let reason = "forgotten, as others need the memory (limits.totalBytes)"
    while !daemon.entries.all.contains(where: { $0.contains(reason) }) { await Task.yield() }
    await daemon.stop()
  }

  @Test func aFilterThatThereIsNoRoomForIsNoSubscriber() async throws {
    var settings = Settings()
    settings.limits.totalBytes = 8 << 20
    settings.limits.subscribers = 1
    let daemon = try await Daemon(settings)
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

  @Test func aClientThatCannotBeWatchedIsToldOf() async throws {
    let daemon = try await Daemon()
    try await daemon.thread.with { users in
      // No file that epoll_ctl(2) takes.
      users.accept(
        AcceptedSocket(
          descriptor: open("/dev/null", O_RDWR),
          peer: PeerCredentials(processID: 4711, userID: 10, groupID: 7)))
    }
    while !daemon.entries.all.contains(where: {
      $0.contains("connection refused: it cannot be watched (epoll_ctl") && $0.contains("4711")
    }) {
      await Task.yield()
    }
    await daemon.stop()
  }

  @Test func aUserOfWhomNothingCanBeTakenOverHasNoPlace() async throws {
    var settings = Settings()
    settings.limits.users = 1
    let daemon = try await Daemon(settings)
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
