import ContextDiff
import Testing

/// An input method's own newline, behind which the editor begins the next line like the last one.
@Suite struct AnnouncedReturnTests {
  /// Where the editor begins the next line with `start`.
  struct Line: CustomTestStringConvertible {
    var old: String
    var start: String
    var after = "∅"

    var testDescription: String { "\(old)|\(after) begins with '\(start)'" }

    /// What a host with that window shows behind `announced`, which ends with a newline.
    func shown(behind announced: String, through window: Window) -> String {
      let above = window == .full || window == .paragraph ? old + announced : ""
      return "\(above)\(start)|\(after)"
    }
  }

  static let lines = [
    Line(old: "    x = 1", start: "    ", after: " + y"),
    Line(old: "    if x:", start: "        "), Line(old: "\tif (x) {", start: "\t\t"),
    Line(old: "- milk and honey", start: "- "), Line(old: "// what it is", start: "// "),
  ]

  @Test(
    "The beginning of the line is the editor's, beside the announced newline, by any key",
    arguments: Window.allCases, lines)
  func newline(window: Window, line: Line) throws {
    for key in [nil, .return, Key.unpressed] {
      var session = Session(at: "\(line.old)|\(line.after)", window: window)
      let number = try session.expect(edit: Edit(insert: "\n"), with: Classifier())
      let said = session.post(line.shown(behind: "⏎", through: window), key: key)
      #expect(said?.kind == .insertion)
      #expect(said?.expected == [number])
      #expect(scalars(said?.inserted) == scalars(line.start))
      #expect(said?.removed == nil)
      #expect(said?.cursorOffset?.scalars == 1 + line.start.unicodeScalars.count)
      #expect(said?.isPartial == false)
      // Where the next line shows nothing but its beginning, it may be another that was there.
      let isSeen = window == .full || window == .paragraph || line.after != "∅"
      #expect(said?.certainty == (isSeen ? .certain : .likely))
      #expect(session.expecting == 0)
    }
  }

  @Test("The line above is remembered as the newline left it", arguments: [Window.line, .sentence])
  func lineAbove(window: Window) throws {
    var session = Session(at: "    x = 1| + y", window: window)
    try session.expect(edit: Edit(insert: "\n"), with: Classifier())
    _ = session.post("    | + y")
    let up = session.post("    x = 1|\(window == .line ? "∅" : "")", key: .caret)
    #expect(up?.kind == .outOfRangeTap)
    #expect(up?.cursorOffset?.scalars == -5)
  }

  @Test("Text announced with the newline comes with it", arguments: Window.allCases)
  func textBeforeIt(window: Window) throws {
    let line = Line(old: "    x = ", start: "    ", after: " + y")
    var session = Session(at: "\(line.old)|\(line.after)", window: window)
    for text in ["1", ";\n"] { try session.expect(edit: Edit(insert: text), with: Classifier()) }
    let said = session.post(line.shown(behind: "1;⏎", through: window))
    #expect(said?.kind == .insertion)
    #expect(said?.expected == [1, 2])
    #expect(said?.inserted == "    ")
    #expect(said?.cursorOffset?.scalars == 7)
  }

  @Test("What follows the newline and is no line's beginning is the user's")
  func typedBehindIt() throws {
    var session = Session(at: "    x = 1| + y", window: .full)
    try session.expect(edit: Edit(insert: "\n"), with: Classifier())
    let said = session.post("    x = 1⏎    z| + y")
    #expect(said?.kind == .insertion)
    #expect(said?.expected == [1])
    #expect(said?.inserted == "    z")
  }

  @Test("A field that was sent and cleared looks like the empty line behind an announced newline")
  func sent() throws {
    for window in [Window.full, nil] {
      var session = Session(at: "hi|∅", window: window)
      try session.expect(edit: Edit(insert: "\n"), with: Classifier())
      let said = session.post("∅|∅")
      #expect(said?.kind == .expected)
      #expect(said?.certainty == .likely)
      #expect(said?.alternatives.contains(.submission) == true)
      #expect(said?.expected == [1])
    }
  }

  @Test("No newline was put in where the host says that there is no text")
  func sentAndSaid() throws {
    var session = Session(at: "hi|∅", window: .full)
    try session.expect(edit: Edit(insert: "\n"), with: Classifier())
    let said = session.post(new: Snapshot(hasText: false), with: Classifier())
    #expect(said?.kind == .submission)
    #expect(said?.expected == [] && said?.unfulfilled == [1])
  }

  @Test(
    "A field that says that it has no text shows what is announced for it",
    arguments: Window.allCases)
  func firstText(window: Window) throws {
    let evidence = Evidence(window: window)
    var session = Session()
    let empty = Snapshot(before: "", selected: nil, after: "", hasText: false)
    _ = session.post(new: empty, evidence: evidence, with: Classifier())
    try session.expect(edit: Edit(insert: "a"), with: Classifier())
    let said = session.post(
      new: Snapshot(before: "a", selected: nil, after: "", hasText: true), evidence: evidence,
      with: Classifier())
    #expect(said?.kind == .expected && said?.certainty == .certain)
    #expect(said?.expected == [1])
  }

  @Test("A host that has shown several lines shows the line above an announced newline")
  func sentOfLines() throws {
    var session = Session(at: "a⏎b|∅", window: .full)
    session.post("a⏎bc|∅")
    try session.expect(edit: Edit(insert: "\n"), with: Classifier())
    let said = session.post("∅|∅")
    #expect(said?.kind == .submission)
    #expect(said?.expected == [])
  }
}
