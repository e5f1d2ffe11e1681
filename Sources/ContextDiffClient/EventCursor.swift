package import ContextDiffWire

/// Where a subscription is, over all of its connections.
///
/// It decides what to ask for next time, and how long to wait before. Knows no connection and no
/// clock.
package struct EventCursor: Sendable {
  /// The longest wait between two attempts.
  package static let longestDelay: Duration = .seconds(2)

  /// What to subscribe to when the next connection stands.
  package private(set) var subscription: SubscribeParameters
  /// How many attempts have failed since the last that a daemon took.
  private var failures = 0
  /// Whether any attempt was taken.
  private var wasTaken = false

  /// The start of a subscription.
  package init(_ subscription: SubscribeParameters) {
    self.subscription = subscription
  }

  /// Takes a reply; returned is what the subscriber hears of it, `nil` for nothing.
  package mutating func receive(_ reply: SubscribeReply) -> EventSequence.Element? {
    switch reply {
    case .ready(let instance, let sequence):
      wasTaken = true
      failures = 0
      if let counted = subscription.instance, counted != instance {
        // Another run counts from its own start, and none of its events has been seen.
        subscription.since = 0
      } else if subscription.since == nil {
        subscription.since = sequence
      }
      subscription.instance = instance
      return .ready(EventPosition(instance: instance, sequence: sequence))
    case .event(let event):
      subscription.since = event.sequence
      return .event(event)
    case .lost(let count, let sequence):
      // Told of them once, it is not to be told of them again.
      if let sequence { subscription.since = sequence }
      return .lost(count < 0 ? nil : count)
    case .seen(let sequence):
      subscription.since = sequence
      return nil
    }
  }

  /// Takes the end of a connection, or that none was made.
  ///
  /// - Returns: How long to wait before the next attempt.
  /// - Throws: The error, where another attempt would not help.
  package mutating func fail(_ error: ContextDiffError) throws(ContextDiffError) -> Duration {
    guard error.isPassing(afterSuccess: wasTaken) else { throw error }
    defer { failures += 1 }
    // The first is immediate: where systemd holds the socket, a connection waits there for the next
    // daemon.
    guard failures > 0 else { return .zero }
    return min(.milliseconds(25) * (1 << min(failures, 10)), Self.longestDelay)
  }
}

extension ContextDiffError {
  /// Whether the same may succeed later.
  ///
  /// A daemon that was never there is the caller's to know of; one that was there comes back.
  fileprivate func isPassing(afterSuccess wasTaken: Bool) -> Bool {
    switch code {
    case .connectionLost, .noDaemon, .tooManySubscribers: wasTaken
    default: false
    }
  }
}
