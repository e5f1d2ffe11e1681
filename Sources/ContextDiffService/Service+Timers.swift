internal import Systemd
internal import Varlink

// What is due later. A timer runs only while something waits for it: an idle daemon has none.

/// The service's timers, each `nil` while nothing waits for it.
struct Timers {
  /// Forgets sessions that nobody posts to.
  var expiry: EpollLoop.Timer?
  /// Logs the sums of transitions that were left out.
  var leftOut: EpollLoop.Timer?
  /// Tells the service manager what has changed.
  var status: EpollLoop.Timer?
  /// Ends a daemon that nobody is connected to.
  var idleExit: EpollLoop.Timer?
}

extension Service {
  /// Looks for idle sessions when the first can be idle, unless that is planned already.
  func scheduleExpiry() {
    guard timers.expiry == nil, settings.sessionIdleSeconds > 0 else { return }
    let oldest = users.values.lazy.flatMap(\.sessions.values).map(\.lastPost).min()
    guard let oldest else { return }
    let lifetime = settings.sessionIdleSeconds * 1_000_000
    let wait = max(0, oldest + lifetime - clock.monotonic())
    timers.expiry = loop.schedule(after: .microseconds(wait)) {
      self.timers.expiry = nil
      self.forgetIdleSessions()
      self.scheduleExpiry()
    }
  }

  private func forgetIdleSessions() {
    let latest = clock.monotonic() - settings.sessionIdleSeconds * 1_000_000
    for user in users.values {
      for session in user.sessions.values where session.lastPost <= latest {
        user.removeSession(session.name)
        logLeftOut(of: session, user: user)
      }
      forgetIfEmpty(user)
    }
  }

  /// Logs what was left out within a second, unless that is planned already.
  func scheduleLeftOut() {
    guard timers.leftOut == nil else { return }
    timers.leftOut = loop.schedule(after: .seconds(1)) {
      self.timers.leftOut = nil
      for user in self.users.values {
        for session in user.sessions.values { self.logLeftOut(of: session, user: user) }
      }
      self.logLeftOut()
    }
  }

  /// Tells how the daemon stands within a second, unless that is planned already.
  func scheduleStatus() {
    guard timers.status == nil else { return }
    timers.status = loop.schedule(after: .seconds(1)) {
      self.timers.status = nil
      ServiceManager.status(self.status)
    }
  }

  /// Ends the daemon after the time set, where nobody is connected.
  func scheduleIdleExit() {
    timers.idleExit?.cancel()
    timers.idleExit = nil
    guard settings.idleExitSeconds > 0, users.values.allSatisfy({ $0.connections == 0 }) else {
      return
    }
    timers.idleExit = loop.schedule(after: .seconds(settings.idleExitSeconds)) { self.onIdle() }
  }

  /// Ends all timers: the service is about to stop.
  func cancelTimers() {
    timers.expiry?.cancel()
    timers.leftOut?.cancel()
    timers.status?.cancel()
    timers.idleExit?.cancel()
    timers = Timers()
  }
}
