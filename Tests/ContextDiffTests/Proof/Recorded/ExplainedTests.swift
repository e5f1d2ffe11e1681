import ContextDiff
import Testing

/// An explanation of a session's pair says what a post of it says, whatever the session knows.
@Suite struct ExplainedTests {
  @Test(arguments: HalvesTests.texts, Window.asserted)
  func saysWhatAPostSays(_ text: String, _ window: Window) throws {
    let recording = try #require(Recording.all(of: text, in: "training").first)
    let host = Host(window)
    let classifier = Classifier()
    var session = Session()
    _ = session.post(
      new: host.shows(recording.start).snapshot, evidence: Evidence(window: window),
      with: classifier)
    for step in recording.steps {
      let shown = host.shows(step.field).snapshot
      let explanation = session.explain(
        new: shown, evidence: Evidence(window: window), with: classifier)
      let said = session.post(new: shown, evidence: Evidence(window: window), with: classifier)
      let explained = try #require(explanation)
      #expect(explained.transition.kind == said?.kind)
      #expect(explained.transition.alternatives == said?.alternatives)
      #expect(explained.transition.inserted == said?.inserted)
      #expect(explained.transition.removed == said?.removed)
      #expect(explained.readings.first?.kind == said?.kind)
    }
  }
}
