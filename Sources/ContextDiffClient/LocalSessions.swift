public import ContextDiff
internal import ContextDiffWire

/// Sessions in this process, asked as contextdiffd is: no daemon, no socket, no other hearer.
///
/// A session is made by its first post, and lives until it is forgotten.
public actor LocalSessions: SessionReader {
  /// The longest text that is taken, in bytes; the daemon's default too.
  public static let textLimit = Interface.textLimit

  private let classifier: Classifier
  private let memoryLimit: Int
  private var sessions: [SessionName: Session] = [:]
  private var sequence = 0

  /// Sessions that read with `classifier` and remember at most `memoryLimit` bytes of text each.
  public init(classifier: Classifier = Classifier(), memoryLimit: Int = 65_536) {
    self.classifier = classifier
    self.memoryLimit = memoryLimit
  }

  /// Posts what the host shows now; see
  /// ``ContextDiffClient/post(_:after:to:pasteboard:evidence:secure:)``.
  ///
  /// - Throws: `invalidParameter` for a name that no session may have, `snapshotTooLarge` for a text
  ///   longer than ``textLimit``.
  public func post(
    _ new: Snapshot, after old: Snapshot? = nil, to name: String, pasteboard: String? = nil,
    evidence: Evidence = Evidence(), secure: Bool = false
  ) async throws(ContextDiffError) -> Posted {
    let session = try checked(name)
    try check(new, old, pasteboard)
    if secure {
      var engine = sessions[session] ?? Session(memoryLimit: memoryLimit)
      let transition = engine.postSecure(
        old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
      // Where there is no such session, none is begun.
      if sessions[session] != nil { sessions[session] = engine }
      return Posted(sequence: nil, transition: transition)
    }
    let transition = sessions[session, default: Session(memoryLimit: memoryLimit)].post(
      old: old, new: new, pasteboard: pasteboard, evidence: evidence, with: classifier)
    guard let transition else { return Posted(sequence: nil, transition: nil) }
    sequence += 1
    return Posted(sequence: sequence, transition: transition)
  }

  /// Announces an edit; see ``ContextDiffClient/expect(_:after:in:)-(Edit,_,_)``.
  ///
  /// - Throws: As `post`; `noSuchSession` where there is no session of that name and `old` is left
  ///   out, `invalidParameter` also for an edit that does nothing or counts less than nothing.
  @discardableResult
  public func expect(
    _ edit: Edit, after old: Snapshot? = nil, in name: String
  ) async throws(ContextDiffError) -> Int {
    let name = try checked(name)
    guard edit.insert.utf8.count <= LocalSessions.textLimit else { throw .tooLarge }
    try check(old)
    guard sessions[name] != nil || old != nil else { throw .noSession(name) }
    do throws(Session.ExpectError) {
      if let number = try sessions[name]?.expect(old: old, edit: edit, with: classifier) {
        return number
      }
      // Kept once an edit is announced: one that cannot be leaves no session behind.
      var session = Session(memoryLimit: memoryLimit)
      let number = try session.expect(old: old, edit: edit, with: classifier)
      sessions[name] = session
      return number
    } catch {
      throw ContextDiffError(
        code: .invalidParameter,
        message: error == .noBaseline
          ? "nothing says where the edit begins" : "edit: it does nothing",
        cause: error)
    }
  }

  /// Takes back an announced edit; see ``ContextDiffClient/withdraw(_:in:)``.
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

  /// Ends a session; see ``ContextDiffClient/forget(_:)``.
  ///
  /// - Throws: `noSuchSession`, and `invalidParameter` for a name that no session may have.
  public func forget(_ name: String) async throws(ContextDiffError) {
    let name = try checked(name)
    guard sessions.removeValue(forKey: name) != nil else { throw .noSession(name) }
  }

  private func checked(_ name: String) throws(ContextDiffError) -> SessionName {
    guard SessionParameters.isName(name.utf8) else {
      throw ContextDiffError(
        code: .invalidParameter,
        message: "session: not a name of 1 to 255 bytes without control characters")
    }
    return SessionName(name)
  }

  private func check(
    _ new: Snapshot?, _ old: Snapshot? = nil, _ pasteboard: String? = nil
  ) throws(ContextDiffError) {
    for text in [
      new?.before, new?.selected, new?.after, old?.before, old?.selected, old?.after, pasteboard,
    ] {
      guard text?.utf8.count ?? 0 <= LocalSessions.textLimit else { throw .tooLarge }
    }
  }
}

extension ContextDiffError {
  fileprivate static var tooLarge: ContextDiffError {
    ContextDiffError(
      code: .snapshotTooLarge, message: "a text is longer than \(LocalSessions.textLimit) bytes")
  }

  fileprivate static func noSession(_ name: SessionName) -> ContextDiffError {
    ContextDiffError(code: .noSuchSession, message: "there is no session named \(name.text)")
  }
}
