package import ContextDiff
package import ContextDiffWire
internal import Glibc
internal import JSON
internal import Varlink

/// The daemon's client for a program with an event loop of its own.
///
/// One descriptor to wait for; `process` then does what can be done without waiting, and tells the
/// answers and events. Nothing here blocks, locks, or starts a thread. Calls go over one connection,
/// made when a call is; events come over another, made again and again.
package final class LoopClient {
  /// What a call brings.
  package struct Answer {
    /// A post's event, or an announced edit; 0 where there is none.
    package var number = 0
    /// What a post read.
    package var transition: Transition?
  }

  /// Gets a call's answer, once.
  package typealias Completion = (Result<Answer, LoopClientError>) -> Void

  /// What a subscription tells.
  package enum Message {
    case ready(instance: String, sequence: Int)
    // In a box: in place, its case is read from bytes that not every case sets, says valgrind.
    indirect case event(Event, instance: String)
    /// How many, -1 where it cannot be known, up to an event's number.
    case lost(Int, upTo: Int, instance: String)
    case disconnected
    /// The daemon refused the subscription, or answered what cannot be read; nothing more comes.
    case ended(LoopClientError)
  }

  /// How much is kept for a daemon that doesn't read.
  private static let unsentBytes = 16 << 20
  /// How much more of calls that want no answer.
  private static let onewayBytes = 1 << 20
  /// After how many microseconds to look again whether a daemon has room for one more connection.
  private static let roomDelay: UInt64 = 10_000

  private let path: String
  private let deadline: UInt64
  private let callLimit: Int
  private let poller: Poller
  private var writer = JSONWriter()
  private let parser = JSONParser()

  private var callSocket: LoopSocket?
  /// When to connect for calls again, in microseconds: who listens has no room yet.
  private var callRetry: UInt64?
  private var pending = PendingCalls()
  /// The answers that `process` is to tell.
  private var answers: [(tell: Completion, what: Result<Answer, LoopClientError>)] = []

  private var eventSocket: LoopSocket?
  private var subscription: LoopSubscription?
  private var tell: ((Message) -> Void)?
  /// The messages that `process` is to tell.
  private var messages: [Message] = []
  /// When to connect for events again, in microseconds.
  private var retry: UInt64?

  private var isClosed = false

  /// A client that is not connected yet.
  ///
  /// - Parameters:
  ///   - path: The socket's.
  ///   - deadline: After how many microseconds a call is answered with `timedOut`.
  ///   - callLimit: How many calls may wait.
  /// - Throws: `LoopClientError.noDescriptors` where the process has no descriptors left.
  package init(path: String, deadline: UInt64, callLimit: Int) throws(LoopClientError) {
    self.path = path
    self.deadline = deadline
    self.callLimit = callLimit
    poller = try Poller()
  }

  /// Whether this is the process that made it, and no child that fork(2) made since: that has the same sockets,
  /// and would take the other's answers.
  package var isInItsProcess: Bool { poller.isInItsProcess }

  /// The descriptor to wait for, until it is readable; the same for the client's life.
  package var descriptor: CInt { poller.descriptor }

  // MARK: Calls

  /// `Post`.
  package func post(
    _ pair: PairParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(.post, session: pair.session ?? "", pair.write, then: complete)
  }

  /// `Expect`.
  package func expect(
    _ edit: ExpectParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(.expect, session: edit.session, edit.write, then: complete)
  }

  /// `Withdraw`.
  package func withdraw(
    _ edit: WithdrawParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(.withdraw, session: edit.session, edit.write, then: complete)
  }

  /// `Forget`.
  ///
  /// Where nobody waits for the answer it is a call that wants none: such a one the daemon also takes of a
  /// client that is gone by then.
  package func forget(
    _ session: SessionParameters, then complete: Completion?
  ) throws(LoopClientError) {
    try call(
      .forget, session: session.session, session.write, isOneway: complete == nil, then: complete)
  }

  private func call(
    _ method: Interface.Method, session: String, _ parameters: (inout JSONWriter) -> Void,
    isOneway: Bool = false, then complete: Completion?
  ) throws(LoopClientError) {
    guard !isClosed else { throw .cancelled }
    guard SessionParameters.isName(session.utf8) else { throw .invalidSession }
    // What wants no answer takes nobody's place: a session is to be forgotten just where its calls are too many.
    guard isOneway || pending.count + answers.count < callLimit else { throw .tooManyCalls }
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
      // There was none, or its daemon went away: the call goes to the next one.
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

  private func connectForCalls() throws(LoopClientError) {
    let socket = try LoopSocket(path: path)
    callSocket = consume socket
    try startCalls()
  }

  /// Waits for answers where the connection stands, and for room where there was none.
  ///
  /// - Throws: `unreachable` where it cannot be waited for answers; there is no connection then.
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

  /// Looks whether the daemon has room now; what was sent meanwhile goes then.
  private func connectForCallsAgain() {
    do throws(LoopClientError) {
      try callSocket?.connect()
      try startCalls()
    } catch {
      // What was kept was never sent.
      return endCalls(because: error)
    }
    guard callRetry == nil else { return }
    if callSocket?.flush() == true { watchCalls() } else { endCalls() }
  }

  private func watchCalls() {
    guard let descriptor = callSocket?.descriptor, callSocket?.isConnected == true,
      let unsent = callSocket?.unsentCount
    else { return }
    poller.watch(descriptor, .calls, writing: unsent > 0, anew: false)
  }

  /// Ends the connection for calls; who waits is answered by the next `process`.
  private func endCalls(because error: LoopClientError = .disconnected) {
    dropCallSocket()
    while let call = pending.next() {
      if let complete = call.complete { answers.append((complete, .failure(error))) }
    }
  }

  private func dropCallSocket() {
    if let descriptor = callSocket?.descriptor { poller.unwatch(descriptor) }
    callSocket = nil
    callRetry = nil
  }

  private func receiveCalls() {
    guard callSocket?.flush() ?? false else { return endCallsAfterAnswers() }
    if takeAnswers() == .end { endCalls() } else { watchCalls() }
  }

  /// Ends the connection for calls where the daemon reads no more: what it answered before it went lies in the
  /// socket still.
  private func endCallsAfterAnswers() {
    while takeAnswers() == .bytes {}
    endCalls()
  }

  /// Reads once from the daemon, and notes the answers that this completes; one that nobody waits for, or that
  /// cannot be read, is the end.
  private func takeAnswers() -> LoopSocket.Received {
    // Unsafe: a frame is read before the next one is.
    unsafe callSocket?.receive { frame in
      // One that more follow would have the next call take what is not its own.
      guard let json = unsafe try? parser.parse(frame), let reply = ReplyEnvelope(json),
        !reply.continues, let call = pending.next()
      else { return false }
      guard let complete = call.complete else { return true }
      let answer = LoopClient.answer(to: call.method, reply)
      answers.append((complete, answer ?? .failure(.unreadable)))
      return answer != nil
    } ?? .end
  }

  /// `nil` where it is no answer to such a call.
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

  /// Hears of events from now on, in place of what was heard so far; `nil` to hear of none.
  package func subscribe(_ parameters: SubscribeParameters?, tell: ((Message) -> Void)?) {
    endEvents()
    messages = []
    let parameters = isClosed ? nil : parameters
    subscription = parameters.map { LoopSubscription($0) }
    self.tell = tell
    retry = parameters == nil ? nil : Poller.now
    arm()
  }

  private func connectForEvents() {
    guard let subscription else { return }
    guard var socket = try? LoopSocket(path: path) else { return loseEvents() }
    guard socket.isConnected else {
      retry = Poller.now &+ LoopClient.roomDelay
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

  private func endEvents() {
    if let descriptor = eventSocket?.descriptor { poller.unwatch(descriptor) }
    eventSocket = nil
  }

  /// Ends the subscription: asking again would bring the same.
  private func endSubscription(because error: LoopClientError) {
    endEvents()
    subscription = nil
    messages.append(.ended(error))
  }

  private func loseEvents() {
    endEvents()
    guard let (delay, message) = subscription?.fail() else { return }
    retry = Poller.now &+ delay
    if let message { messages.append(message) }
  }

  private func receiveEvents() {
    guard eventSocket?.flush() ?? false else { return loseEvents() }
    var refusal: LoopClientError?
    // Unsafe: a frame is read before the next one is.
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

  /// Takes a reply to the subscription.
  ///
  /// - Returns: Whether more follow.
  /// - Throws: Why none would follow the next time either.
  private func hear(_ frame: UnsafeRawBufferPointer) throws(LoopClientError) -> Bool {
    // Unsafe: read before the frame goes.
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

  /// Does all that can be done without waiting.
  ///
  /// - Returns: How many answers and messages were told.
  package func process() -> Int {
    // What stays readable asks again: nobody is kept here by who sends without an end.
    for source in poller.ready() {
      switch source {
      case .timer: poller.silence()
      case .calls: receiveCalls()
      case .events: receiveEvents()
      }
    }
    let now = Poller.now
    if let time = callRetry, time <= now {
      callRetry = nil
      connectForCallsAgain()
    }
    if let time = retry, time <= now {
      retry = nil
      connectForEvents()
    }
    while let complete = pending.expire(at: now) {
      answers.append((complete, .failure(.timedOut)))
    }
    let count = tellAll()
    arm()
    return count
  }

  /// Tells what there is to tell now, and not what the callbacks add to it.
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

  /// Sets the timer for what comes next.
  private func arm() {
    if !answers.isEmpty || !messages.isEmpty { return poller.wake(at: 1) }
    poller.wake(at: [pending.nextDeadline, callRetry, retry].compactMap(\.self).min())
  }

  /// Ends all connections, and tells who waits `cancelled`.
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
  /// What the daemon answered with `error`.
  fileprivate static func refused(_ reply: ReplyEnvelope, _ error: String) -> LoopClientError {
    let parameters = reply.parameters
    let limit = parameters["limit"].integer.map { "limit \($0)" }
    return .refused(error, detail: parameters["parameter"].string ?? limit)
  }
}
