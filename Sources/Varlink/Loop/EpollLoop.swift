internal import CLinux
internal import Glibc
internal import Synchronization

/// An event loop over epoll(7): the descriptors, timers and submitted work of one thread.
///
/// Everything is used on the thread that runs it; only a ``Submitter`` is for others. A turn calls
/// everyone whose descriptor is ready, then what is to happen at each turn's end. It sleeps for as
/// long as nothing is ready and no timer is due.
///
/// Safe: it owns the room for events, of which it reads as many as the kernel has filled.
@safe
public final class EpollLoop {
  /// What a descriptor is ready for.
  public struct Events: OptionSet, Sendable {
    /// The bits of `epoll_event.events`.
    public let rawValue: UInt32

    /// The events of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// There is something to be read, the end included.
    public static let readable = Events(rawValue: EPOLLIN.rawValue)
    /// Something can be written.
    public static let writable = Events(rawValue: EPOLLOUT.rawValue)
    /// The other end is gone, or the descriptor has failed: is told whether it is asked for or not.
    public static let hungUp = Events(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
  }

  /// Tells other threads whether a loop gets on with its turns.
  public final class Pulse: Sendable {
    /// Odd within a turn; grows by one when a turn begins and when it ends.
    private let beats = Atomic<Int>(0)

    /// The turn that is under way; `nil` while the loop sleeps.
    ///
    /// A loop hangs whose turn stays the same for longer than any turn takes.
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
    /// Tells it from an earlier watch of the same descriptor number.
    let generation: UInt32
    let ready: (Events) -> Void
  }

  /// Whether it gets on; for other threads.
  public let pulse = Pulse()
  private let epoll: CInt
  /// By descriptor.
  private var watches: [Watch?] = []
  private var generation: UInt32 = 0
  private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)
  private var turnEnds: [() -> Void] = []
  private var isStopped = false
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

  /// A loop that watches nothing yet, whatever the kernel can do.
  ///
  /// - Parameter endsLongWaits: whether the kernel is to end soon what it has the loop wait for within a turn.
  /// - Throws: as above.
  package init(endsLongWaits: Bool) throws(VarlinkSocketError) {
    self.endsLongWaits = endsLongWaits
    timers = try Timers()
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
  ///   - descriptor: not watched yet. It must be unwatched before it is closed.
  ///   - events: what it is to be ready for.
  ///   - ready: gets what it is ready for.
  /// - Throws: ``VarlinkSocketError`` where it cannot be watched: it is a regular file, or the
  ///   kernel's limit is reached.
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

  /// Waits for other events of a watched descriptor from now on.
  public func change(_ descriptor: CInt, to events: Events) {
    guard let watch = watches[Int(descriptor)] else {
      preconditionFailure("the descriptor is not watched")
    }
    // Unsafe: C reads the event before it returns.
    var event = unsafe event(for: descriptor, events, generation: watch.generation)
    // Cannot fail for a descriptor that is watched.
    unsafe epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
  }

  /// Forgets a watched descriptor, events of this turn included.
  ///
  /// Does nothing where it is not watched.
  public func unwatch(_ descriptor: CInt) {
    guard watches.indices.contains(Int(descriptor)) else { return }
    watches[Int(descriptor)] = nil
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
  }

  private func event(
    for descriptor: CInt, _ events: Events, generation: UInt32
  ) -> epoll_event {
    let key = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    // Unsafe: the key is what `turn` reads of it.
    return unsafe epoll_event(events: events.rawValue, data: epoll_data_t(u64: key))
  }

  // MARK: Turns

  /// Calls `body` at the end of each turn, when all descriptors that were ready have been served.
  public func atEndOfTurns(_ body: @escaping () -> Void) {
    turnEnds.append(body)
  }

  /// Serves until it is stopped.
  public func run() {
    if endsLongWaits { interrupter = Interrupter() }
    defer { interrupter = nil }
    while !isStopped { turn() }
    isStopped = false
  }

  /// Makes `run` return after the turn at hand, or at once where it is called only then.
  public func stop() {
    isStopped = true
  }

  /// Has the next turn come even if no descriptor is ready: there is more to be done then.
  public func turnAgain() {
    isNextTurnDue = true
  }

  /// Counts as asleep while `body` waits for another thread.
  func asleep(_ body: () -> Void) {
    pulse.beat()
    body()
    pulse.beat()
  }

  private func turn() {
    let isDue = isNextTurnDue
    isNextTurnDue = false
    // Unsafe: C fills no more events than there is room for.
    var count = unsafe epoll_wait(epoll, events.baseAddress, CInt(events.count), isDue ? 0 : -1)
    // Fails only where a signal has come between: the interrupter's, where nothing has been ready for a while.
    guard count > 0 || isDue else {
      interrupter?.end()
      return
    }
    interrupter?.begin()
    count = max(count, 0)
    pulse.beat()
    defer { pulse.beat() }
    // Unsafe: as many as C has filled, with the key that `event` gave.
    for index in 0..<Int(count) {
      let event = unsafe events[index]
      let key = unsafe event.data.u64
      // One that was ready may have unwatched another, whose number may be a new one's already.
      guard let watch = watches[Int(key & 0xFFFF_FFFF)], watch.generation == key >> 32 else {
        continue
      }
      unsafe watch.ready(Events(rawValue: event.events))
    }
    for body in turnEnds { body() }
  }
}
