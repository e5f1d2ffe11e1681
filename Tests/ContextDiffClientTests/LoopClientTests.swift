import ContextDiff
import ContextDiffLoopClient
import ContextDiffWire
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
}
