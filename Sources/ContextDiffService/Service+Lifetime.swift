internal import ContextDiff

// What goes from one process to the next.

extension Service {
  /// Takes over a session of the process before; while it belongs to the daemon's loop.
  ///
  /// - Returns: Whether the engine takes it.
  func adopt(_ record: SessionArchive.Record) -> Bool {
    let engine = Session(archive: record.bytes, memoryLimit: settings.limits.memoryBytes)
    guard let engine else { return false }
    let session = LiveSession(name: record.name, engine: engine, lastPost: 0)
    // The ones posted to longest ago come first, and give way where there may be fewer by now.
    while !user.sessions.add(session) {
      guard let oldest = user.sessions.oldest else { return false }
      user.sessions.remove(oldest.name)
      log(for: .user(user.id)) {
        $0.sessionForgotten(
          oldest.name, of: user.id, as: .number, limit: settings.limits.sessions, processID: nil)
      }
    }
    user.sessions.touch(session, now: clock.monotonic() - record.age)
    count(session, holding: session.engine.heldBytes, for: nil)
    return true
  }

  /// Gives up the sessions for the next process, the one posted to longest ago first: each is let go
  /// of as it is taken, so that there is memory for it in the archive.
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
