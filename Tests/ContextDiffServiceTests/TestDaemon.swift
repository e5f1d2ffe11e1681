import ContextDiffService
import Glibc
import Logging
import Synchronization
import Systemd
import TestSupport
import Testing
import Varlink

/// The daemon's loop, on a thread of its own.
///
/// Each client is one end of a pair of sockets, said to be whoever a test wants.
final class TestDaemon: Sendable {
  let thread: LoopThread<UserLoops>
  let wallClock = BackwardClock()
  let entries = Entries()
  private let turn: TestSupport.Turns.Turn

  init(
    _ settings: Settings = Settings(), monotonic: @escaping @Sendable () -> Int = { 1 }
  ) async throws {
    turn = await TestSupport.Turns.loops.next()
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
  func connect(_ userID: UInt32, groupID: UInt32 = 7) async throws -> TestClient {
    let (client, socket) = try makeClient(userID, groupID: groupID)
    try await thread.with { $0.accept(socket) }
    return client
  }

  /// A client that is not accepted yet, and its socket on the daemon's side.
  func makeClient(_ userID: UInt32, groupID: UInt32 = 7) throws -> (TestClient, AcceptedSocket) {
    var ends: [Int32] = [0, 0]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
    let peer = PeerCredentials(processID: 1, userID: userID, groupID: groupID)
    return (TestClient(ends[0]), AcceptedSocket(descriptor: ends[1], peer: peer))
  }

  /// Whether each user's loop sleeps, or has ended a turn since this was asked last.
  func loopsMakeProgress() async throws -> Bool {
    try await thread.with { $0.loopsMakeProgress() }
  }

  /// Has a client of a user connect, post once and leave.
  func postAndLeave(_ userID: UInt32) async throws {
    let client = try await connect(userID)
    client.send("Post", TestClient.post)
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
final class BackwardClock: Sendable {
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

/// A client's end of a connection to a `TestDaemon`.
final class TestClient: Sendable {
  /// The parameters of a post that begins a session and makes an event.
  static let post = #"{"session":"s","old":{"before":"a"},"new":{"before":"ab"}}"#

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

  /// Returns once the connection has ended, and reads nothing.
  func waitForEnd() {
    // POLLHUP is told unasked.
    var end = pollfd(fd: descriptor, events: 0, revents: 0)
    #expect(poll(&end, 1, 120_000) == 1)
  }

  /// The next reply; empty where the connection has ended.
  func reply() -> String {
    var frame: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = recv(descriptor, &byte, 1, 0)
      let hasWaited = count < 0 && errno == EAGAIN
      #expect(!hasWaited, "neither a reply nor an end has come")
      guard count == 1, byte != 0 else { break }
      frame.append(byte)
    }
    return String(decoding: frame, as: UTF8.self)
  }
}
