import ContextDiff
import ContextDiffService
import Glibc
import Testing

/// What a session's end takes out of the ring.
@Suite struct ForgettingTests {
  /// Typed text, which is to be nowhere.
  private static let marker = "marker7312"

  private func ring(capacity: Int = 4_096) throws -> EventRing {
    try EventRing(userID: 1, instance: String(repeating: "a", count: 32), capacity: capacity)
  }

  private func holdsMarker(_ bytes: [UInt8]) -> Bool {
    let marker = Array(ForgettingTests.marker.utf8)
    return bytes.indices.contains {
      bytes[$0] == marker[0] && bytes[$0...].starts(with: marker)
    }
  }

  /// What is told of the events: `-` of a forgotten one.
  private func told(_ ring: borrowing EventRing) -> [String] {
    var events: [String] = []
    ring.forEach(after: 0) { event in
      events.append(event.isForgotten ? "-" : String(decoding: event.transition, as: UTF8.self))
      #expect(event.isOmitted == event.isForgotten)
      return true
    }
    return events
  }

  @Test func onlyTheSessionsEventsGoAndNumbersStay() throws {
    var ring = try ring()
    append("a", session: "s", to: &ring)
    append(ForgettingTests.marker, session: "secret", to: &ring)
    append("b", session: "secrets", to: &ring)
    append(ForgettingTests.marker, kind: .cut, session: "secret", to: &ring)
    #expect(ring.forget(session: "secret") == 2)
    #expect(told(ring) == ["a", "-", "b", "-"])
    #expect(ring.lastSequence == 4)
    #expect(ring.count == 4)
    #expect(ring.forgottenCount == 2)
    #expect(!holdsMarker(image(of: ring)))
    #expect(ring.forget(session: "secret") == 0)
    append("c", session: "secret", to: &ring)
    #expect(told(ring) == ["a", "-", "b", "-", "c"])
  }

  @Test func nothingOfItIsLeftWhereOlderEventsWere() throws {
    var ring = try ring(capacity: 64 << 10)
    for number in 0..<3_000 {
      let padding = String(repeating: "x", count: number % 97)
      append(padding + ForgettingTests.marker, session: "secret", limit: 9, to: &ring)
      append("b", session: "s", limit: 9, to: &ring)
    }
    #expect(holdsMarker(image(of: ring)))
    ring.forget(session: "secret")
    #expect(!holdsMarker(image(of: ring)))
    #expect(told(ring) == ["b", "-", "b", "-", "b", "-", "b", "-", "b"])
  }

  @Test func notAByteOfItIsLeftBetweenLaterEvents() throws {
    // Of what is left nothing depends on the text.
    func left(ofTextOf letter: String) throws -> [UInt8] {
      var ring = try ring()
      for _ in 0..<9 {
        append(String(repeating: letter, count: 900), session: "secret", to: &ring)
      }
      for number in 1...20 { append(String(repeating: "a", count: number), limit: 20, to: &ring) }
      ring.forget(session: "secret")
      #expect(told(ring).count == 20)
      return image(of: ring)
    }
    #expect(try left(ofTextOf: "X") == left(ofTextOf: "Y"))
  }

  @Test func roomThatNoEventIsInIsGivenBack() throws {
    var ring = try ring(capacity: 1 << 20)
    for _ in 0..<90 { append(String(repeating: "x", count: 5_000), limit: 1, to: &ring) }
    func blocks() -> Int {
      var status = stat()
      fstat(ring.descriptor, &status)
      return Int(status.st_blocks) * 512
    }
    #expect(blocks() > 500_000)
    ring.forget(session: "s")
    #expect(blocks() < 100_000)
  }

  @Test(arguments: [0, 1, 7, 40, 100, 1_000])
  func aRingThatWrapsAroundIsForgottenAsAWhole(length: Int) throws {
    for count in 1...60 {
      var ring = try ring()
      for _ in 0..<count {
        append(
          String(repeating: "x", count: length) + ForgettingTests.marker, session: "t", to: &ring)
      }
      ring.forget(session: "t")
      #expect(!holdsMarker(image(of: ring)))
      #expect(told(ring) == Array(repeating: "-", count: ring.count))
      append("next", to: &ring)
      #expect(try EventRing.adopt(dup(ring.descriptor)).lastSequence == count + 1)
      #expect(told(ring).last == "next")
    }
  }

  @Test func whatIsLetGoOfDoesNotCountAsForgotten() throws {
    var ring = try ring()
    for session in ["s", "t", "t", "s"] { append("a", session: session, to: &ring) }
    ring.forget(session: "t")
    #expect(ring.forgottenCount == 2)
    append("b", limit: 3, to: &ring)
    #expect(told(ring) == ["-", "a", "b"])
    #expect(ring.forgottenCount == 1)
    append("c", limit: 2, to: &ring)
    #expect(ring.forgottenCount == 0)
  }

  /// More sessions than there are groups of them, so that each shares one with others.
  @Test func ofManySessionsEachIsForgottenByItself() throws {
    var ring = try ring(capacity: 1 << 20)
    let names = (0..<4 * 256).map { "session \($0)" }
    for round in 0..<3 {
      for name in names { append("\(round)", session: name, limit: 2_500, to: &ring) }
    }
    // Of the first round, less than half is kept.
    var left = ring.count
    #expect(left == 2_500)
    for (index, name) in names.enumerated().reversed() {
      let count = ring.forget(session: name)
      #expect(count == (index >= names.count - 2_500 % names.count ? 3 : 2), "\(name)")
      left -= count
      #expect(ring.count - ring.forgottenCount == left)
    }
    #expect(left == 0)
  }

  // MARK: - The next process

