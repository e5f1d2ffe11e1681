package import ContextDiff
package import ContextDiffWire
internal import Glibc
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
    /// No daemon answers; the client goes on trying to connect.
    case disconnected
    /// The daemon refused the subscription, or its answer cannot be read; no more messages come.
    case ended(LoopClientError)
  }

  /// How many bytes of calls are kept for a daemon that does not read: 16 MiB.
  private static let unsentBytes = 16 << 20
  /// How many bytes more are kept of calls that want no answer: 1 MiB.
  private static let onewayBytes = 1 << 20
  /// How long to wait before connecting again to a daemon whose accept queue is full, in microseconds.
  private static let roomDelay: UInt64 = 10_000

  private let path: String
  /// How long a call may take, in microseconds.
  private let deadline: UInt64
  /// How many calls may wait for an answer.
  private let pendingLimit: Int
  private let poller: Poller
  private var writer = JSONWriter()
  private let parser = JSONParser()

  /// The connection for calls.
  private var callSocket: LoopSocket?
  /// When to connect for calls again to a daemon whose accept queue is full, in microseconds of `Poller.now`.
  private var callRetry: UInt64?
  private var pending = PendingCalls()
  /// The answers that `process` is to call back with.
  private var answers: [(tell: Completion, what: Result<Answer, LoopClientError>)] = []

  /// The connection for events.
  private var eventSocket: LoopSocket?
  private var subscription: LoopSubscription?
  /// The subscriber's callback.
  private var tell: ((Message) -> Void)?
  /// The messages that `process` is to call back with.
  private var messages: [Message] = []
  /// When to connect for events again, in microseconds of `Poller.now`.
  private var eventRetry: UInt64?

  private var isClosed = false

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

  // MARK: Calls
  //
  // Each function sends a call, or keeps it until it can be sent, and returns at once. `process` later calls `complete`
  // with the answer; `nil` where the caller does not want it. An error that is thrown has no answer.

  /// Posts a pair to a session by `Post`.
  package func post(
    _ pair: PairParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(.post, session: pair.session ?? "", pair.write, then: complete)
  }

  /// Announces an edit by `Expect`.
  package func expect(
    _ edit: ExpectParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(.expect, session: edit.session, edit.write, then: complete)
  }

  /// Withdraws an announced edit by `Withdraw`.
  package func withdraw(
    _ edit: WithdrawParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(.withdraw, session: edit.session, edit.write, then: complete)
  }

  /// Ends a session by `Forget`.
  ///
  /// Without `complete` the call is `oneway`, for such calls the daemon also answers where the client is gone by then.
  package func forget(
    _ session: SessionParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(
      .forget, session: session.session, session.write, isOneway: complete == nil, then: complete)
  }

  /// Sends a call on the present connection or, where that has ended, on a new one.
  private func call(
    _ method: Interface.Method, session: String, _ parameters: (inout JSONWriter) -> Void,
    isOneway: Bool = false, then complete: Completion?
  ) throws(LoopClientError) {
    guard !isClosed else { throw .cancelled }
    guard SessionParameters.isName(session.utf8) else { throw .invalidSession }
    // A call without an answer is not counted: when too many calls wait, their session can still be forgotten.
    guard isOneway || pending.count + answers.count < pendingLimit else { throw .tooManyCalls }
    let unsentLimit = LoopClient.unsentBytes + (isOneway ? LoopClient.onewayBytes : 0)
    guard callSocket?.unsentCount ?? 0 < unsentLimit else {
      throw .tooMuchUnsent(limit: unsentLimit)
    }
    writer.removeAll()
    defer { writer.removeAll() }
    writer.call(method.fullName, flag: isOneway ? "oneway" : nil, parameters)
    guard writer.byteCount <= Interface.callLimit else { throw .tooLarge }

    let now = Poller.now
    // Unsafe: sent or copied before the writer's next call.
    var isSent = unsafe callSocket?.send(writer.bytes) ?? false
    if !isSent {
      // There is no connection, or its daemon is gone: the call goes over a new one.
      endCallsAfterAnswers()
      var failure = LoopClientError.disconnected
      do {
        try connectForCalls()
        // Unsafe: as above.
        isSent = unsafe callSocket?.send(writer.bytes) ?? false
      } catch { failure = error }
      guard isSent else {
        if let complete { answers.append((complete, .failure(failure))) }
        return arm()
      }
    }
    watchCalls()
    if !isOneway {
      pending.add(
        PendingCalls.Call(complete: complete, method: method, deadline: now &+ deadline))
    }
    arm()
  }

  /// Makes the connection for calls.
  private func connectForCalls() throws(LoopClientError) {
    let socket = try LoopSocket(path: path)
    callSocket = consume socket
    try startCalls()
  }

  /// Watches the connection for answers; where the daemon's accept queue is full, sets the time to connect again.
  ///
  /// - Throws: `unreachable` where the connection cannot be watched; it is closed then.
  private func startCalls() throws(LoopClientError) {
    guard let descriptor = callSocket?.descriptor, callSocket?.isConnected == true else {
      callRetry = Poller.now &+ LoopClient.roomDelay
      return
    }
    guard poller.watch(descriptor, .calls) else {
      let error = VarlinkSocketError("epoll_ctl", errno)
      callSocket = nil
      throw .unreachable(path, because: error.description)
    }
  }

  /// Connects again to a daemon whose accept queue was full, and sends the calls that were kept meanwhile.
  private func connectForCallsAgain() {
    do throws(LoopClientError) {
      try callSocket?.connect()
      try startCalls()
    } catch {
      // The calls that wait were never sent, so that they fail with the reason why not.
      return endCalls(because: error)
    }
    guard callRetry == nil else { return }
    if callSocket?.flush() == true { watchCalls() } else { endCalls() }
  }

  /// Watches the connection for calls for answers and, while calls are unsent, for room to send them.
  private func watchCalls() {
    guard let descriptor = callSocket?.descriptor, callSocket?.isConnected == true,
      let unsent = callSocket?.unsentCount
    else { return }
    poller.watch(descriptor, .calls, writing: unsent > 0, anew: false)
  }

  /// Closes the connection for calls; the next `process` answers the calls that wait by `error`.
  private func endCalls(because error: LoopClientError = .disconnected) {
    dropCallSocket()
    while let call = pending.next() {
      if let complete = call.complete { answers.append((complete, .failure(error))) }
    }
  }

  /// Closes the connection for calls, if there is one.
  private func dropCallSocket() {
    if let descriptor = callSocket?.descriptor { poller.unwatch(descriptor) }
    callSocket = nil
    callRetry = nil
  }

  /// Sends unsent calls and reads answers, where the connection for calls is ready.
  private func receiveCalls() {
    guard callSocket?.flush() ?? false else { return endCallsAfterAnswers() }
    if takeAnswers() == .end { endCalls() } else { watchCalls() }
  }

  /// Closes the connection for calls, which the daemon has closed, after reading the answers that are still in the
  /// socket.
  private func endCallsAfterAnswers() {
    while takeAnswers() == .bytes {}
    endCalls()
  }

  /// Reads once from the daemon, and keeps the answers for `process`.
  ///
  /// Returns `end` also for a reply that answers no call, or that cannot be read.
  private func takeAnswers() -> LoopSocket.Received {
    // Unsafe: a frame is used before the next one is read.
    unsafe callSocket?.receive { frame in
      // Each call has one reply: where one continues, the next reply would be taken for the next call's.
      guard let json = unsafe try? parser.parse(frame), let reply = ReplyEnvelope(json),
        !reply.continues, let call = pending.next()
      else { return false }
      guard let complete = call.complete else { return true }
      let answer = LoopClient.answer(to: call.method, reply)
      answers.append((complete, answer ?? .failure(.unreadable)))
      return answer != nil
    } ?? .end
  }

  /// Reads a reply to a call of `method`; `nil` where it cannot be one.
  private static func answer(
    to method: Interface.Method, _ reply: ReplyEnvelope
  ) -> Result<Answer, LoopClientError>? {
    if let error = reply.error { return .failure(.refused(reply, error)) }
    switch method {
    case .post:
      guard let reply = try? PairReply(json: reply.parameters) else { return nil }
      return .success(Answer(number: reply.sequence ?? 0, transition: reply.transition))
    case .expect:
      guard let reply = try? ExpectReply(json: reply.parameters) else { return nil }
      return .success(Answer(number: reply.expected))
    case .withdraw, .forget, .classify, .subscribe, .listSessions, .getStatistics:
      return .success(Answer())
    }
  }

  // MARK: Events

  /// Subscribes to events, instead of any earlier subscription; `nil` to end that only.
  ///
  /// - Parameters:
  ///   - parameters: the parameters of `Subscribe`.
  ///   - tell: called by `process` with each message.
  package func subscribe(_ parameters: SubscribeParameters?, tell: ((Message) -> Void)?) {
    endEvents()
    messages = []
    let parameters = isClosed ? nil : parameters
    subscription = parameters.map { LoopSubscription($0) }
    self.tell = tell
    eventRetry = parameters == nil ? nil : Poller.now
    arm()
  }

  /// Makes the connection for events, and sends `Subscribe`.
  private func connectForEvents() {
    guard let subscription else { return }
    guard var socket = try? LoopSocket(path: path) else { return loseEvents() }
    guard socket.isConnected else {
      eventRetry = Poller.now &+ LoopClient.roomDelay
      return
    }
    guard poller.watch(socket.descriptor, .events) else { return loseEvents() }
    writer.removeAll()
    writer.call(
      Interface.Method.subscribe.fullName, flag: "more", subscription.parameters.write)
    // Unsafe: sent or copied before the writer's next call.
    let isSent = unsafe socket.send(writer.bytes)
    let unsent = socket.unsentCount
    poller.watch(socket.descriptor, .events, writing: unsent > 0, anew: false)
    eventSocket = consume socket
    if !isSent { loseEvents() }
  }

  /// Closes the connection for events, if there is one.
  private func endEvents() {
    if let descriptor = eventSocket?.descriptor { poller.unwatch(descriptor) }
    eventSocket = nil
  }

  /// Ends the subscription by an error that a further attempt would bring again.
  private func endSubscription(because error: LoopClientError) {
    endEvents()
    subscription = nil
    messages.append(.ended(error))
  }

  /// Closes the connection for events, which has ended or could not be made, and sets the time of the next attempt.
  private func loseEvents() {
    endEvents()
    guard let (delay, message) = subscription?.fail() else { return }
    eventRetry = Poller.now &+ delay
    if let message { messages.append(message) }
  }

  /// Sends what is unsent and reads events, where the connection for events is ready.
  private func receiveEvents() {
    guard eventSocket?.flush() ?? false else { return loseEvents() }
    var refusal: LoopClientError?
    // Unsafe: a frame is used before the next one is read.
    let received = unsafe eventSocket?.receive { frame in
      do throws(LoopClientError) { return unsafe try hear(frame) } catch {
        refusal = error
        return false
      }
    }
    if let refusal { return endSubscription(because: refusal) }
    if received ?? .end == .end { return loseEvents() }
    if let descriptor = eventSocket?.descriptor, let unsent = eventSocket?.unsentCount {
      poller.watch(descriptor, .events, writing: unsent > 0, anew: false)
    }
  }

  /// Takes a reply to `Subscribe`.
  ///
  /// - Returns: whether more replies follow on this connection.
  /// - Throws: an error that a further attempt would bring again.
  private func hear(_ frame: UnsafeRawBufferPointer) throws(LoopClientError) -> Bool {
    // Unsafe: the frame is valid until this returns.
    guard let json = unsafe try? parser.parse(frame), let reply = ReplyEnvelope(json) else {
      throw .unreadable
    }
    if let error = reply.error {
      if subscription?.isPassing(error) == true { return false }
      throw .refused(reply, error)
    }
    guard let said = try? SubscribeReply(json: reply.parameters) else { throw .unreadable }
    if let message = subscription?.receive(said) { messages.append(message) }
    return reply.continues
  }

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
    while let complete = pending.expire(at: now) {
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
    return count
  }

  /// Sets the poller's timer to when `process` has something to do: at once where there are answers or messages.
  private func arm() {
    if !answers.isEmpty || !messages.isEmpty { return poller.wake(at: 1) }
    poller.wake(at: [pending.nextDeadline, callRetry, eventRetry].compactMap(\.self).min())
  }

  /// Closes both connections, and answers all calls that wait by `cancelled` before it returns.
  package func close() {
    isClosed = true
    subscribe(nil, tell: nil)
    dropCallSocket()
    while let call = pending.next() {
      if let complete = call.complete { answers.append((complete, .failure(.cancelled))) }
    }
    while !answers.isEmpty { answers.removeFirst().tell(.failure(.cancelled)) }
    poller.wake(at: nil)
  }
}

extension LoopClientError {
  /// The error `error` that the daemon replied with.
  fileprivate static func refused(_ reply: ReplyEnvelope, _ error: String) -> LoopClientError {
    let parameters = reply.parameters
    let limit = parameters["limit"].integer.map { "limit \($0)" }
    return .refused(error, detail: parameters["parameter"].string ?? limit)
  }
}
