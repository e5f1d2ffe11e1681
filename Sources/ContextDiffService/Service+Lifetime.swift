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
    guard user.sessions.add(session) else { return false }
    user.sessions.touch(session, now: clock.monotonic() - record.age)
    user.sessions.count(session, limit: settings.limits.sessionsBytes) { _ in }
    return true
  }

  /// The sessions for the next process, the one posted to longest ago first.
  var archived: [SessionArchive.Record] {
    let now = clock.monotonic()
    return user.sessions.newestFirst.reversed().map {
      SessionArchive.Record(
        userID: user.id, name: $0.name, age: now - $0.lastPost, bytes: $0.engine.archived())
    }
  }
}
