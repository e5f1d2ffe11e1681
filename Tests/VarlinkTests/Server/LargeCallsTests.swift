import Glibc
import Synchronization
import Systemd
import Testing
import Varlink

@Suite struct LargeCallsTests {
  @Test func theyAreTakenInTheOrderInWhichTheyAsk() throws {
    let calls = LargeCalls.patient(atATime: 1)
    let first = calls.begin(frameOf: 100_000) { _ in Issue.record("nobody has the turn") }
    let order = Mutex<[Int]>([])
    for number in 0..<10 {
      try DetachedThread.start {
        let turn = calls.begin(frameOf: 100_000) { sleep in sleep() }
        order.withLock { $0.append(number) }
        calls.end(turn)
      }
      while calls.waitingCount <= number { sched_yield() }
    }
    calls.end(first)
    while order.withLock({ $0.count }) < 10 { sched_yield() }
    #expect(order.withLock { $0 } == Array(0..<10))
  }

  @Test func noMoreAreAnsweredAtATimeThanMay() throws {
    struct Counts { var now = 0, most = 0, ended = 0 }
    let calls = LargeCalls.patient(atATime: 3)
    let counts = Mutex(Counts())
    for _ in 0..<20 {
      try DetachedThread.start {
        let turn = calls.begin(frameOf: 100_000) { sleep in sleep() }
        counts.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        for _ in 0..<100 { sched_yield() }
        counts.withLock { $0.now -= 1 }
        calls.end(turn)
        counts.withLock { $0.ended += 1 }
      }
    }
    while counts.withLock({ $0.ended }) < 20 { sched_yield() }
    #expect((1...3).contains(counts.withLock { $0.most }))
    #expect(calls.waitingCount == 0)
  }

  @Test func noneWaitsForThoseOfAnotherSize() {
    let calls = LargeCalls.patient(atATime: 1)
    let sizes = (16..<40).map { 1 << $0 }
    let turns = sizes.map { size in
      calls.begin(frameOf: size) { _ in Issue.record("it waits for a smaller one") }
    }
    for turn in turns { calls.end(turn) }
    for size in sizes.reversed() {
      _ = calls.begin(frameOf: size + size / 2) { _ in Issue.record("it waits for a larger one") }
    }
    #expect(calls.waitingCount == 0)
  }

  /// On a machine of many processors: each answered by a thread that waits until all are asked for.
  @Test(arguments: [(bytes: 4_000_000, atATime: 1), (2_000_000, 2), (1_000_000, 4), (70_000, 32)])
  func thoseOfOneSizeAreBoundedByTheirBytes(size: (bytes: Int, atATime: Int)) throws {
    let calls = LargeCalls.patient(atATime: 1_000)
    let begun = Mutex<[LargeCalls.Turn]>([])
    for _ in 0..<size.atATime + 2 {
      try DetachedThread.start {
        let turn = calls.begin(frameOf: size.bytes) { sleep in sleep() }
        begun.withLock { $0.append(turn) }
      }
    }
    while begun.withLock({ $0.count }) < size.atATime || calls.waitingCount < 2 { sched_yield() }
    #expect(begun.withLock { $0.count } == size.atATime)
    for number in 0..<2 {
      calls.end(begun.withLock { $0[number] })
      while begun.withLock({ $0.count }) <= size.atATime + number { sched_yield() }
    }
  }

  @Test func thoseOfOneSizeWaitForEachOther() throws {
    let calls = LargeCalls.patient(atATime: 1)
    let first = calls.begin(frameOf: 65_536) { _ in Issue.record("nobody has the turn") }
    let isAnswered = Mutex(false)
    try DetachedThread.start {
      calls.end(calls.begin(frameOf: 131_071) { sleep in sleep() })
      isAnswered.withLock { $0 = true }
    }
    while calls.waitingCount == 0 { sched_yield() }
    #expect(!isAnswered.withLock { $0 })
    calls.end(first)
    while !isAnswered.withLock({ $0 }) { sched_yield() }
  }

  /// 64 KiB of white space around a short call that is dear.
  @Test func aCallThatTakesLongForItsLengthKeepsNobodyWaiting() throws {
    let calls = LargeCalls(atATime: 1)
    let isAnswered = Mutex(false)
    let isDone = Mutex(false)
    let waits = Mutex(0)
    try DetachedThread.start {
      let dear = calls.begin(frameOf: 100_000) { _ in Issue.record("nobody has the turn") }
      for _ in 0..<3 {
        isAnswered.withLock { $0 = false }
        try? DetachedThread.start {
          let turn = calls.begin(frameOf: 100_000) { sleep in
            waits.withLock { $0 += 1 }
            sleep()
          }
          isAnswered.withLock { $0 = true }
          calls.end(turn)
        }
        while !isAnswered.withLock({ $0 }) {}
      }
      calls.end(dear)
      isDone.withLock { $0 = true }
    }
    while !isDone.withLock({ $0 }) { sched_yield() }
    // The place was another's then, and has been given back.
    #expect(waits.withLock { $0 } == 1)
    calls.end(calls.begin(frameOf: 100_000) { _ in Issue.record("nobody has the turn") })
  }

  @Test func aCallThatSleepsKeepsItsPlace() throws {
    let calls = LargeCalls(atATime: 1)
    let first = Mutex<LargeCalls.Turn?>(nil)
    try DetachedThread.start {
      first.withLock { $0 = calls.begin(frameOf: 100_000) { _ in } }
      sleep(60)
    }
    while first.withLock({ $0 == nil }) { sched_yield() }
    let isAnswered = Mutex(false)
    try DetachedThread.start {
      calls.end(calls.begin(frameOf: 100_000) { sleep in sleep() })
      isAnswered.withLock { $0 = true }
    }
    usleep(50_000)
    #expect(!isAnswered.withLock { $0 })
    if let first = first.withLock(\.self) { calls.end(first) }
    while !isAnswered.withLock({ $0 }) { sched_yield() }
  }

  @Test func atTheEndAllAreLetThroughAndNobodyWaits() throws {
    let calls = LargeCalls.patient(atATime: 1)
    let first = calls.begin(frameOf: 100_000) { _ in }
    let ended = Mutex(0)
    for number in 0..<3 {
      try DetachedThread.start {
        calls.end(calls.begin(frameOf: 100_000) { sleep in sleep() })
        ended.withLock { $0 += 1 }
      }
      while calls.waitingCount <= number { sched_yield() }
    }
    calls.letAllThrough()
    while ended.withLock({ $0 }) < 3 { sched_yield() }
    calls.end(calls.begin(frameOf: 100_000) { _ in Issue.record("nobody waits any more") })
    calls.end(first)
  }

  @Test func aLargeCallWaitsAndASmallOneDoesNot() async throws {
    let calls = LargeCalls.patient(atATime: 1)
    try await TestServer.run(largeCalls: calls) { server in
      let first = calls.begin(frameOf: 100_000) { _ in }
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
      calls.end(first)
      #expect(try larges.next(from: large) == #"{"parameters":{"text":"\#(text)"}}"#)
    }
  }
}

extension LargeCalls {
  /// Never passes a place on, since threads that wait here use the processor.
  fileprivate static func patient(atATime limit: Int) -> LargeCalls {
    LargeCalls(atATime: limit, nanosecondsPerByte: 10_000_000)
  }
}
