import ContextDiff
import ContextDiffService
import Glibc
import TestSupport
import Testing

/// A subscriber against a ring, without a socket: how slowly it reads is when `take` is called.
@Suite final class SubscriberTests {
  private var ring: EventRing
  /// Up to which number what was lost was counted, for each such reply of the last take.
  private var upTo: [Int] = []

  init() throws {
    ring = try EventRing(
      userID: 1, instance: "0123456789abcdef0123456789abcdef", capacity: 64 << 10)
  }

  private func post(
    _ count: Int = 1, kind: Kind = .insertion, session: String = "s", keeping limit: Int = 4_096,
    to subscriber: inout Subscriber
  ) {
    for _ in 0..<count {
      append(
        "{\"n\":\(ring.lastSequence + 1)}", kind: kind, session: session, limit: limit, to: &ring)
      subscriber.note(kind: kind, session: session, in: ring)
    }
  }

  private func isDue(_ subscriber: Subscriber) -> Bool { subscriber.isDue(in: ring) }

  /// What it gets at once: `1 2 3` for events, `-4` for four lost, `-?` for nobody knows.
  private func take(_ subscriber: inout Subscriber, backlog: Int = 1_024, limit: Int = 1 << 20)
    -> String
  {
    var replies: [UInt8] = []
    _ = subscriber.take(from: ring, backlog: backlog, into: &replies, limit: limit)
    upTo = []
    return replies.split(separator: 0).map { frame in
      let text = String(decoding: frame, as: UTF8.self)
      if let loss = text.firstMatch(
        of: /^{"parameters":{"sequence":(\d+),"lost":(-?\d+)},"continues":true}$/)
      {
        upTo.append(Int(loss.1) ?? -1)
        return loss.2 == "-1" ? "-?" : "-\(loss.2)"
      }
      if let event = text.firstMatch(
        of:
          /^{"parameters":{"event":{"sequence":(\d+),"session":"[^"]*","time":7,"transition":{"n":(\d+)}}},"continues":true}$/
      ), event.1 == event.2 {
        return String(event.1)
      }
      return text
    }
    .joined(separator: " ")
  }

  @Test func itHearsEachEventOnceInOrder() {
    var subscriber = Subscriber(hearingFromNowOn: ring)
    #expect(!isDue(subscriber))
    post(3, to: &subscriber)
    #expect(isDue(subscriber))
    #expect(take(&subscriber) == "1 2 3")
    #expect(!isDue(subscriber))
    post(2, to: &subscriber)
    #expect(take(&subscriber) == "4 5")
  }

  @Test func itDoesNotTakeADecomposedNameForItsComposedTwin() {
    var subscriber = Subscriber(sessions: ["が"], hearingFromNowOn: ring)
    post(session: "か\u{3099}", to: &subscriber)
    post(session: "が", to: &subscriber)
    #expect(take(&subscriber) == "2")
  }

  @Test func itHearsOnlyTheKindsAndSessionsThatItWants() {
    var subscriber = Subscriber(
      sessions: ["a", "b"], kinds: [.cut, .paste], hearingFromNowOn: ring)
    post(kind: .cut, session: "a", to: &subscriber)
    post(kind: .insertion, session: "a", to: &subscriber)
    post(kind: .paste, session: "c", to: &subscriber)
    post(kind: .paste, session: "b", to: &subscriber)
    #expect(take(&subscriber) == "1 4")
  }

  @Test func anEmptyFilterWantsNothing() {
    var subscriber = Subscriber(kinds: [], hearingFromNowOn: ring)
    post(3, to: &subscriber)
    #expect(!isDue(subscriber))
  }

  @Test func whatDoesNotFitAtOnceComesNext() {
    var subscriber = Subscriber(hearingFromNowOn: ring)
    post(3, to: &subscriber)
    #expect(take(&subscriber, limit: 1) == "1")
    #expect(take(&subscriber, limit: 120) == "2 3")
  }

  @Test func aSlowOneLosesTheOldestAndIsToldHowMany() {
    var subscriber = Subscriber(hearingFromNowOn: ring)
    post(4, to: &subscriber)
    #expect(take(&subscriber, backlog: 4) == "1 2 3 4")
    post(5, to: &subscriber)
    #expect(take(&subscriber, backlog: 4) == "-1 6 7 8 9")
    post(50, to: &subscriber)
    #expect(take(&subscriber, backlog: 3) == "-47 57 58 59")
    post(to: &subscriber)
    #expect(take(&subscriber, backlog: 3) == "60")
  }

  @Test func onlyWhatItWantsCountsAsLost() {
    var subscriber = Subscriber(kinds: [.cut], hearingFromNowOn: ring)
    for _ in 0..<10 {
      post(kind: .cut, to: &subscriber)
      post(3, to: &subscriber)
    }
    #expect(take(&subscriber, backlog: 2) == "-8 33 37")
  }

  @Test func whatTheRingLetGoOfIsLost() {
    var subscriber = Subscriber(kinds: [.cut], hearingFromNowOn: ring)
    for _ in 0..<5 {
      post(kind: .cut, keeping: 4, to: &subscriber)
      post(keeping: 4, to: &subscriber)
    }
    #expect(take(&subscriber) == "-3 7 9")
  }

  @Test func anEventLargerThanTheRingIsLost() {
    var subscriber = Subscriber(hearingFromNowOn: ring)
    append(String(repeating: "x", count: 70_000), to: &ring)
    subscriber.note(kind: .unchanged, session: "s", in: ring)
    post(to: &subscriber)
    #expect(take(&subscriber) == "-1 2")
  }

  @Test func whoStandsAtTheSamePlaceSharesABatch() {
    var first = Subscriber(hearingFromNowOn: ring)
    var second = Subscriber(hearingFromNowOn: ring)
    var withSnapshots = Subscriber(wantsSnapshots: true, hearingFromNowOn: ring)
    var filtered = Subscriber(kinds: [.insertion], hearingFromNowOn: ring)
    append("{\"n\":1}", kind: .insertion, to: &ring)
    filtered.note(kind: .insertion, session: "s", in: ring)

    var batch: Subscriber.Batch?
    let made = first.take(from: ring, backlog: 9, limit: 1 << 20, sharing: &batch).replies
    #expect(second.take(from: ring, backlog: 9, limit: 1 << 20, sharing: &batch).replies == made)
    #expect(!isDue(second))
    #expect(filtered.take(from: ring, backlog: 9, limit: 1 << 20, sharing: &batch).replies == made)
    let other = withSnapshots.take(from: ring, backlog: 9, limit: 1 << 20, sharing: &batch).replies
    #expect(other.count > made.count)

    var late = Subscriber(hearingFromNowOn: ring)
    late.hear(since: 0, of: ring.instance, from: ring)
    post(to: &late)
    let all = late.take(from: ring, backlog: 9, limit: 1 << 20, sharing: &batch).replies
    #expect(all.count == 2 * made.count)
  }

  @Test func whoStandsElsewhereTakesItsOwn() {
    var behind = Subscriber(hearingFromNowOn: ring)
    append("{\"n\":1}", to: &ring)
    var ahead = Subscriber(hearingFromNowOn: ring)
    append("{\"n\":2}", to: &ring)
    var batch: Subscriber.Batch?
    let all = behind.take(from: ring, backlog: 9, limit: 1 << 20, sharing: &batch).replies
    let last = ahead.take(from: ring, backlog: 9, limit: 1 << 20, sharing: &batch).replies
    #expect(all.count == 2 * last.count)
  }

  @Test func whatIsLostIsCountedForEachAtTheSamePlace() {
    var subscribers = (0..<2).map { _ in Subscriber(hearingFromNowOn: ring) }
    for number in 1...3 { append("{\"n\":\(number)}", to: &ring) }
    var batch: Subscriber.Batch?
    for place in subscribers.indices {
      let lost = subscribers[place].take(
        from: ring, backlog: 1, limit: 1 << 20, sharing: &batch
      ).lost
      #expect(lost == 2)
    }
  }

  @Test func whatIsLostIsCountedUpToANumber() {
    var subscriber = Subscriber(hearingFromNowOn: ring)
    post(5, to: &subscriber)
    #expect(take(&subscriber, backlog: 2) == "-3 4 5")
    #expect(upTo == [3])
    for session in ["a", "b", "b", "a", "b"] { post(session: session, to: &subscriber) }
    ring.forget(session: "b")
    #expect(take(&subscriber) == "6 -2 9 -1")
    #expect(upTo == [8, 10])
    subscriber.hear(since: 3, of: String(repeating: "f", count: 32), from: ring)
    #expect(take(&subscriber, limit: 1) == "-? 1")
    #expect(upTo == [0])
  }

  @Test func whoComesBackWithWhatItWasToldIsToldNothingTwice() {
    var subscriber = Subscriber(hearingFromNowOn: ring)
    post(9, to: &subscriber)
    #expect(take(&subscriber, backlog: 3, limit: 1) == "-6 7")
    // Cut off behind the news of the loss, and before the event.
    var again = Subscriber(hearingFromNowOn: ring)
    again.hear(since: upTo[0], of: ring.instance, from: ring)
    #expect(take(&again) == "7 8 9")
  }

  @Test func whatAFilterHoldsBackIsMarkedAsSeen() {
    var subscriber = Subscriber(kinds: [.cut], hearingFromNowOn: ring)
    #expect(!isMarked(&subscriber))
    post(3, to: &subscriber)
    #expect(isMarked(&subscriber))
    #expect(!isMarked(&subscriber))
    post(kind: .cut, to: &subscriber)
    // What waits comes first.
    #expect(!isMarked(&subscriber))
    #expect(take(&subscriber) == "4")
    #expect(!isMarked(&subscriber))
    post(to: &subscriber)
    #expect(isMarked(&subscriber))
    var unfiltered = Subscriber(hearingFromNowOn: ring)
    post(to: &unfiltered)
    #expect(!isMarked(&unfiltered))
  }

  private func isMarked(_ subscriber: inout Subscriber) -> Bool {
    subscriber.takeMark(in: ring)
  }

  @Test func manyWithFiltersShareTheLastEvent() {
    var subscribers = (0..<3).map { _ in Subscriber(kinds: [.cut], hearingFromNowOn: ring) }
    post(2, to: &subscribers[0])
    append("{\"n\":3}", kind: .cut, to: &ring)
    for place in subscribers.indices { subscribers[place].note(kind: .cut, session: "s", in: ring) }
    var batch: Subscriber.Batch?
    let texts = subscribers.indices.map { place in
      let (replies, lost) = subscribers[place].take(
        from: ring, backlog: 9, limit: 1 << 20, sharing: &batch)
      #expect(lost == 0)
      return replies.withUnsafeBufferPointer { $0.baseAddress }
    }
    #expect(Set(texts).count == 1)
    #expect(subscribers.allSatisfy { !$0.isDue(in: ring) })
  }

  // MARK: - Forgotten events

  @Test func whatIsForgottenIsLostAndCountedAtItsPlace() {
    var before = Subscriber(hearingFromNowOn: ring)
    for session in ["a", "b", "b", "a", "b"] { post(session: session, to: &before) }
    ring.forget(session: "b")
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 0, of: ring.instance, from: ring)
    #expect(take(&subscriber) == "1 -2 4 -1")
    #expect(!isDue(subscriber))
    post(to: &subscriber)
    #expect(take(&subscriber) == "6")
  }

  @Test func whatWasForgottenMayHaveBeenAnySessions() {
    var before = Subscriber(hearingFromNowOn: ring)
    for session in ["a", "b", "a"] { post(kind: .cut, session: session, to: &before) }
    ring.forget(session: "b")
    for (sessions, kinds, told) in [
      (["a", "b"], nil, "1 -? 3"), (["a"], nil, "1 -? 3"), (nil, [.cut], "1 -1 3"),
      (["b"], nil, "-?"), (["c"], nil, "-?"), (["a", "b"], [.insertion], ""),
    ] as [([String]?, [Kind]?, String)] {
      var subscriber = Subscriber(sessions: sessions, kinds: kinds, hearingFromNowOn: ring)
      subscriber.hear(since: 0, of: ring.instance, from: ring)
      #expect(take(&subscriber) == told)
    }
  }

  /// Neither by what is left out for the backlog, nor by what the ring has dropped.
  @Test(arguments: [4_096, 4])
  func noNameTellsWhetherItsSessionWasForgotten(limit: Int) {
    var before = Subscriber(hearingFromNowOn: ring)
    for session in ["b", "a", "a"] { post(session: session, to: &before) }
    ring.forget(session: "b")
    var subscribers = ["b", "c"].map {
      Subscriber(sessions: ["a", $0], hearingFromNowOn: ring)
    }
    for place in subscribers.indices {
      subscribers[place].hear(since: 0, of: ring.instance, from: ring)
    }
    for number in 4...5 {
      append("{\"n\":\(number)}", session: "a", limit: limit, to: &ring)
      for place in subscribers.indices {
        subscribers[place].note(kind: .insertion, session: "a", in: ring)
      }
    }
    let told = subscribers.indices.map { take(&subscribers[$0], backlog: 1) }
    #expect(told == ["-? 3 4 5", "-? 3 4 5"])
  }

  /// In this process, or in an earlier one.
  @Test(arguments: [false, true])
  func whatWasForgottenIsToldAtItsPlace(isAdopted: Bool) throws {
    var before = Subscriber(hearingFromNowOn: ring)
    for session in ["a", "b", "a", "b"] { post(kind: .cut, session: session, to: &before) }
    ring.forget(session: "b")
    if isAdopted { ring = try EventRing.adopt(dup(ring.descriptor)) }
    var subscriber = Subscriber(sessions: ["a"], hearingFromNowOn: ring)
    subscriber.hear(since: 0, of: ring.instance, from: ring)
    #expect(take(&subscriber, limit: 1) == "1")
    #expect(take(&subscriber, limit: 1) == "-? 3")
    #expect(upTo == [2])
    #expect(isDue(subscriber))
    #expect(!isMarked(&subscriber))
    #expect(take(&subscriber) == "-?")
    #expect(upTo == [4])
    #expect(!isDue(subscriber))
    subscriber.hear(since: 3, of: ring.instance, from: ring)
    post(session: "a", keeping: 1, to: &subscriber)
    #expect(take(&subscriber) == "-? 5")
    subscriber = Subscriber(sessions: ["a"], kinds: [.insertion], hearingFromNowOn: ring)
    subscriber.hear(since: 4, of: ring.instance, from: ring)
    #expect(take(&subscriber) == "5")
  }

  @Test func aLossIsToldBeforeTheNextEventThoughAnotherSessionIsForgotten() {
    var subscriber = Subscriber(sessions: ["a"], hearingFromNowOn: ring)
    for session in ["a", "a", "a", "a", "b", "a"] {
      post(session: session, keeping: 4, to: &subscriber)
    }
    ring.forget(session: "b")
    #expect(take(&subscriber, limit: 1) == "-2 3")
    #expect(upTo == [2])
    #expect(take(&subscriber) == "4 6")
  }

  @Test func whoWaitedForWhatIsForgottenIsToldThatItIsLost() {
    var subscriber = Subscriber(sessions: ["a", "b"], hearingFromNowOn: ring)
    for session in ["b", "a", "b"] { post(session: session, to: &subscriber) }
    ring.forget(session: "b")
    #expect(isDue(subscriber))
    #expect(take(&subscriber) == "-1 2 -1")
    #expect(upTo == [1, 3])
    #expect(!isDue(subscriber))
    post(session: "b", to: &subscriber)
    ring.forget(session: "b")
    #expect(take(&subscriber) == "-1")
    #expect(!isDue(subscriber))
  }

  @Test func whatIsForgottenIsToldBehindWhatCameBeforeIt() {
    var subscriber = Subscriber(sessions: ["a", "b"], hearingFromNowOn: ring)
    for session in ["b", "b", "a", "a", "b"] { post(session: session, to: &subscriber) }
    ring.forget(session: "a")
    // Not before all of them have passed, however little is taken at a time.
    #expect(take(&subscriber, limit: 1) == "1")
    #expect(take(&subscriber, limit: 1) == "2")
    #expect(isDue(subscriber))
    #expect(take(&subscriber, limit: 1) == "-2 5")
    #expect(upTo == [4])
    #expect(!isDue(subscriber))
  }

  @Test func whatWasForgottenBeforeItCameIsNotLostByIt() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(2, to: &before)
    ring.forget(session: "s")
    var replies: [UInt8] = []
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 0, of: ring.instance, from: ring)
    #expect(subscriber.take(from: ring, backlog: 9, into: &replies, limit: 1 << 20) == 0)
    #expect(before.take(from: ring, backlog: 9, into: &replies, limit: 1 << 20) == 2)
  }

  // MARK: - Coming back

  @Test func itGoesOnBehindWhatItHasSeen() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(5, to: &before)
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 3, of: ring.instance, from: ring)
    #expect(take(&subscriber) == "4 5")
    subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 5, of: ring.instance, from: ring)
    #expect(!isDue(subscriber))
    post(to: &subscriber)
    #expect(take(&subscriber) == "6")
  }

  @Test func whatIsKeptDoesNotCountAgainstTheBacklog() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(6, to: &before)
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 0, of: ring.instance, from: ring)
    #expect(take(&subscriber, backlog: 2, limit: 1) == "1")
    post(2, to: &subscriber)
    #expect(take(&subscriber, backlog: 2) == "2 3 4 5 6 7 8")
    post(3, to: &subscriber)
    #expect(take(&subscriber, backlog: 2) == "-1 10 11")
  }

  @Test func whatWasKeptAndIsLostMakesNoRoomInTheBacklog() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(4, to: &before)
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 0, of: ring.instance, from: ring)
    ring.drop(beyond: 2)
    #expect(take(&subscriber, backlog: 2) == "-2 3 4")
    post(4, to: &subscriber)
    #expect(take(&subscriber, backlog: 2) == "-2 7 8")
  }

  @Test func whatIsNotKeptAnyMoreIsCounted() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(9, keeping: 3, to: &before)
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 2, of: ring.instance, from: ring)
    #expect(take(&subscriber) == "-4 7 8 9")
  }

  @Test func howMuchOfWhatIsNotKeptItWantedIsNotKnown() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(9, keeping: 3, to: &before)
    var subscriber = Subscriber(kinds: [.insertion], hearingFromNowOn: ring)
    subscriber.hear(since: 2, of: ring.instance, from: ring)
    #expect(take(&subscriber) == "-? 7 8 9")
  }

  @Test func anotherInstanceLostNobodyKnowsHowMany() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(2, to: &before)
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 1, of: String(repeating: "f", count: 32), from: ring)
    #expect(take(&subscriber) == "-? 1 2")
  }

  @Test func aNumberNotYetGivenIsAnotherInstances() {
    var before = Subscriber(hearingFromNowOn: ring)
    post(2, to: &before)
    var subscriber = Subscriber(hearingFromNowOn: ring)
    subscriber.hear(since: 3, of: ring.instance, from: ring)
    #expect(take(&subscriber) == "-? 1 2")
    subscriber.hear(since: .max, of: ring.instance, from: ring)
    #expect(take(&subscriber) == "-? 1 2")
  }

  /// Any order of posts, takes and sessions' ends: every event is delivered once, or counted as
  /// lost, in order.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func nothingIsDoubledOrForgotten(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var subscriber = Subscriber(hearingFromNowOn: ring)
    var accounted = 0
    for _ in 0..<400 {
      for session in ["s", "t"] {
        post(
          Int.random(in: 0...15, using: &random), session: session,
          keeping: Int.random(in: 1...40, using: &random), to: &subscriber)
      }
      if Bool.random(using: &random) { ring.forget(session: "t") }
      let backlog = Int.random(in: 1...20, using: &random)
      let limit = Int.random(in: 1...2_000, using: &random)
      for part in take(&subscriber, backlog: backlog, limit: limit).split(separator: " ") {
        let number = try #require(Int(part), "seed \(seed)")
        if number < 0 {
          accounted += -number
        } else {
          accounted += 1
          #expect(number == accounted, "seed \(seed)")
        }
      }
    }
    while subscriber.isDue(in: ring) { accounted += takeCount(&subscriber) }
    #expect(accounted == ring.lastSequence, "seed \(seed)")
  }

  /// The same for one who wants one session's events only.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func nothingOfASessionIsDoubledOrForgotten(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var subscriber = Subscriber(sessions: ["t"], hearingFromNowOn: ring)
    var posted = 0
    var accounted = 0
    for _ in 0..<400 {
      for session in ["s", "t"] {
        let count = Int.random(in: 0...15, using: &random)
        post(
          count, session: session, keeping: Int.random(in: 1...40, using: &random), to: &subscriber)
        if session == "t" { posted += count }
      }
      if Int.random(in: 0..<4, using: &random) == 0 { ring.forget(session: "t") }
      if Bool.random(using: &random) { accounted += takeCount(&subscriber, limit: 200) }
    }
    while subscriber.isDue(in: ring) { accounted += takeCount(&subscriber) }
    #expect(accounted == posted, "seed \(seed)")
  }

  private func takeCount(_ subscriber: inout Subscriber, limit: Int = 1 << 20) -> Int {
    take(&subscriber, limit: limit).split(separator: " ").reduce(0) { sum, part in
      let number = Int(part) ?? 0
      return sum + (number < 0 ? -number : 1)
    }
  }
}

extension Subscriber {
  /// As `note` with a name that is a string.
  fileprivate mutating func note(kind: Kind, session: String, in ring: borrowing EventRing) {
    var session = session
    _ = session.withUTF8 {
      note(kind: kind, session: EventRing.Name(UnsafeRawBufferPointer($0)), in: ring)
    }
  }
}
