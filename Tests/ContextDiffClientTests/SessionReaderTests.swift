import ContextDiff
import ContextDiffClient
import ContextDiffService
import ContextDiffWire
import Glibc
import JSON
import Logging
import Systemd
import TestSupport
import Testing
import Varlink

/// What holds for all who read sessions: this process, and a daemon.
@Suite struct SessionReaderTests {
  enum Reader: CaseIterable {
    case local, daemon
  }

  /// Runs `body` with a reader that has no sessions.
  private func with(
    _ reader: Reader, _ body: (any SessionReader) async throws -> Void
  ) async throws {
    guard case .daemon = reader else { return try await body(LocalSessions()) }
    try await withSocketPath { path in
      let daemon = try await LoopThread { loop in
        let users = try UserLoops(
          settings: Settings(), access: Access(ownUserID: geteuid()),
          info: VarlinkServiceInfo(vendor: "", product: "", version: "", url: ""), loop: loop,
          manager: ServiceManager(at: nil),
          logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let listener = VarlinkListener(on: loop) { users.accept($0) }
        try listener.listen(at: path, mode: 0o600)
        return (users: users, listener: listener)
      }
      let client = try await ContextDiffClient.connect(to: path)
      let outcome: Result<Void, any Error>
      do { outcome = .success(try await body(client)) } catch { outcome = .failure(error) }
      await client.close()
      await daemon.wait { daemon, stopped in
        daemon.listener.stop(most: 0)
        daemon.users.stop(within: .zero, stopped)
      }
      daemon.stop()
      try outcome.get()
    }
  }

  /// The code of the error that `body` ends with.
  private func code(
    _ body: () async throws -> Void
  ) async -> ContextDiffError.Code? {
    await #expect(throws: ContextDiffError.self) { try await body() }?.code
  }

  @Test(arguments: Reader.allCases)
  func whatIsPostedAndAnnouncedIsRead(by reader: Reader) async throws {
    try await with(reader) { reader in
      let first = try await reader.post(Snapshot(before: "a"), to: "notes")
      #expect(first.transition == nil && first.sequence == nil)
      let typed = try await reader.post(
        Snapshot(before: "ab"), to: "notes", evidence: Evidence(key: .character))
      #expect(typed.transition?.kind == .insertion && typed.sequence == 1)
      let number = try await reader.expect(Edit(insert: "c"), in: "notes")
      let own = try await reader.post(Snapshot(before: "abc"), to: "notes")
      #expect(own.transition?.expected == [number] && own.sequence == 2)
      let other = try await reader.expect(Edit(insert: "d"), in: "notes")
      try await reader.withdraw(other, in: "notes")
      try await reader.forget("notes")
      #expect(try await reader.post(Snapshot(before: "b"), to: "notes").transition == nil)
    }
  }

  @Test(arguments: Reader.allCases)
  func aSecurePairLeavesNothing(with reader: Reader) async throws {
    try await with(reader) { reader in
      let posted = try await reader.post(
        Snapshot(before: "ab"), after: Snapshot(before: "a"), to: "notes",
        pasteboard: nil,
        evidence: Evidence(
          window: nil, composition: nil, cause: nil, key: nil, merged: false, reset: false),
        secure: true)
      #expect(posted.transition?.inserted == "b" && posted.sequence == nil)
      #expect(await code { try await reader.forget("notes") } == .noSuchSession)
    }
  }

  @Test(arguments: Reader.allCases)
  func aSecurePairTakesBackWhatItShows(with reader: Reader) async throws {
    try await with(reader) { reader in
      _ = try await reader.post(Snapshot(before: "a"), to: "notes")
      let number = try await reader.expect(Edit(insert: "b"), in: "notes")
      let posted = try await reader.post(
        Snapshot(before: "ab"), after: nil, to: "notes", pasteboard: nil, evidence: Evidence(),
        secure: true)
      #expect(posted.transition?.expected == [number])
      #expect(
        await code { try await reader.withdraw(number, in: "notes") } == .noSuchExpectation)
    }
  }

