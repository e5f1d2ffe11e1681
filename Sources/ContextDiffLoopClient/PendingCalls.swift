internal import ContextDiffWire
internal import JSON
internal import Varlink

/// The calls that wait for their answers, in the order in which they were made.
///
/// Knows no socket and no clock: a reply, a time or an end goes in, what is to be told comes out.
struct PendingCalls {
  struct Call {
    /// `nil` once it was answered: a reply may still come.
    var complete: LoopClient.Completion?
    let method: Interface.Method
    /// When it is answered with `timedOut`, in microseconds.
    let deadline: UInt64
  }

  private var calls: [Call] = []
  /// How many at the start are gone.
  private var gone = 0
  /// How many behind these have been answered before their reply came.
  private var expired = 0

  var count: Int { calls.count - gone }

  /// When the next one is to be answered at the latest.
  var nextDeadline: UInt64? {
    gone + expired < calls.count ? calls[gone + expired].deadline : nil
  }

  /// Adds a call; its deadline is no earlier than that of any call before.
  mutating func add(_ call: Call) { calls.append(call) }

  /// Takes the call that the next reply answers.
  mutating func next() -> Call? {
    guard gone < calls.count else { return nil }
    let call = calls[gone]
    calls[gone].complete = nil
    gone += 1
    expired = max(0, expired - 1)
    if gone == calls.count || gone > 1_024 {
      calls.removeFirst(gone)
      gone = 0
    }
    return call
  }

  /// Takes who waits for a call whose time is over; `nil` once there is none.
  mutating func expire(at now: UInt64) -> LoopClient.Completion? {
    while gone + expired < calls.count, calls[gone + expired].deadline <= now {
      let index = gone + expired
      expired += 1
      defer { calls[index].complete = nil }
      if let complete = calls[index].complete { return complete }
    }
    return nil
  }
}
