import ContextDiff
import Testing

/// Announced edits that a host tells of together with what happened before or behind them.
@Suite struct AnnouncedOutOfSightTests {
  private let classifier = Classifier()

  @Test(
    "A commit whose line is broken in the same news was made", arguments: [Window.line, .sentence])
  func commitAndReturn(window: Window) throws {
    for after in ["∅", "もの"] {
      var session = Session(at: "오늘은 학교|\(after)", window: window)
      try session.expect(edit: Edit(insert: "에"), with: classifier)
      let line = window == .line ? "∅" : "⏎"
      let broken = session.post("\(line)|\(after)", key: .return)
      #expect(broken?.kind == .insertion)
      #expect(broken?.expected == [1])
      #expect(broken?.unfulfilled == [])
      // The session knows the line above as the commit left it.
      let joined = session.post("오늘은 학교에|\(after)", key: .backspace)
      #expect(joined?.kind == .deletion)
      #expect(joined?.removed == "\n")
    }
  }

  @Test("A press of Delete at a line's end, little in front of it, brings the next line")
  func nextLine() throws {
    var session = Session(at: "ab|∅", window: .line)
    try session.expect(edit: Edit(deleteForward: 1, unit: .backspace), with: classifier)
    let said = session.post("ab|cd")
    #expect(said?.kind == .expected && said?.expected == [1])
    // Other text in front of the caret is no start of it.
    session = Session(at: "ab|∅", window: .line)
    try session.expect(edit: Edit(deleteForward: 1, unit: .backspace), with: classifier)
    #expect(session.post("ax|cd")?.expected == [])
  }

  @Test(
    "Text announced behind a line break that goes is shown behind the text of the line above",
    arguments: [
      [Edit(insert: "XY", deleteBackward: 1)],
      [Edit(deleteBackward: 1), Edit(insert: "XY")],
      [Edit(insert: "X", deleteBackward: 1), Edit(insert: "Y")],
    ])
  func joinedAndTyped(edits: [Edit]) throws {
    for (window, left) in [(Window.sentence, "⏎"), (.line, "∅")] {
      var session = Session(at: "\(left)|z", window: window)
      for edit in edits { try session.expect(edit: edit, with: classifier) }
      let said = session.post("abcXY|z")
      #expect(said?.kind == .expected)
      #expect(said?.expected == Array(1...edits.count))
      #expect(said?.inserted == "XY")
      #expect(said?.unfulfilled == [] && session.expecting == 0)
    }
  }

  @Test("An edit that removes more than there is removes no more where the document is seen to end")
  func documentEnds() throws {
    for (window, isPartial) in [(Window.full, false), (.line, true)] {
      var session = Session(at: "Hello|∅", window: window)
      try session.expect(edit: Edit(insert: "x", deleteForward: 1), with: classifier)
      let said = session.post("Hellox|∅")
      #expect(said?.kind == .expected)
      #expect(said?.inserted == "x")
      #expect(said?.isPartial == isPartial, "\(window)")
    }
  }

  @Test("Of an edit announced by snapshots, too, the selection may go first")
  func selectionGoneFirst() throws {
    var session = Session(at: "ab[cd]ef", window: .full)
    try session.expect(new: drawn("abx|ef"))
    #expect(session.post("ab|ef")?.kind == .expected)
    #expect(session.expecting == 1)
    #expect(session.post("abx|ef")?.expected == [1])
  }

  @Test("A selection exchanged for another is no state on the way to the announced edit")
  func selectionExchanged() throws {
    var session = Session(at: "ab[cd]ef", window: .full)
    try session.expect(edit: Edit(insert: "x"), with: classifier)
    let said = session.post("ab[CD]ef")
    #expect(said?.kind == .replacement)
    #expect(said?.unfulfilled == [1])
  }