  @Test(arguments: Reader.allCases)
  func aSecurePairTakesBackWhatWillNotCome(with reader: Reader) async throws {
    try await with(reader) { reader in
      _ = try await reader.post(Snapshot(before: "a"), to: "notes")
      let number = try await reader.expect(Edit(insert: "pqrs"), in: "notes")
      let posted = try await reader.post(
        Snapshot(before: "azz"), after: nil, to: "notes", pasteboard: nil, evidence: Evidence(),
        secure: true)
      #expect(posted.transition?.unfulfilled == [number])
      #expect(
        await code { try await reader.withdraw(number, in: "notes") } == .noSuchExpectation)
    }
  }

  @Test(arguments: Reader.allCases)
  func namesAreToldApartByTheirScalars(by reader: Reader) async throws {
    try await with(reader) { reader in
      _ = try await reader.post(Snapshot(before: "a"), to: "が")
      #expect(try await reader.post(Snapshot(before: "ab"), to: "か\u{3099}").transition == nil)
      try await reader.forget("が")
      #expect(
        try await reader.post(Snapshot(before: "abc"), to: "か\u{3099}").transition?.inserted == "c")
    }
  }

  @Test(arguments: Reader.allCases)
  func anEditThatCannotBeAnnouncedLeavesNothing(with reader: Reader) async throws {
    try await with(reader) { reader in
      #expect(
        await code { _ = try await reader.expect(Edit(), after: Snapshot(before: "a"), in: "a") }
          == .invalidParameter)
      #expect(await code { try await reader.forget("a") } == .noSuchSession)
      _ = try await reader.expect(Edit(insert: "b"), after: Snapshot(before: "a"), in: "a")
      try await reader.forget("a")
    }
  }

  @Test(arguments: Reader.allCases)
  func whatCannotBeIsTold(by reader: Reader) async throws {
    try await with(reader) { reader in
      let long = String(repeating: "a", count: LocalSessions.textLimit + 1)
      let tooLong = "is longer than \(LocalSessions.textLimit) bytes"
      for (field, call) in [
        ("new.after", { _ = try await reader.post(Snapshot(after: long), to: "a") }),
        (
          "old.selected",
          {
            _ = try await reader.post(
              Snapshot(), after: Snapshot(selected: long), to: "a", pasteboard: nil,
              evidence: Evidence(), secure: false)
          }
        ),
        ("pasteboard", { _ = try await reader.post(Snapshot(), to: "a", pasteboard: long) }),
        ("edit.insert", { _ = try await reader.expect(Edit(insert: long), in: "a") }),
        (
          "old.before",
          {
            _ = try await reader.expect(Edit(moveCaret: 1), after: Snapshot(before: long), in: "a")
          }
        ),
      ] as [(String, () async throws -> Void)] {
        let error = await #expect(throws: ContextDiffError.self) { try await call() }
        #expect(error?.code == .snapshotTooLarge)
        #expect(error?.message == "\(field) \(tooLong)")
      }
      for name in ["", "a\n", String(repeating: "a", count: 256)] {
        #expect(await code { _ = try await reader.post(Snapshot(), to: name) } == .invalidParameter)
        #expect(
          await code { _ = try await reader.expect(Edit(insert: "a"), in: name) }
            == .invalidParameter)
        #expect(await code { try await reader.withdraw(1, in: name) } == .invalidParameter)
        #expect(await code { try await reader.forget(name) } == .invalidParameter)
      }
      #expect(
        await code { _ = try await reader.expect(Edit(insert: "a"), in: "a") } == .noSuchSession)
      _ = try await reader.post(Snapshot(), to: "a")
      #expect(await code { _ = try await reader.expect(Edit(), in: "a") } == .invalidParameter)
      #expect(await code { try await reader.withdraw(9, in: "a") } == .noSuchExpectation)
      #expect(await code { try await reader.withdraw(1, in: "b") } == .noSuchSession)
    }
  }

  @Test(arguments: Reader.allCases)
  func aTextAsLongAsTheLimitIsTaken(by reader: Reader) async throws {
    try await with(reader) { reader in
      let text = String(repeating: "a", count: LocalSessions.textLimit)
      _ = try await reader.post(Snapshot(before: text), to: "a")
      let erased = try await reader.post(
        Snapshot(before: String(text.dropLast())), to: "a", pasteboard: text)
      #expect(erased.transition?.removed == "a")
    }
  }

  @Test(arguments: Reader.allCases)
  func whatIsOutsideOfItsRangeIsRefused(by reader: Reader) async throws {
    let observed = Snapshot(before: "a")
    let most = 1 << 31
    try await with(reader) { reader in
      _ = try await reader.post(observed, to: "a")
      for (name, call) in [
        ("new.caret", { _ = try await reader.post(Snapshot(caret: -1), to: "a") }),
        (
          "old.caret",
          { _ = try await reader.expect(Edit(insert: "a"), after: Snapshot(caret: -1), in: "a") }
        ),
        (
          "composition.before",
          {
            _ = try await reader.post(
              observed, to: "a", evidence: Evidence(composition: Composition(before: -1, after: 0)))
          }
        ),
        (
          "composition.after",
          {
            _ = try await reader.post(
              observed, to: "a", evidence: Evidence(composition: Composition(before: 0, after: -1)))
          }
        ),
        (
          "edit.deleteBackward",
          { _ = try await reader.expect(Edit(deleteBackward: -1), in: "a") }
        ),
        (
          "edit.deleteForward",
          { _ = try await reader.expect(Edit(deleteForward: most + 1), in: "a") }
        ),
        ("edit.moveCaret", { _ = try await reader.expect(Edit(moveCaret: .max), in: "a") }),
        ("edit.moveCaret", { _ = try await reader.expect(Edit(moveCaret: .min), in: "a") }),
      ] as [(String, () async throws -> Void)] {
        let error = await #expect(throws: ContextDiffError.self) { try await call() }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message.hasPrefix("\(name): ") == true, "\(name)")
      }
      _ = try await reader.expect(
        Edit(deleteBackward: most, deleteForward: most, moveCaret: -most), in: "a")
    }
  }

  @Test func aRefusalSaysWhatTheDaemonsLogSays() async throws {
    let sessions = LocalSessions()
    for (message, call) in [
      (
        "session: must be a string of 1 to 255 bytes without control characters",
        { try await sessions.withdraw(1, in: "") }
      ),
      (
        "edit.deleteBackward: must be an integer from 0 to 2147483648",
        {
          _ = try await sessions.expect(
            Edit(deleteBackward: -1), after: Snapshot(before: "a"), in: "a")
        }
      ),
      (
        "edit: must be an edit that does something",
        { _ = try await sessions.expect(Edit(), after: Snapshot(before: "a"), in: "a") }
      ),
    ] as [(String, () async throws -> Void)] {
      let error = await #expect(throws: ContextDiffError.self) { try await call() }
      #expect(error?.message == message)
    }
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
      let hurried = client.with(deadline: .milliseconds(1))
      let info = await #expect(throws: ContextDiffError.self) { try await hurried.daemonInfo() }
      #expect(info?.code == .timedOut)
      let batch = await #expect(throws: ContextDiffError.self) {
        try await hurried.answers(to: [PairParameters(old: Snapshot(), new: Snapshot())])
      }
      #expect(batch?.code == .timedOut)
      await client.close()
    }
  }

  @Test(arguments: [Duration.seconds(600), .seconds(Int64.max)])
  func aCallThatIsAnsweredInTimeIsAsEver(within deadline: Duration) async throws {
    try await withClient { _, _, connection in
      connection.reply { writer in
        writer.name("expected")
        writer.integer(7)
      }
    } _: { client in
      let number = try await client.with(deadline: deadline).expect(
        Edit(insert: "a"), in: "notes")
      #expect(number == 7)
    }
  }

  @Test(arguments: [Duration.zero, .nanoseconds(-1), .seconds(Int64.min)])
  func withoutTimeNoCallIsMade(_ deadline: Duration) async throws {
    try await withClient { _, _, _ in
      Issue.record("a call was made")
    } _: { client in
      let error = await #expect(throws: ContextDiffError.self) {
        try await client.with(deadline: deadline).expect(Edit(insert: "a"), in: "notes")
      }
      #expect(error?.code == .timedOut)
    }
  }
}
