internal import CLinux
internal import JSON

// What a connection does when its socket is ready, and in its turn.

extension VarlinkConnection {
  /// Sends what waits, and queues the connection for a turn where there is something to be read.
  func ready(for events: EpollLoop.Events) {
    if events.contains(.writable) { sendWaiting() }
    if !events.isDisjoint(with: .hungUp) { act(state.lostReader()) }
    // What the client sent before it went is still to be read.
    if state.isReading, !events.isDisjoint(with: [.readable, .hungUp]) { queue() }
  }

  /// Does what the state says, and watches the socket for what the state then waits for.
  func act(_ action: ConnectionState.Action) {
    switch action {
    case .nothing: break
    case .queue: queue()
    case .leave: core.leaving.append(self)
    }
    socket.watch(for: state.interest)
  }

  /// Queues the connection for a turn, unless it is queued already.
  private func queue() {
    guard !isQueued else { return }
    isQueued = true
    core.turns.add(self)
  }

  /// Ends the connection at the end of the loop's turn, and drops what waits to be sent.
  func abort() { act(state.end()) }

  /// Whether bytes wait for the client, which has taken none of them since this was called last.
  func takesNothing() -> Bool {
    defer { lastSentBytes = state.output.sentBytes }
    return !state.output.isEmpty && state.output.sentBytes == lastSentBytes
  }

  /// Closes a connection that the handler has refused in `connectionOpened`.
  func turnAway() {
    _ = state.end()
    core.leaving.removeAll { $0 === self }
    socket.close()
  }

  /// Tells the handler that the connection is closed, and closes the socket, or leaves it to the handler.
  func end() {
    core.handler.connectionClosed(self)
    // Unsafe: nothing is being read.
    if let unread = unsafe socket.end(readingInto: core.receiveBuffer) {
      core.handler.leftUnread(unread)
    }
  }

  /// Closes the connection if the server is stopping and has answered all calls that have come; a stream stays open.
  func closeIfFinished() {
    guard core.isStopping, !isQueued, state.isWaitingForCalls, !socket.hasUnreadBytes else {
      return
    }
    close()
  }

  // MARK: A turn

  /// Reads once, or goes on with kept calls, and answers until all calls are answered or the turn is over.
  ///
  /// - Returns: whether calls are left to be answered.
  func takeTurn() -> Bool {
    isQueued = false
    if state.hasKeptCalls {
      // Unsafe: no bytes.
      unsafe answerCalls(in: UnsafeRawBufferPointer(start: nil, count: 0))
    } else if state.isReading {
      // Unsafe: no more bytes are used than were read, and they are answered or copied before the buffer is wiped.
      switch unsafe socket.read(into: core.receiveBuffer) {
      case .bytes(let count):
        unsafe answerCalls(in: UnsafeRawBufferPointer(rebasing: core.receiveBuffer[..<count]))
        // So that what people type does not stay in memory.
        unsafe clinux_wipe(core.receiveBuffer.baseAddress, count)
      case .nothing: break
      case .end: inputEnded()
      }
    }
    closeIfFinished()
    return state.hasKeptCalls
  }

  private func inputEnded() {
    core.sendReplies()
    act(state.inputEnded())
  }

  /// Answers the calls among the kept bytes and in `bytes`, until the turn is over; keeps what is left.
  private func answerCalls(in bytes: UnsafeRawBufferPointer) {
    // Unsafe: a frame lies in `bytes` or among the kept bytes, and is answered before the next one is taken.
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
    // Reading may have been paused, or gone on.
    socket.watch(for: state.interest)
  }

  /// Closes the connection because of what it sent.
  private func reject(_ reason: FrameRejection) {
    core.handler.frameRejected(reason, on: self)
    close()
  }

  // MARK: Sending

  /// Sends replies, and queues what the client does not take at once.
  ///
  /// Aborts the connection where its account has no room for them.
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

  /// Sends queued bytes, as many as the client takes at once, and tells the handler where there is room again.
  private func sendWaiting() {
    guard !state.output.isEmpty else { return }
    // Unsafe: sent before the output changes.
    guard let sent = unsafe socket.send(state.output.bytes) else { return act(state.lostReader()) }
    let (action, hasRoom) = state.sent(sent)
    act(action)
    if hasRoom { core.handler.connectionIsWritable(self) }
  }

  // MARK: A call

  /// Answers the call in `frame`, or closes the connection where there is none.
  private func answerCall(in frame: UnsafeRawBufferPointer) {
    // Unsafe: the frame is valid until the call is answered.
    if unsafe answerUsualCall(in: frame) { return }
    let envelope: CallEnvelope
    do throws(JSONError) {
      let value = unsafe try core.parser.parse(frame)
      do throws(CallMistake) {
        envelope = try CallEnvelope(value)
      } catch {
        return reject(.notACall(error))
      }
    } catch {
      return reject(.notJSON(error))
    }
    guard state.beginCall(wantsMore: envelope.wantsMore, isOneway: envelope.isOneway) else {
      return
    }
    dispatch(envelope)
  }

  /// Answers the call in `frame` if it is written as most are (`MethodTable.findUsual`) and the handler reads its
  /// parameters by a cursor.
  ///
  /// - Returns: whether the call was answered; where not, it is to be parsed and answered like any other.
  private func answerUsualCall(in frame: UnsafeRawBufferPointer) -> Bool {
    // Unsafe: the frame is valid until the call is answered; the parameters end before the frame's last brace.
    guard unsafe frame.last == UInt8(ascii: "}"),
      let (interface, method, start) = unsafe core.methods.findUsual(frame),
      interface != core.servicePlace,
      state.beginCall(wantsMore: false, isOneway: false)
    else { return false }
    return unsafe core.handle(
      UnsafeRawBufferPointer(rebasing: frame[start..<frame.count - 1]), interface: interface,
      method: method, on: self)
  }

  /// Has the handler or the service interface answer the call, or answers it with the error that it deserves.
  private func dispatch(_ envelope: CallEnvelope) {
    switch core.methods.find(envelope.method) {
    case .method(let interface, let method):
      guard !envelope.wantsUpgrade else {
        return reply(error: "org.varlink.service.MethodNotImplemented") { writer in
          writer.member("method", envelope.method.string)
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
        writer.member("method", envelope.method.string)
      }
    case .unknownInterface(let name) where name.isEmpty:
      reply(InvalidParameter("method"))
    case .unknownInterface(let name):
      reply(interfaceNotFound: name)
    }
  }

  func reply(interfaceNotFound name: String) {
    reply(error: "org.varlink.service.InterfaceNotFound") { writer in
      writer.member("interface", name)
    }
  }
}
