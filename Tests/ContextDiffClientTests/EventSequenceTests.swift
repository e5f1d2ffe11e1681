import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Synchronization
import Testing
import JSON
import Varlink

@Suite struct EventSequenceTests {
  private static func event(_ sequence: Int) -> SubscribeReply {
    .event(
      Event(
        sequence: sequence, session: "s", time: 0,
        transition: Transition(kind: .cut, basicKind: .cut)))
  }

  /// An element in a word: `ready 5`, `event 6`, `lost 2`.
  private static func word(_ element: EventSequence.Element) -> String {
    switch element {
    case .ready(let position): "ready \(position.sequence)"
    case .event(let event): "event \(event.sequence)"
    case .lost(let count): count.map { "lost \($0)" } ?? "lost"
    }
  }

  /// The words of the first elements that come.
  private static func words(_ count: Int, of events: EventSequence) async throws -> [String] {
    var words: [String] = []
    for try await element in events {
      words.append(word(element))
      if words.count == count { break }
    }
    return words
  }

  /// The error that the sequence begins with.
  private static func error(of events: EventSequence) async -> ContextDiffError? {
    do throws(ContextDiffError) {
      var iterator = events.makeAsyncIterator()
      _ = try await iterator.next()
      return nil
    } catch {
      return error
    }
  }

  @Test func asksForWhatItIsToHearOf() async throws {
    try await withClient { method, parameters, connection in
      #expect(method == .subscribe)
      let asked = try? SubscribeParameters(json: parameters)
      #expect(asked?.sessions == ["s", "t"])
      #expect(asked?.kinds == [.cut, .paste])
      #expect(asked?.since == 4)
      #expect(asked?.instance == "run")
      #expect(asked?.snapshots == true)
      connection.stream([.ready(instance: "run", sequence: 6), Self.event(5), .lost(2, upTo: 7)])
    } _: { client in
      let events = client.events(
        of: ["s", "t"], kinds: [.cut, .paste], since: EventPosition(instance: "run", sequence: 4),
        snapshots: true)
      let words = try await Self.words(3, of: events)
      #expect(words == ["ready 6", "event 5", "lost 2"])
    }
  }

