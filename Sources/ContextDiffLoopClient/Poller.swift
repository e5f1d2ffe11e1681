internal import CLinux
internal import Glibc

/// One descriptor that is readable when one of the client's sockets is ready, or a time has come: an epoll(7) instance
/// that holds a timerfd_create(2).
final class Poller {
  /// What is ready.
  enum Source: UInt64 {
    case timer
    /// The connection for calls.
    case calls
    /// The connection for events.
    case events
  }

  let descriptor: CInt
  private let timer: CInt
  /// When the timer is set to expire, in microseconds of `now`; `nil` where it is not set.
  private var alarm: UInt64?
  /// The process that made the poller.
  ///
  /// A child of fork(2) shares the descriptors, so that what it changed would be changed for its parent.
  private let owner = getpid()
  /// Whether the calling process made the poller.
  var isInItsProcess: Bool { getpid() == owner }

  /// A poller that watches its timer only.
  ///
  /// - Throws: `LoopClientError.noDescriptors` where the process has no descriptors left.
  init() throws(LoopClientError) {
    descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
    timer = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_CLOEXEC | TFD_NONBLOCK))
    guard descriptor >= 0, timer >= 0, watch(timer, .timer) else { throw .noDescriptors }
  }

  deinit {
    if timer >= 0 { close(timer) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Watches a descriptor.
  ///
  /// - Parameters:
  ///   - watched: the descriptor.
  ///   - source: what `ready` returns for it.
  ///   - writing: whether to wait for room to write too, and not only for bytes to read.
  ///   - anew: whether the descriptor is not watched yet.
  /// - Returns: `false` where the kernel refuses.
  @discardableResult
  func watch(_ watched: CInt, _ source: Source, writing: Bool = false, anew: Bool = true) -> Bool {
    // Unsafe: C reads the event before it returns; of its union, `ready` reads the same member.
    var event = unsafe epoll_event()
    unsafe event.events = EPOLLIN.rawValue | (writing ? EPOLLOUT.rawValue : 0)
    unsafe event.data.u64 = source.rawValue
    return unsafe epoll_ctl(descriptor, anew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, watched, &event) == 0
  }

  /// Stops watching a descriptor, before it is closed.
  ///
  /// Closing is not enough: where a child of fork(2) has the socket too, epoll(7) goes on watching it. Does nothing in
  /// such a child.
  func unwatch(_ watched: CInt) {
    guard isInItsProcess else { return }
    // Unsafe: C reads the event before it returns.
    var event = unsafe epoll_event()
    _ = unsafe epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &event)
  }

  /// What is ready now, each source once; does not wait.
  func ready() -> [Source] {
    // Unsafe: only the events that C has filled are read.
    unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 3) { events in
      let count = unsafe epoll_wait(descriptor, events.baseAddress, CInt(events.count), 0)
      guard count > 0 else { return [] }
      return unsafe events[..<Int(count)].compactMap { unsafe Source(rawValue: $0.data.u64) }
    }
  }

  /// Sets the timer to `time`, in microseconds of `now`; `nil` to set it to none.
  ///
  /// Does nothing in a child of fork(2).
  func wake(at time: UInt64?) {
    guard time != alarm, isInItsProcess else { return }
    alarm = time
    var spec = itimerspec()
    if let time {
      spec.it_value.tv_sec = Int(time / 1_000_000)
      // A time of zero would disarm the timer (timerfd_settime(2)).
      spec.it_value.tv_nsec = max(1, Int(time % 1_000_000) * 1_000)
    }
    // Unsafe: C reads the setting before it returns.
    _ = unsafe timerfd_settime(timer, CInt(TFD_TIMER_ABSTIME), &spec, nil)
  }

  /// Notes that the timer has expired, so that the descriptor is not readable because of it any more.
  func acknowledgeTimer() {
    var count: UInt64 = 0
    // Unsafe: C fills the eight bytes before it returns.
    if unsafe read(timer, &count, 8) == 8 { alarm = nil }
  }

  /// The time of the monotonic clock, in microseconds.
  static var now: UInt64 { UInt64(clinux_monotonic_nanoseconds()) / 1_000 }
}
