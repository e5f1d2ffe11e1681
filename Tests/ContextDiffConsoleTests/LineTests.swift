import ContextDiff
import ContextDiffConsole
import ContextDiffWire
import Testing

@Suite struct LineReaderTests {
  private func pair(
    _ line: String, window: Window = .sentence, for use: LineReader.Use = .classify,
    fieldLimit: Int = 8
  ) throws(LineError) -> LineReader.Pair {
    var reader = LineReader()
    return try reader.pair(
      Array(line.utf8), window: window, for: use, fieldLimit: fieldLimit)
  }

  @Test func readsWhatClassifyTakesAndPassesTheRestOver() throws {
    let read = try pair(
      """
      {"name": "n", "kind": "cut", "old": {"before": "a"}, "new": {"selected": "b", "hasText": true}, \
      "pasteboard": "p", "window": "full", "composition": {"before": 1, "after": 2}, \
      "cause": "other", "session": "mine"}
      """)
    #expect(read.name == "n")
    #expect(read.parameters.old?.before == "a")
    #expect(read.parameters.new.selected == "b")
    #expect(read.parameters.new.hasText == true)
    #expect(read.parameters.pasteboard == "p")
    #expect(read.parameters.evidence.window == .full)
    #expect(read.parameters.evidence.composition == Composition(before: 1, after: 2))
    #expect(read.parameters.evidence.cause == .other)
    #expect(read.parameters.session == nil)
  }

  @Test func theOptionsWindowIsForLinesWithoutOne() throws {
    #expect(try pair(#"{"old":{},"new":{}}"#, window: .full).parameters.evidence.window == .full)
    #expect(
      try pair(#"{"old":{},"new":{},"window":null}"#, window: .full).parameters.evidence.window
        == .full)
    #expect(
      try pair(#"{"old":{},"new":{},"window":"sentence"}"#, window: .full).parameters.evidence
        .window
        == .sentence)
  }

  @Test("A line to be posted has no member that may be a misspelt one")
  func postedLines() throws {
    #expect(throws: LineError.self) {
      try pair(#"{"new":{},"secur":true}"#, for: .post)
    }
    #expect(try !pair(#"{"old":{},"new":{},"secur":true}"#).parameters.secure)
    let read = try pair(
      """
      {"sequence":1,"session":"s","time":2,"transition":{"kind":"cut"},"announced":[],"name":"n",\
      "kind":"cut","basicKind":"cut","new":{},"secure":true}
      """, for: .post)
    #expect(read.parameters.secure && read.parameters.old == nil)
  }

  @Test func onlyASessionCanDoWithoutOld() throws {
    #expect(try pair(#"{"new":{}}"#, for: .explain).parameters.old == nil)
    #expect(throws: LineError.member(.missing("old"))) { try pair(#"{"new":{}}"#) }
  }

