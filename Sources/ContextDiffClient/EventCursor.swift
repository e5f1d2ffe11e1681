package import ContextDiffWire

/// What a subscription's replies and failures come to for who iterates over its events.
package struct EventCursor: Sendable {
  private var cursor: SubscriptionCursor

  /// The start of a subscription.
  package init(_ subscription: SubscribeParameters) {
    cursor = SubscriptionCursor(subscription)
  }

  /// What to subscribe to when the next connection stands.
  package var subscription: SubscribeParameters { cursor.parameters }

  /// The place up to which all was told.
  package var position: EventPosition {
    EventPosition(instance: subscription.instance, sequence: subscription.since ?? 0)
  }

  /// Takes a reply; returned is what the subscriber hears of it, `nil` for nothing.
  package mutating func receive(_ reply: SubscribeReply) -> EventSequence.Element? {
    cursor.receive(reply)
    return switch reply {
    case .ready(let instance, let sequence):
      .ready(EventPosition(instance: instance, sequence: sequence))
    case .event(let event): .event(event)
    case .lost(let count, _): .lost(count < 0 ? nil : count)
    case .seen: nil
    }
  }

  /// Takes the end of a connection, or that none was made.
  ///
  /// - Returns: How long to wait before the next attempt.
  /// - Throws: The error, where another attempt would not help.
  package mutating func fail(_ error: ContextDiffError) throws(ContextDiffError) -> Duration {
    guard error.isPassing(afterSuccess: cursor.wasTaken) else { throw error }
    return cursor.fail()
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
