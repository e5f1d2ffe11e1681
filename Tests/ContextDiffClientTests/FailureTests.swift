import AsyncVarlink
import ContextDiff
import ContextDiffClient
import ContextDiffWire
import Glibc
import Synchronization
import Testing
import JSON
import Varlink

@Suite struct FailureTests {
  /// The error that `body` throws.
  private func error(
    of body: () async throws(ContextDiffError) -> Void
  ) async -> ContextDiffError? {
    do throws(ContextDiffError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("io.contextdiff.NoSuchSession", ContextDiffError.Code.noSuchSession, "no session named s"),
    ("io.contextdiff.SnapshotTooLarge", .snapshotTooLarge, "new.before is longer than 9 bytes"),
    ("io.contextdiff.TooManySessions", .tooManySessions, "9 sessions"),
    ("io.contextdiff.NoSuchExpectation", .noSuchExpectation, "the number 3"),
    ("io.contextdiff.TooManySubscribers", .tooManySubscribers, "9 subscribers"),
    ("org.varlink.service.InvalidParameter", .invalidParameter, "old.before: not known"),
    ("org.varlink.service.InvalidParameter", .invalidParameter, "its log says which"),
    ("org.varlink.service.PermissionDenied", .permissionDenied, "does not allow"),
    ("org.varlink.service.MethodNotFound", .unsupported, "another version"),
    ("org.varlink.service.MethodNotImplemented", .unsupported, "another version"),
    ("org.varlink.service.InterfaceNotFound", .unsupported, "another version"),
    ("org.example.Surprise", .invalidReply, "org.example.Surprise"),
  ])
  func eachErrorOfTheDaemonHasACode(
    name: StaticString, code: ContextDiffError.Code, message: String
  ) async throws {
    try await withClient { _, _, connection in
      connection.reply(error: name) { writer in
        writer.name("session")
        writer.string("s")
        writer.name("limit")
        writer.integer(9)
        writer.name("field")
        writer.string("new.before")
        writer.name("parameter")
        writer.string("old.before")
        writer.name("expected")
        writer.integer(3)
      }
    } _: { client in
      let error = await error { () async throws(ContextDiffError) in _ = try await client.sessions()
      }
      #expect(error?.code == code)
      #expect(error?.message.contains(message) == true)
    }
  }

  @Test func aDaemonThatDoesNotNameTheTextThatIsTooLongIsUnderstood() async throws {
    try await withClient { _, _, connection in
      connection.reply(error: "io.contextdiff.SnapshotTooLarge") { writer in
        writer.name("limit")
        writer.integer(9)
      }
    } _: { client in
      let error = await error { () async throws(ContextDiffError) in _ = try await client.sessions()
      }
      #expect(error?.code == .snapshotTooLarge)
      #expect(error?.message == "a text is longer than 9 bytes")
    }
  }

  @Test func anAnswerOfAnotherShapeIsToldApart() async throws {
    try await withClient { _, _, connection in
      connection.reply { _ in }
    } _: { client in
      let listed = await error { () async throws(ContextDiffError) in
        _ = try await client.sessions()
      }
      #expect(listed?.code == .invalidReply)
      let classified = await error { () async throws(ContextDiffError) in
        _ = try await client.classify(Observation(old: Snapshot(), new: Snapshot()))
      }
      #expect(classified?.code == .invalidReply)
    }
  }

  /// The daemon's own limit holds, be it lower or higher than by default; one that tells none has the default.
  @Test(arguments: [10_000, 5 << 20, nil])
  func aCallThatTheDaemonDoesNotTakeIsNotSent(limit: Int?) async throws {
    try await withClient { method, _, connection in
      switch method {
      case .getStatistics: connection.reply(limits: limit)
      case .post: connection.reply(PairReply(sequence: nil, transition: nil).write)
      default: connection.reply(SessionsReply(sessions: []).write)
      }
    } _: { client in
      let most = limit ?? 4 << 20
      // A frame's other members take less than 200 bytes.
      _ = try await client.post(
        Snapshot(before: String(repeating: "a", count: min(most, 4 << 20) - 200)), to: "s")
      let error = await error { () async throws(ContextDiffError) in
        _ = try await client.post(Snapshot(before: String(repeating: "a", count: most)), to: "s")
      }
      #expect(error?.code == .snapshotTooLarge)
      #expect(error?.message.contains("longer than \(most) bytes") == true)
      // The connection stands for the others.
      let sessions = try await client.sessions()
      #expect(sessions.isEmpty)
    }
  }

