internal import Glibc
internal import Synchronization

/// Lets only a few loops at a time answer a large call, in the order in which they ask.
///
/// What answering a call takes besides its frame is in proportion to it, and nobody's account is charged
/// with it: their number bounds it. And who asks for little finds a processor at once, where as many
/// large calls as there are users would each have a share of it.
///
/// From any thread.
public final class LargeCalls: Sendable {
  /// From how many bytes on a frame holds a large call.
  public static let leastBytes = 64 << 10

  private struct State {
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

  private let state: Mutex<State>

  /// Nobody answers any.
  ///
  /// - Parameter limit: how many may be answered at a time; at least one.
  public init(atATime limit: Int) {
    precondition(limit > 0, "no large call could be answered")
    state = Mutex(State(free: limit))
  }

  /// As many at a time as the machine has processors.
  public convenience init() {
    self.init(atATime: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))))
  }

  /// How many threads wait.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits for its turn.
  ///
  /// - Parameter asleep: called around the time that it sleeps, where it does.
  package func begin(asleep: (() -> Void) -> Void) {
    let waiter = state.withLock { state -> Waiter? in
      guard state.free == 0 else {
        state.free -= 1
        return nil
      }
      let waiter = Waiter()
      state.waiting.append(waiter)
      return waiter
    }
    if let waiter { asleep { waiter.sleep() } }
  }

  /// Hands the turn to who has waited the longest.
  package func end() {
    let next = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.wake()
  }
}
