public import ContextDiff

/// Who reads what is posted to sessions: contextdiffd, by ``ContextDiffClient``, or this process, by
/// ``LocalSessions``.
///
/// A keyboard that holds `any SessionReader` switches by the line that makes it:
///
/// ```swift
/// let reader: any SessionReader = LocalSessions()
/// let reader: any SessionReader = try await ContextDiffClient.connect(deadline: .milliseconds(50))
/// ```
public protocol SessionReader: Sendable {
  /// Posts what the host shows now to a session; see
  /// ``ContextDiffClient/post(_:after:to:pasteboard:evidence:secure:)``.
  func post(
    _ new: Snapshot, after old: Snapshot?, to session: String, pasteboard: String?,
    evidence: Evidence, secure: Bool
  ) async throws(ContextDiffError) -> Posted

  /// Announces an edit that this input method makes itself; see
  /// ``ContextDiffClient/expect(_:after:in:)-(Edit,_,_)``.
  @discardableResult
  func expect(
    _ edit: Edit, after old: Snapshot?, in session: String
  ) async throws(ContextDiffError) -> Int

  /// Takes back an announced edit; see ``ContextDiffClient/withdraw(_:in:)``.
  func withdraw(_ number: Int, in session: String) async throws(ContextDiffError)

  /// Ends a session; see ``ContextDiffClient/forget(_:)``.
  func forget(_ session: String) async throws(ContextDiffError)
}

extension SessionReader {
  /// Posts what the host shows now, with the evidence that there is.
  ///
  /// - Parameters:
  ///   - new: What the host shows now.
  ///   - session: The session's name.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - evidence: What else is known.
  /// - Returns: The reading, and the event's number.
  /// - Throws: As the reader's `post`.
  public func post(
    _ new: Snapshot, to session: String, pasteboard: String? = nil, evidence: Evidence = Evidence()
  ) async throws(ContextDiffError) -> Posted {
    try await post(
      new, after: nil, to: session, pasteboard: pasteboard, evidence: evidence, secure: false)
  }

  /// Posts what is new in a host's field.
  ///
  /// - Parameters:
  ///   - news: What `HostField` made of what the host told.
  ///   - session: The session's name.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - composition: What was being composed before the change.
  /// - Returns: The reading, and the event's number.
  /// - Throws: As the reader's `post`.
  public func post(
    _ news: HostNews, to session: String, pasteboard: String? = nil,
    composition: Composition? = nil
  ) async throws(ContextDiffError) -> Posted {
    try await post(
      news.snapshot, after: nil, to: session, pasteboard: pasteboard,
      evidence: news.evidence(composing: composition), secure: false)
  }

  /// Announces an edit at the caret, where the edits announced so far lead.
  ///
  /// - Parameters:
  ///   - edit: What it does.
  ///   - session: The session that will show it.
  /// - Returns: Its number in the session.
  /// - Throws: As the reader's `expect`.
  @discardableResult
  public func expect(_ edit: Edit, in session: String) async throws(ContextDiffError) -> Int {
    try await expect(edit, after: nil, in: session)
  }
}

extension ContextDiffClient: SessionReader {}
