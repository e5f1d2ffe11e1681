internal import Varlink

// What is due later. A timer runs only while something waits for it: an idle daemon has none.

/// The service's timers, each `nil` while nothing waits for it.
struct ServiceTimers {
  /// Forgets sessions that nobody posts to, and events that are old.
  var expiry: EpollLoop.Timer?
  /// Tells subscribers with filters how far they have seen all.
  var marks: EpollLoop.Timer?
  /// Logs the sums of transitions that were left out.
  var leftOut: EpollLoop.Timer?
  /// Says that nobody of the user is connected.
  var idle: EpollLoop.Timer?
}

extension Service {
  /// Looks for idle sessions and old events when the first can be there, unless that is planned
  /// already.
  func scheduleExpiry() {
    guard timers.expiry == nil, let due = expiry else { return }
    let wait = max(Service.shortestWait, due - clock.monotonic())
    timers.expiry = loop.schedule(after: .microseconds(wait)) {
      self.timers.expiry = nil
      self.forgetOld()
      self.scheduleExpiry()
    }
  }

  /// In microseconds: a clock that is set, or a lifetime that was changed, is not to keep the loop busy.
  private static let shortestWait = 1_000

  /// When the first thing is old, in microseconds of the monotonic clock; `nil` where nothing will be.
  private var expiry: Int? {
    let session =
      settings.sessionIdleSeconds > 0
      ? user.sessions.oldest.map { $0.lastPost + settings.sessionIdleSeconds * 1_000_000 } : nil
    // Not each event by itself: a little later, many are old.
    let age = settings.limits.keptEventsSeconds
    let event = age > 0 ? user.ring.oldestTime.map { $0 + (age + age / 60) * 1_000_000 } : nil
    guard let session, let event else { return session ?? event }
    return min(session, event)
  }

  private func forgetOld() {
    let now = clock.monotonic()
    if settings.sessionIdleSeconds > 0 {
      let latest = now - settings.sessionIdleSeconds * 1_000_000
      while let session = user.sessions.oldest, session.lastPost <= latest {
        user.sessions.remove(session.name)
        logLeftOut(of: session, user: user)
      }
    }
    if settings.limits.keptEventsSeconds > 0 {
      user.ring.letGo(olderThan: settings.limits.keptEventsSeconds * 1_000_000, now: now)
    }
    publish()
    scheduleStatus()
    // While its user's thread runs, that says once it is idle.
    if server == nil, user.isForgettable { onEmpty() }
  }

  /// Logs what was left out within a second, unless that is planned already.
  func scheduleLeftOut() {
    guard timers.leftOut == nil else { return }
    timers.leftOut = loop.schedule(after: .seconds(1)) {
      self.timers.leftOut = nil
      self.user.sessions.forEach { self.logLeftOut(of: $0, user: self.user) }
      self.logLeftOut()
    }
  }

  /// Has the daemon's loop tell how the daemon stands within a second, unless that is planned.
  func scheduleStatus() {
    guard shared.takesStatusOn(), !isStopping else { return }
    shared.main.submit(shared.onStatusDue)
  }

  /// Says that nobody of the user is connected, after a second of that: who calls again and again is
  /// not to have a thread started for each call.
  func scheduleIdle() {
    guard server != nil, user.connections == 0, timers.idle == nil, !isStopping else { return }
    timers.idle = loop.schedule(after: Service.linger) {
      self.timers.idle = nil
      self.onIdle(self.served)
    }
  }

  /// How long a user's loop outlives its last connection.
  static let linger = Duration.seconds(1)

  /// Ends all timers: the service is about to stop, or to go to another loop.
  func cancelTimers() {
    timers.expiry?.cancel()
    timers.leftOut?.cancel()
    timers.marks?.cancel()
    timers.idle?.cancel()
    timers = ServiceTimers()
  }
}
