import Glibc
import Logging
import Synchronization
import Systemd
import Testing

@Suite struct LogQueueTests {
  @Test func entriesComeOutInOrder() throws {
    let collected = Collected()
    let queue = try LogQueue(limits: .init(entries: 1000, bytes: 1 << 20)) { batch in
      collected.add(batch)
    } describeDrops: {
      line("\($0) dropped")
    }
    for number in 0..<500 { queue.append(line("\(number)")) }
    #expect(queue.flush(timeout: .seconds(60)))
    queue.stop()
    #expect(collected.lines == (0..<500).map { "info: \($0)\n" })
  }

  @Test func whatIsOverTheNumberIsCountedAndTold() throws {
    let gate = Gate()
    let collected = Collected()
    let queue = try LogQueue(limits: .init(entries: 3, bytes: 1 << 20)) { batch in
      gate.pass()
      return collected.add(batch)
    } describeDrops: {
      line("\($0) dropped")
    }
    queue.append(line("sent"))
    gate.waitUntilReached()
    for number in 1...5 { queue.append(line("\(number)")) }
    gate.open()
    #expect(queue.flush(timeout: .seconds(60)))
    queue.stop()
    #expect(
      collected.lines == ["sent", "1", "2", "3", "2 dropped"].map { "info: \($0)\n" })
  }

  @Test func nobodysEntriesTakeTheRoomOfOthers() throws {
    let gate = Gate()
    let collected = Collected()
    let queue = try LogQueue(limits: .init(entries: 8, bytes: 1 << 20)) { batch in
      gate.pass()
      return collected.add(batch)
    } describeDrops: {
      line("\($0) dropped")
    }
    queue.append(line("sent"))
    gate.waitUntilReached()
    for number in 1...9 { queue.append(line("a\(number)"), of: "a") }
    queue.append(line("b1"), of: "b")
    queue.append(line("own"))
    gate.open()
    #expect(queue.flush(timeout: .seconds(60)))
    for number in 1...2 { queue.append(line("again\(number)"), of: "a") }
    #expect(queue.flush(timeout: .seconds(60)))
    queue.stop()
    #expect(
      collected.lines
        == ["sent", "a1", "a2", "b1", "own", "7 dropped", "again1", "again2"].map {
          "info: \($0)\n"
        })
  }

  @Test func nobodysLongEntriesTakeTheRoomOfOthers() throws {
    let gate = Gate()
    let collected = Collected()
    let size = line("1").bytes.count
    let queue = try LogQueue(limits: .init(entries: 100, bytes: 8 * size)) { batch in
      gate.pass()
      return collected.add(batch)
    } describeDrops: {
      line("\($0) dropped")
    }
    queue.append(line("0"))
    gate.waitUntilReached()
    for number in 1...3 { queue.append(line("\(number)"), of: "a") }
    queue.append(line("4"), of: "b")
    gate.open()
    #expect(queue.flush(timeout: .seconds(60)))
    queue.stop()
    #expect(collected.lines == ["0", "1", "2", "4", "1 dropped"].map { "info: \($0)\n" })
  }

  @Test func whatIsOverTheBytesIsCountedAndTold() throws {
    let gate = Gate()
    let collected = Collected()
    let size = line("1").bytes.count
    let queue = try LogQueue(limits: .init(entries: 100, bytes: 2 * size)) { batch in
      gate.pass()
      return collected.add(batch)
    } describeDrops: {
      line("\($0) dropped")
    }
    queue.append(line("0"))
    gate.waitUntilReached()
    for number in 1...3 { queue.append(line("\(number)")) }
    gate.open()
    #expect(queue.flush(timeout: .seconds(60)))
    queue.stop()
    #expect(collected.lines == ["0", "1", "2", "1 dropped"].map { "info: \($0)\n" })
  }

  @Test func whatCouldNotBeSentIsToldWithTheNextEntry() throws {
    let collected = Collected()
    let isBroken = Atomic(true)
    let queue = try LogQueue(limits: .init(entries: 100, bytes: 1 << 20)) { batch in
      guard !isBroken.load(ordering: .sequentiallyConsistent) else { return batch.count }
      return collected.add(batch)
    } describeDrops: {
      line("\($0) dropped")
    }
    for _ in 1...3 {
      queue.append(line("lost"))
      #expect(queue.flush(timeout: .seconds(60)))
    }
    isBroken.store(false, ordering: .sequentiallyConsistent)
    queue.append(line("sent"))
    #expect(queue.flush(timeout: .seconds(60)))
    queue.stop()
    #expect(collected.lines == ["info: sent\n", "info: 3 dropped\n"])
  }

  @Test func flushGivesUpOnASinkThatIsStuck() throws {
    let gate = Gate()
    let queue = try LogQueue(limits: .init(entries: 100, bytes: 1 << 20)) { _ in
      gate.pass()
      return 0
    } describeDrops: {
      line("\($0) dropped")
    }
    queue.append(line("stuck"))
    #expect(!queue.flush(timeout: .milliseconds(1)))
    gate.open()
    #expect(queue.flush(timeout: .seconds(60)))
    queue.stop()
  }
}

/// What a sink was given, as text.
private final class Collected: Sendable {
  private let text = Mutex<[String]>([])

  var lines: [String] { text.withLock { $0 } }

  func add(_ batch: borrowing LogBatch) -> Int {
    var lines: [String] = []
    batch.forEachEntry { lines += $0.map { String(decoding: $0, as: UTF8.self) } }
    text.withLock { $0 += lines }
    return 0
  }
}

/// Holds a sink up until it is opened.
private final class Gate: Sendable {
  private let reached = Semaphore()
  private let opened = Semaphore()

  func pass() {
    reached.signal()
    opened.wait()
    // Open for good.
    opened.signal()
  }

  func waitUntilReached() { reached.wait() }

  func open() { opened.signal() }
}

/// A counting semaphore, as in sem_overview(7).
///
/// Unchecked: its memory is the C library's to guard.
private final class Semaphore: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 {} }
}

private func line(_ message: String) -> LogEntry {
  LogEntry(
    line: LogEvent(
      level: .info, message: "\(message)", metadata: nil, source: nil, file: "", function: "",
      line: 0),
    common: [:])
}
