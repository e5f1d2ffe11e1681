internal import CLinux
internal import Glibc

extension EpollLoop {
  /// Something that is due later.
  public final class Timer {
    /// In nanoseconds of the monotonic clock.
    fileprivate let deadline: Int
    fileprivate let body: () -> Void
    private weak var loop: EpollLoop?

    fileprivate init(deadline: Int, loop: EpollLoop, body: @escaping () -> Void) {
      self.deadline = deadline
      self.loop = loop
      self.body = body
    }

    /// Makes it never due, or does nothing where it has been.
    public func cancel() {
      guard let loop, let place = loop.timers.pending.firstIndex(where: { $0 === self }) else {
        return
      }
      loop.timers.pending.remove(at: place)
      loop.timers.arm()
    }
  }

  /// The timers of a loop, over one timerfd_create(2), so that no turn looks at the clock for them.
  ///
  /// They are few: each search goes through all.
  struct Timers {
    let descriptor: CInt
    fileprivate var pending: [Timer] = []
    private var armed: Int?

    init() throws(VarlinkSocketError) {
      let flags = CInt(TFD_CLOEXEC | TFD_NONBLOCK)
      descriptor = timerfd_create(CLOCK_MONOTONIC, flags)
      guard descriptor >= 0 else { throw VarlinkSocketError("timerfd_create", errno) }
    }

    /// Sets the descriptor to when the next is due.
    fileprivate mutating func arm() {
      let next = pending.lazy.map(\.deadline).min()
      guard next != armed else { return }
      armed = next
      var setting = itimerspec()
      if let next {
        // Zero would mean never.
        let deadline = max(1, next)
        setting.it_value = timespec(
          tv_sec: deadline / 1_000_000_000, tv_nsec: deadline % 1_000_000_000)
      }
      // Unsafe: C reads the setting before it returns.
      unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &setting, nil)
    }

    /// Takes the one that has been due the longest, if any is.
    fileprivate mutating func takeDue(by now: Int) -> Timer? {
      guard let first = pending.indices.min(by: { pending[$0].deadline < pending[$1].deadline }),
        pending[first].deadline <= now
      else { return nil }
      return pending.remove(at: first)
    }
  }

  /// Calls `body` once, in the first turn after a time.
  ///
  /// - Parameters:
  ///   - delay: the time; at once, in a turn to come, where it is zero or less.
  ///   - body: is kept until then, or until the timer is cancelled.
  /// - Returns: the timer. It need not be kept.
  @discardableResult
  public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> Timer {
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    let timer = Timer(deadline: EpollLoop.now + max(0, nanoseconds), loop: self, body: body)
    timers.pending.append(timer)
    timers.arm()
    return timer
  }

  func callDueTimers() {
    var count: UInt64 = 0
    // Unsafe: C fills the eight bytes before it returns.
    unsafe read(timers.descriptor, &count, MemoryLayout.size(ofValue: count))
    let now = EpollLoop.now
    while let timer = timers.takeDue(by: now) { timer.body() }
    timers.arm()
  }

  /// The monotonic clock, in nanoseconds.
  static var now: Int {
    var now = timespec()
    // Unsafe: C fills the time before it returns.
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }
}
