import ContextDiff
import Testing

/// Texts typed and edited by simulated people, seen through every window.
@Suite struct TypedTests {
  static let seed: UInt64 = 20_261_121
  static let count = Report.isLong ? 20_000 : 6_000

  static func recordings(seed: UInt64 = seed) -> [Recording] {
    var prose = Typist(Texts.english, seed: seed)
    var code = Typist(Texts.code, seed: seed + 1, habits: .init(indents: true))
    var japanese = Tinkerer(Texts.japanese, seed: seed + 2, undoes: false)
    var japaneseProse = Typist(Texts.japanese, seed: seed + 3)
    return [
      prose.record("prose", steps: count), code.record("code", steps: count),
      japanese.record("japanese at random", steps: count),
      japaneseProse.record("japanese prose", steps: count),
    ]
  }

  static func undoing(by grouping: Editor.Grouping = .run) -> [Recording] {
    var english = Tinkerer(Texts.english, seed: seed + 5)
    var code = Tinkerer(Texts.code, seed: seed + 6)
    var japanese = Tinkerer(Texts.japanese, seed: seed + 7)
    english.editor.grouping = grouping
    code.editor.grouping = grouping
    japanese.editor.grouping = grouping
    return [
      english.record("english undone", steps: count), code.record("code undone", steps: count),
      japanese.record("japanese undone", steps: count),
    ]
  }

  @Test(arguments: Window.asserted)
  func typed(_ window: Window) {
    for recording in Self.recordings() {
      for withMemory in [false, true] {
        for told in [false, true] {
          check(
            recording, window, tellsPasteboard: told, withMemory: withMemory,
            Self.floor, target: Self.target(withMemory: withMemory))
        }
      }
    }
  }

  /// What the same sights leave to be known, of the pair and of two snapshots before it too; the engine reads as much of
  /// the pairs right, but for one in a hundred.
  @Test(arguments: [false, true])
  func whatNoEngineCanTellApart(told: Bool) {
    let host = Host(.sentence)
    let sittings = (0..<3).map { Self.recordings(seed: Self.seed + 100 * $0) }
    for index in sittings[0].indices {
      var pairs = Census(depth: 0)
      var runs = Census(depth: 2)
      var right = Replay.Tally()
      for recording in sittings.map({ $0[index] }) {
        pairs.add(recording, host: host, tellsPasteboard: told)
        runs.add(recording, host: host, tellsPasteboard: told)
        right.add(
          Replay(recording, host: host, tellsPasteboard: told, withMemory: false).all)
      }
      let title = "\(sittings[0][index].name) sentence\(told ? " +pasteboard" : "")"
      print(
        "best possible \(title.padded(36)) by pairs \(rounded(100 * pairs.bestPossible, 2))%, "
          + "with two snapshots before \(rounded(100 * runs.bestPossible, 2))%; "
          + "read right \(rounded(100 * right.accuracy, 2))%")
      #expect(right.accuracy >= pairs.bestPossible - 0.01)
    }
  }

  @Test(arguments: Window.asserted)
  func undone(_ window: Window) {
    for recording in Self.undoing() {
      for told in [false, true] {
        check(
          recording, window, tellsPasteboard: told, withMemory: true, Self.undoneFloor,
          target: Self.undoneTarget)
      }
    }
  }

  /// Hosts whose undo takes other steps back than browsers' does, which a session learns.
  ///
  /// Where each edit is a step, what a key typed goes as by backspace: no pair tells the two apart.
  @Test(arguments: [Editor.Grouping.word, .edit])
  func undoneOtherwise(_ grouping: Editor.Grouping) {
    let floor =
      grouping == .word
      ? Floor(right: 0.985, wrongOfCertain: 0.002, ordinaryCertain: 0.87, undo: 0.82, redo: 0.82)
      : Floor(right: 0.973, wrongOfCertain: 0.0015, ordinaryCertain: 0.865, undo: 0.57, redo: 0.6)
    for window in Window.asserted {
      for recording in Self.undoing(by: grouping) {
        check(
          recording, window, tellsPasteboard: false, withMemory: true, floor, target: floor,
          title: "\(recording.name) by \(grouping.rawValue) \(window.rawValue)")
      }
    }
  }

  private func check(
    _ recording: Recording, _ window: Window, tellsPasteboard: Bool, withMemory: Bool,
    _ floor: Floor, target: Floor, title: String? = nil
  ) {
    let host = Host(window)
    let replay = Replay(
      recording, host: host, tellsPasteboard: tellsPasteboard, withMemory: withMemory)
    let title =
      title
      ?? "\(recording.name) \(window.rawValue)\(withMemory ? " memory" : "")"
      + (tellsPasteboard ? " +pasteboard" : "")
    print(replay.line(title) + replay.shortfall(of: target))
    if Report.isLong {
      for line in replay.kinds() { print(line) }
      for miss in replay.misses.prefix(Report.length) { print("    ", miss.drawing) }
    }
    replay.expect(
      floor, of: recording, "\(title), seed \(Self.seed)", host: host,
      tellsPasteboard: tellsPasteboard, withMemory: withMemory)
  }

  /// What is aimed at, through the sentence window.
  private static func target(withMemory: Bool) -> Floor {
    Floor(
      right: withMemory ? 0.995 : 0.985, named: 0.999, wrongOfCertain: 0.001, ordinaryCertain: 0.8)
  }

  /// What the engine has reached for every recording and window, and must not lose.
  private static let floor = Floor(
    right: 0.9935, named: 0.998, wrongOfCertain: 0.001, ordinaryCertain: 0.818)

  /// What is aimed at for what people undo.
  private static let undoneTarget = Floor(
    right: 0.96, wrongOfCertain: 0.005, ordinaryCertain: 0.8, undo: 0.8, redo: 0.8)
  private static let undoneFloor = Floor(
    right: 0.99, wrongOfCertain: 0.0015, ordinaryCertain: 0.875, undo: 0.92, redo: 0.94)
}
