internal import Varlink

// The service's timers. Each runs only while something is due; an idle daemon has none.

/// The service's timers, each `nil` while it does not run.
struct ServiceTimers {
  /// Forgets sessions that were not posted to for `sessionIdleSeconds`, and drops events older than
  /// `limits.keptEventsSeconds`.
  var expiry: EpollLoop.Timer?
  /// Tells subscribers with filters up to which number they have seen all events.
  var marks: EpollLoop.Timer?
  /// Logs how many entries were left out.
  var leftOut: EpollLoop.Timer?
  /// Calls `onIdle`, since nobody of the user is connected.
  var idle: EpollLoop.Timer?
}

extension Service {
  /// Has idle sessions forgotten and old events dropped once there are any; a plan made before does not count any more.
  ///
  /// To be called where something may be due earlier than was planned: for other settings, and for the first session and
  /// the first event, beside which the time was planned for the other alone. Later ones are due later.
  func planExpiry() {
    timers.expiry?.cancel()
    timers.expiry = nil
    guard let due = expiry else { return }
    let wait = max(Service.shortestWait, due - clock.monotonic())
    timers.expiry = loop.schedule(after: .microseconds(wait)) {
      self.forgetOld()
      self.planExpiry()
    }
  }

  /// The shortest time to the next look, in microseconds, so that changed settings cannot keep the loop busy.
  private static let shortestWait = 1_000

  /// When the next session or event is to go, in microseconds of the monotonic clock; `nil` where none will.
  private var expiry: Int? {
    let session =
      settings.sessionIdleSeconds > 0
      ? user.sessions.oldest.map { $0.lastPost + settings.sessionIdleSeconds * 1_000_000 } : nil
    // A sixtieth of the age later, many events are old at once, and are dropped together.
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
        logLeftOut(of: session)
        user.sessions.remove(session.name)
      }
    }
    if settings.limits.keptEventsSeconds > 0 {
      user.ring.drop(olderThan: settings.limits.keptEventsSeconds * 1_000_000, now: now)
    }
    publish()
    scheduleStatus()
    // While the user's thread runs, the user is forgotten after that has ended (`UserLoops.park`).
    if server == nil, user.isForgettable { onEmpty() }
  }

  /// Has it logged in a second how many entries were left out, unless that is planned already.
  func scheduleLeftOut() {
    guard timers.leftOut == nil else { return }
    timers.leftOut = loop.schedule(after: .seconds(1)) {
      self.timers.leftOut = nil
      self.logAllLeftOut()
    }
  }

  /// Has the daemon's loop send a new status line, unless that is planned already.
  func scheduleStatus() {
    guard shared.claimStatus(), !isStopping else { return }
    shared.main.submit(shared.onStatusDue)
  }

  /// Has `onIdle` called after `linger`, if nobody of the user is connected then.
  ///
  /// A client that connects anew for each call would else have a thread started for each.
  func scheduleIdle() {
    guard user.connections == 0, timers.idle == nil, !isStopping else { return }
    timers.idle = loop.schedule(after: Service.linger) {
      self.timers.idle = nil
      self.onIdle(self.served)
    }
  }

  /// How long a user's loop goes on after the user's last connection has closed.
  static let linger = Duration.seconds(1)

  /// Cancels all timers, before the service stops or goes to another loop.
  func cancelTimers() {
    timers.expiry?.cancel()
    timers.leftOut?.cancel()
    timers.marks?.cancel()
    timers.idle?.cancel()
    timers = ServiceTimers()
  }
}
