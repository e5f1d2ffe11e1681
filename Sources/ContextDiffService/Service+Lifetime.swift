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
    user.touch(session, now: clock.monotonic() - record.age)
    user.add(session)
    _ = user.count(session, limit: settings.limits.sessionsBytes)
    return true
  }

  /// The sessions for the next process, the one posted to longest ago first.
  var archived: [SessionArchive.Record] {
    let now = clock.monotonic()
    return user.sessions.sorted { $0.value.lastPostNumber < $1.value.lastPostNumber }.map {
      SessionArchive.Record(
        userID: user.id, name: $0.value.name, age: now - $0.value.lastPost,
        bytes: $0.value.engine.archived())
    }
  }
}