  @Test("Behind snapshots that tell no edit the text of the line above is not known")
  func snapshotAndReturn() throws {
    // The second may be what stands behind a newline that was put in.
    for (new, known) in [("오늘은 학교에|∅", "오늘은 학교에⏎"), ("⏎|∅", "")] {
      var session = Session(at: "오늘은 학교|∅", window: .line)
      try session.expect(new: drawn(new))
      let broken = session.post("∅|∅", key: .return)
      #expect(broken?.kind == .insertion)
      #expect(broken?.expected == [1])
      #expect(session.remembered.left == known.replacing("⏎", with: "\n"))
    }
  }

  @Test("A commit is its own behind one that was sent unseen")
  func commitBehindUnseen() throws {
    var session = Session(at: "∅|∅", window: .line)
    try session.expect(edit: Edit(insert: "네"), with: classifier)
    #expect(session.post("∅|∅", key: .return)?.kind == .unchanged)
    try session.expect(edit: Edit(insert: "안녕"), with: classifier)
    let said = session.post("안녕|∅", key: Key.unpressed)
    #expect(said?.kind == .expected)
    #expect(said?.expected == [2])
  }

  @Test("A click that is told with the commit behind it leaves that an announced one")
  func clickAndCommit() throws {
    for key in [nil, Key.unpressed] {
      var session = Session(at: "가오늘교오오늘|늘X가", window: .line)
      try session.expect(edit: Edit(insert: "좋다"), with: classifier)
      let said = session.post("가오늘교오좋다|오늘늘X가", key: key)
      #expect(said?.kind == .expected)
      #expect(said?.certainty == .likely)
      #expect(said?.expected == [1])
      #expect(said?.inserted == "좋다")
    }
    // What a key pasted was pasted.
    var session = Session(at: "가오늘교오오늘|늘X가", window: .line)
    try session.expect(edit: Edit(insert: "좋다"), with: classifier)
    #expect(session.post("가오늘교오좋다|오늘늘X가", key: .paste)?.expected == [])
  }

  @Test("What is not announced breaks a line alone")
  func ignoredCommit() throws {
    var session = Session(at: "foo|bar", window: .full)
    try session.expect(edit: Edit(insert: "x"), with: classifier)
    let said = session.post("foo⏎|bar", key: .return)
    #expect(said?.kind == .insertion)
    #expect(said?.unfulfilled == [1])
  }

  @Test("A deletion that reaches beyond what is shown takes no character that is typed")
  func typedInstead() throws {
    var session = Session(at: " |abc def.", window: .sentence)
    try session.expect(edit: Edit(deleteBackward: 2), with: classifier)
    let said = session.post(" Q|abc def.", key: .character)
    #expect(said?.certainty == .likely)
    #expect(said?.kind == .insertion || said?.alternatives.contains(.insertion) == true)
    // Nor does one that was made take the next.
    session = Session(at: " |abc def.", window: .sentence)
    try session.expect(edit: Edit(deleteBackward: 2), with: classifier)
    try session.expect(edit: Edit(insert: "XX", deleteBackward: 2), with: classifier)
    #expect(session.post(" hello saXX|abc def.")?.expected == [1, 2])
    let typed = session.post(" hello saXXx|abc def.", key: .character)
    #expect(typed?.kind == .insertion)
    #expect(typed?.expected == [])
  }

  @Test("A key that joins the next line is not hidden by a commit before it")
  func commitAndDelete() throws {
    var session = Session(at: "東京へ|∅", window: .line)
    try session.expect(edit: Edit(insert: "行く"), with: classifier)
    let said = session.post("東京へ行く|会議は三時です", key: .delete)
    #expect(said?.kind == .deletion)
    #expect(said?.expected == [1])
  }

  @Test("The caret's way over an announced exchange and Return is told whole")
  func exchangeAndReturn() throws {
    var session = Session(at: "abc def今|xyz", window: .line)
    try session.expect(edit: Edit(insert: "東京", deleteBackward: 1), with: classifier)
    let said = session.post("∅|xyz", key: .return)
    #expect(said?.expected == [1])
    #expect(said?.cursorOffset?.scalars == 2)
  }
}
