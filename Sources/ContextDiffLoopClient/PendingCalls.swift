internal import ContextDiffWire

/// Calls that wait for their replies, or to be sent, in the order in which they were made.
///
/// It uses no socket and no clock itself.
struct PendingCalls {
  struct Call {
    /// Called with the answer; `nil` where nobody wants it, or the deadline has passed and only the reply is to come.
    var complete: LoopClient.Completion?
    let method: Interface.Method
    /// When the call is to be answered by `timedOut`, in microseconds of `Poller.now`.
    let deadline: UInt64
    /// How many bytes it has, its NUL not counted.
    let length: Int
    /// How many bytes its frame has, with its NUL.
    var frameLength: Int { length + 1 }
    /// Whether the call gets no reply.
    var isOneway = false
    /// Whether it is the caller's own and gets a reply; the client itself asks for the daemon's limit.
    var isAnswered: Bool { !isOneway && method != .getStatistics }
  }

  private var calls: [Call] = []
  /// How many calls at the beginning have been taken by `next`.
  private var taken = 0
  /// How many calls behind those taken have been ended by their deadline; their replies are still to come.
  private var expired = 0

  /// How many calls wait.
  var count: Int { calls.count - taken }
  /// How many of them are the caller's and get a reply.
  private(set) var answeredCount = 0

  /// The first deadline that has not passed, in microseconds of `Poller.now`; `nil` where there is none.
  var nextDeadline: UInt64? {
    taken + expired < calls.count ? calls[taken + expired].deadline : nil
  }

  /// Adds a call, whose deadline must not be earlier than that of any call before.
  mutating func add(_ call: Call) {
    calls.append(call)
    if call.isAnswered { answeredCount += 1 }
  }

  /// Removes and returns the first call, which the next reply answers; `nil` where none waits.
  mutating func next() -> Call? {
    guard taken < calls.count else { return nil }
    let call = calls[taken]
    calls[taken].complete = nil
    taken += 1
    if call.isAnswered { answeredCount -= 1 }
    expired = max(0, expired - 1)
    if taken == calls.count || taken > 1_024 {
      calls.removeFirst(taken)
      taken = 0
    }
    return call
  }

  /// Removes and returns the completion of a call whose deadline has passed at `now`; `nil` where there is none.
  ///
  /// The call itself stays until `next` takes it.
  mutating func expire(at now: UInt64) -> LoopClient.Completion? {
    while taken + expired < calls.count, calls[taken + expired].deadline <= now {
      let index = taken + expired
      expired += 1
      defer { calls[index].complete = nil }
      if let complete = calls[index].complete { return complete }
    }
    return nil
  }
}