  @Test func goesOnWhereTheConnectionBroke() async throws {
    // What each connection asked to go on from, and what it was told before it broke.
    let asked = Mutex<[String]>([])
    let told: [[SubscribeReply]] = [
      [.ready(instance: "one", sequence: 5), Self.event(6), Self.event(7)],
      [.ready(instance: "one", sequence: 8), Self.event(8)],
      [.ready(instance: "two", sequence: 2), .lost(-1, upTo: 0), Self.event(1), Self.event(2)],
    ]
    try await withClient { _, parameters, connection in
      let since = parameters["since"].integer.map { "\($0)" } ?? "-"
      let instance = parameters["instance"].string ?? "-"
      let turn = asked.withLock { asked in
        asked.append("\(since) of \(instance)")
        return asked.count - 1
      }
      connection.stream(told[turn], thenClose: turn < told.count - 1)
    } _: { client in
      let words = try await Self.words(9, of: client.events())
      #expect(
        words == [
          "ready 5", "event 6", "event 7", "ready 8", "event 8", "ready 2", "lost", "event 1",
          "event 2",
        ])
    }
    #expect(asked.withLock { $0 } == ["- of -", "7 of one", "8 of one"])
  }

  @Test func comesBackWhenTheDaemonDoes() async throws {
    try await withSocketPath { path in
      let first = try await ScriptedDaemon(at: path) { _, _, connection in
        connection.stream([.ready(instance: "one", sequence: 0), Self.event(1)])
      }
      let client = try await ContextDiffClient.connect(to: path)
      var events = client.events().makeAsyncIterator()
      var words = [try await events.next().map(Self.word), try await events.next().map(Self.word)]
      #expect(words == ["ready 0", "event 1"])
      await first.stop()
      // Nobody is there: the sequence waits and asks again while the next one starts.
      async let next = Self.words(2, after: events)
      let second = try await ScriptedDaemon(at: path) { _, parameters, connection in
        #expect(parameters["since"].integer == 1)
        connection.stream([.ready(instance: "one", sequence: 1), Self.event(2)])
      }
      words = try await next
      #expect(words == ["ready 1", "event 2"])
      await client.close()
      await second.stop()
    }
  }

  private static func words(
    _ count: Int, after events: sending EventSequence.AsyncIterator
  ) async throws -> [String] {
    var events = events
    var words: [String] = []
    while words.count < count, let element = try await events.next() {
      words.append(word(element))
    }
    return words
  }

  @Test func aConnectionIsLostOnceHoweverManyAttemptsFail() async throws {
    let turns = Mutex(0)
    let changes = Mutex<[EventSequence.ConnectionChange]>([])
    try await withClient { _, _, connection in
      let turn = turns.withLock { turns in
        turns += 1
        return turns
      }
      if turn == 2 || turn == 3 { return connection.close() }
      connection.stream([.ready(instance: "one", sequence: 0)], thenClose: turn == 1)
    } _: { client in
      var events = client.events()
      events.onConnectionChange = { change in changes.withLock { $0.append(change) } }
      let words = try await Self.words(2, of: events)
      #expect(words == ["ready 0", "ready 0"])
    }
    #expect(turns.withLock { $0 } == 4)
    #expect(changes.withLock { $0 } == [.lost, .restored])
  }

  @Test func aDaemonThatWasNeverThereIsAnError() async throws {
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path) { _, _, connection in connection.close() }
      let client = try await ContextDiffClient.connect(to: path)
      await daemon.stop()
      let error = await Self.error(of: client.events())
      #expect(error?.code == .noDaemon)
    }
  }

  @Test func aRefusalEndsTheSequence() async throws {
    try await withClient { _, _, connection in
      connection.reply(error: "io.contextdiff.TooManySubscribers") { writer in
        writer.name("limit")
        writer.integer(3)
      }
    } _: { client in
      let error = await Self.error(of: client.events())
      #expect(error?.code == .tooManySubscribers)
    }
  }

  @Test func anEventThatCannotBeReadEndsTheSequence() async throws {
    let asked = Mutex(0)
    try await withClient { _, _, connection in
      asked.withLock { $0 += 1 }
      connection.beginStream()
      var encoder = VarlinkFrameEncoder()
      connection.send(
        frame: encoder.reply(
          continues: true, SubscribeReply.ready(instance: "one", sequence: 0).write))
      // Of a kind that this version does not know, and of what is no kind.
      let transitions: [(StaticString, kind: StaticString)] = [
        (#""event":{"sequence":1"#, #""teleport""#), (#""event":{"sequence":2"#, "7"),
      ]
      for (sequence, kind) in transitions {
        connection.send(
          frame: encoder.reply(continues: true) { writer in
            writer.fragment(sequence)
            writer.fragment(#","session":"s","time":0,"transition":{"kind":"#)
            writer.fragment(kind)
            writer.fragment(#","basicKind":"cut","certainty":"certain"}}"#)
          })
      }
    } _: { client in
      var events = client.events().makeAsyncIterator()
      let ready = try await events.next()
      #expect(ready.map(Self.word) == "ready 0")
      guard case .event(let event) = try await events.next() else {
        Issue.record("no event")
        return
      }
      #expect(event.transition.kind == .outOfRangeTap)
      let error = await #expect(throws: ContextDiffError.self) { _ = try await events.next() }
      #expect(error?.code == .invalidReply)
    }
    #expect(asked.withLock { $0 } == 1)
  }

  /// A subscription names as many sessions as there may be; a daemon whose limit was lowered may not take as much.
  @Test(arguments: [(20_000, false), (40_000, true)])
  func aSubscriptionIsAsLongAsTheDaemonTakes(limit: Int, isTaken: Bool) async throws {
    let names = (0..<128).map { String(repeating: "s", count: 250) + String($0) }
    try await withClient { method, parameters, connection in
      guard method == .subscribe else { return connection.reply(limits: limit) }
      connection.stream([.ready(instance: "one", sequence: 7)])
    } _: { client in
      if isTaken {
        let words = try await Self.words(1, of: client.events(of: names))
        #expect(words == ["ready 7"])
      } else {
        let error = await Self.error(of: client.events(of: names))
        #expect(error?.code == .snapshotTooLarge)
        #expect(error?.message.contains("longer than \(limit) bytes") == true)
      }
    }
  }

  /// It says so at once, and asks for the same no more.
  @Test func anEventThatIsTooLongIsTold() async throws {
    let asked = Mutex(0)
    try await withClient { _, _, connection in
      asked.withLock { $0 += 1 }
      connection.beginStream()
      connection.send(frame: Array(repeating: UInt8(ascii: "x"), count: Interface.replyLimit + 1))
    } _: { client in
      let error = await Self.error(of: client.events())
      #expect(error?.code == .invalidReply)
      #expect(error?.message.contains("longer than 67108864 bytes") == true)
    }
    #expect(asked.withLock { $0 } == 1)
  }

  @Test(arguments: [1, 2])
  func cancellationEndsTheSequence(elements: Int) async throws {
    try await withClient { _, _, connection in
      connection.stream([.ready(instance: "one", sequence: 0), Self.event(1)])
    } _: { client in
      let (heard, hears) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        var count = 0
        for try await _ in client.events() {
          count += 1
          if count == elements { hears.yield() }
        }
        return count
      }
      for await _ in heard { break }
      task.cancel()
      let count = try await task.value
      #expect(count >= elements)
    }
  }
}
