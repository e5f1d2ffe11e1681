internal import ContextDiff
internal import ContextDiffWire

// The sessions that one process leaves to the next.

extension Service {
  /// Takes over a session of the process before; while the service belongs to the daemon's loop.
  ///
  /// - Parameter record: The session.
  /// - Returns: Whether it was taken over: false where the engine cannot read it, no session can have its name or one
  ///   has it already, or the user may have no session.
  func adopt(_ record: SessionArchive.Record) -> Bool {
    guard SessionParameters.isName(record.name.utf8), user.sessions[record.name] == nil else {
      return false
    }
    let engine = Session(archive: record.bytes, memoryLimit: settings.limits.memoryBytes)
    guard let engine else { return false }
    let session = LiveSession(name: record.name, engine: engine, lastPost: 0)
    // The settings may allow fewer sessions than before. Records come in the order of last posts, the oldest first, so
    // that the oldest are forgotten.
    while !user.sessions.add(session) {
      guard let oldest = user.sessions.oldest else { return false }
      logForgotten(oldest, as: .number, limit: settings.limits.sessions, processID: nil)
      user.sessions.remove(oldest.name)
    }
    count(
      session, holding: session.engine.heldBytes, postedAt: clock.monotonic() - record.age,
      for: nil)
    return true
  }

  /// The sessions for the next process, the one posted to longest ago first.
  ///
  /// Each is forgotten here when it is taken, so that there is memory for it in the archive.
  func giveUpSessions() -> AnyIterator<SessionArchive.Record> {
    let now = clock.monotonic()
    return AnyIterator { [user] in
      guard let session = user.sessions.oldest else { return nil }
      defer { user.sessions.remove(session.name) }
      return SessionArchive.Record(
        userID: user.id, name: session.name, age: now - session.lastPost,
        bytes: session.engine.archived())
    }
  }
}
