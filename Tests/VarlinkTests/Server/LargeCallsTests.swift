import Glibc
import Synchronization
import Systemd
import Testing
import Varlink

@Suite struct LargeCallsTests {
  @Test func theyAreTakenInTheOrderInWhichTheyAsk() throws {
    let calls = LargeCalls(atATime: 1)
    calls.begin(frameOf: 100_000) { _ in Issue.record("nobody has the turn") }
    let order = Mutex<[Int]>([])
    for number in 0..<10 {
      try DetachedThread.start {
        calls.begin(frameOf: 100_000) { sleep in sleep() }
        order.withLock { $0.append(number) }
        calls.end(frameOf: 100_000)
      }
      while calls.waitingCount <= number { sched_yield() }
    }
    calls.end(frameOf: 100_000)
    while order.withLock({ $0.count }) < 10 { sched_yield() }
    #expect(order.withLock { $0 } == Array(0..<10))
  }

  @Test func noMoreAreAnsweredAtATimeThanMay() throws {
    struct Counts { var now = 0, most = 0, ended = 0 }
    let calls = LargeCalls(atATime: 3)
    let counts = Mutex(Counts())
    for _ in 0..<20 {
      try DetachedThread.start {
        calls.begin(frameOf: 100_000) { sleep in sleep() }
        counts.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        for _ in 0..<100 { sched_yield() }
        counts.withLock { $0.now -= 1 }
        calls.end(frameOf: 100_000)
        counts.withLock { $0.ended += 1 }
      }
    }
    while counts.withLock({ $0.ended }) < 20 { sched_yield() }
    #expect((1...3).contains(counts.withLock { $0.most }))
    #expect(calls.waitingCount == 0)
  }

  @Test func noneWaitsForThoseOfAnotherSize() {
    let calls = LargeCalls(atATime: 1)
    let sizes = (16..<40).map { 1 << $0 }
    for size in sizes {
      calls.begin(frameOf: size) { _ in Issue.record("it waits for a smaller one") }
    }
    for size in sizes { calls.end(frameOf: size) }
    for size in sizes.reversed() {
      calls.begin(frameOf: size + size / 2) { _ in Issue.record("it waits for a larger one") }
    }
    #expect(calls.waitingCount == 0)
  }

  /// On a machine of many processors: each answered by a thread that waits until all are asked for.
  @Test(arguments: [(bytes: 4_000_000, atATime: 1), (2_000_000, 2), (1_000_000, 4), (70_000, 32)])
  func thoseOfOneSizeAreBoundedByTheirBytes(size: (bytes: Int, atATime: Int)) throws {
    let calls = LargeCalls(atATime: 1_000)
    let begun = Mutex(0)
    for _ in 0..<size.atATime + 2 {
      try DetachedThread.start {
        calls.begin(frameOf: size.bytes) { sleep in sleep() }
        begun.withLock { $0 += 1 }
      }
    }
    while begun.withLock({ $0 }) < size.atATime || calls.waitingCount < 2 { sched_yield() }
    #expect(begun.withLock { $0 } == size.atATime)
    calls.end(frameOf: size.bytes)
    calls.end(frameOf: size.bytes)
    while begun.withLock({ $0 }) < size.atATime + 2 { sched_yield() }
  }

  @Test func thoseOfOneSizeWaitForEachOther() throws {
    let calls = LargeCalls(atATime: 1)
    calls.begin(frameOf: 65_536) { _ in Issue.record("nobody has the turn") }
    let isAnswered = Mutex(false)
    try DetachedThread.start {
      calls.begin(frameOf: 131_071) { sleep in sleep() }
      calls.end(frameOf: 131_071)
      isAnswered.withLock { $0 = true }
    }
    while calls.waitingCount == 0 { sched_yield() }
    #expect(!isAnswered.withLock { $0 })
    calls.end(frameOf: 65_536)
    while !isAnswered.withLock({ $0 }) { sched_yield() }
  }

  @Test func aLargeCallWaitsAndASmallOneDoesNot() async throws {
    let calls = LargeCalls(atATime: 1)
    try await TestServer.run(largeCalls: calls) { server in
      calls.begin(frameOf: 100_000) { _ in }
      let small = try server.connect()
      let large = try server.connect()
      var smalls = FrameStream()
      var larges = FrameStream()
      let echo = { (text: String) in
        #"{"method":"org.example.echo.Echo","parameters":{"text":"\#(text)"}}"#
      }
      try small.send(frames: [echo("a")])
      #expect(try smalls.next(from: small) == #"{"parameters":{"text":"a"}}"#)
      let text = String(repeating: "b", count: LargeCalls.leastBytes)
      // The small call before it is answered, although the loop waits.
      try large.send(frames: [echo("a"), echo(text)])
      #expect(try larges.next(from: large) == #"{"parameters":{"text":"a"}}"#)
      while calls.waitingCount == 0 { sched_yield() }
      calls.end(frameOf: 100_000)
      #expect(try larges.next(from: large) == #"{"parameters":{"text":"\#(text)"}}"#)
    }
  }
}