  /// The daemon counts a call without its NUL, and the client as the daemon does.
  @Test(arguments: [Interface.leastCallLimit, 10_000])
  func aCallAsLongAsTheLimitIsTakenAndOneByteMoreIsNot(limit: Int) async throws {
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path, takingPostsOf: limit)
      let client = try await ContextDiffClient.connect(to: path)
      for length in [limit - 1, limit, limit + 1] {
        let pair = PairParameters(session: "s", length: length)
        let error = await error { () async throws(ContextDiffError) in
          _ = try await client.post(pair.new, to: "s")
        }
        #expect(error?.code == (length > limit ? .snapshotTooLarge : nil))
      }
      await client.close()
      await daemon.stop()
    }
  }

  @Test func aLimitThatIsRaisedIsHeeded() async throws {
    let limit = Mutex(5_000)
    try await withClient { method, _, connection in
      guard method == .getStatistics else {
        return connection.reply(PairReply(sequence: nil, transition: nil).write)
      }
      connection.reply(limits: limit.withLock { $0 })
    } _: { client in
      let long = Snapshot(before: String(repeating: "a", count: 5_000))
      let error = await error { () async throws(ContextDiffError) in
        _ = try await client.post(long, to: "s")
      }
      #expect(error?.code == .snapshotTooLarge)
      limit.withLock { $0 = 6_000 }
      _ = try await client.post(long, to: "s")
    }
  }

  @Test func aDaemonThatHangsKeepsNobodyWhoCloses() async throws {
    try await withSocketPath { path in
      // Nobody reads, and what is sent is more than the socket takes.
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { Glibc.close(listener) }
      let client = try await ContextDiffClient.connect(to: path)
      let socket = accept(listener, nil, nil)
      defer { Glibc.close(socket) }
      let long = Snapshot(before: String(repeating: "a", count: 1 << 20))
      let post = Task {
        await error { () async throws(ContextDiffError) in
          _ = try await client.answers(to: [PairParameters(session: "s", old: nil, new: long)])
        }
      }
      var byte: UInt8 = 0
      while recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) != 1 { await Task.yield() }
      await client.close()
      let failure = await post.value
      #expect(failure?.code == .connectionLost)
    }
  }

  @Test func aDaemonWithoutRoomKeepsNobodyWhoCloses() async throws {
    try await withSocketPath { path in
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { Glibc.close(listener) }
      let client = try await ContextDiffClient.connect(to: path)
      await client.close()
      #expect(listen(listener, 0) == 0)
      var waiting: [CInt] = []
      defer { for socket in waiting { Glibc.close(socket) } }
      var hasRoom = true
      while hasRoom {
        let socket = try UnixSocket.makeUnconnected()
        waiting.append(socket)
        hasRoom = try UnixSocket.connect(socket, to: path)
      }
      let isAnswered = Atomic(false)
      let post = Task {
        defer { isAnswered.store(true, ordering: .relaxed) }
        return await error { () async throws(ContextDiffError) in
          _ = try await client.post(Snapshot(before: "a"), to: "s")
        }
      }
      // Again and again, for the call may not have begun yet.
      while !isAnswered.load(ordering: .relaxed) {
        await client.close()
        try await Task.sleep(for: .milliseconds(1))
      }
      let failure = await post.value
      #expect(failure?.code == .connectionLost)
    }
  }

  @Test func nobodyAnswers() async throws {
    try await withSocketPath { path in
      let error = await error { () async throws(ContextDiffError) in
        _ = try await ContextDiffClient.connect(to: path)
      }
      #expect(error?.code == .noDaemon)
      #expect(error?.message == "no daemon answers on \(path), where there is no socket")
    }
  }

  @Test func aDaemonWithoutRoomForOneMoreIsWaitedFor() async throws {
    let full = VarlinkConnectionError(.cannotConnect, systemError: EAGAIN)
    let attempts = Atomic(0)
    // A busy machine may need long for four attempts.
    let patience = Duration.seconds(100_000)
    let connected = try await waitingForRoom(patience: patience) {
      if attempts.add(1, ordering: .relaxed).newValue < 4 { throw full }
      return "connected"
    }
    #expect(connected == "connected" && attempts.load(ordering: .relaxed) == 4)
    // Who is cancelled waits no longer, and what time does not change is not waited for.
    let cancelled = Task {
      try await waitingForRoom(patience: patience) { () -> Int in throw full }
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let nobody = VarlinkConnectionError(.cannotConnect, systemError: ECONNREFUSED)
    await #expect(throws: nobody) { try await waitingForRoom { () -> Int in throw nobody } }
  }

  @Test func theCallAfterALostConnectionConnectsAnew() async throws {
    let calls = Atomic(0)
    try await withClient { _, _, connection in
      guard calls.add(1, ordering: .relaxed).oldValue > 0 else { return connection.close() }
      connection.reply(SessionsReply(sessions: [SessionInfo(name: "s", time: 0)]).write)
    } _: { client in
      let lost = await error { () async throws(ContextDiffError) in
        _ = try await client.sessions()
      }
      #expect(lost?.code == .connectionLost)
      let sessions = try await client.sessions()
      #expect(sessions.map(\.name) == ["s"])
    }
  }

  @Test func aRestartBetweenCallsCostsAtMostOne() async throws {
    try await withSocketPath { path in
      let script: ScriptedDaemon.Script = { _, _, connection in
        connection.reply(SessionsReply(sessions: []).write)
      }
      let first = try await ScriptedDaemon(at: path, script)
      let client = try await ContextDiffClient.connect(to: path)
      _ = try await client.sessions()
      await first.stop()
      let second = try await ScriptedDaemon(at: path, script)
      // None, where this side has heard of the end by now.
      let lost = await error { () async throws(ContextDiffError) in
        _ = try await client.sessions()
      }
      #expect(lost == nil || lost?.code == .connectionLost)
      _ = try await client.sessions()
      await client.close()
      await second.stop()
    }
  }

  @Test func aDaemonThatGoesAwayWithoutAnAnswer() async throws {
    try await withClient { _, _, connection in
      connection.close()
    } _: { client in
      let called = await error { () async throws(ContextDiffError) in
        _ = try await client.sessions()
      }
      #expect(called?.code == .connectionLost)
      let answers = await error { () async throws(ContextDiffError) in
        _ = try await client.answers(to: [PairParameters(old: Snapshot(), new: Snapshot())])
      }
      #expect(answers?.code == .connectionLost)
    }
  }

  @Test func aCancelledCallSaysSo() async throws {
    try await withClient { _, _, connection in
      connection.reply(SessionsReply(sessions: []).write)
    } _: { client in
      let call = Task {
        while !Task.isCancelled { await Task.yield() }
        return await error { () async throws(ContextDiffError) in _ = try await client.sessions() }
      }
      call.cancel()
      let code = await call.value?.code
      #expect(code == .cancelled)
      // The others are not touched by it.
      let sessions = try await client.sessions()
      #expect(sessions == [])
    }
  }
}
