public import ContextDiff
internal import ContextDiffWire

/// Sessions in this process, with the functions that a client of contextdiffd has: without a daemon, a socket or
/// subscribers.
///
/// A session is made by the first post to its name, or by an edit announced with `old`, and lives until it is
/// forgotten.
public actor LocalSessions: SessionReader {
  /// The longest text that is taken, in bytes of UTF-8: the same as a daemon's default.
  public static let textLimit = Interface.textLimit

  private let classifier: Classifier
  private let memoryLimit: Int
  private var sessions: [SessionName: Session] = [:]
  /// The number of the last event.
  private var sequence = 0

  /// No sessions yet.
  ///
  /// - Parameters:
  ///   - classifier: reads the pairs.
  ///   - memoryLimit: how many bytes of text each session remembers at most.
  public init(
    classifier: Classifier = Classifier(), memoryLimit: Int = Session.standardMemoryLimit
  ) {
    self.classifier = classifier
    self.memoryLimit = memoryLimit
  }

  /// Posts what the host shows now, as ``ContextDiffClient/post(_:after:to:pasteboard:evidence:secure:)`` does.
  ///
  /// - Throws: `invalidParameter` for a name that no session may have, and a caret or a composition outside of its range;
  ///   `snapshotTooLarge` for a text longer than ``textLimit``.
  public func post(
    _ new: Snapshot, after old: Snapshot? = nil, to name: String, pasteboard: String? = nil,
    evidence: Evidence = Evidence(), secure: Bool = false
  ) async throws(ContextDiffError) -> Posted {
    let session = try checked(name)
    do throws(MessageError) {
      try old?.check("old", fieldLimit: LocalSessions.textLimit)
      try new.check("new", fieldLimit: LocalSessions.textLimit)
      try pasteboard?.check("pasteboard", limit: LocalSessions.textLimit)
      try evidence.check()
    } catch { throw ContextDiffError(error) }
    if secure {
      var engine = sessions[session] ?? Session(memoryLimit: memoryLimit)
      let transition = engine.postSecure(
        old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
      // A secure post makes no session.
      if sessions[session] != nil { sessions[session] = engine }
      return Posted(sequence: nil, transition: transition)
    }
    let transition = sessions[session, default: Session(memoryLimit: memoryLimit)].post(
      old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
    guard let transition else { return Posted(sequence: nil, transition: nil) }
    sequence += 1
    return Posted(sequence: sequence, transition: transition)
  }

  /// Announces an edit, as ``ContextDiffClient/expect(_:after:in:)-(Edit,_,_)`` does.
  ///
  /// - Throws: what `post` throws; `noSuchSession` where there is no session of that name and `old` is left out;
  ///   `invalidParameter` also where the edit does nothing, has a count outside of its range, or no snapshot before it is
  ///   known.
  @discardableResult
  public func expect(
    _ edit: Edit, after old: Snapshot? = nil, in name: String
  ) async throws(ContextDiffError) -> Int {
    let name = try checked(name)
    do throws(MessageError) {
      try old?.check("old", fieldLimit: LocalSessions.textLimit)
      try edit.check("edit", fieldLimit: LocalSessions.textLimit)
    } catch { throw ContextDiffError(error) }
    guard sessions[name] != nil || old != nil else { throw .noSession(name) }
    do throws(Session.ExpectError) {
      if let number = try sessions[name]?.expect(old: old, edit: edit, with: classifier) {
        return number
      }
      // The session is kept only once the edit is announced, so that an invalid edit makes none.
      var session = Session(memoryLimit: memoryLimit)
      let number = try session.expect(old: old, edit: edit, with: classifier)
      sessions[name] = session
      return number
    } catch {
      throw ContextDiffError(MessageError(error), cause: error)
    }
  }

  /// Withdraws an announced edit, as ``ContextDiffClient/withdraw(_:in:)`` does.
  ///
  /// - Throws: `noSuchSession`, `noSuchExpectation`, and `invalidParameter` for a name that no session
  ///   may have.
  public func withdraw(_ number: Int, in name: String) async throws(ContextDiffError) {
    let name = try checked(name)
    guard sessions[name] != nil else { throw .noSession(name) }
    do { try sessions[name]?.withdraw(number) } catch {
      throw ContextDiffError(
        code: .noSuchExpectation, message: "no announced edit of the number \(number) waits",
        cause: error)
    }
  }

  /// Ends a session, as ``ContextDiffClient/forget(_:)`` does.
  ///
  /// - Throws: `noSuchSession`, and `invalidParameter` for a name that no session may have.
  public func forget(_ name: String) async throws(ContextDiffError) {
    let name = try checked(name)
    guard sessions.removeValue(forKey: name) != nil else { throw .noSession(name) }
  }

  /// The session's name; throws where `name` cannot be one.
  private func checked(_ name: String) throws(ContextDiffError) -> SessionName {
    guard SessionParameters.isName(name.utf8) else {
      throw ContextDiffError(SessionParameters.notAName())
    }
    return SessionName(name)
  }
}

extension ContextDiffError {
  /// The error of a call that a daemon would not take, in the words that its log has for it.
  fileprivate init(_ error: MessageError, cause: (any Error)? = nil) {
    if case .tooLong(let limit) = error.reason {
      self.init(
        code: .snapshotTooLarge, message: "\(error.path) is longer than \(limit) bytes")
    } else {
      self.init(code: .invalidParameter, message: error.description, cause: cause)
    }
  }

  fileprivate static func noSession(_ name: SessionName) -> ContextDiffError {
    ContextDiffError(code: .noSuchSession, message: "there is no session named \(name.text)")
  }
}
