package import ContextDiffWire

/// Makes the elements of an event sequence of a subscription's replies and failures.
package struct EventCursor: Sendable {
  private var cursor: SubscriptionCursor

  /// The beginning of a subscription.
  package init(_ subscription: SubscribeParameters) {
    cursor = SubscriptionCursor(subscription)
  }

  /// The parameters of `Subscribe` for the next connection.
  package var subscription: SubscribeParameters { cursor.parameters }

  /// The position up to which all events have been received.
  package var position: EventPosition {
    EventPosition(instance: subscription.instance, sequence: subscription.since ?? 0)
  }

  /// Takes a reply, and returns the sequence's element; `nil` where there is none.
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

  /// Notes that a connection has ended, or could not be made, because of `error`.
  ///
  /// - Returns: how long to wait before the next attempt.
  /// - Throws: `error`, where another attempt would fail too.
  package mutating func fail(_ error: ContextDiffError) throws(ContextDiffError) -> Duration {
    // A daemon that has answered this subscription may come back, or have room again. If none has, the caller is to be
    // told.
    guard cursor.wasTaken,
      [.connectionLost, .noDaemon, .tooManySubscribers].contains(error.code)
    else { throw error }
    return cursor.fail()
  }
}
