import ContextDiff
import ContextDiffLoopClient
import ContextDiffWire
import Glibc
import JSON
import Synchronization
import Testing
import Varlink

/// The client that the C library is made of, without C.
@Suite struct LoopClientTests {
  /// What a subscription has told, in words: `ready`, `disconnected`, `ended refused …`.
  private final class Heard {
    var words: [String] = []

    func take(_ message: LoopClient.Message) {
      switch message {
      case .ready: words.append("ready")
      case .event(let event, _): words.append("event \(event.sequence)")
      case .lost(let count, _, _): words.append("lost \(count)")
      case .disconnected: words.append("disconnected")
      case .ended(let error): words.append("ended \(error)")
      }
    }
  }

  /// What a subscription to a daemon that answers by `script` tells until `isEnough`, and how often
  /// the daemon was asked for it by then, and by the end of one more call.
  private func told(
    by script: @escaping ScriptedDaemon.Script, until isEnough: ([String]) -> Bool
  ) async throws -> (words: [String], subscriptions: Int) {
    let subscriptions = Mutex(0)
    var words: [String] = []
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path) { method, parameters, connection in
        guard method == .subscribe else { return connection.reply { _ in } }
        subscriptions.withLock { $0 += 1 }
        script(method, parameters, connection)
      }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 8)
      let heard = Heard()
      client.subscribe(SubscribeParameters()) { heard.take($0) }
      while !isEnough(heard.words) {
        _ = client.process()
        await Task.yield()
      }
      var isAnswered = false
      try client.forget(SessionParameters(session: "s")) { _ in isAnswered = true }
      while !isAnswered {
        _ = client.process()
        await Task.yield()
      }
      words = heard.words
      client.close()
      await daemon.stop()
    }
    return (words, subscriptions.withLock { $0 })
  }

  @Test func aRefusedSubscriptionEndsAndIsTold() async throws {
    let (words, subscriptions) = try await told(by: { _, _, connection in
      connection.reply(InvalidParameter("sessions"))
    }) { !$0.isEmpty }
    let refusal = LoopClientError.refused(
      "org.varlink.service.InvalidParameter", detail: "sessions")
    #expect(words == ["ended \(refusal)"])
    #expect(subscriptions == 1)
  }

  @Test func anAnswerThatCannotBeReadEndsTheSubscription() async throws {
    let (words, subscriptions) = try await told(by: { _, _, connection in
      connection.reply { writer in
        writer.name("event")
        writer.string("of another version")
      }
    }) { !$0.isEmpty }
    #expect(words == ["ended \(LoopClientError.unreadable)"])
    #expect(subscriptions == 1)
  }

  /// Each further connection would bring the same event, which the subscriber would never get past.
  @Test func anEventThatIsTooLongEndsTheSubscription() async throws {
    let (words, subscriptions) = try await told(by: { _, _, connection in
      connection.beginStream()
      connection.send(frame: Array(repeating: UInt8(ascii: "x"), count: Interface.replyLimit + 1))
    }) { !$0.isEmpty }
    #expect(words == ["ended \(LoopClientError.replyTooLarge(limit: 64 << 20))"])
    #expect(subscriptions == 1)
  }

  @Test func aPlaceThatWasTakenMeanwhileIsWaitedFor() async throws {
    let turns = Mutex(0)
    let (words, subscriptions) = try await told(by: { _, _, connection in
      let turn = turns.withLock { turns in
        turns += 1
        return turns
      }
      if turn == 2 {
        connection.reply(error: "io.contextdiff.TooManySubscribers") { writer in
          writer.name("limit")
          writer.integer(3)
        }
      } else {
        connection.stream([.ready(instance: "one", sequence: 0)], thenClose: turn == 1)
      }
    }) { $0.count == 3 }
    #expect(words == ["ready", "disconnected", "ready"])
    #expect(subscriptions == 3)
  }

  @Test(arguments: ["new.before", nil])
  func aTextThatIsTooLongIsNamedWhereTheDaemonDoes(field: String?) async throws {
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path) { _, _, connection in
        connection.reply(error: "io.contextdiff.SnapshotTooLarge") { writer in
          writer.name("limit")
          writer.integer(3)
          if let field {
            writer.name("field")
            writer.string(field)
          }
        }
      }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 8)
      var failure: LoopClientError?
      try client.post(PairParameters(session: "s", old: nil, new: Snapshot(before: "long"))) {
        if case .failure(let error) = $0 { failure = error }
      }
      while failure == nil {
        _ = client.process()
        await Task.yield()
      }
      let detail = field.map { "\($0), limit 3" } ?? "limit 3"
      #expect(failure == .refused("io.contextdiff.SnapshotTooLarge", detail: detail))
      client.close()
      await daemon.stop()
    }
  }

  /// What the daemon has answered in time is no timeout, though the program's loop comes to it late and it takes more than
  /// one read.
  @Test func anAnswerToWhichTheProgramComesLateIsOne() async throws {
    let number = 5
    let done = Mutex(0)
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path) { _, _, connection in
        connection.reply(error: "io.contextdiff.NoSuchSession") { writer in
          writer.name("session")
          // All together no more than the kernel keeps for a client (`VarlinkListener`).
          writer.string(String(repeating: "a", count: 8_000))
        }
        done.withLock { $0 += 1 }
      }
      var wasInTime = false
      // A busy machine may not come to the calls before the first deadline.
      for seconds in [1, 4, 16] as [UInt32] {
        done.withLock { $0 = 0 }
        let client = try LoopClient(
          path: path, deadline: UInt64(seconds) * 1_000_000, pendingLimit: 8)
        var failures: [LoopClientError] = []
        let began = ContinuousClock.now
        for _ in 0..<number {
          try client.forget(SessionParameters(session: "s")) {
            if case .failure(let error) = $0 { failures.append(error) }
          }
        }
        while done.withLock({ $0 }) < number, began.duration(to: .now) < .seconds(seconds) {
          usleep(1_000)
        }
        wasInTime = began.duration(to: .now) < .seconds(seconds)
        usleep(seconds * 1_000_000)
        _ = client.process()
        client.close()
        if !wasInTime { continue }
        #expect(failures.count == number && !failures.contains(.timedOut))
        break
      }
      #expect(wasInTime)
      await daemon.stop()
    }
  }

  /// Calls are answered by their lengths: those that the daemon takes are done in their order, also behind one that it
  /// does not take.
  @Test(arguments: [10_000, 5 << 20, nil])
  func aCallIsAsLongAsTheDaemonTakes(limit: Int?) async throws {
    let most = limit ?? 4 << 20
    let done = Mutex<[String]>([])
    var answers: [String] = []
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path, frameLimit: most) {
        method, parameters, connection in
        guard method != .getStatistics else { return connection.reply(limits: limit) }
        done.withLock { $0.append(parameters["session"].string ?? "") }
        connection.reply(PairReply(sequence: nil, transition: nil).write)
      }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 16)
      func post(_ name: String, _ length: Int) throws {
        let text = Snapshot(before: String(repeating: "a", count: length))
        try client.post(PairParameters(session: name, old: nil, new: text)) { result in
          switch result {
          case .success: answers.append(name)
          case .failure(let error): answers.append("\(name): \(error)")
          }
        }
      }
      func waitForAnswers(_ count: Int) async {
        while answers.count < count {
          _ = client.process()
          await Task.yield()
        }
      }
      // The first one need not ask; of the others, a frame's other members take less than 200 bytes.
      try post("short", 1)
      try post("long", most - 200)
      try post("too long", most)
      try client.forget(SessionParameters(session: "oneway"), then: nil)
      try post("last", 1)
      await waitForAnswers(4)
      #expect(answers.sorted() == ["last", "long", "short", "too long: tooLarge(limit: \(most))"])
      // It is asked again, for it may have been raised.
      try post("longer again", most)
      try post("again", most - 200)
      await waitForAnswers(6)
      #expect(answers.dropFirst(4).sorted() == ["again", "longer again: tooLarge(limit: \(most))"])
      client.close()
      await daemon.stop()
    }
    #expect(done.withLock { $0 } == ["short", "long", "oneway", "last", "again"])
  }

  /// What the header promises of a call without a callback holds while calls wait for the daemon's limit.
  @Test func aSessionIsForgottenThoughItsClientIsClosedAtOnce() async throws {
    let (forgotten, forgets) = AsyncStream.makeStream(of: String?.self)
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path) { method, parameters, connection in
        if method == .forget { forgets.yield(parameters["session"].string) }
        connection.reply(limits: nil)
      }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 16)
      let long = Snapshot(before: String(repeating: "a", count: 5_000))
      var answers: [LoopClientError] = []
      try client.post(PairParameters(session: "s", old: nil, new: long)) { result in
        if case .failure(let error) = result { answers.append(error) }
      }
      try client.forget(SessionParameters(session: "s"), then: nil)
      client.close()
      #expect(answers == [.cancelled])
      for await name in forgotten {
        #expect(name == "s")
        break
      }
      await daemon.stop()
    }
  }

  /// The daemon has read what the socket held, and the client has not been processed since.
  @Test func aSessionIsForgottenBehindCallsThatTheSocketHasRoomForByNow() async throws {
    try await withSocketPath { path in
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { close(listener) }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 1_024)
      let pair = PairParameters(
        session: "s", old: nil, new: Snapshot(before: String(repeating: "a", count: 3_500)))
      for _ in 0..<70 { try client.post(pair, then: nil) }
      try client.forget(SessionParameters(session: "s"), then: nil)
      let daemon = accept(listener, nil, nil)
      defer { close(daemon) }
      /// What can be read without waiting.
      func read() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(daemon, &buffer, buffer.count, CInt(MSG_DONTWAIT)), count > 0 {
          bytes += buffer.prefix(count)
        }
        return bytes
      }
      let first = read()
      client.close()
      let calls = (first + read()).split(separator: 0)
      #expect(calls.count == 71)
      #expect(calls.last.map { String(decoding: $0, as: UTF8.self) }?.contains("Forget") == true)
    }
  }

  /// A child of fork(2) that neither executes a program nor frees its copy has the sockets for as long as it lives.
  @Test func aChildThatLivesOnKeepsNoConnection() async throws {
    try await withSocketPath { path in
      let listener = try UnixSocket.listen(at: path, mode: 0o600)
      defer { close(listener) }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 1)
      client.subscribe(SubscribeParameters()) { _ in }
      _ = client.process()
      try client.post(PairParameters(session: "s", old: nil, new: Snapshot(before: "a")), then: nil)
      let connections = [accept(listener, nil, nil), accept(listener, nil, nil)]
      let child = fork()
      // It ends by itself, too, should this process end first.
      if child == 0 {
        alarm(60)
        while true { pause() }
      }
      try #require(child > 0)
      client.close()
      for connection in connections {
        // What was sent comes before the end.
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        #expect(recv(connection, &buffer, buffer.count, CInt(MSG_DONTWAIT)) > 0)
        #expect(recv(connection, &buffer, buffer.count, CInt(MSG_DONTWAIT)) == 0)
        close(connection)
      }
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aSubscriptionThatTheNextDaemonDoesNotTakeEnds() async throws {
    var subscription = SubscribeParameters()
    subscription.sessions = (0..<128).map { String(repeating: "s", count: 250) + String($0) }
    try await withSocketPath { path in
      func daemon(taking limit: Int) async throws -> ScriptedDaemon {
        try await ScriptedDaemon(at: path, frameLimit: limit) { method, _, connection in
          guard method == .subscribe else { return connection.reply(limits: limit) }
          connection.stream([.ready(instance: "one", sequence: 7)])
        }
      }
      let first = try await daemon(taking: 50_000)
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 8)
      let heard = Heard()
      client.subscribe(subscription) { heard.take($0) }
      func wait(until isEnough: ([String]) -> Bool) async {
        while !isEnough(heard.words), !Task.isCancelled {
          _ = client.process()
          await Task.yield()
        }
      }
      await wait { $0 == ["ready"] }
      await first.stop()
      let second = try await daemon(taking: 5_000)
      await wait { $0.last?.hasPrefix("ended") == true }
      #expect(
        heard.words == ["ready", "disconnected", "ended \(LoopClientError.tooLarge(limit: 5_000))"])
      client.close()
      await second.stop()
    }
  }

  @Test(arguments: [0, 1])
  func aSubscriptionIsAsLongAsTheDaemonTakes(more: Int) async throws {
    var subscription = SubscribeParameters()
    subscription.sessions = (0..<128).map { String(repeating: "s", count: 250) + String($0) }
    var writer = JSONWriter()
    writer.call(Interface.Method.subscribe.fullName, flag: "more", subscription.write)
    let limit = writer.callLength - more
    try await withSocketPath { path in
      let daemon = try await ScriptedDaemon(at: path, frameLimit: limit) { method, _, connection in
        guard method == .subscribe else { return connection.reply(limits: limit) }
        connection.stream([.ready(instance: "one", sequence: 7)])
      }
      let client = try LoopClient(path: path, deadline: 600_000_000, pendingLimit: 8)
      let heard = Heard()
      client.subscribe(subscription) { heard.take($0) }
      while heard.words.isEmpty {
        _ = client.process()
        await Task.yield()
      }
      #expect(
        heard.words == [more == 0 ? "ready" : "ended \(LoopClientError.tooLarge(limit: limit))"])
      client.close()
      await daemon.stop()
    }
  }
}