  @Test func theNextProcessKnowsWhatIsForgotten() throws {
    var ring = try ring()
    for session in ["s", "t", "s"] { append("a", session: session, to: &ring) }
    ring.forget(session: "t")
    let next = try EventRing.adopt(dup(ring.descriptor))
    #expect(told(next) == ["a", "-", "a"])
    #expect(next.forgottenCount == 1)
    #expect(next.lastSequence == 3)
  }

  /// A kill may come between any two instructions of `forget`: before a record counts as forgotten,
  /// after it and any part of its erasure.
  @Test func aKillDuringItLeavesAWholeRingAndTheNextProcessEndsIt() throws {
    var ring = try ring()
    for session in ["s", "secret", "s"] {
      append(session == "s" ? "a" : ForgettingTests.marker, session: session, to: &ring)
    }
    let before = image(of: ring)
    ring.forget(session: "secret")
    let after = image(of: ring)
    let changed = before.indices.filter { before[$0] != after[$0] }
    // Its checksum, then session, transition and pair.
    let checksum = try #require(changed.first) & ~7
    let contents = changed.filter { $0 >= checksum + 8 }
    #expect(contents == Array(contents[0]..<contents[0] + 26))

    var killed = before
    killed.replaceSubrange(checksum..<checksum + 8, with: after[checksum..<checksum + 8])
    for index in contents {
      let adopted = try EventRing.adopt(memory(holding: killed))
      #expect(told(adopted) == ["a", "-", "a"])
      #expect(image(of: adopted) == after)
      killed[index] = after[index]
    }
    #expect(killed == after)
  }

  @Test func theNextProcessErasesWhatOlderEventsLeft() throws {
    var ring = try ring()
    for _ in 0..<40 { append(ForgettingTests.marker, limit: 2, to: &ring) }
    append("a", limit: 1, to: &ring)
    #expect(holdsMarker(image(of: ring)))
    let next = try EventRing.adopt(dup(ring.descriptor))
    #expect(!holdsMarker(image(of: next)))
    #expect(told(next) == ["a"])
  }

  @Test func aDamagedHeaderOfAForgottenEventIsNoticed() throws {
    var ring = try ring()
    append("abc", to: &ring)
    ring.forget(session: "s")
    let whole = image(of: ring)
    let start = EventRing.Layout.headerBytes
    for index in start..<start + 48 {
      var damaged = whole
      damaged[index] ^= 0x10
      #expect(throws: KeptMemoryError.self, "byte \(index)") {
        _ = try EventRing.adopt(memory(holding: damaged))
      }
    }
  }
}

/// What is let go of because of its age.
@Suite final class AgeTests {
  private var ring: EventRing

  init() throws {
    ring = try EventRing(userID: 1, instance: String(repeating: "a", count: 32), capacity: 8_192)
  }

  private func keep(_ text: String, at time: Int, limit: Int = 99) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes {
      ring.append(
        kind: .cut, session: EventRing.Name($0), transition: $0, pair: PairText(others: $0),
        limit: limit,
        now: time)
    }
  }

  private func holds(_ text: String) -> Bool {
    let (image, text) = (image(of: ring), Array(text.utf8))
    return image.indices.contains { image[$0] == text[0] && image[$0...].starts(with: text) }
  }

  @Test func onlyWhatIsTooOldGoesAndIsErased() {
    keep("marker1", at: 100)
    keep("marker2", at: 200)
    keep("marker3", at: 300)
    #expect(ring.oldestTime == 100)
    ring.drop(olderThan: 150, now: 299)
    #expect(ring.count == 2)
    #expect(!holds("marker1") && holds("marker2"))
    #expect(ring.oldestTime == 200)
    #expect(ring.forget(session: "marker1") == 0)
    #expect(ring.forget(session: "marker2") == 1)
  }

  @Test func whatWasDroppedForOthersIsErasedAtItsAgeToo() {
    keep("marker1", at: 100)
    keep("marker2", at: 200, limit: 1)
    keep("marker3", at: 220, limit: 1)
    #expect(ring.oldestTime == 100)
    ring.drop(olderThan: 150, now: 249)
    #expect(holds("marker1") && holds("marker2"))
    ring.drop(olderThan: 150, now: 250)
    #expect(ring.count == 1)
    #expect(!holds("marker1") && !holds("marker2") && holds("marker3"))
    #expect(ring.oldestTime == 220)
  }

  @Test func ofTheLastOneTheNumberStays() throws {
    keep("marker1", at: 100)
    keep("marker2", at: 200)
    ring.drop(olderThan: 10, now: 1_000)
    #expect(ring.lastSequence == 2)
    #expect(ring.count == ring.forgottenCount)
    #expect(ring.oldestTime == nil)
    #expect(!holds("marker1") && !holds("marker2"))
    ring.drop(olderThan: 10, now: 2_000)
    #expect(ring.forgottenCount == 1)
    let next = try EventRing.adopt(dup(ring.descriptor), now: 3_000)
    #expect(next.lastSequence == 2)
    keep("marker3", at: 3_000)
    #expect(ring.lastSequence == 3)
    #expect(ring.forget(session: "marker2") == 0)
  }

  @Test func theNextProcessKnowsHowOldTheyAre() throws {
    keep("a", at: 100)
    keep("b", at: 900)
    var next = try EventRing.adopt(dup(ring.descriptor), now: 1_000)
    #expect(next.oldestTime == 100)
    next.drop(olderThan: 500, now: 1_000)
    #expect(next.count == 1)
    // Of another boot: its clock began anew.
    let later = try EventRing.adopt(dup(ring.descriptor), now: 50)
    #expect(later.oldestTime == 50)
  }
}
