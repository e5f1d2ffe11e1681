import ContextDiff
import Testing

@Suite("The model's own cases")
struct ModelTests {
  @Test("windows.jsonl", arguments: try Cases.read("windows.jsonl") as [Cases.Cut])
  func window(_ cut: Cases.Cut) {
    let shown = Window.sentence.snapshot(of: cut.document, from: cut.start, to: cut.end)
    #expect(shown == cut.snapshot.snapshot)
  }

  @Test("article.jsonl", arguments: try Cases.read("article.jsonl") as [Cases.Pair])
  func pair(_ pair: Cases.Pair) {
    let transition = Classifier().classify(
      Observation(
        old: pair.old.snapshot, new: pair.new.snapshot, pasteboard: pair.pasteboard))
    #expect(transition.basicKind.rawValue == pair.basicKind)
    #expect(transition.kind.rawValue == pair.kind)
  }
}
