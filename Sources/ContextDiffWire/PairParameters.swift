package import ContextDiff
package import JSON

/// The parameters of `Classify` and, with a session, of `Post`.
package struct PairParameters: Sendable {
  /// The name of the session to post to; `nil` for `Classify`.
  package var session: String?
  /// The snapshot before the change; `nil` for the one that the session remembers, which only `Post` may leave out.
  package var old: Snapshot?
  /// The snapshot after the change.
  package var new: Snapshot
  /// The pasteboard's present text; `nil` where it is not known.
  package var pasteboard: String?
  /// What else is known of the change.
  package var evidence: Evidence
  /// Whether the pair is of a password field, of which nothing may be kept.
  package var secure: Bool

  /// The parameters of these values; what is left out is not known.
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

  /// A copy of the parameters in `view`.
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
