internal import ContextDiffWire
internal import Varlink

/// What a subscription's replies and failures come to for who hears of its events.
struct LoopSubscription {
  private var cursor: SubscriptionCursor
  /// Whether the subscriber knows that nobody answers.
  private var isToldDisconnected = false

  init(_ parameters: SubscribeParameters) {
    cursor = SubscriptionCursor(parameters)
  }

  /// What to subscribe to when the next connection stands.
  var parameters: SubscribeParameters { cursor.parameters }

  /// Takes a reply; returned is what the subscriber hears of it, `nil` for nothing.
  mutating func receive(_ reply: SubscribeReply) -> LoopClient.Message? {
    cursor.receive(reply)
    let instance = parameters.instance ?? ""
    switch reply {
    case .ready(let instance, let sequence):
      isToldDisconnected = false
      return .ready(instance: instance, sequence: sequence)
    case .event(let event): return .event(event, instance: instance)
    case .lost(let count, _):
      return .lost(count, upTo: parameters.since ?? 0, instance: instance)
    case .seen: return nil
    }
  }

  /// Takes the end of a connection, or that none was made.
  ///
  /// - Returns: How many microseconds to wait before the next attempt, and what the subscriber hears.
  mutating func fail() -> (delay: UInt64, message: LoopClient.Message?) {
    defer { isToldDisconnected = true }
    return (UInt64(cursor.fail() / .microseconds(1)), isToldDisconnected ? nil : .disconnected)
  }

  /// Whether a subscription that the daemon refuses so may be taken later: where it was taken before,
  /// another one has its place for now.
  func isPassing(_ error: String) -> Bool {
    cursor.wasTaken && error == "io.contextdiff.TooManySubscribers"
  }
}
