import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Synchronization
import Testing
import JSON
import Varlink

@Suite struct CallTests {
  private static let transition = Transition(
    kind: .paste, basicKind: .outOfRangeTap, certainty: .likely, alternatives: [.insertion],
    inserted: "貼")

  @Test func classifySendsWhatWasObserved() async throws {
    try await withClient { method, parameters, connection in
      #expect(method == .classify)
      let pair = try? PairParameters(.init(.classify, json: parameters, fieldLimit: .max))
      #expect(pair?.old?.before == "あ")
      #expect(pair?.new.after == "")
      #expect(pair?.evidence.window == .full)
      #expect(pair?.pasteboard == "貼")
      #expect(pair?.evidence.composition == Composition(before: 1, after: 2))
      #expect(pair?.evidence.cause == .inputMethod)
      #expect(pair?.evidence.key == .backspace)
      #expect(pair?.evidence.merged == true)
      #expect(pair?.evidence.reset == true)
      connection.reply(PairReply(sequence: nil, transition: Self.transition).write)
    } _: { client in
      let transition = try await client.classify(
        Observation(
          old: Snapshot(before: "あ"), new: Snapshot(after: ""), pasteboard: "貼",
          evidence: Evidence(
            window: .full, composition: Composition(before: 1, after: 2), cause: .inputMethod,
            key: .backspace, merged: true, reset: true)))
      #expect(transition.kind == .paste)
      #expect(transition.basicKind == .outOfRangeTap)
      #expect(transition.alternatives == [.insertion])
      #expect(transition.inserted == "貼")
    }
  }

  @Test func aPostHasANumberAndABaselineHasNone() async throws {
    try await withClient { method, parameters, connection in
      #expect(method == .post)
      let pair = try? PairParameters(.init(.post, json: parameters, fieldLimit: .max))
      #expect(pair?.session == "s")
      #expect(pair?.secure == false)
      let isBaseline = pair?.old == nil
      connection.reply(
        PairReply(
          sequence: isBaseline ? nil : 12, transition: isBaseline ? nil : Self.transition
        ).write)
    } _: { client in
      let baseline = try await client.post(Snapshot(before: "a"), to: "s")
      #expect(baseline.sequence == nil)
      #expect(baseline.transition == nil)
      let posted = try await client.post(
        Snapshot(before: "b"), after: Snapshot(before: "a"), to: "s")
      #expect(posted.sequence == 12)
      #expect(posted.transition?.kind == .paste)
    }
  }

  @Test func aSecureFieldIsMarked() async throws {
    try await withClient { _, parameters, connection in
      #expect(parameters["secure"].bool == true)
      connection.reply(PairReply(sequence: nil, transition: nil).write)
    } _: { client in
      _ = try await client.post(Snapshot(), to: "s", secure: true)
    }
  }

  @Test func anEditIsAnnouncedByWhatItDoesOrWhereItLeads() async throws {
    try await withClient { method, parameters, connection in
      #expect(method == .expect)
      let expected = try? ExpectParameters(json: parameters, fieldLimit: .max)
      switch expected?.edit {
      case .edit(let edit):
        #expect(edit.insert == "x")
        #expect(edit.deleteBackward == 2)
        #expect(expected?.old == nil)
      case .snapshot(let new):
        #expect(new.before == "y")
        #expect(expected?.old?.before == "a")
      case nil: Issue.record("no announcement")
      }
      connection.reply(ExpectReply(expected: expected?.old == nil ? 7 : 8).write)
    } _: { client in
      let first = try await client.expect(Edit(insert: "x", deleteBackward: 2), in: "s")
      let second = try await client.expect(
        Snapshot(before: "y"), after: Snapshot(before: "a"), in: "s")
      #expect([first, second] == [7, 8])
    }
  }

