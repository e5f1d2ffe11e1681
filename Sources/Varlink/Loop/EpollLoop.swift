internal import CLinux
internal import Glibc
internal import Synchronization

/// An event loop over epoll(7): the descriptors, timers and submitted work of one thread.
///
/// A loop is used on the thread that runs it; only ``Submitter`` and ``Pulse`` are for other threads too. In each turn
/// it calls the watchers of all descriptors that are ready, then the bodies given to ``atEndOfTurns(_:)``. Between
/// turns it sleeps until a descriptor is ready or a timer is due.
///
/// Safe: it owns the room for events, and reads no more of them than the kernel has filled.
@safe
public final class EpollLoop {
  /// What a descriptor is ready for.
  public struct Events: OptionSet, Sendable {
    /// The bits of `epoll_event.events`.
    public let rawValue: UInt32

    /// The events of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes can be read, or the other end sends no more.
    public static let readable = Events(rawValue: EPOLLIN.rawValue)
    /// Bytes can be written.
    public static let writable = Events(rawValue: EPOLLOUT.rawValue)
    /// The other end is gone, or the descriptor has failed; watchers get these even if they did not ask for them.
    public static let hungUp = Events(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
  }

  /// Tells other threads whether a loop hangs in a turn.
  public final class Pulse: Sendable {
    /// Grows by one when a turn begins and when it ends, so that it is odd within a turn.
    private let beats = Atomic<Int>(0)

    /// A number that is different for each turn, while a turn is under way; `nil` while the loop sleeps.
    ///
    /// Where it stays the same for longer than any turn should take, the loop hangs.
    public var turn: Int? {
      let beats = beats.load(ordering: .relaxed)
      return beats & 1 == 1 ? beats : nil
    }

    fileprivate func beat() {
      // Only the loop's own thread writes.
      beats.store(beats.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }
  }

  private struct Watch {
    /// Tells the watch from an earlier one of the same descriptor number.
    let generation: UInt32
    let ready: (Events) -> Void
  }

  /// Tells other threads whether the loop hangs.
  public let pulse = Pulse()
  private let epoll: CInt
  /// The watch of each descriptor, at the descriptor's number.
  private var watches: [Watch?] = []
  /// The generation of the watch made last.
  private var generation: UInt32 = 0
  private let events: UnsafeMutableBufferPointer<epoll_event>
  private var turnEnds: [() -> Void] = []
  private var isStopped = false
  /// Whether the next turn begins without waiting for a descriptor.
  private var isNextTurnDue = false
  var timers: Timers
  private let endsLongWaits: Bool
  private var interrupter: Interrupter?

  /// A loop that watches nothing yet.
  ///
  /// - Throws: ``VarlinkSocketError`` where the process has no descriptor left for it.
  public convenience init() throws(VarlinkSocketError) {
    try self.init(endsLongWaits: !UnixSocket.canRefuseDescriptors)
  }

  /// A loop that watches nothing yet.
  ///
  /// - Parameter endsLongWaits: whether to end the kernel's waits within a turn by an `Interrupter`; the other
  ///   initialiser does where the kernel cannot refuse descriptors.
  /// - Throws: ``VarlinkSocketError`` where the process has no descriptor left for it.
  package init(endsLongWaits: Bool) throws(VarlinkSocketError) {
    self.endsLongWaits = endsLongWaits
    timers = try Timers()
    // Not before the timers, for where these throw, `deinit` is not called.
    unsafe events = .allocate(capacity: 256)
    epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw VarlinkSocketError("epoll_create1", errno) }
    try watch(timers.descriptor, for: .readable) { [unowned self] _ in callDueTimers() }
  }

  deinit {
    close(epoll)
    close(timers.descriptor)
    unsafe events.deallocate()
  }

  // MARK: Descriptors

