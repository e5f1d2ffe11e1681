internal import ContextDiff
internal import Logging
internal import Varlink

/// The service's log entries: one function for each, with the fields that the journal keeps.
/// Nothing that a person typed is ever passed to one.
struct ServiceJournal {
  var logger: Logger

  /// Whether a transition's entry would be kept.
  var isLoggingTransitions: Bool { logger.logLevel <= .info }

  func transition(
    _ transition: Transition, sequence: Int, session: String, peer: PeerCredentials,
    durationMicroseconds: Int
  ) {
    let list =
      transition.kind == transition.basicKind ? "" : " (list: \(transition.basicKind.rawValue))"
    logger.info(
      "\(session): \(transition.kind.rawValue), \(transition.certainty.rawValue)\(list)",
      metadata: [
        "messageID": "\(MessageID.transition)",
        "session": "\(session)",
        "kind": "\(transition.kind.rawValue)",
        "basicKind": "\(transition.basicKind.rawValue)",
        "certainty": "\(transition.certainty.rawValue)",
        "sequence": "\(sequence)",
        "clientUID": "\(peer.userID)",
        "clientPID": "\(peer.processID)",
        "durationUsec": "\(durationMicroseconds)",
      ])
  }

  func transitionsLeftOut(_ counts: KindCounts, session: String) {
    let kinds = counts.byName.sorted { $0.value > $1.value }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    logger.info(
      "\(session): \(counts.total) more transitions in a second: \(kinds)",
      metadata: [
        "messageID": "\(MessageID.transitionsSummed)", "session": "\(session)",
        "leftOut": "\(counts.total)",
      ])
  }

  func clientConnected(_ peer: PeerCredentials) {
    entry(.info, MessageID.clientConnected, "client connected", peer)
  }

  func clientGone(_ peer: PeerCredentials) {
    entry(.info, MessageID.clientGone, "client gone", peer)
  }

  func connectionRefused(_ peer: PeerCredentials, because reason: String) {
    entry(.warning, MessageID.connectionRefused, "connection refused: \(reason)", peer)
  }

  func limitReached(_ error: CallError, by peer: PeerCredentials) {
    switch error {
    case .parameters(.tooLarge(let parameter, let limit)):
      limitReached("\(parameter.parameter) is longer than limits.fieldBytes, \(limit) bytes", peer)
    case .tooManySessions(let limit): limitReached("limits.sessions, \(limit)", peer)
    case .tooManySubscribers(let limit): limitReached("limits.subscribers, \(limit)", peer)
    case .parameters(.invalid), .noSuchSession, .expectedMore: break
    }
  }

  private func limitReached(_ what: String, _ peer: PeerCredentials) {
    entry(.warning, MessageID.limitReached, "limit reached: \(what)", peer)
  }

  func subscriberLost(_ count: Int, _ peer: PeerCredentials) {
    entry(
      .warning, MessageID.slowSubscriber, "subscriber reads too slowly: \(count) events lost", peer)
  }

  func badFrame(_ reason: FrameRejection, from peer: PeerCredentials) {
    entry(.warning, MessageID.badFrame, "connection ended: \(reason)", peer)
  }

  private func entry(
    _ level: Logger.Level, _ id: String, _ message: Logger.Message, _ peer: PeerCredentials
  ) {
    logger.log(
      level: level, message,
      metadata: [
        "messageID": "\(id)", "clientUID": "\(peer.userID)", "clientPID": "\(peer.processID)",
      ])
  }
}
