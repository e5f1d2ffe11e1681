internal import CLinux
internal import Glibc

extension EpollLoop {
  /// A call that a loop makes later, once.
  public final class Timer {
    /// When the call is due, in nanoseconds of the monotonic clock.
    fileprivate let deadline: Int
    fileprivate let body: () -> Void
    private weak var loop: EpollLoop?

    fileprivate init(deadline: Int, loop: EpollLoop, body: @escaping () -> Void) {
      self.deadline = deadline
      self.loop = loop
      self.body = body
    }

    /// Keeps the call from being made; does nothing where it was made or cancelled before.
    public func cancel() {
      guard let loop, let place = loop.timers.pending.firstIndex(where: { $0 === self }) else {
        return
      }
      loop.timers.pending.remove(at: place)
      loop.timers.arm()
    }
  }

  /// The timers of a loop, over one timerfd_create(2), so that no turn of the loop looks at the clock for them.
  ///
  /// A loop has few timers, so that each search goes through all of them.
  struct Timers {
    /// The timerfd, readable once the first timer is due.
    let descriptor: CInt
    /// The timers that are not due yet, in no order.
    fileprivate var pending: [Timer] = []
    /// The deadline that `descriptor` is set to; `nil` where it is set to none.
    private var armed: Int?

    init() throws(VarlinkSocketError) {
      let flags = CInt(TFD_CLOEXEC | TFD_NONBLOCK)
      descriptor = timerfd_create(CLOCK_MONOTONIC, flags)
      guard descriptor >= 0 else { throw VarlinkSocketError("timerfd_create", errno) }
    }

    /// Sets `descriptor` to the earliest deadline.
    fileprivate mutating func arm() {
      let next = pending.lazy.map(\.deadline).min()
      guard next != armed else { return }
      armed = next
      var setting = itimerspec()
      if let next {
        // Zero would disarm the timerfd (timerfd_settime(2)).
        let deadline = max(1, next)
        setting.it_value = timespec(
          tv_sec: deadline / 1_000_000_000, tv_nsec: deadline % 1_000_000_000)
      }
      // Unsafe: C reads the setting before it returns.
      unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &setting, nil)
    }

    /// Removes and returns the timer that has been due the longest at `now`; `nil` where none is due.
    fileprivate mutating func takeDue(by now: Int) -> Timer? {
      guard let first = pending.indices.min(by: { pending[$0].deadline < pending[$1].deadline }),
        pending[first].deadline <= now
      else { return nil }
      return pending.remove(at: first)
    }
  }

  /// Calls `body` once, in the first turn after a delay.
  ///
  /// - Parameters:
  ///   - delay: how long to wait; where it is zero or less, `body` is called in the next turn.
  ///   - body: is kept until it is called, or the timer is cancelled.
  /// - Returns: the timer, for cancelling; the loop keeps it.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Timer {
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    let timer = Timer(deadline: EpollLoop.now + max(0, nanoseconds), loop: self, body: body)
    timers.pending.append(timer)
    timers.arm()
    return timer
  }

  /// Calls the timers that are due now, the earliest first.
  func callDueTimers() {
    var count: UInt64 = 0
    // Unsafe: C fills the eight bytes before it returns.
    unsafe read(timers.descriptor, &count, MemoryLayout.size(ofValue: count))
    let now = EpollLoop.now
    while let timer = timers.takeDue(by: now) { timer.body() }
    timers.arm()
  }

  /// The time of the monotonic clock, in nanoseconds.
  static var now: Int { clinux_monotonic_nanoseconds() }
}
