internal import ContextDiff
internal import Varlink

extension Service {
  /// Logs a transition, or leaves it out and counts it where its session or its user has logged enough in this second.
  ///
  /// `name` is the session's, which may have given way meanwhile; `began` is when its post began, in microseconds of the
  /// monotonic clock.
  func log(
    _ answer: borrowing Answer, sequence: Int, of session: LiveSession, named name: Bytes,
    for client: Client, began: Int
  ) {
    guard settings.logTransitions, journal.isLoggingInfo else { return }
    guard session.rate.admit(now: began), user.rate.admit(now: began) else {
      session.leftOut.addOne(inSlot: answer.kind.slot)
      scheduleLeftOut()
      return
    }
    journal.transition(
      answer.transition, sequence: sequence, session: name.string, peer: client.connection.peer,
      durationMicroseconds: clock.monotonic() - began)
  }

  /// Logs how many of a session's transitions were left out, if any were.
  ///
  /// Where enough such sums of the user were logged in this second, the number is added to what is left out of the user.
  func logLeftOut(of session: LiveSession) {
    let counts = session.leftOut
    guard counts.total > 0 else { return }
    session.leftOut = KindCounts()
    // They may have been left out before a reload.
    guard settings.logTransitions else { return }
    if clientEntries.admitSum(of: counts, now: clock.monotonic()) {
      journal.transitionsLeftOut(counts, session: session.name, userID: user.id)
    } else {
      scheduleLeftOut()
    }
  }

  /// Logs that a session gave way, by its name unless names are not to be logged.
  ///
  /// `processID` is that of the client whose call needed the room; `nil` where none did.
  func logForgotten(
    _ session: LiveSession, as shortage: Sessions.Shortage, limit: Int, processID: Int32?
  ) {
    log {
      $0.sessionForgotten(
        settings.logTransitions ? session.name : nil, of: user.id, as: shortage, limit: limit,
        processID: processID)
    }
  }

  /// Logs how many transitions of each session, and how many other entries of the user, were left out, if any were.
  func logAllLeftOut() {
    user.sessions.forEach { logLeftOut(of: $0) }
    if let leftOut = clientEntries.takeLeftOut() {
      journal.entriesLeftOut(leftOut, ofUser: user.id)
    }
  }

  /// Calls `entry` to log what a client has caused, or counts it where there were enough entries in this second.
  func log(_ entry: (ServiceJournal) -> Void) {
    if clientEntries.admit(now: clock.monotonic()) {
      entry(journal)
    } else {
      scheduleLeftOut()
    }
  }
}
