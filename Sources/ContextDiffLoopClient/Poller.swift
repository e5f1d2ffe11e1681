internal import CLinux
internal import Glibc

/// One descriptor that is readable when any of a few sockets, or a time, asks for something to be
/// done: an epoll instance with a timer in it.
final class Poller {
  /// Whom a socket belongs to.
  enum Source: UInt64 {
    case timer
    case calls
    case events
  }

  let descriptor: CInt
  private let timer: CInt
  private var alarm: UInt64?
  /// The process that made it.
  ///
  /// A child of fork(2) has its descriptors too, and what it changed by them would be changed for its parent.
  private let owner = getpid()
  /// Whether this is that process.
  var isInItsProcess: Bool { getpid() == owner }

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

  /// Watches a descriptor for what can be read, and for room to write where `writing`.
  ///
  /// - Returns: Whether the kernel does it.
  @discardableResult
  func watch(_ watched: CInt, _ source: Source, writing: Bool = false, anew: Bool = true) -> Bool {
    // Unsafe: C reads the event before it returns; its key is what `ready` reads.
    var event = unsafe epoll_event()
    unsafe event.events = EPOLLIN.rawValue | (writing ? EPOLLOUT.rawValue : 0)
    unsafe event.data.u64 = source.rawValue
    return unsafe epoll_ctl(descriptor, anew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, watched, &event) == 0
  }

  /// Stops watching a descriptor: closing it isn't enough where the process forked meanwhile.
  func unwatch(_ watched: CInt) {
    guard isInItsProcess else { return }
    // Unsafe: C reads the event before it returns.
    var event = unsafe epoll_event()
    _ = unsafe epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, &event)
  }

  /// What asks now, without waiting; each at most once.
  func ready() -> [Source] {
    // Unsafe: as many events are read as C has filled.
    unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 3) { events in
      let count = unsafe epoll_wait(descriptor, events.baseAddress, CInt(events.count), 0)
      guard count > 0 else { return [] }
      return unsafe events[..<Int(count)].compactMap { unsafe Source(rawValue: $0.data.u64) }
    }
  }

  /// Asks at `time`, in microseconds of `now`; not at all where it is `nil`.
  func wake(at time: UInt64?) {
    guard time != alarm, isInItsProcess else { return }
    alarm = time
    var spec = itimerspec()
    if let time {
      spec.it_value.tv_sec = Int(time / 1_000_000)
      // Zero would be none.
      spec.it_value.tv_nsec = max(1, Int(time % 1_000_000) * 1_000)
    }
    // Unsafe: C reads the setting before it returns.
    _ = unsafe timerfd_settime(timer, CInt(TFD_TIMER_ABSTIME), &spec, nil)
  }

  /// Takes note that the timer has asked.
  func silence() {
    var count: UInt64 = 0
    // Unsafe: C fills the eight bytes before it returns.
    if unsafe read(timer, &count, 8) == 8 { alarm = nil }
  }

  /// The monotonic clock, in microseconds.
  static var now: UInt64 {
    var time = timespec()
    // Unsafe: C fills the time before it returns.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
  }
}
