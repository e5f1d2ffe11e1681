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
/// Any thread may use it.
public final class LargeCalls: Sendable {
  /// The least length, in bytes, of a large call's frame.
  public static let leastBytes = 64 << 10

  /// The calls of one class, whose lengths have the same power of two at or below them.
  private struct Size {
    /// How many more calls may be answered now.
    var free: Int
    /// The threads that wait, the first one first.
    var waiting: [Waiter] = []
  }

  /// A thread that sleeps until its call may be answered.
  ///
  /// `@unchecked`: a semaphore is made for several threads. Safe: it owns the semaphore, which never moves; each
  /// `unsafe` here calls C with it.
  @safe
  private final class Waiter: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(semaphore, 0, 0) }

    deinit {
      unsafe sem_destroy(semaphore)
      unsafe semaphore.deallocate()
    }

    // sem_wait(3) fails only where a signal interrupts it.
    func sleep() { while unsafe sem_wait(semaphore) != 0 {} }
    func wake() { unsafe sem_post(semaphore) }
  }

  /// The classes, each at the exponent of its power of two.
  private let sizes: Mutex<[Size]>

  /// Limits large calls, none of which is being answered yet.
  ///
  /// - Parameters:
  ///   - limit: how many calls of a class may be answered at a time; at least one.
  ///   - bytes: how many bytes the frames of a class that are answered at a time may have together, where that allows
  ///     fewer calls than `limit`; one call of any length may always be answered.
  public init(atATime limit: Int, bytes: Int = 4 << 20) {
    precondition(limit > 0, "no large call could be answered")
    sizes = Mutex(
      (0..<Int.bitWidth).map { power in
        // The longest frame of a class has nearly twice as many bytes as its power of two.
        Size(free: max(1, min(limit, (bytes / 2) >> power)))
      })
  }

  /// Lets as many calls of a class be answered at a time as the machine has processors, of at most 4 MiB together.
  public convenience init() {
    self.init(atATime: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
  }

  /// How many threads wait to answer a call.
  package var waitingCount: Int { sizes.withLock { $0.reduce(0) { $0 + $1.waiting.count } } }

  /// Waits until a call may be answered.
  ///
  /// - Parameters:
  ///   - bytes: the length of the call's frame, in bytes; at least one.
  ///   - asleep: where the thread has to wait, gets the function that waits, and must call it.
  package func begin(frameOf bytes: Int, asleep: (() -> Void) -> Void) {
    let size = LargeCalls.size(of: bytes)
    let waiter = sizes.withLock { sizes -> Waiter? in
      guard sizes[size].free == 0 else {
        sizes[size].free -= 1
        return nil
      }
      let waiter = Waiter()
      sizes[size].waiting.append(waiter)
      return waiter
    }
    if let waiter { asleep { waiter.sleep() } }
  }

  /// Ends answering a call: the thread that has waited the longest for its class may go on.
  ///
  /// - Parameter bytes: the same length that `begin` was given.
  package func end(frameOf bytes: Int) {
    let size = LargeCalls.size(of: bytes)
    let next = sizes.withLock { sizes -> Waiter? in
      guard !sizes[size].waiting.isEmpty else {
        sizes[size].free += 1
        return nil
      }
      return sizes[size].waiting.removeFirst()
    }
    next?.wake()
  }

  /// The exponent of the power of two at or below `bytes`.
  private static func size(of bytes: Int) -> Int {
    Int.bitWidth - 1 - bytes.leadingZeroBitCount
  }
}
