internal import ContextDiff
internal import Glibc
internal import Systemd
internal import Varlink

// What goes from one process to the next, and what a reload changes.

extension Service {
  /// Takes over what an earlier process left with the service manager: every user's kept events
  /// and, after a clean restart, the sessions.
  ///
  /// What is damaged is reported and let go of, so that a new instance begins. From here on nobody
  /// being connected counts as idle.
  ///
  /// - Parameter stored: The descriptors with the names they were stored by; all are taken.
  package func adopt(_ stored: [(descriptor: Int32, name: String)]) {
    for (descriptor, name) in stored where name != SessionArchive.storeName {
      do throws(EventRing.Failure) {
        let ring = try EventRing(adopting: descriptor)
        guard users[ring.userID] == nil, name == Service.storeName(of: ring.userID) else {
          throw EventRing.Failure.damaged("it is not the one user's")
        }
        users[ring.userID] = User(id: ring.userID, ring: ring)
      } catch {
        ServiceManager.removeStored(name: name)
        journal.storeDamaged("kept events \(name)", error)
      }
    }
    for (descriptor, name) in stored where name == SessionArchive.storeName {
      ServiceManager.removeStored(name: name)
      let (records, isWhole) = SessionArchive.read(adopting: descriptor)
      let refused = records.count { !adopt($0) }
      if !isWhole { journal.storeDamaged("sessions", .damaged("a record is damaged")) }
      if refused > 0 {
        journal.storeDamaged(
          "\(refused) of \(records.count) sessions",
          .damaged("they are damaged, or there is no memory for their users' events"))
      }
    }
    scheduleExpiry()
    scheduleIdleExit()
  }

  private func adopt(_ record: SessionArchive.Record) -> Bool {
    let engine = Session(archive: record.bytes, memoryLimit: settings.limits.memoryBytes)
    guard let engine, let user = try? user(record.userID) else { return false }
    let session = LiveSession(name: record.name, engine: engine, lastPost: 0)
    user.touch(session, now: clock.monotonic() - record.age)
    user.add(session)
    _ = user.count(session, limit: settings.limits.sessionsBytes)
    return true
  }

  /// Leaves the sessions with the service manager for the next process.
  package func archiveSessions() {
    let now = clock.monotonic()
    let records = users.values.lazy.flatMap { user in
      user.sessions.sorted { $0.value.lastPostNumber < $1.value.lastPostNumber }.lazy.map {
        SessionArchive.Record(
          userID: user.id, name: $0.value.name, age: now - $0.value.lastPost,
          bytes: $0.value.engine.archived())
      }
    }
    guard let descriptor = SessionArchive.write(records) else { return }
    ServiceManager.removeStored(name: SessionArchive.storeName)
    ServiceManager.store(descriptor: descriptor, name: SessionArchive.storeName)
    close(descriptor)
  }

  /// Goes on with other settings.
  ///
  /// Clients and sessions stay; what is over a new limit stays too until it goes by itself.
  package func apply(_ settings: Settings, access: Access) {
    self.settings = settings
    self.access = access
    classifier = settings.classifier
    timers.expiry?.cancel()
    timers.expiry = nil
    scheduleExpiry()
    scheduleIdleExit()
  }
}
