/// A connection without its socket: what its client sends, and what happens to the socket, goes in;
/// what is to be done comes out.
///
/// An object, as `Output` is: that nobody uses its private fields twice at a time the compiler proves,
/// where a structure within another object is checked at each use.
package final class ConnectionState {
  /// What is to be done with the socket and for others, beside what `interest` says.
  package enum Action: Equatable {
    case nothing
    /// There is work to be done when it is the connection's turn.
    case queue
    /// The connection ends at the end of the loop's turn.
    case leave
  }

  /// What there is to be done in a turn.
  ///
  /// Safe: who handed the bytes over keeps them until `endCall`.
  @safe package enum Next {
    /// A call is to be answered: the bytes of its frame, valid until `endCall`.
    case call(UnsafeRawBufferPointer)
    /// Nothing, until something else happens.
    case nothing
    /// What was sent ends the connection: it is to be closed once replies already due are queued.
    case reject(FrameRejection)
  }

  /// Which calls are taken.
  private enum Taking {
    /// All, as they come.
    case all
    /// None until the client has read enough of what it is due.
    case none
    /// Those that want no reply: nobody reads replies any more.
    case oneway
  }

  /// How the call at hand can be answered.
  private enum Answer: Equatable {
    case due(wantsMore: Bool)
    /// The call was oneway: replies to it are dropped.
    case dropped
    case given
  }

  /// What follows the call at hand.
  private enum Then { case take(Taking), stream, close, end }

  /// What came in: an object, so that a phase is a word or two, which each call puts into another one
  /// several times.
  private final class Input {
    var taking = Taking.all
    /// What was read and is not answered.
    let frames = FrameReader()
    var charge: VarlinkCharge

    init(account: (any VarlinkAccount)?) {
      charge = VarlinkCharge(to: account, of: .received)
    }

    /// Whether the account has room for what is kept.
    func isCharged() -> Bool { charge.set(frames.heldBytes) }
  }

  /// A call is with its handler.
  private struct Answering: ~Copyable {
    let input: Input
    var answer = Answer.given
    var then: Then
  }

  private enum Phase: ~Copyable {
    /// Calls are taken.
    case taking(Input)
    case answering(Answering)
    /// A call that wants more is answered by what is sent from now on: what comes in is dropped,
    /// until the client ends its side.
    case streaming(inputHasEnded: Bool)
    /// It ends when what is due has been sent.
    case closing
    case closed
  }

  private var phase: Phase
  let output: Output

  package init(account: (any VarlinkAccount)?, highWater: Int) {
    phase = .taking(Input(account: account))
    output = Output(highWater: highWater, account: account)
  }

  /// The phase, to be put back, or another one in its place.
  private func takePhase() -> Phase {
    var taken = Phase.closed
    swap(&taken, &phase)
    return taken
  }

  // MARK: - What it is like

  /// What the socket is to tell of.
  package var interest: EpollLoop.Events {
    var events: EpollLoop.Events = isReading ? .readable : []
    if !output.isEmpty { events.insert(.writable) }
    return events
  }

  /// Whether what comes in is read when it is the connection's turn.
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

  /// Whether what is sent goes to the client soon.
  package var isWritable: Bool { isOpen && !output.isFull }

  /// Whether calls are kept that can be answered before more is read.
  package var hasKeptCalls: Bool {
    switch phase {
    case .taking(let input): input.taking != .none && input.frames.hasUnsearched
    default: false
    }
  }

  /// Whether it waits for further calls, and for nothing else.
  package var isWaitingForCalls: Bool {
    switch phase {
    case .taking(let input): input.taking != .none && !input.frames.hasUnsearched
    default: false
    }
  }

  // MARK: - Calls

  /// What is to be done with what has been read.
  ///
  /// - Parameters:
  ///   - bytes: what was read; empty for what is kept. Loses what is taken.
  ///   - limit: how many bytes a frame may have.
  /// - Returns: what is to be done.
  package func next(in bytes: inout UnsafeRawBufferPointer, limit: Int) -> Next {
    switch takePhase() {
    case .taking(let input):
      if output.isFull, input.taking == .all { input.taking = .none }
      guard input.taking != .none else {
        // Unsafe: copied at once; none are left.
        unsafe input.frames.keep(bytes)
        // Unsafe: none.
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
        return .reject(.tooLarge)
      }
    case .answering: preconditionFailure("a call is being answered")
    case let other:
      phase = other
      unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return .nothing
    }
  }

  private func waitForMore(with input: Input) -> Next {
    let hasRoom = input.isCharged()
    phase = .taking(input)
    return hasRoom ? .nothing : .reject(.tooMuchUnfinished)
  }

  /// The turn is over: keeps what was read and not taken.
  ///
  /// - Returns: why it is to be closed, where it is.
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

  /// The call at hand turned out to be one.
  ///
  /// - Returns: whether it is to be answered: where nobody reads replies, only if it wants none.
  package func beginCall(wantsMore: Bool, isOneway: Bool) -> Bool {
    changeAnswering { answering in
      if !isOneway, case .take(.oneway) = answering.then { return false }
      answering.answer = isOneway ? .dropped : .due(wantsMore: wantsMore)
      return true
    }
  }

  /// The handler replies.
  ///
  /// - Returns: whether the reply is to be written.
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

  /// The handler answers by a stream.
  ///
  /// - Parameter highWater: how much of it may wait.
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

  /// The handler has returned.
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
      // It has been let go of already: nothing is left but to leave.
      return .leave
    }
  }

  private func changeAnswering<Result>(_ body: (inout Answering) -> Result) -> Result {
    guard case .answering(var answering) = takePhase() else {
      preconditionFailure("there is no call to be answered")
    }
    let result = body(&answering)
    phase = .answering(answering)
    return result
  }

  // MARK: - Ends

  /// Whoever serves it wants it closed once what is queued has been sent.
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

  /// It ends now, whatever waits.
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

  /// The client has ended its side, and all that came before has been taken.
  package func inputEnded() -> Action {
    switch takePhase() {
    case .taking:
      phase = .closing
      return leaveIfAllIsSent()
    case .streaming:
      // It has said all that it has to say, and goes on listening.
      phase = .streaming(inputHasEnded: true)
      return .nothing
    case let other:
      phase = other
      return .nothing
    }
  }

  /// Nobody reads what is sent any more.
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

  /// Ends a connection that is closing where nothing waits.
  private func leaveIfAllIsSent() -> Action {
    guard output.isEmpty else { return .nothing }
    phase = .closed
    return .leave
  }

  // MARK: - Sending

  /// Has bytes wait for the client, who did not take them at once.
  ///
  /// - Returns: whether the account has room for them.
  package func keepUnsent(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Unsafe: copied at once.
    unsafe isClosed || output.append(bytes)
  }

  /// The client has taken so many bytes of what waits.
  ///
  /// - Returns: what is to be done, and whether it may be sent more again.
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
