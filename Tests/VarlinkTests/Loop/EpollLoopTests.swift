import Glibc
import Synchronization
import Testing
import Varlink

@Suite(.timeLimit(.minutes(10))) struct EpollLoopTests {
  /// The two ends of a pipe, closed with it.
  private struct Pipe: ~Copyable {
    let input: CInt
    let output: CInt

    init() throws {
      var ends: [CInt] = [0, 0]
      try #require(pipe(&ends) == 0)
      (output, input) = (ends[0], ends[1])
    }

    func fill() { #expect(write(input, "x", 1) == 1) }

    deinit {
      close(input)
      close(output)
    }
  }

  @Test func callsWhoeverIsReadyInEachTurnThenTheTurnsEnd() throws {
    let loop = try EpollLoop()
    let pipe = try Pipe()
    pipe.fill()
    var calls: [String] = []
    loop.atEndOfTurns { calls.append("end") }
    try loop.watch(pipe.output, for: .readable) { events in
      #expect(events == .readable)
      calls.append("ready")
      if calls.count > 2 { loop.stop() }
    }
    loop.run()
    #expect(calls == ["ready", "end", "ready", "end"])
  }

  @Test func whoIsUnwatchedIsNotCalledAnyMoreThoughReady() throws {
    let loop = try EpollLoop()
    let first = try Pipe()
    let second = try Pipe()
    first.fill()
    second.fill()
    var calls = 0
    let outputs = [first.output, second.output]
    for (output, other) in zip(outputs, outputs.reversed()) {
      try loop.watch(output, for: .readable) { _ in
        calls += 1
        loop.unwatch(other)
        loop.stop()
      }
    }
    loop.run()
    #expect(calls == 1)
  }

  @Test func aDescriptorThatComesAnewInATurnHearsNothingOfTheOldOne() throws {
    let loop = try EpollLoop()
    let first = try Pipe()
    let second = try Pipe()
    first.fill()
    second.fill()
    let outputs = [first.output, second.output]
    var calls: [String] = []
    loop.atEndOfTurns { calls.append("end") }
    for (output, other) in zip(outputs, outputs.reversed()) {
      try loop.watch(output, for: .readable) { _ in
        calls.append("old")
        loop.unwatch(output)
        loop.unwatch(other)
        try? loop.watch(other, for: .readable) { _ in
          calls.append("new")
          loop.stop()
        }
      }
    }
    loop.run()
    #expect(calls == ["old", "end", "new", "end"])
  }

  @Test func tellsThatTheOtherEndIsGoneUnasked() throws {
    let loop = try EpollLoop()
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    close(ends[1])
    var seen: EpollLoop.Events = []
    try loop.watch(ends[0], for: []) { events in
      seen = events
      loop.stop()
    }
    loop.run()
    loop.unwatch(ends[0])
    close(ends[0])
    #expect(!seen.isDisjoint(with: .hungUp))
  }

  @Test func whatCannotBeWatchedIsToldWithTheSystemsError() throws {
    let loop = try EpollLoop()
    #expect(throws: VarlinkSocketError.self) { try loop.watch(-1, for: .readable) { _ in } }
    let pipe = try Pipe()
    try loop.watch(pipe.output, for: .readable) { _ in }
    do {
      try loop.watch(pipe.output, for: .readable) { _ in }
      Issue.record("a descriptor was watched twice")
    } catch {
      #expect(error.call == "epoll_ctl")
      #expect(error.systemError == EEXIST)
    }
  }

  @Test func timersAreDueInTheirOrderAndOnce() throws {
    let loop = try EpollLoop()
    var calls: [String] = []
    loop.schedule(after: .milliseconds(20)) { calls.append("last") }
    loop.schedule(after: .milliseconds(1)) {
      calls.append("first")
      // Due after the last one, however late this one is.
      loop.schedule(after: .milliseconds(20)) {
        calls.append("made by a timer")
        loop.stop()
      }
    }
    let cancelled = loop.schedule(after: .milliseconds(2)) { calls.append("cancelled") }
    loop.schedule(after: .seconds(-1)) {
      calls.append("overdue")
      cancelled.cancel()
      cancelled.cancel()
    }
    loop.run()
    #expect(calls == ["overdue", "first", "last", "made by a timer"])
  }

  @Test func aTimerCancelledByAnotherThatIsDueWithItIsNotCalled() throws {
    let loop = try EpollLoop()
    var calls = 0
    var timers: [EpollLoop.Timer] = []
    for _ in 0..<2 {
      timers.append(
        loop.schedule(after: .zero) {
          calls += 1
          for timer in timers { timer.cancel() }
          loop.schedule(after: .milliseconds(5)) { loop.stop() }
        })
    }
    loop.run()
    #expect(calls == 1)
  }

  @Test func aTimerThatIsOverdueFromItsStartWaitsForAnotherTurn() throws {
    let loop = try EpollLoop()
    var turns = 0
    loop.atEndOfTurns { turns += 1 }
    var calls: [Int] = []
    loop.schedule(after: .zero) {
      calls.append(turns)
      loop.schedule(after: .seconds(-5)) {
        calls.append(turns)
        loop.stop()
      }
    }
    loop.run()
    #expect(calls == [0, 1])
  }

  @Test func whoStopsItBeforeItRunsIsHeard() throws {
    let loop = try EpollLoop()
    loop.stop()
    loop.run()
    loop.schedule(after: .zero) { loop.stop() }
    loop.run()
  }

  @Test func otherThreadsSubmitInOrderAndWakeTheLoop() throws {
    let loop = try EpollLoop()
    let submitter = try loop.makeSubmitter()
    let numbers = Mutex<[Int]>([])
    // Submitted before the loop runs, and from within.
    for number in 0..<3 {
      submitter.submit { numbers.withLock { $0.append(number) } }
    }
    submitter.submit { submitter.submit { numbers.withLock { $0.append(3) } } }
    func stopOnceAllAreCalled() {
      if numbers.withLock({ $0.count }) == 4 { return loop.stop() }
      loop.schedule(after: .milliseconds(1)) { stopOnceAllAreCalled() }
    }
    stopOnceAllAreCalled()
    loop.run()
    #expect(numbers.withLock { $0 } == [0, 1, 2, 3])
  }
}
