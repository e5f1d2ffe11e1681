import ContextDiff
import Testing

/// What a real browser's text area held (`Recordings/record.py`), seen through every window.
@Suite struct BrowserTests {
  static let names = ["english", "code", "japanese"]

  @Test(arguments: names)
  func browser(_ name: String) throws {
    let recording = try Recording(named: name)
    for window in Window.allCases {
      for told in [true, false] {
        let replay = Replay(
          recording, host: Host(window), tellsPasteboard: told, withMemory: true)
        print(replay.line("browser \(name) \(window.rawValue)\(told ? " +pasteboard" : "")"))
        for line in replay.kinds() { print(line) }
        for miss in replay.misses.prefix(Report.length) { print("    ", miss.drawing) }
      }
    }
  }
}

/// How much the tests print, and how long they go on: `CONTEXTDIFF_PROOF=long` for more of both.
enum Report {
  static let isLong = Environment["CONTEXTDIFF_PROOF"] == "long"
  static let length = isLong ? 40 : 0
}
