import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Glibc
import JSON
import Testing
import Varlink

@Suite struct SessionReaderTests {
  @Test func sessionsInThisProcessAreAskedAsTheDaemonIs() async throws {
    let reader: any SessionReader = LocalSessions()
    let first = try await reader.post(Snapshot(before: "a"), to: "notes")
    #expect(first.transition == nil && first.sequence == nil)
    let typed = try await reader.post(Snapshot(before: "ab"), to: "notes", key: .character)
    #expect(typed.transition?.kind == .insertion && typed.sequence == 1)
    let number = try await reader.expect(Edit(insert: "c"), in: "notes")
    let own = try await reader.post(Snapshot(before: "abc"), to: "notes")
    #expect(own.transition?.expected == [number] && own.sequence == 2)
    try await reader.withdraw(try await reader.expect(Edit(insert: "d"), in: "notes"), in: "notes")
    try await reader.forget("notes")
    #expect(try await reader.post(Snapshot(before: "b"), to: "notes").transition == nil)
  }

  @Test func aSecurePairLeavesNothing() async throws {
    let sessions = LocalSessions()
    let posted = try await sessions.post(
      Snapshot(before: "ab"), after: Snapshot(before: "a"), to: "notes", secure: true)
    #expect(posted.transition?.inserted == "b" && posted.sequence == nil)
    let error = await #expect(throws: ContextDiffError.self) { try await sessions.forget("notes") }
    #expect(error?.code == .noSuchSession)
  }

  @Test func aFieldsNewsArePostedAsTheyAre() async throws {
    let sessions = LocalSessions()
    var field = HostField(.fcitx5, toolkit: .gtk4)
    for (text, kind) in [("a", Kind?.none), ("ab", .insertion)] {
      field.key(keysym: 0x61, modifiers: 0)
      let news = try #require(
        try field.surroundingText(text, cursor: text.utf8.count, anchor: text.utf8.count))
      #expect(try await sessions.post(news, to: "notes").transition?.kind == kind)
    }
  }

  @Test func whatCannotBeIsTold() async throws {
    let sessions = LocalSessions()
    func code(_ body: () async throws -> Void) async -> ContextDiffError.Code? {
      await #expect(throws: ContextDiffError.self) { try await body() }?.code
    }
    let long = String(repeating: "a", count: LocalSessions.textLimit + 1)
    #expect(
      await code { _ = try await sessions.post(Snapshot(after: long), to: "a") }
        == .snapshotTooLarge)
    #expect(await code { _ = try await sessions.post(Snapshot(), to: "") } == .invalidParameter)
    #expect(
      await code { _ = try await sessions.expect(Edit(insert: "a"), in: "a") } == .noSuchSession)
    _ = try await sessions.post(Snapshot(), to: "a")
    #expect(await code { _ = try await sessions.expect(Edit(), in: "a") } == .invalidParameter)
    #expect(await code { try await sessions.withdraw(9, in: "a") } == .noSuchExpectation)
    #expect(await code { try await sessions.withdraw(1, in: "b") } == .noSuchSession)
  }
}

@Suite struct DeadlineTests {
  @Test func aCallThatIsNeverAnsweredThrows() async throws {
    try await withSocketPath { path in
      // It listens, and that is all.
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { Glibc.close(listener) }
      let client = try await ContextDiffClient.connect(to: path)
      let error = await #expect(throws: ContextDiffError.self) {
        try await client.with(deadline: .milliseconds(1)).expect(Edit(insert: "a"), in: "notes")
      }
      #expect(error?.code == .timedOut)
      #expect(error?.message.contains("in time") == true)
      await client.close()
    }
  }

  @Test func aCallThatIsAnsweredInTimeIsAsEver() async throws {
    try await withClient { _, _, connection in
      connection.reply { writer in
        writer.name("expected")
        writer.integer(7)
      }
    } _: { client in
      let number = try await client.with(deadline: .seconds(600)).expect(
        Edit(insert: "a"), in: "notes")
      #expect(number == 7)
    }
  }
}
