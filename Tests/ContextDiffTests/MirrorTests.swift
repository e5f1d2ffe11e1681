import ContextDiff
import Testing

/// What values show of themselves where they are printed or dumped.
@Suite struct MirrorTests {
  @Test func nothingPrintsText() throws {
    let secret = "secret"
    let old = Snapshot(before: secret, after: secret, caret: 6)
    let new = Snapshot(before: secret + secret, after: secret)
    let edit = Edit(insert: secret, deleteBackward: 2, unit: .scalars)
    var session = Session()
    _ = session.post(new: old, evidence: Evidence(), with: Classifier())
    let said = session.post(new: new, evidence: Evidence(), with: Classifier())
    let transition = try #require(said)
    try session.expect(edit: edit, with: Classifier())
    #expect(transition.inserted != nil)
    let observation = Observation(old: old, new: new, pasteboard: secret)
    var field = HostField(.ibus, toolkit: .firefox)
    let news = try #require(try field.surroundingText(secret, cursor: 6, anchor: 6))
    let explanation = Classifier().explain(observation)
    let inSession = try #require(session.explain(new: old, with: Classifier()))
    #expect(explanation.list.contains { $0.compared.contains { $0.text.contains(secret) } })
    let values: [Any] = [
      old, new, edit, transition, observation, session, Snapshot(selected: secret), [transition],
      field, news, explanation, inSession,
    ]
    // A session keeps its texts as bytes, too.
    let bytes = secret.utf8.map(String.init).joined(separator: ", ")
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for shown in ["\(value)", String(reflecting: value), dumped] {
        #expect(!shown.contains(secret) && !shown.contains(bytes))
      }
    }
    #expect("\(edit)".contains("deleteBackward: 2"))
    #expect("\(transition)".contains("kind: "))
    #expect("\(old)".contains("caret: "))
    #expect("\(explanation)".contains("name: "))
  }

  /// It keeps digests of them, by which a short text is found by trying.
  @Test func aFieldPrintsAlikeWhateverItsTextsAre() throws {
    let shown = try ["secret", "others"].map { text in
      var field = HostField(.ibus, toolkit: .firefox)
      _ = try field.surroundingText(text, cursor: 6, anchor: 6)
      field.commit(text)
      var dumped = ""
      dump(field, to: &dumped)
      return dumped
    }
    #expect(shown[0] == shown[1])
    #expect(shown[0].contains("frontEnd: ") && shown[0].contains("firefox"))
  }

  @Test("Transitions are equal where their texts are, scalar by scalar")
  func equality() {
    let composed = Transition(kind: .insertion, basicKind: .insertion, inserted: "\u{E9}")
    var decomposed = composed
    #expect(composed == decomposed && composed.hashValue == decomposed.hashValue)
    decomposed.inserted = "e\u{301}"
    #expect(composed != decomposed)
    var empty = Transition(kind: .deletion, basicKind: .deletion)
    #expect(empty.removed == nil)
    let none = empty
    empty.removed = ""
    #expect(empty != none)
  }
}