  /// Calls `ready` in each turn that finds a descriptor ready, until it is unwatched.
  ///
  /// - Parameters:
  ///   - descriptor: a descriptor not watched yet; unwatch it before closing it.
  ///   - events: the events to wait for.
  ///   - ready: gets those that have come, and `hungUp` where that has.
  /// - Throws: ``VarlinkSocketError`` where the descriptor cannot be watched: it is a regular file, or the kernel's
  ///   limit is reached.
  public func watch(
    _ descriptor: CInt, for events: Events, _ ready: @escaping (Events) -> Void
  ) throws(VarlinkSocketError) {
    generation &+= 1
    // Unsafe: C reads the event before it returns.
    var event = unsafe event(for: descriptor, events, generation: generation)
    guard unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
      throw VarlinkSocketError("epoll_ctl", errno)
    }
    let place = Int(descriptor)
    while watches.count <= place { watches.append(nil) }
    watches[place] = Watch(generation: generation, ready: ready)
  }

  /// Waits for `events` of a watched descriptor from now on, instead of those before.
  public func change(_ descriptor: CInt, to events: Events) {
    guard let watch = watches[Int(descriptor)] else {
      preconditionFailure("the descriptor is not watched")
    }
    // Unsafe: C reads the event before it returns.
    var event = unsafe event(for: descriptor, events, generation: watch.generation)
    // Cannot fail for a descriptor that is watched.
    unsafe epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
  }

  /// Stops watching a descriptor: events that this turn has found are not told any more either.
  ///
  /// Does nothing where the descriptor is not watched.
  public func unwatch(_ descriptor: CInt) {
    guard watches.indices.contains(Int(descriptor)) else { return }
    watches[Int(descriptor)] = nil
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// An event for epoll_ctl(2), whose key holds the watch's generation and descriptor.
  private func event(
    for descriptor: CInt, _ events: Events, generation: UInt32
  ) -> epoll_event {
    let key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    // Unsafe: of the union, `turn` reads the key too.
    return unsafe epoll_event(events: events.rawValue, data: epoll_data_t(u64: key))
  }

  // MARK: Turns

  /// Calls `body` at the end of each turn, when all descriptors that were ready have been served.
  public func atEndOfTurns(_ body: @escaping () -> Void) {
    turnEnds.append(body)
  }

  /// Runs turns on the calling thread until `stop` is called.
  public func run() {
    if endsLongWaits { interrupter = Interrupter() }
    defer { interrupter = nil }
    while !isStopped { turn() }
    isStopped = false
  }

  /// Makes `run` return after the present turn or, where the loop is not running, has the next `run` return at once.
  public func stop() {
    isStopped = true
  }

  /// Has the next turn begin at once, even if no descriptor is ready, because there is more to be done.
  public func turnAgain() {
    isNextTurnDue = true
  }

  /// Calls `body`, which waits for another thread; `pulse` tells meanwhile that the loop sleeps.
  func asleep(_ body: () -> Void) {
    pulse.beat()
    body()
    pulse.beat()
  }

  /// Waits until something is ready, unless the next turn is due, and runs one turn.
  private func turn() {
    let isDue = isNextTurnDue
    isNextTurnDue = false
    // Unsafe: C fills no more events than there is room for.
    var count = unsafe epoll_wait(epoll, events.baseAddress, CInt(events.count), isDue ? 0 : -1)
    // It fails only where a signal interrupts it: the interrupter's, which is still on while nothing has been ready for
    // a millisecond.
    guard count > 0 || isDue else {
      interrupter?.end()
      return
    }
    interrupter?.begin()
    count = max(count, 0)
    pulse.beat()
    defer { pulse.beat() }
    // Unsafe: only those that C has filled are read, and their keys are those that `event` gave.
    for index in 0..<Int(count) {
      let event = unsafe events[index]
      let key = unsafe event.data.u64
      // A watcher called before may have unwatched this descriptor, and a new one may have its number already.
      guard let watch = watches[Int(key & 0xFFFF_FFFF)], watch.generation == key >> 32 else {
        continue
      }
      unsafe watch.ready(Events(rawValue: event.events))
    }
    for body in turnEnds { body() }
  }
}
