package import ContextDiff
package import JSON

/// The parameters of `Classify` and, with a session, of `Post`.
package struct PairParameters: Sendable {
  /// The session posted to; `nil` for `Classify`.
  package var session: String?
  /// The snapshot before the change; `Post` may leave it to the session.
  package var old: Snapshot?
  /// The snapshot after the change.
  package var new: Snapshot
  /// The pasteboard's text now; `nil` where it is not known.
  package var pasteboard: String?
  /// What else is known.
  package var evidence: Evidence
  /// Whether the pair is a password field's, of which nothing may be kept.
  package var secure: Bool

  /// The pair given; what is left out is not known.
  package init(
    session: String? = nil, old: Snapshot?, new: Snapshot, pasteboard: String? = nil,
    evidence: Evidence = Evidence(), secure: Bool = false
  ) {
    self.session = session
    self.old = old
    self.new = new
    self.pasteboard = pasteboard
    self.evidence = evidence
    self.secure = secure
  }

  /// A copy of `view`.
  package init(_ view: borrowing View) {
    self.init(
      session: view.session?.string, old: view.old.map { Snapshot($0) }, new: Snapshot(view.new),
      pasteboard: view.pasteboard.string, evidence: view.evidence, secure: view.secure)
  }

  /// Writes the parameters' members; what is not known is left out.
  package func write(to writer: inout JSONWriter) {
    writer.member("session", session)
    if let old {
      writer.name("old")
      old.write(to: &writer)
    }
    writer.name("new")
    new.write(to: &writer)
    writer.member("pasteboard", pasteboard)
    evidence.write(to: &writer)
    if secure { writer.member("secure", true) }
  }
}
