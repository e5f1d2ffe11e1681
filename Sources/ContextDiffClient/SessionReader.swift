public import ContextDiff

/// A reader of what is posted to sessions: contextdiffd, by ``ContextDiffClient``, or this process, by
/// ``LocalSessions``.
///
/// A keyboard that holds `any SessionReader` changes from one to the other by the line that makes it:
///
/// ```swift
/// let reader: any SessionReader = LocalSessions()
/// // Or: let reader: any SessionReader = try await ContextDiffClient.connect(deadline: .milliseconds(50))
/// ```
public protocol SessionReader: Sendable {
  /// Posts what the host shows now to a session, as
  /// ``ContextDiffClient/post(_:after:to:pasteboard:evidence:secure:)`` does.
  func post(
    _ new: Snapshot, after old: Snapshot?, to session: String, pasteboard: String?,
    evidence: Evidence, secure: Bool
  ) async throws(ContextDiffError) -> Posted

  /// Announces an edit that this input method is about to make, as
  /// ``ContextDiffClient/expect(_:after:in:)-(Edit,_,_)`` does.
  @discardableResult
  func expect(
    _ edit: Edit, after old: Snapshot?, in session: String
  ) async throws(ContextDiffError) -> Int

  /// Withdraws an announced edit, as ``ContextDiffClient/withdraw(_:in:)`` does.
  func withdraw(_ number: Int, in session: String) async throws(ContextDiffError)

  /// Ends a session, as ``ContextDiffClient/forget(_:)`` does.
  func forget(_ session: String) async throws(ContextDiffError)
}

extension SessionReader {
  /// Posts what the host shows now, after the session's last snapshot.
  ///
  /// - Parameters:
  ///   - new: what the host shows now.
  ///   - session: the session's name.
  ///   - pasteboard: the pasteboard's present text; `nil` where it is not known.
  ///   - evidence: what else is known of the change.
  /// - Returns: the reading, and the event's number.
  /// - Throws: what the reader's `post` throws.
  public func post(
    _ new: Snapshot, to session: String, pasteboard: String? = nil, evidence: Evidence = Evidence()
  ) async throws(ContextDiffError) -> Posted {
    try await post(
      new, after: nil, to: session, pasteboard: pasteboard, evidence: evidence, secure: false)
  }

  /// Posts what is new in a host's field, after the session's last snapshot.
  ///
  /// - Parameters:
  ///   - news: the snapshot and the evidence that `HostField` made of what the host told.
  ///   - session: the session's name.
  ///   - pasteboard: the pasteboard's present text; `nil` where it is not known.
  ///   - composition: what was being composed before the change; `nil` for nothing.
  /// - Returns: the reading, and the event's number.
  /// - Throws: what the reader's `post` throws.
  public func post(
    _ news: HostNews, to session: String, pasteboard: String? = nil,
    composition: Composition? = nil
  ) async throws(ContextDiffError) -> Posted {
    try await post(
      news.snapshot, after: nil, to: session, pasteboard: pasteboard,
      evidence: news.evidence(composing: composition), secure: false)
  }

  /// Announces an edit that begins where the edits announced so far lead to.
  ///
  /// - Parameters:
  ///   - edit: what the edit does at the caret.
  ///   - session: the name of the session that will show the edit.
  /// - Returns: the edit's number in the session.
  /// - Throws: what the reader's `expect` throws.
  @discardableResult
  public func expect(_ edit: Edit, in session: String) async throws(ContextDiffError) -> Int {
    try await expect(edit, after: nil, in: session)
  }
}

extension ContextDiffClient: SessionReader {}
