import CLinux
import ContextDiff
import ContextDiffService
import Glibc
import Testing

@Suite struct EventRingTests {
  private static let instance = "0123456789abcdef0123456789abcdef"

  private func ring(capacity: Int = 4_096) throws -> EventRing {
    try EventRing(userID: 1_000, instance: EventRingTests.instance, capacity: capacity)
  }

  /// A second descriptor of the ring's memory, as the next process gets it.
  private func handedOver(_ ring: borrowing EventRing) -> Int32 { dup(ring.descriptor) }

  @Test func anEmptyRingHasNoEvents() throws {
    let ring = try ring()
    #expect(ring.count == 0)
    #expect(ring.lastSequence == 0)
    #expect(ring.firstSequence == 1)
    #expect(contents(of: ring) == [])
  }

  @Test func eventsAreNumberedFromOneAndReadBackInOrder() throws {
    var ring = try ring()
    append("a", to: &ring)
    append("b", kind: .cut, session: "notes", to: &ring)
    #expect(contents(of: ring) == ["1 s unchanged a+a", "2 notes cut b+b"])
    #expect(contents(of: ring, after: 1) == ["2 notes cut b+b"])
    #expect(contents(of: ring, after: 2) == [])
    #expect(contents(of: ring, after: 99) == [])
  }

  @Test func theLimitKeepsTheLatest() throws {
    var ring = try ring()
    for name in ["a", "b", "c", "d"] { append(name, limit: 2, to: &ring) }
    #expect(ring.count == 2)
    #expect(ring.firstSequence == 3)
    #expect(contents(of: ring) == ["3 s unchanged c+c", "4 s unchanged d+d"])
  }

  @Test func aLowerLimitLetsGoOfMore() throws {
    var ring = try ring()
    for name in ["a", "b", "c", "d"] { append(name, limit: 4, to: &ring) }
    append("e", limit: 2, to: &ring)
    #expect(contents(of: ring) == ["4 s unchanged d+d", "5 s unchanged e+e"])
  }

  @Test func whatIsBeyondALowerLimitIsLetGoOfAtOnceAndErased() throws {
    var ring = try ring()
    for name in ["marked", "b", "c", "d"] { append(name, limit: 4, to: &ring) }
    ring.drop(beyond: 4)
    #expect(ring.count == 4)
    ring.drop(beyond: 2)
    #expect(contents(of: ring) == ["3 s unchanged c+c", "4 s unchanged d+d"])
    var memory = [UInt8](repeating: 0, count: EventRing.Layout.headerBytes + 4_096)
    #expect(pread(ring.descriptor, &memory, memory.count, 0) == memory.count)
    #expect(!String(decoding: memory, as: UTF8.self).contains("marked"))
    // The number of the last one is what the next one's follows from.
    ring.drop(beyond: 0)
    append("e", limit: 4, to: &ring)
    #expect(contents(of: ring) == ["4 s unchanged d+d", "5 s unchanged e+e"])
    var next = try EventRing.adopt(handedOver(ring))
    #expect(contents(of: next) == contents(of: ring))
    next.drop(beyond: 1)
    #expect(contents(of: next) == ["5 s unchanged e+e"])
  }

  @Test func aFullRingWrapsAroundWithoutSplittingAnEvent() throws {
    var ring = try ring()
    for round in 1...500 {
      let text = String(repeating: "x", count: round % 97)
      append(text, to: &ring)
      #expect(contents(of: ring).last == "\(round) s unchanged \(text)+\(text)")
    }
    #expect(ring.count + ring.firstSequence == 501)
    #expect(ring.count > 4)
  }

  @Test func roomIsKnownWhereNoEventFollowsAndWhereOneIsDropped() throws {
    var ring = try ring()
    for _ in 1...3 { append("x", limit: 2, to: &ring) }
    let hasRoomAfterAll = ring.hasRoom(for: 8, besideEventsAfter: 3, limit: 9)
    #expect(hasRoomAfterAll)
    let hasRoomForDropped = ring.hasRoom(for: 8, besideEventsAfter: 0, limit: 9)
    #expect(!hasRoomForDropped)
  }

