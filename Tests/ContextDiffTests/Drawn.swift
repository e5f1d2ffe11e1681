import ContextDiff
import Testing

/// Reads a snapshot as the model draws it: `あい|う`, `a[bc]d`, `∅` for what is not shown, `⏎` for a
/// newline, nothing for the empty text.
func drawn(_ picture: String) -> Snapshot {
  func field(_ text: Substring) -> String? {
    if text == "∅" { return nil }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(scalar == "⏎" ? "\n" : scalar) }
    return String(scalars)
  }
  let scalars = picture.unicodeScalars
  if let start = scalars.firstIndex(of: "["), let end = scalars.firstIndex(of: "]") {
    return Snapshot(
      before: field(Substring(scalars[..<start])),
      selected: field(Substring(scalars[scalars.index(after: start)..<end])),
      after: field(Substring(scalars[scalars.index(after: end)...])))
  }
  guard let caret = scalars.firstIndex(of: "|") else { return Snapshot() }
  return Snapshot(
    before: field(Substring(scalars[..<caret])),
    after: field(Substring(scalars[scalars.index(after: caret)...])))
}

/// What is said of the pair drawn, without a session.
func said(
  _ old: String, _ new: String, _ window: Window? = .full, key: Key? = nil,
  pasteboard: String? = nil, composition: Composition? = nil, cause: Cause? = nil
) -> Transition {
  let evidence = Evidence(window: window, composition: composition, cause: cause, key: key)
  return Classifier().classify(
    Observation(old: drawn(old), new: drawn(new), pasteboard: pasteboard, evidence: evidence))
}

extension Session {
  /// A session whose first snapshot is as drawn.
  init(at picture: String, window: Window? = .sentence) {
    self.init()
    #expect(
      post(new: drawn(picture), evidence: Evidence(window: window), with: Classifier()) == nil)
  }

  /// Posts what is drawn.
  @discardableResult
  mutating func post(_ picture: String, key: Key? = nil, merged: Bool = false) -> Transition? {
    post(new: drawn(picture), evidence: Evidence(key: key, merged: merged), with: Classifier())
  }

  /// Announces edits, one after the other.
  mutating func expect(_ edits: Edit...) throws {
    for edit in edits { try expect(edit: edit, with: Classifier()) }
  }
}
