package import ContextDiffWire
internal import Glibc
internal import JSON
internal import Varlink

// Each function sends a call, or keeps it until it can be sent, and returns at once. `process` later calls `complete`
// with the answer; `nil` where the caller does not want it. An error that is thrown has no answer.

extension LoopClient {
  /// How many bytes of calls are kept, those that are held and those that the socket does not take: 16 MiB.
  private static let unsentBytes = 16 << 20
  /// How many bytes more are kept of calls that want no answer: 1 MiB.
  private static let onewayBytes = 1 << 20

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
  /// Without `complete` the call is `oneway`: such a call the daemon does even where the client is gone by then.
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
    guard
      isOneway || pending.answeredCount + held.answeredCount + answers.count < pendingLimit
    else {
      throw .tooManyCalls(limit: pendingLimit)
    }
    let unsentLimit = LoopClient.unsentBytes + (isOneway ? LoopClient.onewayBytes : 0)
    guard (callSocket?.unsentCount ?? 0) + heldFrames.count < unsentLimit else {
      throw .tooMuchUnsent(limit: unsentLimit)
    }
    writer.removeAll()
    defer { writer.removeAll() }
    writer.call(method.fullName, flag: isOneway ? "oneway" : nil, parameters)

    let call = PendingCalls.Call(
      complete: complete, method: method, deadline: Poller.now &+ deadline,
      length: writer.callLength, isOneway: isOneway)
    if !send(call) {
      // There is no connection, or its daemon is gone: the call goes over a new one.
      endCallsAfterAnswers()
      var failure = LoopClientError.disconnected
      do throws(LoopClientError) { try connectForCalls() } catch { failure = error }
      guard send(call) else {
        fail(call, because: failure)
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
    if held.count > 0 || call.length > callLimit {
      if held.count == 0 {
        var question = JSONWriter()
        question.call(Interface.Method.getStatistics.fullName) { _ in }
        // Unsafe: sent or copied before the question's end.
        guard unsafe callSocket?.send(question.bytes) == true else { return false }
        pending.add(
          .init(
            complete: nil, method: .getStatistics, deadline: call.deadline,
            length: question.callLength))
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
  func sendHeld() -> Bool {
    var isSent = true
    while isSent, let call = held.next() {
      if call.length <= callLimit {
        if !call.isOneway { pending.add(call) }
        // Unsafe: sent or copied before the frames change.
        let frame = unsafe UnsafeRawBufferPointer(rebasing: heldFrames.bytes[..<call.frameLength])
        isSent = unsafe callSocket?.send(frame) == true
      } else {
        fail(call, because: .tooLarge(limit: callLimit))
      }
      heldFrames.removeFirst(call.frameLength)
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
    do throws(LoopClientError) { try watchAnew(descriptor, .calls) } catch {
      callSocket = nil
      throw error
    }
  }

  /// Watches a connection that was just made.
  ///
  /// - Throws: `unreachable` where the kernel refuses.
  func watchAnew(_ descriptor: CInt, _ source: Poller.Source) throws(LoopClientError) {
    guard poller.watch(descriptor, source) else {
      let error = VarlinkSocketError("epoll_ctl", errno)
      throw .unreachable(path, because: error.description)
    }
  }

  /// Connects again to a daemon whose accept queue was full, and sends the calls that were kept meanwhile.
  func connectForCallsAgain() {
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
  func endCalls(because error: LoopClientError = .disconnected) {
    if let descriptor = callSocket?.descriptor { poller.unwatch(descriptor) }
    // A child of fork(2) that frees its copy leaves the connection to its parent.
    if isInItsProcess { callSocket?.shutDown() }
    callSocket = nil
    callRetry = nil
    callLimit = Interface.leastCallLimit
    while let call = pending.next() ?? held.next() { fail(call, because: error) }
    heldFrames.removeAll()
  }

  /// Keeps `error` for `process` as the answer to `call`, where somebody wants one.
  private func fail(_ call: PendingCalls.Call, because error: LoopClientError) {
    if let complete = call.complete { answers.append((complete, .failure(error))) }
  }

  /// Sends unsent calls and reads answers, where the connection for calls is ready.
  func receiveCalls() {
    guard callSocket?.flush() ?? false else { return endCallsAfterAnswers() }
    if takeAnswers() == .end { endCalls() } else { watchCalls() }
  }

  /// Reads what is in the socket, at most as many bytes as one answer may have and, for the calls that wait, one read
  /// each.
  func readAnswersThatHaveCome() {
    var reads = pending.count + Interface.replyLimit / LoopSocket.readBytes
    while callSocket?.isConnected == true, reads > 0 {
      switch takeAnswers() {
      case .bytes: reads -= 1
      case .nothing: return
      case .end, .tooLong: return endCalls()
      }
    }
  }

  /// Closes the connection for calls, which the daemon has closed, after reading the answers that are still in the
  /// socket.
  private func endCallsAfterAnswers() {
    while takeAnswers() == .bytes {}
    endCalls()
  }

  /// Reads once from the daemon, and keeps the answers for `process`.
  ///
  /// Returns `end` also for a reply that answers no call, or that cannot be read or is too long.
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
    if received == .tooLong {
      if let call = pending.next() {
        fail(call, because: .replyTooLarge(limit: Interface.replyLimit))
      }
      return .end
    }
    if isLimitTold, received != .end, !sendHeld() { return .end }
    return received ?? .end
  }

  /// The longest call that a daemon takes by its reply to `GetStatistics`, in bytes; the default where that is none.
  static func callLimit(told reply: ReplyEnvelope) -> Int {
    let statistics = try? Statistics(json: reply.parameters["statistics"])
    return statistics?.callLimit ?? Interface.callLimit
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
}