  @Test func anEventLargerThanTheRingIsKeptInPart() throws {
    var ring = try ring()
    let half = String(repeating: "x", count: 3_000)
    append(half, to: &ring)
    #expect(contents(of: ring) == ["1 s unchanged \(half)+"])
    append(String(repeating: "x", count: 5_000), kind: .paste, session: "t", to: &ring)
    #expect(contents(of: ring) == ["1 s unchanged \(half)+", "2 t paste +"])
    ring.forEach(after: 1) { event in
      #expect(event.isOmitted)
      return true
    }
  }

  // MARK: - The next process

  @Test func whatItsUserHasNoMemoryForIsLetGoOf() throws {
    let limit = 128 << 10
    let quota = Quota(
      Quota.Limits(budgetBytes: 512 << 20, connections: 1, users: 1, perUser: { _ in limit }))
    let account = try #require(quota.account(of: 1, isAdministrator: false))
    var ring = try ring(capacity: 1 << 20)
    let isCharged = ring.charge(to: account)
    #expect(isCharged)
    func last() -> (transition: Int, pair: Int) {
      var last = (transition: -1, pair: -1)
      ring.forEach(after: ring.lastSequence - 1) { event in
        last = (event.transition.count, event.pair.count)
        return true
      }
      return last
    }
    for number in 1...300 {
      let bytes = number * 37 % 8_000
      append(String(repeating: "x", count: bytes), to: &ring)
      #expect(account.held(.events) <= limit)
      #expect(ring.lastSequence == number)
      #expect(last() == (bytes, bytes))
    }
    // Most of it is in use.
    #expect(account.held(.events) > limit / 2)
    #expect(ring.count > 4)
    // Of one that is larger the pair is left out, and then all.
    append(String(repeating: "y", count: limit / 2), to: &ring)
    #expect(last() == (limit / 2, 0))
    append(String(repeating: "y", count: limit), to: &ring)
    #expect(last() == (0, 0))
    #expect(ring.lastSequence == 302)
    #expect(account.held(.events) <= limit)
    append("", to: &ring)
    ring.shrink(to: 0)
    #expect(account.held(.events) == 16 << 10)
  }

  @Test func whatIsTooOldIsChargedToNobody() throws {
    let quota = Quota(
      Quota.Limits(budgetBytes: 512 << 20, connections: 1, users: 1, perUser: { _ in 1 << 20 }))
    let account = try #require(quota.account(of: 1, isAdministrator: false))
    var ring = try ring(capacity: 1 << 20)
    let isCharged = ring.charge(to: account)
    #expect(isCharged)
    for _ in 1...20 { append(String(repeating: "x", count: 8_000), to: &ring) }
    append("", to: &ring)
    #expect(account.held(.events) > 256 << 10)
    ring.drop(olderThan: 1, now: 5)
    #expect(account.held(.events) == 16 << 10)
  }

  @Test func theNextProcessFindsAllAndGoesOnCounting() throws {
    var ring = try ring()
    for number in 1...300 { append("\(number)", to: &ring) }
    var next = try EventRing.adopt(handedOver(ring))
    #expect(next.instance == EventRingTests.instance)
    #expect(next.userID == 1_000)
    #expect(contents(of: next) == contents(of: ring))
    append("more", to: &next)
    #expect(next.lastSequence == 301)
  }

  @Test func anEmptyRingIsTakenOver() throws {
    let empty = try ring()
    var next = try EventRing.adopt(handedOver(empty))
    #expect(next.lastSequence == 0)
    append("a", to: &next)
    #expect(contents(of: next) == ["1 s unchanged a+a"])
  }

