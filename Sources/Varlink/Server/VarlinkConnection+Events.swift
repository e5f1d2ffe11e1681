internal import CLinux
internal import JSON

// What the socket tells the connection, and what it does when it is its turn.

extension VarlinkConnection {
  /// The socket is ready for something.
  func ready(for events: EpollLoop.Events) {
    if events.contains(.writable) { sendWaiting() }
    if !events.isDisjoint(with: .hungUp) { act(state.lostReader()) }
    // What the client sent before it went is still to be read.
    if state.isReading, !events.isDisjoint(with: [.readable, .hungUp]) { queue() }
  }

  /// Does what the state has found is to be done.
  func act(_ action: ConnectionState.Action) {
    switch action {
    case .nothing: break
    case .queue: queue()
    case .leave: core.leaving.append(self)
    }
    socket.watch(for: state.interest)
  }

  private func queue() {
    guard !isQueued else { return }
    isQueued = true
    core.turns.add(self)
  }

  /// Closes at the end of this turn, whatever waits.
  func abort() { act(state.end()) }

  /// Closes a connection that the handler does not want, and has heard nothing else of.
  func turnAway() {
    _ = state.end()
    core.leaving.removeAll { $0 === self }
    socket.close()
  }

  /// Lets go of the socket; nothing is heard of the connection any more.
  func end() {
    core.handler.connectionClosed(self)
    socket.close()
  }

  /// Closes the connection once the server is stopping and has answered all that has come.
  ///
  /// A stream stays.
  func closeIfFinished() {
    guard core.isStopping, !isQueued, state.isWaitingForCalls, !socket.hasUnreadBytes else {
      return
    }
    close()
  }

  // MARK: A turn

  /// Reads once, and answers until all is answered or the turn is over.
  ///
  /// - Returns: whether there is more to be done.
  func takeTurn() -> Bool {
    isQueued = false
    if state.hasKeptCalls {
      // Unsafe: none.
      unsafe answerCalls(in: UnsafeRawBufferPointer(start: nil, count: 0))
    } else if state.isReading {
      // Unsafe: what was read is answered or copied before the buffer is wiped.
      switch unsafe socket.read(into: core.receiveBuffer) {
      case .bytes(let count):
        unsafe answerCalls(in: UnsafeRawBufferPointer(rebasing: core.receiveBuffer[..<count]))
        // What people type does not stay where nothing needs it.
        unsafe clinux_wipe(core.receiveBuffer.baseAddress, count)
      case .nothing: break
      case .end: inputEnded()
      }
    }
    closeIfFinished()
    return state.hasKeptCalls && state.isReading
  }

  private func inputEnded() {
    core.sendReplies()
    act(state.inputEnded())
  }

  private func answerCalls(in bytes: UnsafeRawBufferPointer) {
    // Unsafe: the frames lie in `bytes` or in what is kept; each is answered before the next.
    var bytes = unsafe bytes
    core.answer(self) {
      while true {
        switch unsafe state.next(in: &bytes, limit: core.frameLimit) {
        case .nothing: return
        case .reject(let reason): return reject(reason)
        case .call(let frame):
          core.inTurn(frameOf: frame.count) { unsafe answerCall(in: frame) }
          let action = state.endCall()
          if action != .nothing { act(action) }
          core.sendDueReplies()
          guard core.turnIsOver(afterFrameOf: frame.count) else { continue }
          if let reason = unsafe state.keep(bytes) { reject(reason) }
          return
        }
      }
    }
    core.parser.forget()
    // It may be paused now, or go on.
    socket.watch(for: state.interest)
  }

  private func reject(_ reason: FrameRejection) {
    core.handler.frameRejected(reason, on: self)
    close()
  }

  // MARK: Sending

  /// Sends replies, or queues what the client does not take now.
  func send(_ bytes: UnsafeRawBufferPointer) {
    // Unsafe: sent or copied at once.
    var rest = unsafe bytes
    if state.output.isEmpty {
      guard let sent = unsafe socket.send(bytes) else { return act(state.lostReader()) }
      guard sent < bytes.count else { return }
      unsafe rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
    }
    guard unsafe state.keepUnsent(rest) else {
      core.handler.frameRejected(.tooMuchUnread, on: self)
      return abort()
    }
    socket.watch(for: state.interest)
  }

  /// Sends what waits, as far as the client takes it.
  private func sendWaiting() {
    guard !state.output.isEmpty else { return }
    // Unsafe: sent before anything changes what waits.
    guard let sent = unsafe socket.send(state.output.bytes) else { return act(state.lostReader()) }
    let (action, hasRoom) = state.sent(sent)
    act(action)
    if hasRoom, state.isWritable { core.handler.connectionIsWritable(self) }
  }

  // MARK: A call

  private func answerCall(in frame: UnsafeRawBufferPointer) {
    // Unsafe: the frame stays until the call is answered.
    if unsafe answerUsualCall(in: frame) { return }
    let envelope: CallEnvelope
    do throws(JSONError) {
      let value = unsafe try core.parser.parse(frame)
      do throws(FrameRejection) {
        envelope = try CallEnvelope(value)
      } catch {
        return reject(error)
      }
    } catch {
      return reject(.notJSON)
    }
    guard state.beginCall(wantsMore: envelope.wantsMore, isOneway: envelope.isOneway) else {
      return
    }
    dispatch(envelope)
  }

  /// Answers the call where it is written as most are and its handler reads it at once.
  ///
  /// - Returns: whether it did; else nothing has happened.
  private func answerUsualCall(in frame: UnsafeRawBufferPointer) -> Bool {
    // Unsafe: the frame stays until the call is answered; its parameters end before its brace.
    guard unsafe frame.last == UInt8(ascii: "}"),
      let (interface, method, start) = unsafe core.methods.findUsual(frame),
      interface != core.servicePlace,
      state.beginCall(wantsMore: false, isOneway: false)
    else { return false }
    return unsafe core.parser.read(UnsafeRawBufferPointer(rebasing: frame[start..<frame.count - 1]))
    {
      core.handler.handle(&$0, interface: interface, method: method, on: self)
    }
  }

  private func dispatch(_ envelope: CallEnvelope) {
    switch core.methods.find(envelope.method) {
    case .method(let interface, let method):
      guard !envelope.wantsUpgrade else {
        return reply(error: "org.varlink.service.MethodNotImplemented") { writer in
          writer.name("method")
          writer.string(envelope.method.string)
        }
      }
      let call = VarlinkCall(
        interface: interface, method: method, parameters: envelope.parameters,
        wantsMore: envelope.wantsMore, isOneway: envelope.isOneway)
      if interface == core.servicePlace {
        core.service.handle(call, on: self)
      } else {
        core.handler.handle(call, on: self)
      }
    case .unknownMethod:
      reply(error: "org.varlink.service.MethodNotFound") { writer in
        writer.name("method")
        writer.string(envelope.method.string)
      }
    case .unknownInterface(let name) where name.isEmpty:
      reply(InvalidParameter("method"))
    case .unknownInterface(let name):
      reply(interfaceNotFound: name)
    }
  }

  func reply(interfaceNotFound name: String) {
    reply(error: "org.varlink.service.InterfaceNotFound") { writer in
      writer.name("interface")
      writer.string(name)
    }
  }
}
