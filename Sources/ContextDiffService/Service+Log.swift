internal import ContextDiff
internal import Varlink

extension Service {
  /// Logs a transition, or counts it where its session, or its user, has logged enough in this second.
  func log(
    _ transition: Transition, sequence: Int, of session: LiveSession, for client: Client,
    began: Int
  ) {
    guard settings.logTransitions, journal.isLoggingTransitions else { return }
    guard session.rate.admit(now: began), client.user.rate.admit(now: began) else {
      session.leftOut = session.leftOut ?? KindCounts()
      session.leftOut?[transition.kind] += 1
      scheduleLeftOut()
      return
    }
    journal.transition(
      transition, sequence: sequence, session: session.name, peer: client.connection.peer,
      durationMicroseconds: clock.monotonic() - began)
  }

  /// Logs how many of a session's transitions were left out, if any were.
  func logLeftOut(of session: LiveSession) {
    guard let counts = session.leftOut else { return }
    session.leftOut = nil
    journal.transitionsLeftOut(counts, session: session.name)
  }
}
