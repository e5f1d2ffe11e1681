internal import ContextDiffWire

/// Where a subscription is, over all of its connections.
///
/// Knows no connection and no clock.
struct LoopSubscription {
  /// What to subscribe to when the next connection stands.
  private(set) var parameters: SubscribeParameters
  /// Whether the subscriber knows that nobody answers.
  private var isToldDisconnected = false
  private var failures = 0

  init(_ parameters: SubscribeParameters) {
    self.parameters = parameters
  }

  /// Takes a reply; returned is what the subscriber hears of it, `nil` for nothing.
  mutating func receive(_ reply: SubscribeReply) -> LoopClient.Message? {
    switch reply {
    case .ready(let instance, let sequence):
      failures = 0
      isToldDisconnected = false
      if let counted = parameters.instance, counted != instance {
        // Another run counts from its own start, and none of its events has been seen.
        parameters.since = 0
      } else if parameters.since == nil {
        parameters.since = sequence
      }
      parameters.instance = instance
      return .ready(instance: instance, sequence: sequence)
    case .event(let event):
      parameters.since = event.sequence
      return .event(event, instance: parameters.instance ?? "")
    case .lost(let count, let sequence):
      if let sequence { parameters.since = sequence }
      return .lost(count, upTo: parameters.since ?? 0, instance: parameters.instance ?? "")
    case .seen(let sequence):
      parameters.since = sequence
      return nil
    }
  }

  /// Takes the end of a connection, or that none was made.
  ///
  /// - Returns: How many microseconds to wait before the next attempt, and what the subscriber hears.
  mutating func fail() -> (delay: UInt64, message: LoopClient.Message?) {
    // The first is immediate: where systemd holds the socket, a connection waits there for the next
    // daemon.
    let delay: UInt64 = failures == 0 ? 0 : min(25_000 << UInt64(min(failures, 10)), 2_000_000)
    failures += 1
    defer { isToldDisconnected = true }
    return (delay, isToldDisconnected ? nil : .disconnected)
  }
}
