import ContextDiff
import ContextDiffConsole
import Testing

@Suite struct SnapshotDrawingTests {
  private func drawn(_ snapshot: Snapshot, palette: Palette = .plain, columns: Int = 60) -> String {
    SnapshotDrawing(palette: palette, fieldColumns: columns).draw(snapshot).text
  }

  @Test(arguments: [
    (Snapshot(before: "abc", after: "def"), "abc|def"),
    (Snapshot(before: "abc", selected: "def", after: "ghi"), "abc|def|ghi"),
    (Snapshot(after: "abc"), "∅|abc"),
    (Snapshot(before: "abc"), "abc|∅"),
    (Snapshot(before: "abc", after: ""), "abc|"),
    (Snapshot(before: "\n", after: "def"), "⏎|def"),
    (Snapshot(before: "a", selected: "bc\nd", after: "ef"), "a|bc⏎d|ef"),
    (Snapshot(before: "a", selected: "", after: "b"), "a|b"),
    (Snapshot(), "∅|∅"),
    (Snapshot(before: "今日は", selected: "良い", after: "天気"), "今日は|良い|天気"),
  ])
  func marksCaretSelectionAndWhatIsNotShown(snapshot: Snapshot, line: String) {
    #expect(drawn(snapshot) == line)
  }

  @Test func longFieldsGiveWayFarFromTheCaret() {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    #expect(
      drawn(Snapshot(before: letters, selected: letters, after: letters), columns: 6)
        == "⋯uvwxyz|abc⋯xyz|abcdef⋯")
    #expect(drawn(Snapshot(before: "abcdef", after: "abcdef"), columns: 6) == "abcdef|abcdef")
  }

  @Test func wideCharactersCountTwice() {
    #expect(drawn(Snapshot(before: "あいうえお", after: "かきくけこ"), columns: 4) == "⋯えお|かき⋯")
  }

  @Test func coloursSetCaretAndSelectionOff() {
    #expect(
      drawn(Snapshot(before: "a", selected: "b"), palette: .coloured)
        == "a\u{1B}[1;36m|\u{1B}[0m\u{1B}[7mb\u{1B}[0m\u{1B}[1;36m|\u{1B}[0m\u{1B}[2m∅\u{1B}[0m")
  }

  @Test func quotesTellAbsentFromEmpty() {
    let drawing = SnapshotDrawing()
    #expect(drawing.quote(nil) == "null")
    #expect(drawing.quote("") == "\"\"")
    #expect(drawing.quote("a\n") == "\"a⏎\"")
  }
}

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("a\u{1B}[2Jb", "a␛[2Jb", 6),
    ("a\r\nb", "a␍⏎b", 4),
    ("\u{7F}", "␡", 1),
    ("\u{9B}", "\\u{9B}", 6),
    ("a\u{202E}b", "a\\u{202E}b", 10),
    ("\u{2028}", "\\u{2028}", 8),
  ])
  func nothingMovesTheCursor(source: String, shown: String, columns: Int) {
    let visible = VisibleText(source)
    #expect(visible.text == shown)
    #expect(visible.columns == columns)
  }

  /// What cannot be seen, alone and within a word, and what follows it on the line as it stood.
  @Test(arguments: [
    0xAD, 0x34F, 0x61C, 0x115F, 0x17B4, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A,
    0x202E, 0x2060, 0x2066, 0x2069, 0x206A, 0x3164, 0xFE0E, 0xFE0F, 0xFEFF, 0xFFA0, 0x1D173,
    0xE0001, 0xE0041, 0xE0100,
  ])
  func whatIsNotSeenIsShown(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let shown = "\\u{\(String(value, radix: 16, uppercase: true))}"
    #expect(VisibleText(String(scalar)).text == shown)
    #expect(VisibleText("\(scalar)\(scalar)!").text == "\(shown)\(shown)!")
    guard !scalar.properties.isVariationSelector else { return }
    #expect(VisibleText("ab\(scalar)cd").text == "ab\(shown)cd")
    #expect(VisibleText("ab\(scalar)cd").columns == 4 + shown.count)
  }

  @Test(arguments: [
    "☺\u{FE0E}", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "葛\u{E0100}", "👩\u{200D}👩\u{200D}👧",
    "👁\u{FE0F}\u{200D}🗨\u{FE0F}", "🏳\u{FE0F}\u{200D}🌈", "👩🏽\u{200D}🚀", "\u{1820}\u{180B}",
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
  ])
  func whatGivesAnotherLookStays(source: String) {
    #expect(VisibleText(source).text.unicodeScalars.elementsEqual(source.unicodeScalars))
  }

  @Test(arguments: [
    ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{FE0F}"), ("👩\u{200D}", "👩\\u{200D}"),
    ("👩\u{200D}a", "👩\\u{200D}a"), ("👩\u{E0061}", "👩\\u{E0061}"),
    ("a\u{200D}\u{301}", "a\\u{200D}◌\u{301}"),
  ])
  func whatGivesNoneIsShown(source: String, shown: String) {
    #expect(VisibleText(source).text.unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test(arguments: [
    ("abc", 3), ("日本語", 6), ("が", 2), ("か\u{3099}", 2), ("ｶﾞ", 2), ("👩‍👩‍👧‍👦", 2), ("🇯🇵", 2),
    ("❤️", 2), ("é", 1), ("e\u{301}", 1), ("ー", 2), ("", 0),
  ])
  func columnsAreThoseOfATerminal(source: String, columns: Int) {
    #expect(VisibleText(source).columns == columns)
    #expect(VisibleText(source).text.unicodeScalars.elementsEqual(source.unicodeScalars))
  }

  @Test func aMarkWithoutBaseStandsOnACircle() {
    #expect(VisibleText("\u{3099}あ").text.unicodeScalars.first == "◌")
  }
}
