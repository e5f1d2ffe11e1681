internal import ContextDiff
internal import ContextDiffWire
internal import JSON
internal import Varlink

// The methods of io.contextdiff but Subscribe, in the order of its interface file. Each answers its call, or throws the
// error that is answered instead.

extension Service {
  /// Reads the parameters of a call of `Classify` or `Post`.
  func readPair(
    _ form: PairParameters.View.Form, of call: VarlinkCall
  ) throws(CallError) -> PairParameters.View {
    try read(call) { json throws(MessageError) in
      try PairParameters.View(form, json: json, fieldLimit: settings.limits.fieldBytes)
    }
  }

  func classify(_ parameters: borrowing PairParameters.View, for client: Client) {
    let answer = classifier.answer(
      LentObservation(
        old: parameters.old ?? .hidden, new: parameters.new, pasteboard: parameters.pasteboard,
        evidence: parameters.evidence))
    user.pairs.addOne(inSlot: answer.kind.slot)
    client.connection.reply { writer in
      writer.fragment(#""transition":"#)
      answer.write(to: &writer)
    }
    scheduleStatus()
  }

  /// Answers a call of `Post`; `last` is the session that the client last posted to.
  func post(
    _ parameters: borrowing PairParameters.View, after last: LiveSession?, for client: Client
  ) throws(CallError) {
    guard let name = parameters.session else { throw .parameters(.missing("session")) }
    if parameters.secure {
      let transition = readSecure(parameters, in: user.sessions[name.string], for: client)
      client.connection.reply { writer in
        PairReply(sequence: nil, transition: transition).write(to: &writer)
      }
      return
    }
    let began = clock.monotonic()
    let session = try session(parameters, named: name, after: last, of: client, now: began)
    if let window = parameters.evidence.window { session.toldWindow = window }
    let text = pairWriter.pairText(
      parameters, in: session, withPasteboard: user.subscribers.wantPasteboard)
    var heldBytes = 0
    let read = session.engine.post(parameters, with: classifier, heldBytes: &heldBytes)
    session.postStart.keep(after: parameters)
    guard let answer = read else {
      count(session, holding: heldBytes, postedAt: began, for: client.connection.peer)
      scheduleStatus()
      client.connection.reply { _ in }
      return
    }
    // They are in the event's text, and are not to be counted any more.
    session.forgetAnnouncements()
    count(session, holding: heldBytes, postedAt: began, for: client.connection.peer)
    scheduleStatus()
    user.pairs.addOne(inSlot: answer.kind.slot)
    // Unsafe: valid until the next event is reported; copied into the reply before.
    let (sequence, json) = unsafe report(
      answer, of: session, named: name, with: text, now: began)
    client.connection.reply { writer in
      writer.fragment(#""sequence":"#)
      writer.integer(sequence)
      writer.fragment(#","transition":"#)
      unsafe writer.json(json)
    }
    log(answer, sequence: sequence, of: session, named: name, for: client, began: began)
  }

  /// Reads a pair of a password field: for the caller alone, without an event; where there is no session, none is begun.
  private func readSecure(
    _ parameters: borrowing PairParameters.View, in session: LiveSession?, for client: Client
  ) -> Transition? {
    var heldBytes = 0
    guard let session else {
      var unknown = Session(memoryLimit: 0)
      return unknown.postSecure(parameters, with: classifier, heldBytes: &heldBytes)
    }
    let transition = session.engine.postSecure(parameters, with: classifier, heldBytes: &heldBytes)
    // The announced text may be the password.
    session.forgetAnnouncements()
    count(session, holding: heldBytes, for: client.connection.peer)
    return transition
  }

  /// Counts what a changed session holds, and logs which of its user's sessions are forgotten for it.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - heldBytes: How many bytes its engine holds.
  ///   - now: When it was posted to, in microseconds of the monotonic clock; `nil` where it was not.
  ///   - peer: The client whose call has changed it; `nil` where no call has.
  func count(
    _ session: LiveSession, holding heldBytes: Int, postedAt now: Int? = nil,
    for peer: PeerCredentials?
  ) {
    let limit = settings.limits.sessionsBytes
    user.sessions.count(
      session, holding: heldBytes, postedAt: now, limit: limit
    ) { forgotten, shortage in
      logLeftOut(of: forgotten)
      logForgotten(forgotten, as: shortage, limit: limit, processID: peer?.processID)
    }
  }

  /// The session of that name, begun where there is none; not looked up where it is `last`, to which the client last
  /// posted.
  @inline(__always)
  private func session(
    _ parameters: borrowing PairParameters.View, named name: Bytes, after last: LiveSession?,
    of client: Client, now: Int
  ) throws(CallError) -> LiveSession {
    if let last, parameters.goesOn || last.isLive && last.isNamed(name) { return last }
    let session =
      if let found = user.sessions.find(name) { found } else {
        try session(named: name.string, now: now)
      }
    client.lastSession = session
    return session
  }

  /// The session of that name, begun where there is none, with `now` (monotonic microseconds) as its last post.
  private func session(named name: String, now: Int) throws(CallError) -> LiveSession {
    if let session = user.sessions[name] { return session }
    let session = LiveSession(
      name: name, engine: Session(memoryLimit: settings.limits.memoryBytes), lastPost: now)
    guard user.sessions.add(session) else {
      throw .tooManySessions(limit: settings.limits.sessions)
    }
    if user.sessions.count == 1 { planExpiry() }
    return session
  }

  func expect(_ call: VarlinkCall, for client: Client) throws(CallError) {
    let parameters = try read(call) { json throws(MessageError) in
      try ExpectParameters(json: json, fieldLimit: settings.limits.fieldBytes)
    }
    let isKnown = user.sessions[parameters.session] != nil
    guard isKnown || parameters.old != nil else { throw .noSuchSession(parameters.session) }
    let now = clock.monotonic()
    let session = try session(named: parameters.session, now: now)
    let number: Int
    do throws(Session.ExpectError) {
      number = try session.engine.expect(
        parameters.edit, after: parameters.old, with: classifier)
    } catch {
      if !isKnown { user.sessions.remove(parameters.session) }
      throw .parameters(MessageError(error))
    }
    session.note(Announcement(number: number, old: parameters.old, edit: parameters.edit))
    count(session, holding: session.engine.heldBytes, for: client.connection.peer)
    if !isKnown { scheduleStatus() }
    client.connection.reply { writer in
      ExpectReply(expected: number).write(to: &writer)
    }
  }

  func withdraw(_ call: VarlinkCall, for client: Client) throws(CallError) {
    let parameters = try read(call) { json throws(MessageError) in
      try WithdrawParameters(json: json)
    }
    guard let session = user.sessions[parameters.session] else {
      throw .noSuchSession(parameters.session)
    }
    do throws(Session.NoSuchExpectation) {
      try session.engine.withdraw(parameters.expected)
    } catch {
      throw .noSuchExpectation(error.number)
    }
    session.note(Announcement(number: parameters.expected, edit: nil))
    count(session, holding: session.engine.heldBytes, for: client.connection.peer)
    client.connection.reply { _ in }
  }

  func forget(_ call: VarlinkCall, for client: Client) throws(CallError) {
    let parameters = try read(call) { json throws(MessageError) in
      try SessionParameters(json: json)
    }
    // Subscribers are sent the events that come before this call, as long as they are there.
    if isServingDue { serveSubscribers() }
    let forgotten = user.ring.forget(session: parameters.session)
    // A session that was idle for too long, or gave way, can have left events.
    if let session = user.sessions[parameters.session] {
      logLeftOut(of: session)
      user.sessions.remove(parameters.session)
      scheduleStatus()
    } else if forgotten == 0 {
      throw .noSuchSession(parameters.session)
    }
    client.connection.reply { _ in }
  }

  func listSessions(_ call: VarlinkCall, for client: Client) throws(CallError) {
    try read(call, NoParameters.read)
    // Posts are timed by the monotonic clock, which nobody sets.
    let epoch = clock.time() - clock.monotonic()
    let sessions = user.sessions.newestFirst.map { $0.info(monotonicZero: epoch) }
    client.connection.reply { writer in
      SessionsReply(sessions: sessions).write(to: &writer)
    }
  }

  func getStatistics(_ call: VarlinkCall, for client: Client) throws(CallError) {
    try read(call, NoParameters.read)
    let statistics = statistics()
    client.connection.reply { writer in
      writer.name("statistics")
      statistics.write(to: &writer)
    }
  }

  /// Reads the parameters of a call by `read`; throws its error as a `CallError`.
  func read<Parameters: ~Copyable>(
    _ call: VarlinkCall, _ read: (JSONValue) throws(MessageError) -> Parameters
  ) throws(CallError) -> Parameters {
    do { return try read(call.parameters) } catch { throw .parameters(error) }
  }
}

extension LiveSession {
  /// The session's description; `monotonicZero` is when the monotonic clock was zero, in microseconds since the epoch.
  fileprivate func info(monotonicZero: Int) -> SessionInfo {
    SessionInfo(
      name: name, window: engine.hostWindow, windowLearnt: engine.isWindowLearnt,
      pairs: engine.pairs, bytes: engine.heldBytes, expecting: engine.expecting,
      time: monotonicZero + lastPost)
  }
}

extension Session {
  /// Reads a pair, and sets `heldBytes` to how many bytes the session holds after that.
  fileprivate mutating func post(
    _ parameters: borrowing PairParameters.View, with classifier: Classifier, heldBytes: inout Int
  ) -> Answer? {
    defer { heldBytes = self.heldBytes }
    return answer(
      old: parameters.old, new: parameters.new, pasteboard: parameters.pasteboard,
      evidence: parameters.evidence, with: classifier)
  }

  /// Reads a pair of a password field, and sets `heldBytes` to how many bytes the session holds after that.
  fileprivate mutating func postSecure(
    _ parameters: borrowing PairParameters.View, with classifier: Classifier, heldBytes: inout Int
  ) -> Transition? {
    defer { heldBytes = self.heldBytes }
    return postSecure(
      old: parameters.old, new: parameters.new, pasteboard: parameters.pasteboard,
      evidence: parameters.evidence, with: classifier)
  }
}

extension JSONWriter {
  /// The JSON members that a pair adds to its event, in place of what was written before.
  ///
  /// A snapshot that is in the call's frame as text is referred to there; this writes the others, such as the session's
  /// latest where the call has no `old`. To be called before the session reads the pair. The result is valid until the
  /// writer's next call, and as long as the parameters.
  fileprivate mutating func pairText(
    _ parameters: borrowing PairParameters.View, in session: LiveSession, withPasteboard: Bool
  ) -> PairText {
    removeAll()
    if parameters.oldText == nil {
      if let old = parameters.old {
        old.write(to: &self)
      } else {
        session.engine.lendLatest { $0.write(to: &self) }
      }
    }
    let newStart = byteCount
    if parameters.newText == nil { parameters.new.write(to: &self) }
    let othersStart = byteCount
    let holdsPasteboard = withPasteboard && parameters.pasteboard.isShown
    if holdsPasteboard {
      fragment(#","pasteboard":"#)
      // Unsafe: copied at once.
      unsafe string(utf8: parameters.pasteboard.bytes.utf8)
    }
    parameters.evidence.write(to: &self)
    if parameters.evidence.window == nil, let window = session.toldWindow {
      // Told once, the window holds for the later posts, too; each event is to be complete without those before it.
      fragment(#","window":"#)
      string(window.rawValue)
    }
    session.writeAnnouncements(to: &self)
    // Unsafe: the caller uses this only before the writer's next call; the frame's bytes stay until the call is
    // answered.
    let written = unsafe bytes
    return unsafe PairText(
      old: parameters.oldText?.inEvent
        ?? (UnsafeRawBufferPointer(rebasing: written[..<newStart]), ""),
      new: parameters.newText?.inEvent
        ?? (UnsafeRawBufferPointer(rebasing: written[newStart..<othersStart]), ""),
      others: UnsafeRawBufferPointer(rebasing: written[othersStart...]),
      holdsPasteboard: holdsPasteboard)
  }
}
