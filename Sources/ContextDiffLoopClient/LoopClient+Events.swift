package import ContextDiffWire
internal import JSON
internal import Varlink

extension LoopClient {
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
  func connectForEvents() {
    do throws(LoopClientError) {
      let socket = try LoopSocket(path: path)
      guard socket.isConnected else {
        eventRetry = Poller.now &+ LoopClient.roomDelay
        return
      }
      try watchAnew(socket.descriptor, .events)
      eventSocket = consume socket
    } catch {
      return loseEvents(because: error)
    }
    sendSubscribe()
  }

  /// Sends `Subscribe` or, where that is longer than every daemon takes, first asks the daemon for its limit.
  private func sendSubscribe() {
    guard let subscription else { return }
    writer.removeAll()
    writer.call(
      Interface.Method.subscribe.fullName, flag: "more", subscription.parameters.write)
    isAskingForEvents = eventLimit == nil && writer.callLength > Interface.leastCallLimit
    if isAskingForEvents {
      writer.removeAll()
      writer.call(Interface.Method.getStatistics.fullName) { _ in }
    } else if let eventLimit, writer.callLength > eventLimit {
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
    // A child of fork(2) that frees its copy leaves the subscription to its parent.
    if isInItsProcess { eventSocket?.shutDown() }
    eventSocket = nil
    eventLimit = nil
  }

  /// Ends the subscription by an error that a further attempt would bring again.
  private func endSubscription(because error: LoopClientError) {
    endEvents()
    subscription = nil
    messages.append(.ended(error))
  }

  /// Closes the connection for events, which has ended or, because of `error`, could not be made, and sets the time of
  /// the next attempt.
  private func loseEvents(because error: LoopClientError? = nil) {
    endEvents()
    let error = error ?? .unreachable(path, because: "the connection has ended")
    guard let (delay, message) = subscription?.fail(because: error) else { return }
    eventRetry = Poller.now &+ delay
    if let message { messages.append(message) }
  }

  /// Sends what is unsent and reads events, where the connection for events is ready.
  func receiveEvents() {
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
    // The next connection would bring the same event again.
    if received == .tooLong {
      return endSubscription(because: .replyTooLarge(limit: Interface.replyLimit))
    }
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
}
