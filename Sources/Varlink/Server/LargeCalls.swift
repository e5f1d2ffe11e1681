internal import Glibc
internal import Synchronization

/// Lets only a few loops at a time answer calls of a large size, in the order in which they ask.
///
/// What answering a call takes besides its frame is in proportion to it, and nobody's account is charged
/// with it: their number bounds it. And who asks for little finds a processor at once, where as many
/// large calls as there are users would each have a share of it.
///
/// Calls of 64 to 128 KiB wait for each other, and so do those of up to twice that, and so on: none
/// waits for one that takes much longer than itself. On a machine of many processors those of one size that
/// are answered at a time are bounded by their bytes, too: what they take is memory that no account has.
///
/// From any thread.
public final class LargeCalls: Sendable {
  /// From how many bytes on a frame holds a large call.
  public static let leastBytes = 64 << 10

  /// Calls that are less than twice as long as each other.
  private struct Size {
    /// How many more may be answered.
    var free: Int
    /// Who waits, the first one first.
    var waiting: [Waiter] = []
  }

  /// A thread that sleeps until it is its turn.
  ///
  /// `@unchecked`: a semaphore is for several threads. Safe: it owns the semaphore, which never moves;
  /// each `unsafe` here calls C with it.
  @safe
  private final class Waiter: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { unsafe sem_init(semaphore, 0, 0) }

    deinit {
      unsafe sem_destroy(semaphore)
      unsafe semaphore.deallocate()
    }

    // Only a signal comes between.
    func sleep() { while unsafe sem_wait(semaphore) != 0 {} }
    func wake() { unsafe sem_post(semaphore) }
  }

  /// Of each power of two of bytes.
  private let sizes: Mutex<[Size]>

  /// Nobody answers any.
  ///
  /// - Parameters:
  ///   - limit: how many of each size may be answered at a time; at least one.
  ///   - bytes: how long those of one size may be together, where that is fewer; one may be longer.
  public init(atATime limit: Int, bytes: Int = 4 << 20) {
    precondition(limit > 0, "no large call could be answered")
    sizes = Mutex(
      (0..<Int.bitWidth).map { power in
        // The longest of the size has nearly twice as many bytes as its power of two.
        Size(free: max(1, min(limit, (bytes / 2) >> power)))
      })
  }

  /// As many of each size at a time as the machine has processors, and no more than 4 MiB of it.
  public convenience init() {
    self.init(atATime: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
  }

  /// How many threads wait.
  package var waitingCount: Int { sizes.withLock { $0.reduce(0) { $0 + $1.waiting.count } } }

  /// Waits for its turn.
  ///
  /// - Parameters:
  ///   - bytes: how long the call's frame is; at least one byte.
  ///   - asleep: called around the time that it sleeps, where it does.
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

  /// Hands the turn to who has waited the longest for one of its size.
  ///
  /// - Parameter bytes: how long the frame was that the turn began with.
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

  /// The power of two at or below a number of bytes.
  private static func size(of bytes: Int) -> Int {
    Int.bitWidth - 1 - bytes.leadingZeroBitCount
  }
}
