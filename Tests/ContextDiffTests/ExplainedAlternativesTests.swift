import ContextDiff
import Testing

/// An explanation of a pair says what `classify` says of it, to the order of the alternatives.
@Suite struct ExplainedAlternativesTests {
  private let classifier = Classifier()

  private func expectSame(_ observation: Observation) {
    let said = classifier.classify(observation)
    let explanation = classifier.explain(observation)
    #expect(explanation.transition == said, "\(observation.old) → \(observation.new)")
    let weighed = explanation.readings.filter { $0.weight != nil }.map(\.kind)
    let places = said.alternatives.map { weighed.firstIndex(of: $0) ?? -1 }
    #expect(places == places.sorted(), "\(said.alternatives), but \(weighed)")
    #expect(!places.contains(-1))
  }

  @Test func aTapThatIsACoincidenceIsNamedInItsPlace() {
    let observation = Observation(
      old: Snapshot(before: "abcdef\nxyz", caret: 10),
      new: Snapshot(before: "abcdef\n", after: "", caret: 7, selectionShown: false),
      evidence: Evidence(merged: true))
    expectSame(observation)
    #expect(classifier.classify(observation).alternatives == [.outOfRangeTap, .cut])
  }

  @Test(arguments: [
    Evidence(), Evidence(merged: true), Evidence(key: .shortcut), Evidence(key: .caret),
    Evidence(window: .full, key: .undo), Evidence(window: .line, merged: true),
    Evidence(window: .full, merged: true, reset: true),
  ])
  func eachPairIsExplainedAsItIsClassified(_ evidence: Evidence) {
    let texts = ["", "a", "ab c", "ab\n", "\n", "abcdef xyz", "abcdef\nxyz", "xbcdef。"]
    var snapshots: [Snapshot] = []
    for before in texts {
      for after in ["", "c", "xyz\nab", "\n"] {
        snapshots.append(
          Snapshot(
            before: before.isEmpty ? nil : before,
            selected: snapshots.count % 5 == 3 ? "ab c" : nil, after: after,
            selectionShown: snapshots.count % 3 == 0 ? false : nil))
      }
    }
    for old in snapshots {
      for new in snapshots { expectSame(Observation(old: old, new: new, evidence: evidence)) }
    }
  }
}
