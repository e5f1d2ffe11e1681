internal import ContextDiff
internal import ContextDiffWire
package import Logging
package import Varlink

/// The daemon's log entries: one function for each, with the fields that the journal gets.
///
/// No function takes text that a person typed.
package struct ServiceJournal: Sendable {
  let logger: Logger

  /// Writes entries by that logger.
  package init(logger: Logger) {
    self.logger = logger
  }

  /// Whether entries of the level `info` are logged, which those of transitions and connections have.
  var isLoggingInfo: Bool { logger.logLevel <= .info }

  func transition(
    _ transition: Transition, sequence: Int, session: String, peer: PeerCredentials,
    durationMicroseconds: Int
  ) {
    let list =
      transition.kind == transition.basicKind ? "" : " (list: \(transition.basicKind.rawValue))"
    entry(
      .info, .transition,
      "\(session): \(transition.kind.rawValue), \(transition.certainty.rawValue)\(list)", peer,
      fields: [
        "session": "\(session)",
        "kind": "\(transition.kind.rawValue)",
        "basicKind": "\(transition.basicKind.rawValue)",
        "certainty": "\(transition.certainty.rawValue)",
        "sequence": "\(sequence)",
        "durationUsec": "\(durationMicroseconds)",
      ])
  }

  func transitionsLeftOut(_ counts: KindCounts, session: String, userID: UInt32) {
    entry(
      .info, .transitionsSummed,
      "\(session): \(counts.total) more transitions in a second: \(counts.text)",
      fields: ["session": "\(session)", "leftOut": "\(counts.total)", "clientUID": "\(userID)"])
  }

  /// How many entries were left out that a user's clients have caused.
  func entriesLeftOut(_ leftOut: ClientEntries.LeftOut, ofUser userID: UInt32) {
    entriesLeftOut(
      leftOut, "of user \(userID)'s clients", fields: ["clientUID": "\(userID)"])
  }

  /// How many entries were left out; `whose` says in the message what they are of.
  func entriesLeftOut(
    _ leftOut: ClientEntries.LeftOut, _ whose: String, fields: Logger.Metadata = [:]
  ) {
    let transitions = leftOut.transitions.text
    let kinds = transitions.utf8.isEmpty ? "" : ", transitions among them: \(transitions)"
    var fields = fields
    fields["leftOut"] = "\(leftOut.total)"
    entry(
      .warning, .entriesLeftOut, "\(leftOut.total) more entries \(whose) in a second\(kinds)",
      fields: fields)
  }

  func clientConnected(_ peer: PeerCredentials) {
    entry(.info, .clientConnected, "client connected\(peer.suffix)", peer)
  }

  func clientGone(_ peer: PeerCredentials) {
    entry(.info, .clientGone, "client gone\(peer.suffix)", peer)
  }

  func connectionRefused(_ peer: PeerCredentials, because reason: String) {
    entry(.warning, .connectionRefused, "connection refused: \(reason)\(peer.suffix)", peer)
  }

  func limitReached(_ limit: String, by peer: PeerCredentials) {
    entry(.warning, .limitReached, "limit reached: \(limit)\(peer.suffix)", peer)
  }

  func callRefused(_ method: String, because error: MessageError, by peer: PeerCredentials) {
    entry(.warning, .callRefused, "\(method) not taken: \(error)\(peer.suffix)", peer)
  }

  /// `session` is `nil` where names are not to be logged (`logTransitions`).
  func sessionForgotten(
    _ session: String?, of userID: UInt32, as shortage: Sessions.Shortage, limit: Int,
    processID: Int32?
  ) {
    let reason =
      switch shortage {
      case .limit: "its user's sessions hold more than limits.sessionsBytes, \(limit)"
      case .account: "no memory is left for its user (limits.totalBytes)"
      case .number: "its user has more than limits.sessions, \(limit)"
      }
    var fields: Logger.Metadata = ["clientUID": "\(userID)"]
    if let session { fields["session"] = "\(session)" }
    if let processID { fields["clientPID"] = "\(processID)" }
    let which = session ?? "a session of user \(userID)"
    entry(.warning, .sessionForgotten, "\(which): forgotten, as \(reason)", fields: fields)
  }

  func sessionsForgotten(_ count: Int, of userID: UInt32) {
    entry(
      .warning, .sessionForgotten,
      """
      \(count) sessions of user \(userID) forgotten, as little memory is left (limits.totalBytes)
      """,
      fields: ["clientUID": "\(userID)"])
  }

  /// `limit` is `limits.users` where that is reached; `nil` where there was no descriptor left.
  func userForgotten(_ userID: UInt32, limit: Int?) {
    let reason =
      limit.map { "limits.users, \($0), is reached" }
      ?? "the process may not have more open files (LimitNOFILE=)"
    entry(
      .warning, .sessionForgotten,
      "what is kept of user \(userID), who is not connected, forgotten for another: \(reason)",
      fields: ["clientUID": "\(userID)"])
  }

  func subscriberLost(_ count: Int, _ peer: PeerCredentials) {
    entry(
      .warning, .slowSubscriber,
      "subscriber reads too slowly: \(count) events lost\(peer.suffix)", peer)
  }

  func badFrame(_ reason: FrameRejection, from peer: PeerCredentials) {
    entry(.warning, .badFrame, "connection ended: \(reason)\(peer.suffix)", peer)
  }

  /// The daemon has started.
  package func started(version: String, sockets: [String]) {
    entry(
      .notice, .started, "contextdiffd \(version) listens on \(sockets.joined(separator: ", "))")
  }

  /// There can be fewer connections than the settings allow.
  package func connectionsBounded(to limit: Int, of wanted: Int) {
    entry(
      .warning, .connectionsBounded,
      """
      limits.connections is \(limit), not \(wanted): the process may not have more open files \
      (LimitNOFILE=)
      """)
  }

  /// There can be fewer users than the settings say.
  package func usersBounded(to limit: Int, of wanted: Int) {
    entry(
      .warning, .usersBounded,
      """
      limits.users is \(limit), not \(wanted): the service manager does not keep the events of more \
      (FileDescriptorStoreMax=)
      """)
  }

  /// The daemon is stopping.
  package func stopping(because reason: String) {
    entry(.notice, .stopping, "stopping: \(reason)")
  }

  /// The settings were reloaded.
  package func settingsReloaded() {
    entry(.notice, .settingsReloaded, "settings reloaded")
  }

  /// The settings cannot be reloaded; the old ones hold.
  package func settingsRejected(because reason: String) {
    entry(.error, .settingsRejected, "settings not reloaded, the old ones hold: \(reason)")
  }

  /// Clients cannot be accepted, for want of descriptors or memory; they wait.
  package func clientsWait(_ error: VarlinkSocketError) {
    entry(.error, .clientsWait, "clients wait: nobody can be accepted (\(error))")
  }

  /// A socket's file was gone, and the socket was made anew.
  package func socketRenewed(_ path: String) {
    entry(.warning, .socketGone, "listens on \(path) anew: its socket file was gone")
  }

  /// A socket's file is gone, and the socket cannot be made anew yet.
  package func socketLost(_ problem: String) {
    entry(
      .error, .socketGone,
      "its socket file is gone; it is tried again when its folder changes, and each minute: \(problem)"
    )
  }

  /// A socket's file cannot be given to the group of the new settings.
  package func socketNotGiven(_ problem: String) {
    entry(.error, .socketNotGiven, "members of the new accessGroup cannot connect: \(problem)")
  }

  /// Clients are accepted again.
  package func clientsAccepted() {
    entry(.notice, .clientsWait, "clients are accepted again")
  }

  /// The service manager has not read its messages for a second; they stay queued.
  package func managerDoesNotRead() {
    entry(.warning, .managerBusy, "the service manager does not read what it is told; it waits")
  }

  /// The service manager has read the queued messages.
  package func managerReads() {
    entry(.notice, .managerBusy, "the service manager reads again")
  }

  /// The settings cannot be used, so that the daemon does not start.
  package func settingsUnusable(_ error: SettingsError) {
    entry(.error, .settingsUnusable, "not started, the settings cannot be used: \(error)")
  }

  /// The daemon does not start, for another reason than its settings.
  package func notStarted(because reason: String) {
    entry(.error, .notStarted, "not started: \(reason)")
  }

  /// Variables of the environment look like settings, and are none.
  package func variablesUnknown(_ warning: String) {
    entry(.warning, .variablesUnknown, "\(warning)")
  }

  func storeDamaged(_ what: String, _ failure: KeptMemoryError) {
    entry(
      failure == .otherVersion ? .warning : .error, .storeDamaged,
      "\(what) of the process before cannot be used: \(failure)")
  }

  /// Sessions, each of them whole, cannot be taken over.
  func sessionsUnusable(_ count: Int, of all: Int) {
    entry(
      .warning, .storeDamaged,
      """
      \(count) of \(all) sessions of the process before cannot be used: another version of contextdiffd \
      kept them, or there is no memory for their users' events
      """)
  }

  func sessionsNotHandedOver(_ count: Int, because reason: String) {
    entry(
      .error, .sessionsNotHandedOver,
      """
      \(count) session\(count == 1 ? "" : "s") cannot be handed over to the next process: \
      \(reason)
      """)
  }

  /// Logs a message with its `MESSAGE_ID`, `fields`, and the user and the process of a client.
  private func entry(
    _ level: Logger.Level, _ id: MessageID, _ message: Logger.Message,
    _ peer: PeerCredentials? = nil, fields: Logger.Metadata = [:]
  ) {
    var metadata = fields
    metadata["messageID"] = "\(id.rawValue)"
    if let peer {
      metadata["clientUID"] = "\(peer.userID)"
      metadata["clientPID"] = "\(peer.processID)"
    }
    logger.log(level: level, message, metadata: metadata)
  }
}

extension PeerCredentials {
  /// The peer at the end of a message, for whoever sees no fields: on standard error, and in `journalctl -o cat`.
  fileprivate var suffix: String { " (user \(userID), process \(processID))" }
}
