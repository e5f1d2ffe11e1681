import ContextDiff
import Testing

/// Hosts that cut their window anew, report late, twice or not at all.
@Suite struct UnsteadyTests {
  @Test(arguments: Window.asserted)
  func unsteady(_ window: Window) throws {
    var smart = Tinkerer(Texts.english, seed: TypedTests.seed + 4, undoes: false)
    smart.editor.takesSpaces = true
    let recordings =
      TypedTests.recordings() + [smart.record("smart delete", steps: TypedTests.count)]
    for (number, recording) in recordings.enumerated() {
      let seed = TypedTests.seed + UInt64(100 + number)
      let replay = try UnsteadyReplay(
        recording, host: UnsteadyHost(window, seed: seed), seed: seed)
      #expect(
        replay.plain.accuracy >= 0.976 && replay.plain.wrongOfCertain <= 0.0075,
        "\(recording.name) \(window.rawValue), seed \(seed): \(replay.worst)")
      // An announced edit that the person takes back before it is shown can be known by nobody.
      #expect(
        replay.wrongCounts <= TypedTests.count / 200,
        "\(recording.name) \(window.rawValue), seed \(seed): \(replay.oddities)")
      #expect(
        replay.lost.wrongOfCertain <= 0.1,
        "\(recording.name) \(window.rawValue), seed \(seed): \(replay.lost)")
      print(replay.line("unsteady \(recording.name) \(window.rawValue)"))
      if Report.isLong {
        for line in replay.kinds() { print(line) }
        for miss in replay.misses.prefix(Report.length) { print("    ", miss.drawing) }
        for oddity in replay.oddities.prefix(Report.length) { print("    ", oddity) }
      }
    }
  }
}
