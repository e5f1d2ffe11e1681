import ContextDiff
import Testing

/// Announced edits on hosts that show the caret first and the text later, as Firefox does on Wayland.
@Suite struct AnnouncedCaretFirstTests {
  private let classifier = Classifier()

  @Test func firefoxShowsTheCaretBeforeTheText() throws {
    for (first, text) in [("xT|", "xえ|T"), ("xTu|v", "xえと|Tuv")] {
      let start = first == "xT|" ? "x|T" : "x|Tuv"
      var session = Session(at: start, window: .line)
      let inserted = text == "xえ|T" ? "え" : "えと"
      let number = try session.expect(edit: Edit(insert: inserted), with: classifier)
      let caret = session.post(first)
      #expect(caret?.kind == .expected)
      #expect(caret?.certainty == .likely)
      #expect(caret?.alternatives.first == .cursorMove)
      #expect(caret?.expected == [])
      let shown = session.post(text)
      #expect(shown?.kind == .expected, "\(text)")
      #expect(shown?.certainty == .certain)
      #expect(shown?.expected == [number])
      #expect(
        shown.map { Array(($0.inserted ?? "").unicodeScalars) } == Array(inserted.unicodeScalars))
      #expect(session.expecting == 0)
    }
  }

  @Test(
    "The caret before the text goes as far as there is text, in the units in which the host counts",
    arguments: [
      ("x|T", "えとお", "xT|", "xえとお|T"), ("x|Tuv", "😀", "xTu|v", "x😀|Tuv"),
    ])
  func theCaretBeforeTheTextInItsUnits(_ old: String, insert: String, first: String, new: String)
    throws
  {
    var session = Session(at: old, window: .line)
    try session.expect(Edit(insert: insert))
    let caret = session.post(first)
    #expect(caret?.kind == .expected && caret?.expected == [])
    #expect(session.post(new)?.expected == [1])
  }

  @Test(arguments: Window.allCases) func theCaretBeforeTheTextThroughAnyWindow(window: Window)
    throws
  {
    for (before, after) in [("", ""), ("それは", "です。"), ("ああああ。", "いいいい。")] {
      var session = Session(at: "\(before)x|T\(after)", window: window)
      let number = try session.expect(edit: Edit(insert: "え"), with: classifier)
      #expect(session.post("\(before)xT|\(after)")?.kind == .expected)
      let shown = session.post("\(before)xえ|T\(after)")
      #expect(shown?.kind == .expected, "\(before)x|T\(after)")
      #expect(shown?.expected == [number])
    }
  }

  @Test func firefoxShowsTheCaretOfADeletionBeforeTheText() throws {
    var session = Session(at: "xyz|T", window: .line)
    let number = try session.expect(edit: Edit(deleteBackward: 2), with: classifier)
    #expect(session.post("x|yzT")?.kind == .expected)
    #expect(session.post("x|T")?.expected == [number])
  }

  @Test("The caret before the text shows a press of Backspace by whichever rule the host has")
  func theCaretOfAPressBeforeTheText() throws {
    for (old, caret) in [("xyか\u{3099}|TT", "xy|か\u{3099}TT"), ("xy👨‍👩|TT", "xy|👨‍👩TT")] {
      var session = Session(at: old, window: .line)
      let number = try session.expect(
        edit: Edit(deleteBackward: 1, unit: .backspace), with: classifier)
      #expect(session.post(caret)?.kind == .expected)
      #expect(session.post("xy|TT")?.expected == [number])
    }
  }

  @Test func aCaretKeyIsNoAnnouncedEdit() throws {
    var session = Session(at: "x|Tuv", window: .line)
    try session.expect(edit: Edit(insert: "え"), with: classifier)
    #expect(session.post("xT|uv", key: .caret)?.kind == .cursorMove)
  }

  @Test func aCaretThatLooksAnnouncedIsTheUsersOnceTheUserTypesThere() throws {
    var session = Session(at: "x|Tuv", window: .line)
    let number = try session.expect(edit: Edit(insert: "え"), with: classifier)
    _ = session.post("xT|uv")
    let typed = session.post("xTq|uv")
    #expect(typed?.kind == .insertion)
    #expect(typed?.unfulfilled == [number])
  }

  @Test("A host that shows each caret before its text makes one edit after the other")
  func caretBeforeEachText() throws {
    var session = Session(at: "a |bcd", window: .line)
    let edits = [
      Edit(insert: "x"), Edit(insert: "y"), Edit(deleteBackward: 1), Edit(deleteBackward: 1),
    ]
    for edit in edits { try session.expect(edit) }
    let states = ["a b|cd", "a x|bcd", "a xb|cd", "a xy|bcd", "a x|bcd", "a |bcd"]
    for (state, shown) in zip(states, [[], [1], [], [2], [3], [4]]) {
      let said = session.post(state)
      #expect(said?.kind == .expected, "\(state)")
      #expect(said?.expected == shown, "\(state)")
    }
  }

  @Test(
    "Text behind a caret that was shown before it is told as it was announced",
    arguments: [
      ("|today", Edit(insert: "see "), "toda|y", "see |today", "see ", nil, 0),
      ("u|ab", Edit(insert: "go", deleteBackward: 1), "ua|b", "go|ab", "go", "u", 0),
    ] as [(String, Edit, String, String, String, String?, Int)])
  func exchangeBehindCaret(
    old: String, edit: Edit, caret: String, new: String, inserted: String, removed: String?,
    offset: Int
  ) throws {
    var session = Session(at: old, window: .line)
    try session.expect(edit)
    #expect(session.post(caret)?.expected == [])
    let said = session.post(new)
    #expect(said?.kind == .expected && said?.expected == [1])
    #expect(said?.inserted == inserted && said?.removed == removed)
    #expect(said?.cursorOffset?.scalars == offset)
    // And so it is remembered.
    let known = session.remembered
    #expect("\(known.left)|\(known.right)" == new)
  }

  @Test("Text that the window hides does not come with what is shown behind its caret")
  func hiddenBehindCaret() throws {
    var session = Session(at: "one two|three", window: .line)
    try session.expect(Edit(insert: "\n"))
    session.post("|three")
    try session.expect(Edit(insert: "x"))
    session.post("t|hree")
    let said = session.post("x|three")
    #expect(said?.kind == .expected && said?.expected == [2])
    #expect(said?.inserted == "x")
  }
}
