package import ContextDiff
package import ContextDiffWire
internal import JSON
internal import Varlink

/// A client of the daemon for a program with an event loop of its own.
///
/// The program waits for one descriptor, and calls `process` when that is readable, which does what can be done without
/// waiting and calls back with answers and messages. Nothing here waits, locks, or starts a thread. Calls go over one
/// connection, which is made by the first call, and anew after it has ended; events come over another, which is made
/// anew until the subscription ends.
package final class LoopClient {
  /// The answer to a call.
  package struct Answer {
    /// The number of a post's event, or of an announced edit; 0 where there is none.
    package var number = 0
    /// What a post was read as; `nil` for a baseline and for other calls.
    package var transition: Transition?
  }

  /// Called once with a call's answer, or with why there is none.
  package typealias Completion = (Result<Answer, LoopClientError>) -> Void

  /// What the subscriber is told.
  package enum Message {
    /// The daemon has taken the subscription; its run, and the last event's number that it has given.
    case ready(instance: String, sequence: Int)
    /// An event, and the daemon's run.
    ///
    /// Indirect, for valgrind reports a read of uninitialised bytes where the case is stored in place.
    indirect case event(Event, instance: String)
    /// How many events are lost up to the number `upTo`; -1 where that is not known.
    case lost(Int, upTo: Int, instance: String)
    /// No daemon answers, and why; the client goes on trying to connect.
    case disconnected(LoopClientError)
    /// The daemon refused the subscription, or its answer cannot be read; no more messages come.
    case ended(LoopClientError)
  }

  /// How long to wait before connecting again to a daemon whose accept queue is full, in microseconds.
  static let roomDelay: UInt64 = 10_000

  let path: String
  /// How long a call may take, in microseconds.
  let deadline: UInt64
  /// How many calls may wait for an answer.
  let pendingLimit: Int
  let poller: Poller
  var writer = JSONWriter()
  let parser = JSONParser()

  /// The connection for calls.
  var callSocket: LoopSocket?
  /// When to connect for calls again to a daemon whose accept queue is full, in microseconds of `Poller.now`.
  var callRetry: UInt64?
  /// The calls that were sent.
  var pending = PendingCalls()
  /// The longest call that is sent on this connection, in bytes, its NUL not counted; before a longer one the daemon is
  /// asked for its limit.
  var callLimit = Interface.leastCallLimit
  /// The calls that wait until the daemon has told its limit: a longer one, and all after it.
  var held = PendingCalls()
  /// The frames of `held`.
  let heldFrames = WipedBytes()
  /// The answers that `process` is to call back with; a slice, whose first element goes at no cost.
  var answers: ArraySlice<(tell: Completion, what: Result<Answer, LoopClientError>)> = []

  /// The connection for events.
  var eventSocket: LoopSocket?
  var subscription: LoopSubscription?
  /// The subscriber's callback.
  var tell: ((Message) -> Void)?
  /// The messages that `process` is to call back with.
  var messages: ArraySlice<Message> = []
  /// When to connect for events again, in microseconds of `Poller.now`.
  var eventRetry: UInt64?
  /// The longest call that the daemon takes on the connection for events, in bytes, its NUL not counted; `nil` until it
  /// has told that, which it is asked before a longer `Subscribe` than every daemon takes.
  var eventLimit: Int?
  /// Whether the reply that comes next on the connection for events tells `eventLimit`.
  var isAskingForEvents = false

  var isClosed = false

  /// A client that is not connected yet.
  ///
  /// - Parameters:
  ///   - path: the path of the daemon's socket.
  ///   - deadline: how long a call may take before it is answered by `timedOut`, in microseconds.
  ///   - pendingLimit: how many calls may wait for an answer at a time.
  /// - Throws: `LoopClientError.noDescriptors` where the process has no descriptors left.
  package init(path: String, deadline: UInt64, pendingLimit: Int) throws(LoopClientError) {
    self.path = path
    self.deadline = deadline
    self.pendingLimit = pendingLimit
    poller = try Poller()
  }

  /// Whether the calling process made the client.
  ///
  /// A child of fork(2) has the same sockets, and would take the answers to its parent's calls.
  package var isInItsProcess: Bool { poller.isInItsProcess }

  /// The descriptor to wait for until it is readable; it is the same for the client's life.
  package var descriptor: CInt { poller.descriptor }

  // MARK: The loop

  /// Does all that can be done without waiting, and calls back with answers and messages.
  ///
  /// - Returns: how many answers and messages there were.
  package func process() -> Int {
    // Each connection is read once. Where bytes are left, the descriptor stays readable, so that a daemon that sends
    // without end does not hold up the program.
    for source in poller.ready() {
      switch source {
      case .timer: poller.acknowledgeTimer()
      case .calls: receiveCalls()
      case .events: receiveEvents()
      }
    }
    let now = Poller.now
    if let time = callRetry, time <= now {
      callRetry = nil
      connectForCallsAgain()
    }
    if let time = eventRetry, time <= now {
      eventRetry = nil
      connectForEvents()
    }
    // What has come in time is an answer, though the program comes late to it.
    if let time = pending.nextDeadline, time <= now { readAnswersThatHaveCome() }
    while let complete = pending.expire(at: now) ?? held.expire(at: now) {
      answers.append((complete, .failure(.timedOut)))
    }
    let count = tellAll()
    arm()
    return count
  }

  /// Calls back with the answers and messages that there are now, without those that callbacks add.
  private func tellAll() -> Int {
    var count = 0
    for _ in 0..<answers.count where !answers.isEmpty {
      let answer = answers.removeFirst()
      answer.tell(answer.what)
      count += 1
    }
    for _ in 0..<messages.count where !messages.isEmpty {
      let message = messages.removeFirst()
      tell?(message)
      count += 1
    }
    // Slices hold what was taken out of them until they are made anew.
    if answers.isEmpty { answers = [] }
    if messages.isEmpty { messages = [] }
    return count
  }

  /// Sets the poller's timer to when `process` has something to do: at once where there are answers or messages.
  func arm() {
    if !answers.isEmpty || !messages.isEmpty { return poller.wake(at: 1) }
    let times = [pending.nextDeadline, held.nextDeadline, callRetry, eventRetry]
    poller.wake(at: times.compactMap(\.self).min())
  }

  /// Closes both connections, and answers all calls that wait by `cancelled` before it returns.
  package func close() {
    isClosed = true
    subscribe(nil, tell: nil)
    // For the calls that want no answer; all of these are short, but may wait behind others. A child of fork(2) leaves
    // them to its parent.
    if isInItsProcess, sendHeld() { _ = callSocket?.flush() }
    endCalls()
    while !answers.isEmpty { answers.removeFirst().tell(.failure(.cancelled)) }
    poller.wake(at: nil)
  }
}