  /// A kill may come between any two instructions of `append`: before `tail` moves, after it and
  /// any part of the record, before `head` moves.
  ///
  /// Each such memory is to be taken over.
  @Test func aKillDuringAnAppendLeavesAWholeRing() throws {
    var ring = try ring()
    for number in 1...200 { append("event \(number)", to: &ring) }
    let before = image(of: ring)
    let expectedBefore = contents(of: ring)
    append("the last one", to: &ring)
    let after = image(of: ring)
    let changed = before.indices.filter {
      before[$0] != after[$0] && $0 >= EventRing.Layout.headerBytes
    }
    #expect(changed.count > 20)

    var killed = before
    let tail = EventRing.Layout.tailOffset
    killed.replaceSubrange(tail..<tail + 8, with: after[tail..<tail + 8])
    for index in changed {
      killed[index] = after[index]
      let adopted = try EventRing.adopt(memory(holding: killed))
      #expect(adopted.lastSequence == 200)
      #expect(contents(of: adopted) == Array(expectedBefore.suffix(adopted.count)))
      #expect(adopted.count >= expectedBefore.count - 2)
    }
    let head = EventRing.Layout.headOffset
    killed.replaceSubrange(head..<head + 8, with: after[head..<head + 8])
    #expect(try EventRing.adopt(memory(holding: killed)).lastSequence == 201)
  }

  /// The same where the next event needs all the room, so that none is kept for a moment.
  @Test(arguments: [1, 1_000])
  func aKillBetweenTheLastEventAndTheNextKeepsTheNumber(limit: Int) throws {
    let text = String(repeating: "x", count: limit == 1 ? 10 : 1_900)
    var ring = try ring()
    for _ in 1...3 { append(text, limit: limit, to: &ring) }
    let before = image(of: ring)
    append(text, limit: limit, to: &ring)
    let after = image(of: ring)
    var killed = before
    for offset in [EventRing.Layout.sequenceOffset, EventRing.Layout.tailOffset] {
      killed.replaceSubrange(offset..<offset + 8, with: after[offset..<offset + 8])
      #expect(try EventRing.adopt(memory(holding: killed)).lastSequence == 3)
    }
    var next = try EventRing.adopt(memory(holding: killed))
    #expect(contents(of: next, after: 0).count == 1)
    append("b", to: &next)
    #expect(contents(of: next, after: 3) == ["4 s unchanged b+b"])

    killed[EventRing.Layout.sequenceOffset + 7] = 0xFF
    #expect(throws: KeptMemoryError.self) { _ = try EventRing.adopt(memory(holding: killed)) }
  }

