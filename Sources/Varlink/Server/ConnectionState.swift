/// A connection without its socket: a state machine, which is told what the client sends and what happens to the
/// socket, and says what to do.
///
/// An object, as `Output` is: the compiler proves that no two accesses to an object's private fields overlap, but would
/// check at run time each access to a structure within another object.
package final class ConnectionState {
  /// What to do for the connection, besides watching its socket for `interest`.
  package enum Action: Equatable {
    /// Nothing.
    case nothing
    /// Queue the connection for a turn: there is work for it.
    case queue
    /// Let go of the connection at the end of the loop's turn.
    case leave
  }

  /// What to do with the bytes that have been read.
  ///
  /// Safe: the caller of `next` keeps the bytes until `endCall`.
  @safe package enum Next {
    /// Answer the call in this frame, whose bytes are valid until `endCall`.
    case call(UnsafeRawBufferPointer)
    /// Nothing, until more is read or sent.
    case nothing
    /// Close the connection, once replies to earlier calls are queued.
    case reject(FrameRejection)
  }

  /// Which calls are taken.
  private enum Taking {
    /// All calls, as they come.
    case all
    /// No calls, until the client has read enough of its replies.
    case none
    /// Calls that want no reply, for the client cannot be sent any more.
    case oneway
  }

  /// How the present call can be answered.
  private enum Answer: Equatable {
    /// A reply is due; several may be given where the call wants more.
    case due(wantsMore: Bool)
    /// The call is oneway: replies to it are dropped.
    case dropped
    /// The call needs no reply, or has had its last.
    case given
  }

  /// What follows the present call: further calls, its stream, closing once all is sent, or the connection's end.
  private enum Then { case take(Taking), stream, close, end }

  /// What came in: an object, so that moving it from one phase to another, which each call does several times, copies a
  /// word.
  private final class Input {
    var taking = Taking.all
    /// Cuts what was read into frames, and keeps what is not answered.
    let frames = FrameReader()
    var charge: VarlinkCharge

    init(account: (any VarlinkAccount)?) {
      charge = VarlinkCharge(to: account, of: .received)
    }

    /// Charges the account with the kept bytes; `false` where it has no room for them.
    func isCharged() -> Bool { charge.set(frames.heldBytes) }
  }

  /// A call, from `next` until `endCall`.
  private struct Answering: ~Copyable {
    let input: Input
    var answer = Answer.given
    var then: Then
  }

  private enum Phase: ~Copyable {
    /// Waits for calls.
    case taking(Input)
    /// The handler answers a call.
    case answering(Answering)
    /// A stream answers a `more` call. What the client sends is dropped, until it ends its side.
    case streaming(inputHasEnded: Bool)
    /// Ends when all that is queued has been sent.
    case closing
    case closed
  }

  private var phase: Phase
  let output: Output

  package init(account: (any VarlinkAccount)?, highWater: Int) {
    phase = .taking(Input(account: account))
    output = Output(highWater: highWater, account: account)
  }

  /// Takes the phase out, which leaves `closed`: the caller sets the phase that follows.
  private func takePhase() -> Phase {
    var taken = Phase.closed
    swap(&taken, &phase)
    return taken
  }

  // MARK: - State

  /// The events that the loop is to wait for on the socket.
  package var interest: EpollLoop.Events {
    var events: EpollLoop.Events = isReading ? .readable : []
    if !output.isEmpty { events.insert(.writable) }
    return events
  }

  /// Whether the connection reads from its socket in its turn.
  package var isReading: Bool {
    switch phase {
    case .taking(let input): input.taking != .none
    case .answering: true
    case .streaming(let inputHasEnded): !inputHasEnded
    case .closing: false
    case .closed: false
    }
  }

  /// Whether anything can still be sent.
  package var isOpen: Bool {
    switch phase {
    case .closing: false
    case .closed: false
    default: true
    }
  }

  private var isClosed: Bool {
    switch phase {
    case .closed: true
    default: false
    }
  }

  /// Whether more may be sent: the connection is open, and not too much waits to be sent.
  package var isWritable: Bool { isOpen && !output.isFull }

  /// Whether kept bytes may hold calls, which can be answered before more is read.
  package var hasKeptCalls: Bool {
    switch phase {
    case .taking(let input): input.taking != .none && input.frames.hasUnsearched
    default: false
    }
  }

  /// Whether the connection waits for calls, and holds none.
  var isWaitingForCalls: Bool {
    switch phase {
    case .taking(let input): input.taking != .none && !input.frames.hasUnsearched
    default: false
    }
  }

  // MARK: - Calls

  /// Takes the next call from the bytes that have been read.
  ///
  /// - Parameters:
  ///   - bytes: what was read; empty to go on with the kept bytes. What is taken or kept is removed from its beginning.
  ///   - limit: how many bytes a frame may have, its NUL not counted.
  /// - Returns: what to do.
  package func next(in bytes: inout UnsafeRawBufferPointer, limit: Int) -> Next {
    switch takePhase() {
    case .taking(let input):
      if output.isFull, input.taking == .all { input.taking = .none }
      guard input.taking != .none else {
        // Unsafe: copied at once.
        unsafe input.frames.keep(bytes)
        // Unsafe: no bytes.
        unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        return waitForMore(with: input)
      }
      do throws(FrameReader.FrameTooLarge) {
        // Unsafe: the caller keeps the frame's bytes until the call is answered.
        guard let frame = unsafe try input.frames.next(in: &bytes, limit: limit) else {
          return waitForMore(with: input)
        }
        let then = Then.take(input.taking)
        phase = .answering(Answering(input: input, then: then))
        return unsafe .call(frame)
      } catch {
        phase = .taking(input)
        return .reject(.tooLarge(limit: limit))
      }
    case .answering: preconditionFailure("a call is being answered")
    case let other:
      phase = other
      unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return .nothing
    }
  }

  /// Waits for further bytes, unless the account has no room for those that are kept.
  private func waitForMore(with input: Input) -> Next {
    let hasRoom = input.isCharged()
    phase = .taking(input)
    return hasRoom ? .nothing : .reject(.tooMuchUnfinished)
  }

  /// Keeps the bytes that were read and not taken, for the turn is over.
  ///
  /// - Returns: why the connection is to be closed; `nil` where it is not.
  package func keep(_ bytes: UnsafeRawBufferPointer) -> FrameRejection? {
    switch takePhase() {
    case .taking(let input):
      // Unsafe: copied at once.
      unsafe input.frames.keep(bytes)
      if case .reject(let reason) = waitForMore(with: input) { return reason }
    case let other: phase = other
    }
    return nil
  }

  /// Begins to answer the present frame, which was found to hold a call.
  ///
  /// - Returns: whether the call is to be handled: all are, unless the client cannot be sent any more; then `oneway`
  ///   calls only.
  package func beginCall(wantsMore: Bool, isOneway: Bool) -> Bool {
    changeAnswering { answering in
      if !isOneway, case .take(.oneway) = answering.then { return false }
      answering.answer = isOneway ? .dropped : .due(wantsMore: wantsMore)
      return true
    }
  }

  /// Notes that the handler replies to the present call.
  ///
  /// - Returns: whether the reply is to be written; those to a `oneway` call are not.
  package func reply(continues: Bool) -> Bool {
    changeAnswering { answering in
      let isWritten: Bool
      switch answering.answer {
      case .due(let wantsMore):
        precondition(wantsMore || !continues, "the call takes one reply only")
        isWritten = true
      case .dropped: isWritten = false
      case .given: preconditionFailure("there is no call to be answered")
      }
      if !continues { answering.answer = .given }
      return isWritten
    }
  }

  /// Notes that the handler answers the present call by a stream.
  ///
  /// - Parameter highWater: how many bytes of the stream may wait to be sent.
  package func beginStream(highWater: Int) {
    changeAnswering { answering in
      guard answering.answer == .due(wantsMore: true) else {
        preconditionFailure("only a call that wants more can be answered with a stream")
      }
      answering.answer = .given
      switch answering.then {
      case .take(.oneway): answering.then = .end
      case .take: answering.then = .stream
      case .stream, .close, .end: break
      }
    }
    output.highWater = highWater
  }

  /// Notes that the handler has returned; ends the program where it has not answered the call.
  package func endCall() -> Action {
    guard case .answering(let answering) = takePhase() else {
      preconditionFailure("no call is being answered")
    }
    switch answering.then {
    case .take(let taking):
      if case .due = answering.answer, taking != .oneway {
        preconditionFailure("the handler has returned without answering a call")
      }
      answering.input.taking = taking
      phase = .taking(answering.input)
      return .nothing
    case .stream:
      phase = .streaming(inputHasEnded: false)
      return .nothing
    case .close:
      phase = .closing
      return leaveIfAllIsSent()
    case .end:
      return .leave
    }
  }

  /// Lets `body` change the present call's state.
  private func changeAnswering<Result>(_ body: (inout Answering) -> Result) -> Result {
    guard case .answering(var answering) = takePhase() else {
      preconditionFailure("there is no call to be answered")
    }
    let result = body(&answering)
    phase = .answering(answering)
    return result
  }

  // MARK: - Ends

  /// Closes the connection once all that is queued has been sent.
  package func close() -> Action {
    switch takePhase() {
    case .answering(var answering):
      if case .end = answering.then {} else { answering.then = .close }
      phase = .answering(answering)
      return .nothing
    case .closed: return .nothing
    default:
      phase = .closing
      return leaveIfAllIsSent()
    }
  }

  /// Ends the connection now, and drops what is queued.
  package func end() -> Action {
    output.removeAll()
    switch takePhase() {
    case .answering(var answering):
      answering.then = .end
      phase = .answering(answering)
      return .nothing
    case .closed: return .nothing
    default: return .leave
    }
  }

  /// Notes that the client sends no more, and that all that it sent has been taken.
  package func inputEnded() -> Action {
    switch takePhase() {
    case .taking:
      phase = .closing
      return leaveIfAllIsSent()
    case .streaming:
      // The client may go on reading the stream.
      phase = .streaming(inputHasEnded: true)
      return .nothing
    case let other:
      phase = other
      return .nothing
    }
  }

  /// Notes that the client cannot be sent anything any more; what is queued is dropped.
  package func lostReader() -> Action {
    output.removeAll()
    switch takePhase() {
    case .taking(let input):
      input.taking = .oneway
      phase = .taking(input)
      return .queue
    case .answering(var answering):
      switch answering.then {
      case .take: answering.then = .take(.oneway)
      case .stream, .close, .end: answering.then = .end
      }
      phase = .answering(answering)
      return .nothing
    case .closed: return .nothing
    default: return .leave
    }
  }

  /// Ends a closing connection, if nothing waits to be sent.
  private func leaveIfAllIsSent() -> Action {
    guard output.isEmpty else { return .nothing }
    phase = .closed
    return .leave
  }

  // MARK: - Sending

  /// Queues bytes that the client did not take at once.
  ///
  /// - Returns: `false`, with nothing queued, where the account has no room for them.
  package func keepUnsent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Unsafe: copied at once.
    unsafe isClosed || output.append(bytes)
  }

  /// Notes that `count` bytes of what was queued have been sent.
  ///
  /// - Returns: what to do, and whether the queue was full and is not any more.
  package func sent(_ count: Int) -> (action: Action, hasRoom: Bool) {
    let hasRoom = output.sent(count)
    switch takePhase() {
    case .taking(let input):
      let isPaused = input.taking == .none
      if isPaused, !output.isFull { input.taking = .all }
      let goesOn = input.taking != .none
      phase = .taking(input)
      return (isPaused && goesOn ? .queue : .nothing, hasRoom)
    case .closing:
      phase = .closing
      return (leaveIfAllIsSent(), false)
    case let other:
      phase = other
      return (.nothing, hasRoom)
    }
  }
}