  @Test func anAnnouncedEditIsWithdrawnByItsNumber() async throws {
    try await withClient { method, parameters, connection in
      #expect(method == .withdraw)
      #expect(parameters["session"].string == "s")
      #expect(parameters["expected"].integer == 7)
      connection.reply { _ in }
    } _: { client in
      try await client.withdraw(7, in: "s")
    }
  }

  @Test func sessionsAreListedAndForgotten() async throws {
    let listed = [
      SessionInfo(
        name: "二", window: .line, windowLearnt: true, pairs: 3, bytes: 4, expecting: 5, time: 6),
      SessionInfo(name: "一", time: 7),
    ]
    try await withClient { method, parameters, connection in
      switch method {
      case .listSessions: connection.reply(SessionsReply(sessions: listed).write)
      case .forget:
        #expect(parameters["session"].string == "二")
        connection.reply { _ in }
      default: Issue.record("called \(method)")
      }
    } _: { client in
      let sessions = try await client.sessions()
      #expect(sessions == listed)
      try await client.forget("二")
    }
  }

  @Test func statisticsAreRead() async throws {
    try await withClient { _, _, connection in
      var statistics = Statistics(instance: "abc", startedAt: 7)
      statistics.pairsByKind = ["cut": 3]
      statistics.bytes = 9
      statistics.limits = ["sessions": 4]
      connection.reply { writer in
        writer.name("statistics")
        statistics.write(to: &writer)
      }
    } _: { client in
      let statistics = try await client.statistics()
      #expect(statistics.instance == "abc")
      #expect(statistics.startedAt == 7)
      #expect(statistics.pairsByKind == ["cut": 3])
      #expect(statistics.bytes == 9)
      #expect(statistics.limits == ["sessions": 4])
    }
  }

  @Test func aBatchIsAnsweredInOrderErrorsIncluded() async throws {
    try await withClient { method, parameters, connection in
      switch parameters["new"]["before"].string {
      case "bad": connection.reply(InvalidParameter("new.before"))
      case let text:
        #expect(method == (text == "1" ? .classify : .post))
        connection.reply(
          PairReply(
            sequence: nil,
            transition: Transition(kind: .cut, basicKind: .cut, inserted: text)
          ).write)
      }
    } _: { client in
      let answers = try await client.answers(to: [
        PairParameters(old: Snapshot(), new: Snapshot(before: "1")),
        PairParameters(session: "s", old: nil, new: Snapshot(before: "bad")),
        PairParameters(session: "s", old: nil, new: Snapshot(before: "3")),
      ])
      #expect(answers.count == 3)
      #expect(try answers[0].get().transition?.inserted == "1")
      #expect(throws: ContextDiffError.self) { try answers[1].get() }
      #expect(try answers[2].get().transition?.inserted == "3")
    }
  }

  /// The examples of the documentation, word for word but for the paths.
  @Test func theDocumentedExamplesWork() async throws {
    try await withClient { method, _, connection in
      guard method == .subscribe else {
        return connection.reply(PairReply(sequence: 1, transition: Self.transition).write)
      }
      connection.stream([
        .ready(instance: "one", sequence: 0), .lost(-1, upTo: 0),
        .event(Event(sequence: 1, session: "notes-1", time: 0, transition: Self.transition)),
      ])
    } _: { client in
      let posted = try await client.post(Snapshot(before: "今日は"), to: "notes-1")
      if let transition = posted.transition, transition.kind == .outOfRangeTap {
        Issue.record("it is a paste")
      }
      var printed: [String] = []
      func print(_ words: Any...) { printed.append(words.map { "\($0)" }.joined(separator: " ")) }
      for try await element in client.events(of: ["notes-1"], kinds: [.cut, .paste]) {
        switch element {
        case .ready: break
        case .event(let event): print(event.sequence, event.transition.kind)
        case .lost(let count): print("lost", count ?? "some")
        }
        if printed.count == 2 { break }
      }
      #expect(printed == ["lost some", "1 paste"])
    }
  }
}
