import ContextDiff
import ContextDiffConsole
import Testing

@Suite struct ExplanationDrawingTests {
  private func drawn(
    old: Snapshot, new: Snapshot, pasteboard: String? = nil, window: Window = .sentence,
    columns: Int = 80, showsList: Bool = false
  ) -> [String] {
    let observation = Observation(
      old: old, new: new, pasteboard: pasteboard, evidence: Evidence(window: window))
    return ExplanationDrawing(columns: columns, showsList: showsList).draw(
      observation, Classifier().explain(observation))
  }

  @Test(arguments: [
    (
      Snapshot(before: "今日は", after: "良い天気"), Snapshot(before: "今日は良い", after: "天気"),
      "old         今日は    |良い天気", "new         今日は良い|    天気"
    ),
    (
      Snapshot(before: "ab", selected: "cd", after: "ef"), Snapshot(before: "ab", after: "ef"),
      "old         ab|cd|ef", "new         ab|   ef"
    ),
    (
      Snapshot(before: "ab"), Snapshot(before: "abc"), "old         ab |", "new         abc|"
    ),
    (Snapshot(before: "a\nb"), Snapshot(), "old         a⏎b|", "new            |"),
  ])
  func whatBothShowStandsInTheSameColumns(
    old: Snapshot, new: Snapshot, oldLine: String, newLine: String
  ) {
    let lines = drawn(old: old, new: new)
    #expect(lines[0] == oldLine)
    #expect(lines[1] == newLine)
  }

  @Test func aWindowCutElsewhereHangsOver() {
    let lines = drawn(
      old: Snapshot(before: "0123456789abcdef"), new: Snapshot(before: "456789abcdef"),
      window: .full)
    #expect(lines[0] == "old         0123456789abcdef|")
    #expect(lines[1] == "new             456789abcdef|")
    #expect(lines[2] == "left        12 kept, 4 shown before only")
  }

  @Test func theLineAboveThatIsJoinedIsUnknown() {
    let lines = drawn(
      old: Snapshot(before: "a", after: "bc"), new: Snapshot(before: "wordq", after: "c"),
      window: .line)
    #expect(lines.contains("→ replacement      exact    ?q|c"))
  }

  @Test func whatElseIsKnownOfThePairIsDrawn() {
    let observation = Observation(
      old: Snapshot(before: "a", caret: 3),
      new: Snapshot(before: "ab", hasText: true, caret: 4, selectionShown: false),
      evidence: Evidence(key: .character, merged: true, reset: true))
    let lines = ExplanationDrawing(columns: 80, showsList: false).draw(
      observation, Classifier().explain(observation))
    #expect(lines.contains("caret       3, now 4"))
    #expect(lines.contains("hasText     ?, now true"))
    #expect(lines.contains("selection   shown: ?, now false"))
    #expect(lines.contains("key         character"))
    #expect(lines.contains("merged      several acts may lie between"))
    #expect(lines.contains("reset       the host reset its input method"))
  }

  @Test func aWindowCutLongerSaysSo() {
    let lines = drawn(
      old: Snapshot(before: "456789abcdef"), new: Snapshot(before: "0123456789abcdef"),
      window: .full)
    #expect(lines[2] == "left        12 kept, 4 shown now only")
  }

  @Test func eachLineOfTheListIsThereAndOneDecides() {
    let lines = drawn(
      old: Snapshot(before: "a"), new: Snapshot(before: "ab"), pasteboard: "b", showsList: true)
    #expect(lines.contains("pasteboard  \"b\""))
    let list = lines.drop { !$0.hasPrefix("The published list") }.dropFirst()
    let numbered = list.prefix { !$0.isEmpty }.filter { !$0.hasPrefix("     ") }
    #expect(numbered.count == 9)
    let deciding = numbered.filter { $0.hasPrefix("→") }
    #expect(deciding.count == 1)
    #expect(deciding.first?.hasSuffix("paste") == true)
  }

  @Test func noLineIsWiderThanTheTerminalWhereTextIsLong() {
    let long = String(repeating: "あいうえお。", count: 50)
    let lines = drawn(
      old: Snapshot(before: long, after: long), new: Snapshot(before: long + "か", after: long))
    #expect(VisibleText(lines[0]).columns <= 80)
    #expect(lines[0].contains("⋯"))
  }

  private func readings(
    old: Snapshot, new: Snapshot, pasteboard: String? = nil
  ) -> [String] {
    let lines = drawn(old: old, new: new, pasteboard: pasteboard)
    let readings = lines.drop { !$0.hasPrefix("The readings") }.dropFirst()
    return Array(readings.prefix { !$0.hasPrefix("→ chosen") })
  }

  @Test func theChosenReadingComesFirstWithWhatItPredicts() {
    let readings = readings(
      old: Snapshot(before: "カキクケコ。", after: "サシスセソ。"),
      new: Snapshot(before: "カキクケコ", after: "。"))
    #expect(readings.first == "→ cursorMove       exact    カキクケコ|。")
    #expect(readings.count { $0.hasPrefix("→") } == 1)
  }

  @Test func aReadingThatDoesNotAgreeShowsWhereItParts() throws {
    let readings = readings(
      old: Snapshot(before: "カキクケコ。", after: "サシスセソ。"),
      new: Snapshot(before: "カキクケコ", after: "。"))
    // Backspace would have left the next sentence as it was: the two part right of the caret, at
    // once.
    let place = try #require(readings.firstIndex { $0.hasPrefix("✗ deletion") })
    #expect(
      readings[place...].prefix(3) == [
        "✗ deletion         parts    カキクケコ|サシスセソ。",
        "                            カキクケコ|。  seen",
        "                                       ^ after",
      ])
  }

  @Test func caretsStandInOneColumn() {
    let readings = readings(
      old: Snapshot(before: "カキクケコ。", after: "サシスセソ。"),
      new: Snapshot(before: "カキクケコ", after: "。"))
    var parted = 0
    for (predicted, seen) in zip(readings, readings.dropFirst()) where seen.hasSuffix("seen") {
      parted += 1
      #expect(caretColumn(predicted) == caretColumn(seen), "\(predicted)")
    }
    #expect(parted > 1)
  }

  private func caretColumn(_ line: String) -> Int {
    VisibleText(line.prefix { $0 != "|" }).columns
  }

  @Test func whatCanShowAnyTextSaysSo() {
    let readings = readings(old: Snapshot(before: "ab。"), new: Snapshot(before: "x"))
    #expect(readings.contains { $0.hasPrefix("· outOfRangeTap    exact    any text") })
  }

  @Test func equalSnapshotsHaveOneReading() {
    #expect(
      readings(old: Snapshot(before: "a"), new: Snapshot(before: "a"))
        == ["→ unchanged        exact    a|∅  as the list says"])
  }
}