  @Test(arguments: [
    ("", "not JSON: it ends too early at byte 1"),
    ("{", "not JSON: it ends too early at byte 2"),
    ("x", "not JSON: an unexpected character at byte 1"),
    ("{} {}", "not JSON: something after the value at byte 4"),
    ("[]", "not a JSON object"),
    ("null", "not a JSON object"),
    ("{}", "new: missing"),
    (#"{"old":{},"new":{"before":1}}"#, "new.before: must be a string"),
    (
      #"{"old":{},"new":{"befor":""}}"#,
      "new.befor: unknown; there may be before, selected, after, hasText, caret or selectionShown"
    ),
    (
      #"{"old":{},"new":{},"window":"door"}"#,
      "window: must be one of sentence, paragraph, line, full"
    ),
    (
      #"{"old":{},"new":{},"key":7}"#,
      "key: must be one of none, character, return, backspace, delete, caret, shortcut, undo, redo, cut, paste"
    ),
    (#"{"old":{"after":"123456789"},"new":{}}"#, "old.after: longer than 8 bytes"),
    (#"{"old":{},"new":{},"pasteboard":"123456789"}"#, "pasteboard: longer than 8 bytes"),
    (
      #"{"old":{},"new":{},"transition":{"kind":"expected","expected":[1,"2"]}}"#,
      "transition.expected: must be an integer"
    ),
    (
      #"{"old":{},"new":{},"transition":{"kind":"expected","expected":3}}"#,
      "transition.expected: must be an array"
    ),
  ])
  func saysWhyALineIsNoPair(line: String, reason: String) {
    do throws(LineError) {
      _ = try pair(line)
      Issue.record("a pair")
    } catch {
      #expect(error.description == reason)
    }
  }
}

@Suite struct TerminalJSONTests {
  @Test(arguments: [
    ("{\"a\":\"é ~ 文🎈 e\u{301}\"}\n", "{\"a\":\"é ~ 文🎈 e\u{301}\"}\n"),
    ("\"\u{7F}\u{9B}31m\u{9F}\u{A0}\"", "\"\\u007f\\u009b31m\\u009f\u{A0}\""),
    ("\"\u{2027}\u{2028}\u{2029}\"", "\"\u{2027}\\u2028\\u2029\""),
    ("\"\u{61C}\u{200F}\u{202E}\u{2066}x\"", "\"\\u061c\\u200f\\u202e\\u2066x\""),
  ])
  func whatWouldControlATerminalIsEscaped(json: String, shown: String) {
    #expect(TerminalJSON.escaped(Array(json.utf8)) == Array(shown.utf8))
  }
}

@Suite struct LineWriterTests {
  private func written(_ body: (inout LineWriter) -> Void) -> String {
    var writer = LineWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func transitionsAreAsOnTheWire() {
    let transition = Transition(
      kind: .paste, basicKind: .outOfRangeTap, certainty: .likely, alternatives: [.insertion],
      cursorOffset: Extent(scalars: 2, utf16: 3, graphemes: 1), inserted: "\"\n")
    #expect(
      written { $0.transition(transition) } == """
        {"kind":"paste","basicKind":"outOfRangeTap","certainty":"likely",\
        "alternatives":["insertion"],"cursorOffset":{"scalars":2,"utf16":3,"graphemes":1},\
        "inserted":"\\"\\n","removed":null,"isPartial":false,"leavesComposition":null,\
        "expectedEdits":0,"expected":[],"unfulfilled":[]}

        """)
  }

  @Test func aBaselineIsNull() {
    #expect(written { $0.transition(nil) } == "null\n")
  }

  @Test func linesFollowEachOtherUntilTheyAreTaken() {
    let text = written { writer in
      writer.transition(nil)
      writer.removeAll()
      writer.error("why", line: 3)
      writer.lost(nil, upTo: 7)
      writer.lost(2, upTo: 9)
      writer.list([SessionInfo(name: "二", window: .full, pairs: 1, time: 5)])
    }
    #expect(
      text == "{\"error\":\"why\",\"line\":3}\n"
        + "{\"sequence\":7,\"lost\":-1}\n{\"sequence\":9,\"lost\":2}\n"
        + #"[{"name":"二","window":"full","windowLearnt":false,"pairs":1,"bytes":0,"expecting":0,"time":5}]"#
        + "\n")
  }

  @Test func anEventCanBeReadBack() throws {
    let event = Event(
      sequence: 4, session: "s", time: 5,
      transition: Transition(kind: .cut, basicKind: .cut, removed: "x"),
      old: Snapshot(before: "a", selected: "x"), new: Snapshot(before: "a", after: ""))
    var writer = LineWriter()
    writer.event(event)
    var reader = LineReader()
    let read = try reader.event(writer.bytes)
    #expect(read.sequence == 4)
    #expect(read.time == 5)
    #expect(read.transition.removed == "x")
    #expect(read.old?.selected == "x")
    #expect(read.new?.after == "")
  }

  @Test func anEventWithoutItsPairCannotBeReplayed() {
    var writer = LineWriter()
    writer.event(
      Event(sequence: 1, session: "s", time: 0, transition: Transition(kind: .cut, basicKind: .cut))
    )
    let line = writer.bytes
    #expect(throws: LineError.member(.missing("old"))) {
      var reader = LineReader()
      return try reader.event(line)
    }
  }
}
