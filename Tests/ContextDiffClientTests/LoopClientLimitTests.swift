import ContextDiff
import ContextDiffLoopClient
import ContextDiffWire
import Glibc
import Testing
import Varlink

/// What bounds the calls of the client that the C library is made of: their deadlines, their lengths, and how many wait.
@Suite struct LoopClientLimitTests {
  /// The daemon counts a call without its NUL, and the client as the daemon does.
  @Test(arguments: [Interface.leastCallLimit, 10_000])
  func aCallAsLongAsTheLimitIsTakenAndOneByteMoreIsNot(limit: Int) async throws {
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path, takingPostsOf: limit)
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 8)
      var answers: [LoopClientError?] = []
      for length in [limit - 1, limit, limit + 1] {
        try client.post(PairParameters(session: "s", length: length)) { result in
          if case .failure(let error) = result {
            answers.append(error)
          } else {
            answers.append(nil)
          }
        }
      }
      while answers.count < 3 {
        _ = client.process()
        await Task.yield()
      }
      // What is not sent is answered first.
      #expect(answers.count { $0 == nil } == 2)
      #expect(answers.contains(.tooLarge(limit: limit)))
      client.close()
      await daemon.stop()
    }
  }

  /// All of it is in the socket, and more than is read at a time.
  @Test func aLongAnswerThatHasComeIsTakenAfterItsDeadline() async throws {
    try await withSocketPath { path in
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { close(listener) }
      let client = try LoopClient(path: path, deadline: 1, pendingLimit: 1)
      let inserted = String(repeating: "a", count: 140_000)
      let observation = Observation(old: Snapshot(), new: Snapshot(before: inserted))
      var taken: Transition?
      let pair = PairParameters(session: "s", old: nil, new: Snapshot(before: "a"))
      try client.post(pair) { result in
        if case .success(let answer) = result { taken = answer.transition }
      }
      let daemon = accept(listener, nil, nil)
      defer { close(daemon) }
      var encoder = VarlinkFrameEncoder()
      let reply = encoder.reply(continues: false) { writer in
        PairReply(sequence: 1, transition: Classifier().classify(observation)).write(to: &writer)
      }
      #expect(send(daemon, reply, reply.count, CInt(MSG_DONTWAIT)) == reply.count)
      #expect(client.process() == 1)
      #expect(taken?.inserted == inserted)
      client.close()
    }
  }

  @Test func callsThatWaitForTheLimitHaveTheirDeadline() async throws {
    try await withSocketPath { path in
      // Nobody reads.
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { close(listener) }
      let client = try LoopClient(path: path, deadline: 1, pendingLimit: 2)
      let long = Snapshot(before: String(repeating: "a", count: 5_000))
      var answers: [LoopClientError] = []
      for _ in 0..<2 {
        try client.post(PairParameters(session: "s", old: nil, new: long)) { result in
          if case .failure(let error) = result { answers.append(error) }
        }
      }
      // Neither these nor the question for the limit are counted.
      for _ in 0..<3 { try client.forget(SessionParameters(session: "t"), then: nil) }
      #expect(throws: LoopClientError.tooManyCalls(limit: 2)) {
        try client.post(PairParameters(session: "s", old: nil, new: long), then: nil)
      }
      while answers.count < 2 {
        _ = client.process()
        await Task.yield()
      }
      #expect(answers == [.timedOut, .timedOut])
      client.close()
    }
  }

  /// A reply that comes after its call's deadline answers no other call, and keeps none from its deadline.
  @Test func aCallBehindOneThatWasAnsweredTooLateHasItsDeadline() async throws {
    try await withSocketPath { path in
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { close(listener) }
      let client = try LoopClient(path: path, deadline: 1, pendingLimit: 1)
      var answers: [LoopClientError] = []
      func callAndMissTheDeadline() throws {
        try client.forget(SessionParameters(session: "s")) { result in
          if case .failure(let error) = result { answers.append(error) }
        }
        usleep(1_000)
        _ = client.process()
      }
      try callAndMissTheDeadline()
      #expect(answers == [.timedOut])
      let daemon = accept(listener, nil, nil)
      defer { close(daemon) }
      let reply = Array(#"{"parameters":{}}"#.utf8) + [0]
      #expect(send(daemon, reply, reply.count, CInt(MSG_DONTWAIT)) == reply.count)
      #expect(client.process() == 0)
      try callAndMissTheDeadline()
      #expect(answers == [.timedOut, .timedOut])
      client.close()
    }
  }

  /// Nobody listens, so that each call is answered at once; the program comes to the answers later.
  @Test func answersThatTheProgramHasNotTakenCountAsCalls() async throws {
    try await withSocketPath { path in
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 1)
      var answers = 0
      func forget() throws(LoopClientError) {
        try client.forget(SessionParameters(session: "s")) { _ in answers += 1 }
      }
      try forget()
      #expect(throws: LoopClientError.tooManyCalls(limit: 1)) { try forget() }
      #expect(client.process() == 1)
      try forget()
      #expect(client.process() == 1)
      #expect(answers == 2)
      client.close()
    }
  }

  @Test func aSessionCanBeForgottenThoughTooMuchIsUnsent() async throws {
    try await withSocketPath { path in
      // Nobody reads.
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { close(listener) }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 1_024)
      let long = Snapshot(before: String(repeating: "a", count: 1 << 20))
      var refusal: LoopClientError?
      while refusal == nil {
        do throws(LoopClientError) {
          try client.post(PairParameters(session: "s", old: nil, new: long), then: nil)
        } catch { refusal = error }
      }
      #expect(refusal == .tooMuchUnsent(limit: 16 << 20))
      try client.forget(SessionParameters(session: "s"), then: nil)
      client.close()
    }
  }

  /// What an earlier daemon has told of its limit says nothing of the next one's.
  @Test func aDaemonThatTakesLessThanTheOneBeforeIsAskedAgain() async throws {
    try await withSocketPath { path in
      let first = try await ScriptedDaemon(at: path, takingPostsOf: 10_000)
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 8)
      func answer() async throws -> LoopClientError? {
        var answer: Result<LoopClient.Answer, LoopClientError>?
        try client.post(PairParameters(session: "s", length: 9_000)) { answer = $0 }
        while answer == nil {
          _ = client.process()
          await Task.yield()
        }
        if case .failure(let error) = answer { return error }
        return nil
      }
      #expect(try await answer() == nil)
      await first.stop()
      // It hears of the end, which may come behind more that is to be read.
      var descriptor = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      #expect(poll(&descriptor, 1, 60_000) == 1)
      while poll(&descriptor, 1, 0) == 1 { _ = client.process() }
      let second = try await ScriptedDaemon(at: path, takingPostsOf: 5_000)
      #expect(try await answer() == .tooLarge(limit: 5_000))
      client.close()
      await second.stop()
    }
  }
}
