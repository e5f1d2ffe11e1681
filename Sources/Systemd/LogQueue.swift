internal import Glibc

/// Log entries between the threads that log and the one that sends them.
///
/// Whoever logs pays for a copy under an uncontended lock, and never waits for the journal: while
/// one batch is being sent, the next one fills up, and what goes beyond the limits is counted
/// instead of kept. The sending thread sleeps without a timer while there is nothing to send.
///
/// Unchecked: every stored variable is read and written under `mutex`, and the pointers never
/// change. Safe: what they point to is initialised before anybody has the queue, and lives as long;
/// each `unsafe` here calls pthread with it.
@safe
package final class LogQueue: @unchecked Sendable {
  /// How much may wait.
  package struct Limits: Sendable {
    /// The number of entries.
    package var entries: Int
    /// The sum of their bytes.
    package var bytes: Int

    package init(entries: Int, bytes: Int) {
      self.entries = entries
      self.bytes = bytes
    }
  }

  private let limits: Limits
  private let send: @Sendable (borrowing LogBatch) -> Int
  private let describeDrops: @Sendable (Int) -> LogEntry

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let emptied = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting = LogBatch()
  /// How much of what waits is each owner's.
  private var shares: [String: Limits] = [:]
  private var dropped = 0
  /// How many entries were ever taken in, and how many of these are dealt with.
  private var accepted = 0
  private var finished = 0
  private var isStopping = false

  /// Starts the sending thread.
  ///
  /// `send` gets each batch on that thread and returns how many of its entries it could not
  /// deliver; `describeDrops` makes the entry that says how many were lost. Throws where no thread can
  /// be had.
  package init(
    limits: Limits,
    send: @escaping @Sendable (borrowing LogBatch) -> Int,
    describeDrops: @escaping @Sendable (Int) -> LogEntry
  ) throws(SystemdError) {
    self.limits = limits
    self.send = send
    self.describeDrops = describeDrops
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(filled, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(emptied, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
    // The thread holds the queue until it ends.
    try DetachedThread.start { self.run() }
  }

  deinit {
    unsafe pthread_cond_destroy(emptied)
    unsafe pthread_cond_destroy(filled)
    unsafe pthread_mutex_destroy(mutex)
    unsafe emptied.deallocate()
    unsafe filled.deallocate()
    unsafe mutex.deallocate()
  }

  /// Takes an entry in, or counts it as dropped where the limits are reached.
  ///
  /// Never blocks on what is being sent.
  ///
  /// - Parameters:
  ///   - entry: what is to be logged.
  ///   - owner: who caused it: nobody's entries may take more than a quarter of what may wait, so that
  ///     others' find room; `nil` where it is the program itself.
  package func append(_ entry: LogEntry, of owner: String? = nil) {
    // Who wakes another may have to give it the processor: not while others wait for the lock.
    if take(entry, of: owner) { unsafe pthread_cond_signal(filled) }
  }

  /// Takes an entry in or drops it; whether it is the first one, for which the thread is to be woken.
  private func take(_ entry: LogEntry, of owner: String?) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard waiting.count < limits.entries, waiting.byteCount + entry.bytes.count <= limits.bytes,
      owner.map({ isWithinShare(entry, of: $0) }) ?? true
    else {
      dropped += 1
      return false
    }
    waiting.append(entry)
    accepted += 1
    return waiting.count == 1
  }

  /// Counts an entry as its owner's, where the owner's share has room for it.
  private func isWithinShare(_ entry: LogEntry, of owner: String) -> Bool {
    var share = shares[owner] ?? Limits(entries: 0, bytes: 0)
    share.entries += 1
    share.bytes += entry.bytes.count
    guard share.entries <= limits.entries / 4, share.bytes <= limits.bytes / 4 else { return false }
    shares[owner] = share
    return true
  }

  /// Waits until all that was taken in before the call is sent.
  ///
  /// Returns false where that took longer than `timeout`.
  package func flush(timeout: Duration) -> Bool {
    var deadline = MonotonicClock.deadline(in: timeout)
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    let goal = accepted
    while finished < goal {
      if unsafe pthread_cond_timedwait(emptied, mutex, &deadline) == ETIMEDOUT {
        return finished >= goal
      }
    }
    return true
  }

  /// Lets the thread end once it has sent what waits.
  package func stop() {
    unsafe pthread_mutex_lock(mutex)
    isStopping = true
    unsafe pthread_cond_signal(filled)
    unsafe pthread_mutex_unlock(mutex)
  }

  private func run() {
    var batch = LogBatch()
    while true {
      unsafe pthread_mutex_lock(mutex)
      while waiting.count == 0, !isStopping { unsafe pthread_cond_wait(filled, mutex) }
      guard waiting.count > 0 else {
        unsafe pthread_mutex_unlock(mutex)
        return
      }
      swap(&waiting, &batch)
      shares.removeAll()
      let lost = dropped
      dropped = 0
      unsafe pthread_mutex_unlock(mutex)

      let taken = batch.count
      var failures = send(batch)
      batch.removeAll()
      if lost > 0 {
        // By itself: where not even this goes out, all that it counts is still to be told.
        batch.append(describeDrops(lost))
        if send(batch) > 0 { failures += lost }
        batch.removeAll()
      }

      unsafe pthread_mutex_lock(mutex)
      finished += taken
      // Told along with the next entry that comes: at once would be a loop without end where all
      // fails.
      dropped += failures
      unsafe pthread_cond_broadcast(emptied)
      unsafe pthread_mutex_unlock(mutex)
    }
  }
}
