internal import ContextDiff
internal import Varlink

extension Service {
  /// Logs a transition, or counts it where its session has logged enough in this second.
  func log(
    _ transition: Transition, sequence: Int, of name: String, _ session: LiveSession,
    for client: Client, began: Int
  ) {
    guard settings.logTransitions, journal.isLoggingTransitions else { return }
    guard session.rate.admit(transition.kind, now: began) else {
      scheduleLeftOut()
      return
    }
    journal.transition(
      transition, sequence: sequence, session: name, peer: client.connection.peer,
      durationMicroseconds: clock.monotonic() - began)
  }

  /// Logs how many of a session's transitions were left out, if any were.
  func logLeftOut(of name: String, _ session: LiveSession) {
    guard let counts = session.rate.takeLeftOut() else { return }
    journal.transitionsLeftOut(counts, session: name)
  }
}
