import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Testing

@Suite struct EventCursorTests {
  private func event(_ sequence: Int) -> SubscribeReply {
    .event(
      Event(
        sequence: sequence, session: "s", time: 0,
        transition: Transition(kind: .cut, basicKind: .cut)))
  }

  private let lost = ContextDiffError(code: .connectionLost, message: "")

  @Test func asksForWhatCameAfterTheLastEvent() throws {
    var cursor = EventCursor(SubscribeParameters(sessions: ["s"], kinds: [.cut], snapshots: true))
    #expect(cursor.subscription.since == nil)
    _ = cursor.receive(.ready(instance: "one", sequence: 7))
    // Nothing seen yet: what comes after the subscription stood is still due.
    #expect(cursor.subscription.since == 7)
    _ = cursor.receive(event(9))
    #expect(try cursor.fail(lost) == .zero)
    #expect(cursor.subscription.since == 9)
    #expect(cursor.subscription.instance == "one")
    #expect(cursor.subscription.sessions == ["s"])
    #expect(cursor.subscription.kinds == [.cut])
    #expect(cursor.subscription.snapshots)
  }

  @Test func aDaemonThatTakesASubscriptionAndEndsIsNotAskedWithoutAWait() throws {
    var cursor = EventCursor(SubscribeParameters())
    var delays: [Duration] = []
    for _ in 0..<4 {
      _ = cursor.receive(.ready(instance: "one", sequence: 7))
      delays.append(try cursor.fail(lost))
    }
    #expect(delays.first == .zero)
    #expect(delays.dropFirst().allSatisfy { $0 >= .milliseconds(25) })
    _ = cursor.receive(.ready(instance: "one", sequence: 7))
    _ = cursor.receive(event(8))
    #expect(try cursor.fail(lost) == .zero)
  }

  @Test func aPositionGivenIsNotMovedByReady() {
    var cursor = EventCursor(SubscribeParameters(since: 3))
    _ = cursor.receive(.ready(instance: "one", sequence: 7))
    #expect(cursor.subscription.since == 3)
  }

  @Test func anotherRunIsReadFromItsStart() {
    var cursor = EventCursor(SubscribeParameters(since: 3, instance: "one"))
    _ = cursor.receive(.ready(instance: "two", sequence: 7))
    _ = cursor.receive(.lost(-1, upTo: nil))
    #expect(cursor.subscription.since == 0)
    #expect(cursor.subscription.instance == "two")
  }

  @Test func aLossThatWasNotToldIsAskedForAgain() throws {
    var cursor = EventCursor(SubscribeParameters(since: 3, instance: "one"))
    _ = cursor.receive(.ready(instance: "two", sequence: 7))
    // It ended before it said what was lost with the first run, and its events outlived it.
    _ = try cursor.fail(lost)
    #expect(cursor.subscription.since == 3)
    #expect(cursor.subscription.instance == "one")
    _ = cursor.receive(.ready(instance: "two", sequence: 7))
    guard case .lost(nil) = cursor.receive(.lost(-1, upTo: 4)) else {
      Issue.record("no loss")
      return
    }
    #expect(cursor.subscription.since == 4)
    #expect(cursor.subscription.instance == "two")
  }

  @Test func anInstanceWithoutANumberIsNoPlace() {
    var cursor = EventCursor(SubscribeParameters(instance: "one"))
    _ = cursor.receive(.ready(instance: "two", sequence: 7))
    #expect(cursor.subscription.since == 7)
    #expect(cursor.subscription.instance == "two")
  }

  @Test func anUnknownCountIsNone() {
    var cursor = EventCursor(SubscribeParameters())
    guard case .lost(nil) = cursor.receive(.lost(-1, upTo: nil)) else {
      Issue.record("a count")
      return
    }
    guard case .lost(0) = cursor.receive(.lost(0, upTo: nil)) else {
      Issue.record("no count")
      return
    }
  }

  @Test func whatWasToldOnceIsNotAskedForAgain() {
    var cursor = EventCursor(SubscribeParameters(since: 3))
    _ = cursor.receive(.ready(instance: "one", sequence: 20))
    guard case .lost(4) = cursor.receive(.lost(4, upTo: 9)) else {
      Issue.record("no loss")
      return
    }
    #expect(cursor.subscription.since == 9)
    // A mark is nothing that a subscriber hears of.
    if let element = cursor.receive(.seen(upTo: 15)) { Issue.record("\(element)") }
    #expect(cursor.subscription.since == 15)
  }

  @Test func waitsGrowUntilADaemonAnswers() throws {
    var cursor = EventCursor(SubscribeParameters())
    _ = cursor.receive(.ready(instance: "one", sequence: 0))
    var waits: [Duration] = []
    for _ in 0..<20 { waits.append(try cursor.fail(lost)) }
    #expect(waits[0] == .zero)
    #expect(waits[1] == .milliseconds(50))
    #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(waits.last == SubscriptionCursor.longestDelay)
    _ = cursor.receive(.ready(instance: "one", sequence: 0))
    _ = cursor.receive(.seen(upTo: 1))
    #expect(try cursor.fail(lost) == .zero)
  }

  @Test(arguments: [
    (ContextDiffError.Code.noDaemon, false, true), (.noDaemon, true, false),
    (.connectionLost, false, true), (.connectionLost, true, false),
    (.tooManySubscribers, false, true), (.tooManySubscribers, true, false),
    (.permissionDenied, true, true), (.invalidParameter, true, true), (.unsupported, true, true),
    (.invalidReply, true, true),
  ])
  func endsWhereAnotherAttemptWouldNotHelp(
    code: ContextDiffError.Code, wasTaken: Bool, ends: Bool
  ) {
    var cursor = EventCursor(SubscribeParameters())
    if wasTaken { _ = cursor.receive(.ready(instance: "one", sequence: 0)) }
    do throws(ContextDiffError) {
      _ = try cursor.fail(ContextDiffError(code: code, message: "why"))
      #expect(!ends)
    } catch {
      #expect(ends)
      #expect(error.code == code)
    }
  }
}
