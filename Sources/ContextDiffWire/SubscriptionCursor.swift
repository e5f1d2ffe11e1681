/// How far a subscription has come, over all of its connections.
///
/// It says what to ask for on the next connection, and how long to wait before connecting. It uses no connection and no
/// clock itself.
package struct SubscriptionCursor: Sendable {
  /// The longest wait between two attempts to connect.
  package static let longestDelay: Duration = .seconds(2)

  /// The parameters of `Subscribe` for the next connection.
  package private(set) var parameters: SubscribeParameters
  /// Whether a daemon has ever answered `Subscribe`.
  package private(set) var wasTaken = false
  /// How many attempts have failed since a daemon last answered `Subscribe`.
  private var failures = 0
  /// How many times a daemon has answered `Subscribe` since it last told of anything: where each connection ends right
  /// after that, attempts are to wait too.
  private var silentConnections = 0
  /// The daemon's run, where it is another one than `parameters` names, and has not yet told what was lost with that.
  private var successor: String?

  /// A subscription that has not been asked for yet.
  package init(_ parameters: SubscribeParameters) {
    self.parameters = parameters
  }

  /// Takes a reply of the stream.
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
        // A reply that tells of the loss comes next. Where the connection ends before it, the next connection is to
        // tell it.
        successor = instance
      } else {
        parameters.instance = instance
      }
    case .event(let event):
      hearSomething()
      parameters.since = event.sequence
    // So that the next connection does not tell of the same loss again.
    case .lost(_, let sequence):
      hearSomething()
      parameters.since = sequence ?? parameters.since
    case .seen(let sequence):
      hearSomething()
      parameters.since = sequence
    }
  }

  /// Notes that the daemon has told of something; goes on with the successor's run, if there is one, from its
  /// beginning.
  private mutating func hearSomething() {
    silentConnections = 0
    guard let instance = successor else { return }
    (parameters.since, parameters.instance) = (0, instance)
    successor = nil
  }

  /// Notes that a connection has ended, or could not be made.
  ///
  /// - Returns: how long to wait before the next attempt: not at all at first, then 50 ms, doubled each time up to
  ///   ``longestDelay``.
  package mutating func fail() -> Duration {
    defer { failures += 1 }
    // The first attempt need not wait: where systemd holds the socket, a connection waits there until the next daemon
    // has begun.
    let steps = max(failures, silentConnections - 1)
    guard steps > 0 else { return .zero }
    return min(.milliseconds(25) * (1 << min(steps, 10)), SubscriptionCursor.longestDelay)
  }
}
