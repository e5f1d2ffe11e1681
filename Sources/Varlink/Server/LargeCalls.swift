internal import CLinux
internal import Glibc
internal import Synchronization

/// Lets only a few loops at a time answer large calls, in the order in which they ask.
///
/// Answering a call takes memory in proportion to its frame, with which no account is charged: limiting the number of
/// large calls limits that memory. It also leaves processors to small calls, which would otherwise share them with as
/// many large calls as there are users.
///
/// Large calls are divided into classes, of 64 to 128 KiB, of up to twice that, and so on. A call waits only for others
/// of its class, so that none waits for one that takes much longer than itself. How many calls of a class are answered
/// at a time is limited by their bytes, too, for a machine of many processors.
///
/// A call may take longer than its length says: one that is short but for white space, and dear. So a place is a call's
/// own only until it has used the processor for 10 ns a byte, which is more than most calls take. After that it goes to
/// the first one that waits. The processor's time is counted, and not the clock's, so that no more places are passed on
/// where many loops share the processors.
///
/// Any thread may use it.
public final class LargeCalls: Sendable {
  /// The least length, in bytes, of a large call's frame.
  public static let leastBytes = 64 << 10

  /// The calls of one class, whose lengths have the same power of two at or below them.
  private struct Size {
    /// How many calls may be answered at a time.
    let limit: Int
    /// The calls that have a place.
    var placed: [Turn] = []
    /// The calls that wait for one, the first one first.
    var waiting: [Turn] = []

    /// Gives the places that are free, or whose calls have had their time, to those who wait the longest.
    mutating func pass() {
      guard !waiting.isEmpty else { return }
      placed.removeAll(where: \.hasHadItsTime)
      while placed.count < limit, !waiting.isEmpty {
        let next = waiting.removeFirst()
        placed.append(next)
        next.wake()
      }
    }
  }

  /// A thread's call, from ``begin(frameOf:asleep:)`` to ``end(_:)``.
  ///
  /// `@unchecked`: a semaphore is made for several threads, and all else is constant. Safe: it owns the semaphore, which
  /// never moves; each `unsafe` here calls C with it, or with a local variable.
  @safe
  package final class Turn: @unchecked Sendable {
    fileprivate let size: Int
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    /// The clock of the processor's time that the thread has used; it stands still while the thread sleeps.
    private let clock: clockid_t
    /// When the call has had its time, by that clock.
    private let end: Int
    /// How long the thread sleeps before it looks whether a place is to be passed on, in nanoseconds.
    private let patience: Int

    fileprivate init(frameOf bytes: Int, nanosecondsPerByte: Int) {
      size = LargeCalls.size(of: bytes)
      patience = bytes * nanosecondsPerByte
      var clock = clockid_t()
      // It cannot fail for the thread that asks.
      unsafe pthread_getcpuclockid(pthread_self(), &clock)
      self.clock = clock
      end = clinux_thread_nanoseconds(clock) + patience
      unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
      unsafe sem_destroy(semaphore)
      unsafe semaphore.deallocate()
    }

    /// Whether the thread has used the processor for as long as its call may have a place for itself.
    var hasHadItsTime: Bool { clinux_thread_nanoseconds(clock) >= end }

    /// Sleeps until the call has a place; calls `impatient` each time that `patience` is over meanwhile.
    func sleep(_ impatient: () -> Void) {
      while unsafe clinux_wait_for(semaphore, patience) == 0 { impatient() }
    }

    func wake() { unsafe sem_post(semaphore) }
  }

  /// The classes, each at the exponent of its power of two; `nil` once nobody waits any more.
  private let sizes: Mutex<[Size]?>
  private let nanosecondsPerByte: Int

  /// Limits large calls, none of which is being answered yet.
  ///
  /// - Parameters:
  ///   - limit: how many calls of a class may be answered at a time; at least one.
  ///   - bytes: how many bytes the frames of a class that are answered at a time may have together, where that allows
  ///     fewer calls than `limit`; one call of any length may always be answered.
  ///   - nanosecondsPerByte: how long a call has its place for itself: how much of the processor's time, for each byte of
  ///     its frame.
  public init(atATime limit: Int, bytes: Int = 4 << 20, nanosecondsPerByte: Int = 10) {
    precondition(limit > 0, "no large call could be answered")
    self.nanosecondsPerByte = nanosecondsPerByte
    sizes = Mutex(
      (0..<Int.bitWidth).map { power in
        // The longest frame of a class has nearly twice as many bytes as its power of two.
        Size(limit: max(1, min(limit, (bytes / 2) >> power)))
      })
  }

  /// Lets as many calls of a class be answered at a time as the machine has processors, of at most 4 MiB together.
  public convenience init() {
    self.init(atATime: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
  }

  /// How many threads wait to answer a call.
  package var waitingCount: Int {
    sizes.withLock { $0?.reduce(0) { $0 + $1.waiting.count } ?? 0 }
  }

  /// Waits until a call may be answered.
  ///
  /// - Parameters:
  ///   - bytes: the length of the call's frame, in bytes; at least one.
  ///   - asleep: where the thread has to wait, gets the function that waits, and must call it.
  /// - Returns: what `end` is to be given, on the same thread, once the call is answered.
  package func begin(frameOf bytes: Int, asleep: (() -> Void) -> Void) -> Turn {
    let turn = Turn(frameOf: bytes, nanosecondsPerByte: nanosecondsPerByte)
    let waits = sizes.withLock { sizes in
      guard let size = sizes?[turn.size] else { return false }
      guard size.placed.count < size.limit else {
        sizes?[turn.size].waiting.append(turn)
        return true
      }
      sizes?[turn.size].placed.append(turn)
      return false
    }
    if waits {
      asleep { turn.sleep { sizes.withLock { $0?[turn.size].pass() } } }
    }
    return turn
  }

  /// Ends answering a call: the thread that has waited the longest for its class may go on.
  package func end(_ turn: Turn) {
    sizes.withLock { sizes in
      // It may have no place any more.
      sizes?[turn.size].placed.removeAll { $0 === turn }
      sizes?[turn.size].pass()
    }
  }

  /// Lets all who wait go on, and nobody wait from now on: where the process ends, each loop is to hear of it.
  public func letAllThrough() {
    let sizes = sizes.withLock { sizes in
      defer { sizes = nil }
      return sizes
    }
    for turn in (sizes ?? []).flatMap(\.waiting) { turn.wake() }
  }

  /// The exponent of the power of two at or below `bytes`.
  private static func size(of bytes: Int) -> Int {
    Int.bitWidth - 1 - bytes.leadingZeroBitCount
  }
}
