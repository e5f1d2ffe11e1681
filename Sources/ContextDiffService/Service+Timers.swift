internal import Varlink

// What is due later. A timer runs only while something waits for it: an idle daemon has none.

/// The service's timers, each `nil` while nothing waits for it.
struct Timers {
  /// Forgets sessions that nobody posts to.
  var expiry: EpollLoop.Timer?
  /// Logs the sums of transitions that were left out.
  var leftOut: EpollLoop.Timer?
  /// Says that nobody of the user is connected.
  var idle: EpollLoop.Timer?
}

extension Service {
  /// Looks for idle sessions when the first can be idle, unless that is planned already.
  func scheduleExpiry() {
    guard timers.expiry == nil, settings.sessionIdleSeconds > 0 else { return }
    let oldest = user.sessions.values.lazy.map(\.lastPost).min()
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
    for session in user.sessions.values where session.lastPost <= latest {
      user.removeSession(session.name)
      logLeftOut(of: session, user: user)
    }
    publish()
    if user.isForgettable { onEmpty() }
  }

  /// Logs what was left out within a second, unless that is planned already.
  func scheduleLeftOut() {
    guard timers.leftOut == nil else { return }
    timers.leftOut = loop.schedule(after: .seconds(1)) {
      self.timers.leftOut = nil
      for session in self.user.sessions.values { self.logLeftOut(of: session, user: self.user) }
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
    timers.idle?.cancel()
    timers = Timers()
  }
}
