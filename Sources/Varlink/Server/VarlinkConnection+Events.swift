internal import JSON

/// What the socket tells the connection.
extension VarlinkConnection {
  /// The socket is ready for something.
  func ready(for events: EpollLoop.Events) {
    if events.contains(.writable) { sendWaiting() }
    // What the client sent before it went is still to be read.
    if socket.isReading {
      if !events.isDisjoint(with: [.readable, .hungUp]) { read() }
    } else if !events.isDisjoint(with: .hungUp) {
      clientGone()
    }
  }

  private func read() {
    switch socket.read(into: core.receiveBuffer) {
    case .bytes(let bytes): received(bytes)
    case .nothing: break
    case .end:
      inputHasEnded = true
      socket.isReading = false
      closeIfFinished()
    }
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    // What comes into a stream is dropped.
    guard phase == .answering else { return }
    answerCalls(in: bytes)
    countKeptBytes()
  }

  private func sendWaiting() {
    let wasFull = socket.isFull
    socket.sendWaiting()
    leaveIfAllIsSent()
    abortIfLost()
    guard wasFull, !socket.isFull else { return }
    if phase == .paused { resume() }
    if isWritable { core.handler.connectionIsWritable(self) }
  }

  /// Nobody is at the other end: nothing can be sent any more, but what is left of the calls is
  /// taken.
  private func clientGone() {
    socket.loseReader()
    if phase == .paused { resume() } else { abort() }
  }

  private func countKeptBytes() {
    // What is kept while it is paused are whole calls, of one read at most.
    core.count(keptBytes: phase == .answering ? reader.keptCount : 0, of: self)
  }

  /// Ends the connection for the part of a frame that it has sent.
  func rejectUnfinished() {
    reject(.tooMuchUnfinished)
    reader.forget()
    countKeptBytes()
  }

  /// Closes at the end of this turn, whatever waits.
  func abort() {
    guard phase != .closed else { return }
    phase = .closing
    socket.isReading = false
    socket.loseReader()
    leaveIfAllIsSent()
  }

  /// Of a stream's client who does not read any more there is nothing else to be heard.
  func abortIfLost() {
    if socket.hasLostReader, phase == .streaming { abort() }
  }

  func leaveIfAllIsSent() {
    guard phase == .closing, socket.isEmpty else { return }
    phase = .closed
    core.leaving.append(self)
  }

  /// Closes a connection that the handler does not want, and has heard nothing else of.
  func turnAway() {
    phase = .closed
    core.leaving.removeAll { $0 === self }
    socket.close()
  }

  /// Lets go of the socket; nothing is heard of the connection any more.
  func end() {
    core.count(keptBytes: 0, of: self)
    core.handler.connectionClosed(self)
    socket.close()
  }

  // MARK: A turn

  private func answerCalls(in bytes: UnsafeRawBufferPointer) {
    core.answer(self) { limit in
      do {
        try reader.read(bytes, limit: core.frameLimit) { frame in
          answerCall(in: frame)
          if core.writer.bytes.count >= limit { core.sendReplies() }
          return phase == .answering
        }
      } catch {
        reject(.tooLarge)
      }
    }
    if phase != .answering, phase != .paused { reader.forget() }
    closeIfFinished()
  }

  /// Sends replies, or queues what the client does not take now.
  func sendReplies(_ replies: UnsafeRawBufferPointer) {
    guard phase != .closing, phase != .closed else { return }
    socket.send(copying: replies)
    pauseIfBacklogged()
  }

  /// Stops reading where the client does not read either.
  private func pauseIfBacklogged() {
    guard phase == .answering, socket.isFull else { return }
    phase = .paused
    socket.isReading = false
  }

  private func resume() {
    phase = .answering
    answerCalls(in: UnsafeRawBufferPointer(start: nil, count: 0))
    countKeptBytes()
    if phase == .answering || phase == .streaming { socket.isReading = true }
  }

  /// Closes the connection once nothing more is to be answered.
  ///
  /// That is where its client has ended its side, and where the server is stopping and has answered
  /// all that has come. A stream stays.
  func closeIfFinished() {
    guard phase == .answering, core.answering !== self else { return }
    if inputHasEnded || (core.isStopping && !hasUnreadBytes) { close() }
  }

  private func reject(_ reason: FrameRejection) {
    core.handler.frameRejected(reason, on: self)
    close()
  }

  // MARK: A call

  private func answerCall(in frame: UnsafeRawBufferPointer) {
    let envelope: CallEnvelope
    do throws(JSONError) {
      let value = try core.parser.parse(frame)
      do throws(FrameRejection) {
        envelope = try CallEnvelope(value)
      } catch {
        return reject(error)
      }
    } catch {
      return reject(.notJSON)
    }
    answer = envelope.isOneway ? .dropped : .due(wantsMore: envelope.wantsMore)
    dispatch(envelope)
    if case .due = answer, phase == .answering {
      preconditionFailure("the handler has returned without answering a call")
    }
    answer = .none
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

  /// Whether the client has sent something that has not been read yet.
  private var hasUnreadBytes: Bool {
    UnixSocket.unreadByteCount(socket.descriptor) > 0
  }
}
