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
  /// The calls that were sent.
  private var pending = PendingCalls()
  /// The longest call that is sent on this connection, in bytes with its NUL; before a longer one the daemon is asked
  /// for its limit.
  private var callLimit = Interface.leastCallLimit
  /// The calls that wait until the daemon has told its limit: a longer one, and all after it.
  private var held = PendingCalls()
  /// The frames of `held`.
  private let heldFrames = WipedBytes()
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
  /// The longest call that the daemon takes on the connection for events, in bytes with its NUL; `nil` until it has told
  /// that, which it is asked before a longer `Subscribe` than every daemon takes.
  private var eventLimit: Int?
  /// Whether the reply that comes next on the connection for events tells `eventLimit`.
  private var isAskingForEvents = false

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
    guard isOneway || pending.count + held.count + answers.count < pendingLimit else {
      throw .tooManyCalls
    }
    let unsentLimit = LoopClient.unsentBytes + (isOneway ? LoopClient.onewayBytes : 0)
    guard (callSocket?.unsentCount ?? 0) + heldFrames.count < unsentLimit else {
      throw .tooMuchUnsent(limit: unsentLimit)
    }
    writer.removeAll()
    defer { writer.removeAll() }
    writer.call(method.fullName, flag: isOneway ? "oneway" : nil, parameters)

    let call = PendingCalls.Call(
      complete: complete, method: method, deadline: Poller.now &+ deadline, isOneway: isOneway)
    if !send(call) {
      // There is no connection, or its daemon is gone: the call goes over a new one.
      endCallsAfterAnswers()
      var failure = LoopClientError.disconnected
      do throws(LoopClientError) { try connectForCalls() } catch { failure = error }
      guard send(call) else {
        if let complete { answers.append((complete, .failure(failure))) }
        return arm()
      }
    }
    watchCalls()
    arm()
  }

  /// Sends the writer's call, or holds it until the daemon has told its limit.
  ///
  /// - Returns: `false` where there is no connection, or it has ended.
  private func send(_ call: PendingCalls.Call) -> Bool {
    guard callSocket != nil else { return false }
    if held.count > 0 || writer.byteCount > callLimit {
      if held.count == 0 {
        var question = JSONWriter()
        question.call(Interface.Method.getStatistics.fullName) { _ in }
        // Unsafe: sent or copied before the question's end.
        guard unsafe callSocket?.send(question.bytes) == true else { return false }
        pending.add(.init(complete: nil, method: .getStatistics, deadline: call.deadline))
      }
      // Unsafe: copied at once.
      unsafe heldFrames.append(writer.bytes)
      held.add(call)
      return true
    }
    // Unsafe: sent or copied before the writer's next call.
    guard unsafe callSocket?.send(writer.bytes) == true else { return false }
    if !call.isOneway { pending.add(call) }
    return true
  }

  /// Sends the calls that were held; to one that is longer than `callLimit` that is the answer.
  ///
  /// - Returns: `false` where the connection has ended.
  private func sendHeld() -> Bool {
    var isSent = true
    while isSent, let call = held.next() {
      // Unsafe: sent or copied before the frames change.
      let frames = unsafe heldFrames.bytes
      // A frame ends with its only NUL.
      let count = unsafe (frames.firstIndex(of: 0) ?? frames.count - 1) + 1
      if count <= callLimit {
        if !call.isOneway { pending.add(call) }
        let frame = unsafe UnsafeRawBufferPointer(rebasing: frames[..<count])
        isSent = unsafe callSocket?.send(frame) == true
      } else if let complete = call.complete {
        answers.append((complete, .failure(.tooLarge(limit: callLimit))))
      }
      heldFrames.removeFirst(count)
    }
    return isSent
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
    while let call = pending.next() ?? held.next() {
      if let complete = call.complete { answers.append((complete, .failure(error))) }
    }
    heldFrames.removeAll()
  }

  /// Closes the connection for calls, if there is one.
  private func dropCallSocket() {
    if let descriptor = callSocket?.descriptor { poller.unwatch(descriptor) }
    callSocket = nil
    callRetry = nil
    callLimit = Interface.leastCallLimit
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
    var isLimitTold = false
    // Unsafe: a frame is used before the next one is read.
    let received = unsafe callSocket?.receive { frame in
      // Each call has one reply: where one continues, the next reply would be taken for the next call's.
      guard let json = unsafe try? parser.parse(frame), let reply = ReplyEnvelope(json),
        !reply.continues, let call = pending.next()
      else { return false }
      if call.method == .getStatistics {
        callLimit = LoopClient.callLimit(told: reply)
        isLimitTold = true
      }
      guard let complete = call.complete else { return true }
      let answer = LoopClient.answer(to: call.method, reply)
      answers.append((complete, answer ?? .failure(.unreadable)))
      return answer != nil
    }
    if isLimitTold, received != .end, !sendHeld() { return .end }
    return received ?? .end
  }

  /// The longest call that a daemon takes by its reply to `GetStatistics`; the default of one that does not tell it, as
  /// before version 0.2.
  private static func callLimit(told reply: ReplyEnvelope) -> Int {
    let statistics = try? Statistics(json: reply.parameters["statistics"])
    return statistics?.limits["frameBytes"] ?? Interface.callLimit
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

  /// Makes the connection for events.
  private func connectForEvents() {
    guard let socket = try? LoopSocket(path: path) else { return loseEvents() }
    guard socket.isConnected else {
      eventRetry = Poller.now &+ LoopClient.roomDelay
      return
    }
    guard poller.watch(socket.descriptor, .events) else { return loseEvents() }
    eventSocket = consume socket
    sendSubscribe()
  }

  /// Sends `Subscribe` or, where that is longer than every daemon takes, first asks the daemon for its limit.
  private func sendSubscribe() {
    guard let subscription else { return }
    writer.removeAll()
    writer.call(
      Interface.Method.subscribe.fullName, flag: "more", subscription.parameters.write)
    isAskingForEvents = eventLimit == nil && writer.byteCount > Interface.leastCallLimit
    if isAskingForEvents {
      writer.removeAll()
      writer.call(Interface.Method.getStatistics.fullName) { _ in }
    } else if let eventLimit, writer.byteCount > eventLimit {
      return endSubscription(because: .tooLarge(limit: eventLimit))
    }
    // Unsafe: sent or copied before the writer's next call.
    guard unsafe eventSocket?.send(writer.bytes) == true else { return loseEvents() }
    watchEvents()
  }

  /// Watches the connection for events for messages and, while a call is unsent, for room to send it.
  private func watchEvents() {
    guard let descriptor = eventSocket?.descriptor, let unsent = eventSocket?.unsentCount else {
      return
    }
    poller.watch(descriptor, .events, writing: unsent > 0, anew: false)
  }

  /// Closes the connection for events, if there is one.
  private func endEvents() {
    if let descriptor = eventSocket?.descriptor { poller.unwatch(descriptor) }
    eventSocket = nil
    eventLimit = nil
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
    let wasAsking = isAskingForEvents
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
    if wasAsking, !isAskingForEvents { sendSubscribe() } else { watchEvents() }
  }

  /// Takes a reply to `Subscribe`, or to the question for the daemon's limit.
  ///
  /// - Returns: whether more replies follow on this connection.
  /// - Throws: an error that a further attempt would bring again.
  private func hear(_ frame: UnsafeRawBufferPointer) throws(LoopClientError) -> Bool {
    // Unsafe: the frame is valid until this returns.
    guard let json = unsafe try? parser.parse(frame), let reply = ReplyEnvelope(json) else {
      throw .unreadable
    }
    if isAskingForEvents {
      isAskingForEvents = false
      eventLimit = LoopClient.callLimit(told: reply)
      return true
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
    return count
  }

  /// Sets the poller's timer to when `process` has something to do: at once where there are answers or messages.
  private func arm() {
    if !answers.isEmpty || !messages.isEmpty { return poller.wake(at: 1) }
    let times = [pending.nextDeadline, held.nextDeadline, callRetry, eventRetry]
    poller.wake(at: times.compactMap(\.self).min())
  }

  /// Closes both connections, and answers all calls that wait by `cancelled` before it returns.
  package func close() {
    isClosed = true
    subscribe(nil, tell: nil)
    // For the calls that want no answer; all of these are short. A child of fork(2) leaves them to its parent.
    if isInItsProcess { _ = sendHeld() }
    endCalls()
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
