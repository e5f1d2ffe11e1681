import ContextDiff
import Testing

/// What a real browser's text area held (`Recordings/record.py`), seen through every window.
@Suite struct BrowserTests {
  static let names = ["english", "code", "japanese"]

  /// What is aimed at.
  private static let target = Floor(right: 0.96, wrongOfCertain: 0.005, undo: 0.8, redo: 0.8)
  /// What the engine reaches for each recording through every window, and must not lose.
  private static let floors: [String: Floor] = [
    "english": Floor(right: 0.993, wrongOfCertain: 0.002, undo: 0.92, redo: 0.94),
    "code": Floor(right: 0.970, wrongOfCertain: 0.005, undo: 0.77, redo: 0.82),
    "japanese": Floor(right: 0.98, wrongOfCertain: 0.0025, undo: 0.77, redo: 0.83),
  ]

  @Test(arguments: names)
  func browser(_ name: String) throws {
    let recording = try Recording(named: name)
    for window in Window.asserted {
      for told in [true, false] {
        let host = Host(window)
        let replay = Replay(recording, host: host, tellsPasteboard: told, withMemory: true)
        let title = "browser \(name) \(window.rawValue)\(told ? " +pasteboard" : "")"
        print(replay.line(title) + replay.shortfall(of: Self.target))
        if Report.isLong {
          for line in replay.kinds() { print(line) }
          for miss in replay.misses.prefix(Report.length) { print("    ", miss.drawing) }
        }
        replay.expect(
          try #require(Self.floors[name]), of: recording, title, host: host, tellsPasteboard: told,
          withMemory: true)
      }
    }
  }
}
