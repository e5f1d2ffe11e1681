import ContextDiff
import Testing

/// What a real browser's text area held (`Recordings/record.py`), seen through every window.
@Suite struct BrowserTests {
  static let names = ["english", "code", "japanese"]

  /// Issue 3's figures.
  private static let target = Floor(right: 0.96, wrongOfCertain: 0.005, undo: 0.8, redo: 0.8)
  /// What the engine has reached for every recording and window, and must not lose.
  private static let floor = Floor(right: 0.97, wrongOfCertain: 0.004, undo: 0.82, redo: 0.84)

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
          Self.floor, of: recording, title, host: host, tellsPasteboard: told, withMemory: true)
      }
    }
  }
}
