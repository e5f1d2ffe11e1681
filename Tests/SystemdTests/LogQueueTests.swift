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
    let held = try HeldQueue(entries: 3, bytes: 1 << 20)
    for number in 1...5 { held.queue.append(line("\(number)")) }
    #expect(held.finish() == ["0", "1", "2", "3", "2 dropped"])
  }

  @Test func nobodysEntriesTakeTheRoomOfOthers() throws {
    let held = try HeldQueue(entries: 8, bytes: 1 << 20)
    for number in 1...9 { held.queue.append(line("a\(number)"), of: "a") }
    held.queue.append(line("b1"), of: "b")
    held.queue.append(line("own"))
    held.release()
    for number in 1...2 { held.queue.append(line("again\(number)"), of: "a") }
    #expect(
      held.finish() == ["0", "a1", "a2", "b1", "own", "7 dropped", "again1", "again2"])
  }

  @Test func nobodysLongEntriesTakeTheRoomOfOthers() throws {
    let size = line("1").bytes.count
    let held = try HeldQueue(entries: 100, bytes: 8 * size)
    for number in 1...3 { held.queue.append(line("\(number)"), of: "a") }
    held.queue.append(line("4"), of: "b")
    #expect(held.finish() == ["0", "1", "2", "4", "1 dropped"])
  }

  @Test func whatIsOverTheBytesIsCountedAndTold() throws {
    let size = line("1").bytes.count
    let held = try HeldQueue(entries: 100, bytes: 2 * size)
    for number in 1...3 { held.queue.append(line("\(number)")) }
    #expect(held.finish() == ["0", "1", "2", "1 dropped"])
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

/// A queue whose sink holds its first entry, `0`, until it is released.
private final class HeldQueue {
  let queue: LogQueue
  private let gate = Gate()
  private let collected = Collected()

  init(entries: Int, bytes: Int) throws {
    let (gate, collected) = (self.gate, self.collected)
    queue = try LogQueue(limits: .init(entries: entries, bytes: bytes)) { batch in
      gate.pass()
      return collected.add(batch)
    } describeDrops: {
      line("\($0) dropped")
    }
    queue.append(line("0"))
    gate.waitUntilReached()
  }

  /// Lets the sink go on, until all is sent.
  func release() {
    gate.open()
    #expect(queue.flush(timeout: .seconds(60)))
  }

  /// Releases and stops the queue; returns the messages of all that was sent.
  func finish() -> [Substring] {
    release()
    queue.stop()
    return collected.lines.map { $0.dropFirst("info: ".count).dropLast() }
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
