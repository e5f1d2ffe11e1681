internal import Glibc

/// A bounded queue of log entries, from the threads that log to the one that sends.
///
/// A thread that logs copies its entry under a lock that is not held while a batch is sent, so it never waits for the
/// journal. Entries beyond the limits are dropped and counted. The sending thread sleeps without a timer while the
/// queue is empty.
///
/// `@unchecked`: every stored variable is read and written under `mutex`, and the pointers never change. `@safe`: the
/// mutex and the conditions are initialised before anybody has the queue, and freed with it; each `unsafe` here passes
/// one to pthread.
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
  /// Signalled when an entry is queued while none waits, and when the thread is to end.
  private let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Signalled when a batch has been dealt with.
  private let emptied = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting = LogBatch()
  /// How much of `waiting` each owner has caused.
  private var shares: [String: Limits] = [:]
  /// How many entries were dropped, or could not be sent, and have not been reported yet.
  private var dropped = 0
  /// How many entries were ever queued, and how many of these were sent or could not be.
  private var accepted = 0
  private var finished = 0
  private var isStopping = false

  /// Starts the sending thread.
  ///
  /// `send` gets each batch on that thread and returns how many of its entries it could not deliver; `describeDrops`
  /// makes the entry that says how many were dropped. Throws where no thread can be started.
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
    // The thread keeps a reference to the queue until it ends.
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

  /// Queues an entry, or drops and counts it where the limits are reached.
  ///
  /// Does not wait for a batch that is being sent.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - owner: who caused it, and may fill a quarter of each limit, so that others' entries find room; `nil` for the
  ///     program itself, which may fill all of it.
  package func append(_ entry: LogEntry, of owner: String? = nil) {
    // Signalled without the lock: the woken thread may take this one's processor, while others wait for the lock.
    if enqueue(entry, of: owner) { unsafe pthread_cond_signal(filled) }
  }

  /// Queues an entry or drops it; returns whether it is the only one, for which the sending thread must be woken.
  private func enqueue(_ entry: LogEntry, of owner: String?) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard waiting.count < limits.entries, waiting.byteCount + entry.bytes.count <= limits.bytes,
      owner.map({ addToShare(entry, of: $0) }) ?? true
    else {
      dropped += 1
      return false
    }
    waiting.append(entry)
    accepted += 1
    return waiting.count == 1
  }

  /// Adds an entry to its owner's share; returns false, and adds nothing, where that exceeds a quarter of a limit.
  private func addToShare(_ entry: LogEntry, of owner: String) -> Bool {
    var share = shares[owner] ?? Limits(entries: 0, bytes: 0)
    share.entries += 1
    share.bytes += entry.bytes.count
    guard share.entries <= limits.entries / 4, share.bytes <= limits.bytes / 4 else { return false }
    shares[owner] = share
    return true
  }

  /// Waits until every entry that was queued before the call has been sent, or could not be sent.
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

  /// Has the sending thread end once it has sent all that waits; does not wait for that.
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
        // In a batch of its own: if this cannot be sent either, the number is reported later.
        batch.append(describeDrops(lost))
        if send(batch) > 0 { failures += lost }
        batch.removeAll()
      }

      unsafe pthread_mutex_lock(mutex)
      finished += taken
      // Reported with the next batch; reporting at once would never end where nothing can be sent.
      dropped += failures
      unsafe pthread_cond_broadcast(emptied)
      unsafe pthread_mutex_unlock(mutex)
    }
  }
}
