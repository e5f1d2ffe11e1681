import ContextDiff
import Testing

/// Recordings from one browser in two halves: the weights are made from `training`; `held-out` says what
/// they are worth on editing that they were not made from.
@Suite struct HalvesTests {
  static let texts = ["chat", "code", "english", "japanese"]

  @Test(arguments: texts)
  func heldOut(_ text: String) throws { try check(text, "held-out") }

  @Test(arguments: texts)
  func training(_ text: String) throws { try check(text, "training") }

  private func check(_ text: String, _ half: String) throws {
    let recordings = try Recording.all(of: text, in: half)
    #expect(recordings.count == 3)
    for window in Window.asserted {
      for told in [false, true] {
        var pairs: Replay?
        var session: Replay?
        for recording in recordings {
          for withMemory in [false, true] {
            let replay = Replay(
              recording, host: Host(window), tellsPasteboard: told, withMemory: withMemory)
            if withMemory {
              if session == nil { session = replay } else { session?.add(replay) }
            } else {
              if pairs == nil { pairs = replay } else { pairs?.add(replay) }
            }
          }
        }
        guard let pairs, let session else { continue }
        let title = "\(half) \(text) \(window.rawValue)\(told ? " +pasteboard" : "")"
        print(
          session.line(title) + " submission \(session.tally(.submission).right)/"
            + "\(session.tally(.submission).count), certain wrong \(session.all.certainWrong)"
            + ", pairs alone \(rounded(100 * pairs.besidesUndo.accuracy, 2))%")
        check(session, beside: pairs, text, title)
        if Report.isLong {
          for line in session.kinds() { print(line) }
          for miss in session.misses.prefix(Report.length) { print("    ", miss.drawing) }
        }
      }
    }
  }

  /// What each text reaches through every window in both halves, and must not lose.
  private static let floors: [String: Floor] = [
    "chat": Floor(right: 0.99, wrongOfCertain: 0.002, undo: 0.52, redo: 0.37),
    "code": Floor(right: 0.97, wrongOfCertain: 0.01, undo: 0.84, redo: 0.76),
    "english": Floor(right: 0.989, wrongOfCertain: 0.003, undo: 0.89, redo: 0.89),
    "japanese": Floor(right: 0.985, wrongOfCertain: 0.004, undo: 0.77, redo: 0.72),
  ]

  private func check(_ session: Replay, beside pairs: Replay, _ text: String, _ title: String) {
    guard let floor = Self.floors[text] else {
      Issue.record("no floor for \(text)")
      return
    }
    let line = Comment(rawValue: session.line(title))
    #expect(session.all.accuracy >= floor.right, line)
    #expect(session.all.wrongOfCertain <= floor.wrongOfCertain, line)
    #expect(session.tally(.undo).accuracy >= floor.undo, line)
    #expect(session.tally(.redo).accuracy >= floor.redo, line)
    #expect(session.tally(.submission).accuracy >= 0.7, line)
    // Memory costs at most half a percent of what the pairs by themselves tell.
    #expect(session.besidesUndo.accuracy >= pairs.besidesUndo.accuracy - 0.005, line)
  }
}