  @Test func everyDamagedByteOfAnEventIsNoticed() throws {
    var ring = try ring()
    append("abc", to: &ring)
    let whole = image(of: ring)
    let end = EventRing.Layout.headerBytes + 48
    for index in EventRing.Layout.headerBytes..<end - 1 {
      var damaged = whole
      damaged[index] ^= 0x10
      #expect(throws: KeptMemoryError.self, "byte \(index)") {
        _ = try EventRing.adopt(memory(holding: damaged))
      }
    }
  }

  @Test(arguments: [0, 8, 16, 24, 56, 64, 72])
  func aDamagedHeaderIsNoticed(offset: Int) throws {
    var ring = try ring()
    append("abc", to: &ring)
    var damaged = image(of: ring)
    damaged[offset] ^= 0x55
    #expect(throws: KeptMemoryError.self) { _ = try EventRing.adopt(memory(holding: damaged)) }
  }

  @Test func anotherVersionsEventsAreNotCalledDamaged() throws {
    var other = image(of: try ring())
    other[7] = UInt8(ascii: "3")
    #expect(throws: KeptMemoryError.otherVersion) {
      _ = try EventRing.adopt(memory(holding: other))
    }
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 5_000])
  func memoryOfAnotherSizeIsNoRing(size: Int) {
    #expect(throws: KeptMemoryError.self) {
      _ = try EventRing.adopt(memory(holding: [UInt8](repeating: 0, count: size)))
    }
  }

  @Test(arguments: [Int.max, Int.max / 2 + 1])
  func aNumberAfterWhichThereIsNoRoomForOthersIsDamage(last: Int) throws {
    let ring = try EventRing(
      userID: 1_000, instance: EventRingTests.instance, capacity: 4_096, after: last)
    #expect(throws: KeptMemoryError.self) { _ = try EventRing.adopt(handedOver(ring)) }
    let largest = try EventRing(
      userID: 1_000, instance: EventRingTests.instance, capacity: 4_096, after: Int.max / 2)
    var next = try EventRing.adopt(handedOver(largest))
    append("a", to: &next)
  }

  @Test(arguments: [EventRing.Layout.tailOffset, EventRing.Layout.headOffset])
  func anEndWithinAWordIsDamage(offset: Int) throws {
    let ring = try ring()
    var damaged = image(of: ring)
    // Both ends, so that they do not contradict each other.
    damaged[EventRing.Layout.headOffset] += 4
    if offset == EventRing.Layout.tailOffset { damaged[offset] += 4 }
    #expect(throws: KeptMemoryError.self) { _ = try EventRing.adopt(memory(holding: damaged)) }
  }

  /// Its header matches, as whoever wrote it would see to.
  @Test func memoryLargerThanAnyRingIsNone() throws {
    var damaged = image(of: try ring())
    let capacity = 1 << 62
    damaged.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: UInt64(capacity), toByteOffset: 8, as: UInt64.self)
      let sum = checksum(UnsafeRawBufferPointer(rebasing: bytes[..<56]))
      bytes.storeBytes(of: sum, toByteOffset: 56, as: UInt64.self)
    }
    let descriptor = memory(holding: damaged)
    try #require(ftruncate(descriptor, EventRing.Layout.headerBytes + capacity) == 0)
    #expect(throws: KeptMemoryError.self) { _ = try EventRing.adopt(descriptor) }
  }

  @Test(arguments: [-1, Int.min])
  func anEventOfNoTimeIsAsOldAsTheProcess(time: Int) throws {
    var ring = try ring()
    append("abc", to: &ring)
    var damaged = image(of: ring)
    damaged.withUnsafeMutableBytes { bytes in
      // The header of 48 bytes, the session's name, and the text twice.
      let record = UnsafeMutableRawBufferPointer(rebasing: bytes[4_096..<4_096 + 55])
      record.storeBytes(of: time, toByteOffset: 32, as: Int.self)
      let sum = checksum(UnsafeRawBufferPointer(rebasing: record[8...]))
      record.storeBytes(of: sum, as: UInt64.self)
    }
    let next = try EventRing.adopt(memory(holding: damaged), now: 5)
    #expect(next.oldestTime == 5)
  }

  @Test func whatIsNoFileIsNoRing() {
    #expect(throws: KeptMemoryError.self) { _ = try EventRing.adopt(-1) }
  }
}

// MARK: - Support

func append(
  _ text: String, kind: Kind = .unchanged, session: String = "s", limit: Int = 1_000,
  to ring: inout EventRing
) {
  let bytes = Array(text.utf8)
  bytes.withUnsafeBytes { bytes in
    Array(session.utf8).withUnsafeBytes { session in
      ring.append(
        kind: kind, session: EventRing.Name(session), transition: bytes,
        pair: PairText(others: bytes),
        limit: limit, epochTime: 7)
    }
  }
}

func contents(of ring: borrowing EventRing, after sequence: Int = 0) -> [String] {
  var events: [String] = []
  ring.forEach(after: sequence) { event in
    let parts = [event.session, event.transition, event.pair].map {
      String(decoding: $0, as: UTF8.self)
    }
    events.append("\(event.sequence) \(parts[0]) \(event.kind) \(parts[1])+\(parts[2])")
    return true
  }
  return events
}

func image(of ring: borrowing EventRing) -> [UInt8] {
  var status = stat()
  fstat(ring.descriptor, &status)
  var bytes = [UInt8](repeating: 0, count: status.st_size)
  pread(ring.descriptor, &bytes, bytes.count, 0)
  return bytes
}

func memory(holding bytes: [UInt8]) -> Int32 {
  let descriptor = clinux_memfd_create("test")
  pwrite(descriptor, bytes, bytes.count, 0)
  return descriptor
}
