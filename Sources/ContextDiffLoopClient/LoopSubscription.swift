internal import ContextDiffWire

/// Makes the subscriber's messages of a subscription's replies and failures.
struct LoopSubscription {
  private var cursor: SubscriptionCursor
  /// Whether the subscriber has been told that no daemon answers.
  private var isToldDisconnected = false

  init(_ parameters: SubscribeParameters) {
    cursor = SubscriptionCursor(parameters)
  }

  /// The parameters of `Subscribe` for the next connection.
  var parameters: SubscribeParameters { cursor.parameters }

  /// Takes a reply, and returns the subscriber's message; `nil` where there is none.
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

  /// Notes that a connection has ended, or could not be made, because of `error`.
  ///
  /// - Returns: how long to wait before the next attempt, in microseconds, and the subscriber's message; `nil` where it
  ///   was told before.
  mutating func fail(
    because error: LoopClientError
  ) -> (delay: UInt64, message: LoopClient.Message?) {
    defer { isToldDisconnected = true }
    let delay = UInt64(cursor.fail() / .microseconds(1))
    return (delay, isToldDisconnected ? nil : .disconnected(error))
  }

  /// Whether a subscription that the daemon refuses by `error` may be accepted later: it was accepted before, and
  /// another one has its place now.
  func isPassing(_ error: String) -> Bool {
    cursor.wasTaken && error == "io.contextdiff.TooManySubscribers"
  }
}
