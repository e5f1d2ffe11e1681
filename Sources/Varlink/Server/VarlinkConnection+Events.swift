internal import NIOCore

/// What the channel tells the connection.
extension VarlinkConnection {
  /// How many bytes of replies are collected before they are sent within a turn.
  private static let turnLimit = 1 << 16
  /// The same for a client who keeps the server busy alone: it reads the first replies, and sends the
  /// next calls, while the rest are worked on.
  private static let loneTurnLimit = 1 << 12

  /// Bytes have come: answers each call among them, then sends all replies in one write.
  func received(_ bytes: UnsafeRawBufferPointer) {
    switch phase {
    case .answering: answerCalls(in: bytes)
    case .paused: reader.keep(bytes)
    case .streaming, .closing, .closed: break
    }
    countKeptBytes()
  }

  /// Closes the connection where it has sent part of a frame, and all of them together too much of
  /// such parts.
  private func countKeptBytes() {
    let count = reader.keptCount
    if count == keptBytes { return }
    core.keptBytes += count - keptBytes
    let hasGrown = count > keptBytes
    keptBytes = count
    if hasGrown, core.keptBytes > core.keptLimit, phase == .answering || phase == .paused {
      reject(.tooMuchUnfinished)
      reader.forget()
      countKeptBytes()
    }
  }

  /// The client has ended its side; it may still read.
  func inputEnded() {
    inputHasEnded = true
    closeIfFinished()
  }

  func writabilityChanged() {
    if phase == .paused, isWritable {
      // Not from within the write that made it so, which may be another connection's turn.
      context.eventLoop.assumeIsolated().execute { self.resume() }
    }
    if phase != .closed { core.handler.writabilityChanged(of: self) }
  }

  /// The server is stopping: closes the connection once all calls that its client has sent are
  /// answered.
  ///
  /// A stream stays.
  func stop() {
    closeIfFinished()
  }

  /// Closes at once, whatever waits.
  func abort() {
    guard phase != .closed else { return }
    context.close(promise: nil)
  }

  /// The channel is gone.
  func closed() {
    phase = .closed
    core.keptBytes -= keptBytes
    keptBytes = 0
    core.handler.connectionClosed(self)
  }

  // MARK: A turn

  private func answerCalls(in bytes: UnsafeRawBufferPointer) {
    isInTurn = true
    let place = ObjectIdentifier(self)
    let limit = core.lastServed == place ? Self.loneTurnLimit : Self.turnLimit
    core.lastServed = place
    do {
      try reader.read(bytes, limit: core.frameLimit) { frame in
        answerCall(in: frame)
        if core.writer.bytes.count >= limit {
          sendReplies()
          flush()
          pauseIfBacklogged()
        }
        return phase == .answering
      }
    } catch {
      reject(.tooLarge)
    }
    sendReplies()
    isInTurn = false
    if phase == .streaming || phase == .closing { reader.forget() }
    flush()
    pauseIfBacklogged()
    closeIfFinished()
  }

  /// Sends the turn's replies so far, or queues what the client does not take now.
  func sendReplies() {
    guard isInTurn, core.writer.bytes.count > 0 else { return }
    if phase != .closing, phase != .closed {
      let bytes = core.writer.bytes
      let sent = sendToSocket(bytes)
      if sent < bytes.count {
        sendToChannel(ByteBuffer(bytes: UnsafeRawBufferPointer(rebasing: bytes[sent...])))
      }
    }
    core.writer.removeAll()
  }

  /// Stops reading where the client does not read either.
  private func pauseIfBacklogged() {
    guard phase == .answering, !isWritable else { return }
    phase = .paused
    setReading(false)
  }

  private func resume() {
    guard phase == .paused, isWritable else { return }
    phase = .answering
    answerCalls(in: UnsafeRawBufferPointer(start: nil, count: 0))
    countKeptBytes()
    if phase == .answering { setReading(true) }
  }

  private func closeIfFinished() {
    guard phase == .answering, !isInTurn else { return }
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

  // MARK: The socket

  func setReading(_ isReading: Bool) {
    // Fails only where the channel is already closed, and then nothing is read anyway.
    try? context.channel.syncOptions?.setOption(.autoRead, value: isReading)
  }

  func withSocket<Result>(_ body: (CInt) -> Result) -> Result? {
    // Fails only where the channel is already closed.
    try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self, body)
  }

  /// Whether the client has sent something that has not been read yet.
  private var hasUnreadBytes: Bool {
    (withSocket(UnixSocket.unreadByteCount) ?? 0) > 0
  }
}
