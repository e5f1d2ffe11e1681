/// Where a subscription is, over all of its connections.
///
/// It decides what to ask for next time, and how long to wait before. Knows no connection and no
/// clock.
package struct SubscriptionCursor: Sendable {
  /// The longest wait between two attempts.
  package static let longestDelay: Duration = .seconds(2)

  /// What to subscribe to when the next connection stands.
  package private(set) var parameters: SubscribeParameters
  /// Whether any attempt was taken.
  package private(set) var wasTaken = false
  /// How many attempts have failed since the last that a daemon took.
  private var failures = 0
  /// How many were taken since a daemon last told of anything: one that takes each and ends is not to be asked
  /// again without a wait.
  private var silentConnections = 0
  /// Another run than `parameters` names, which has said that it is there and not yet what was lost with
  /// the one before.
  private var successor: String?

  /// The start of a subscription.
  package init(_ parameters: SubscribeParameters) {
    self.parameters = parameters
  }

  /// Takes a reply.
  package mutating func receive(_ reply: SubscribeReply) {
    switch reply {
    case .ready(let instance, let sequence):
      wasTaken = true
      failures = 0
      silentConnections += 1
      successor = nil
      if parameters.since == nil {
        (parameters.since, parameters.instance) = (sequence, instance)
      } else if let counted = parameters.instance, counted != instance {
        // The loss comes next: a connection that ends before it did not tell it, and the next one is to.
        successor = instance
      } else {
        parameters.instance = instance
      }
    case .event(let event):
      hearSomething()
      parameters.since = event.sequence
    // Told of them once, the subscriber is not to be told of them again.
    case .lost(_, let sequence):
      hearSomething()
      parameters.since = sequence ?? parameters.since
    case .seen(let sequence):
      hearSomething()
      parameters.since = sequence
    }
  }

  /// Notes that something was told, and goes on with another run, if it is one, which counts from its own
  /// start: none of its events has been seen.
  private mutating func hearSomething() {
    silentConnections = 0
    guard let instance = successor else { return }
    (parameters.since, parameters.instance) = (0, instance)
    successor = nil
  }

  /// Takes the end of a connection, or that none was made.
  ///
  /// - Returns: How long to wait before the next attempt.
  package mutating func fail() -> Duration {
    defer { failures += 1 }
    // The first is immediate: where systemd holds the socket, a connection waits there for the next
    // daemon.
    let steps = max(failures, silentConnections - 1)
    guard steps > 0 else { return .zero }
    return min(.milliseconds(25) * (1 << min(steps, 10)), SubscriptionCursor.longestDelay)
  }
}
