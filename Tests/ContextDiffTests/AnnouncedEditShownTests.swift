import ContextDiff
import Testing

/// How hosts show the edits that an input method announced, and what is said of them then.
@Suite struct AnnouncedEditShownTests {
  private let classifier = Classifier()

  // MARK: - What was exchanged

  struct Told: Sendable, CustomTestStringConvertible {
    let window: Window?
    let old: String
    let edit: Edit
    let new: String
    var offset: Int?
    var inserted: String?
    var removed: String?
    var isPartial = false

    var testDescription: String { "\(window.map { "\($0)" } ?? "any window"): \(old) → \(new)" }
  }

  @Test(
    "An announced exchange is shown where the window shows less behind the caret than is remembered"
  )
  func lessShownBehind() throws {
    var session = Session(at: "∅|one. two three four", window: .paragraph)
    _ = session.post("one|. two three four")
    _ = session.post("onet|.")
    try session.expect(
      edit: Edit(insert: "ts", deleteBackward: 1, unit: .scalars), with: classifier)
    let said = session.post("onets|.")
    #expect(said?.kind == .expected)
    #expect(said?.expected == [1])
    #expect(said?.unfulfilled == [])
  }

  /// What came and went is what was announced, also where the window begins anew.
  @Test(arguments: [
    Told(
      window: .sentence, old: "foo bar|baz", edit: Edit(insert: "\n"), new: "⏎|baz", offset: 1,
      inserted: "\n"),
    Told(
      window: .line, old: "foo bar|baz", edit: Edit(insert: "\n"), new: "∅|baz", offset: 1,
      inserted: "\n"),
    Told(
      window: .sentence, old: "こんにちは。|∅", edit: Edit(insert: "げんき"), new: "げんき|∅", offset: 3,
      inserted: "げんき"),
    Told(
      window: .sentence, old: "こんにちは。|はい。", edit: Edit(moveCaret: 1), new: "は|い。", offset: 1),
    Told(
      window: .sentence, old: "こんにちは。|はい。", edit: Edit(moveCaret: -1), new: "こんにちは|。",
      offset: -1),
    Told(
      window: .sentence, old: "あい|か", edit: Edit(insert: "。う"), new: "う|か", offset: 2,
      inserted: "。う"),
    Told(
      window: .paragraph, old: "foo|bar", edit: Edit(insert: "x\ny"), new: "foox⏎y|bar", offset: 3,
      inserted: "x\ny"),
    Told(
      window: nil, old: "Second one here|", edit: Edit(insert: " now"),
      new: "A long first sentence. Second one here now|", offset: 4, inserted: " now"),
    Told(
      window: nil, old: "A long first sentence. Second one here|", edit: Edit(insert: " now"),
      new: "Second one here now|", offset: 4, inserted: " now"),
    Told(
      window: .full, old: "ab[cd]ef", edit: Edit(insert: "X"), new: "abX|ef", offset: 1,
      inserted: "X", removed: "cd"),
    // More goes than is known: how far the caret went nobody can tell.
    Told(
      window: .sentence, old: "良い|天気です", edit: Edit(deleteBackward: 3), new: "今日は。|天気です",
      removed: "良い", isPartial: true),
  ])
  func whatWasAnnouncedIsWhatCameAndWent(_ told: Told) throws {
    var session = Session(at: told.old, window: told.window)
    try session.expect(told.edit)
    let shown = session.post(told.new)
    #expect(shown?.kind == .expected)
    #expect(shown?.certainty == .certain)
    #expect(shown?.cursorOffset?.scalars == told.offset)
    #expect(shown?.inserted == told.inserted)
    #expect(shown?.removed == told.removed)
    #expect(shown?.isPartial == told.isPartial)
  }

  /// Return and the Backspace behind it, through the windows that begin anew there.
  @Test func aLineBrokenAndJoinedAgain() throws {
    for (window, broken) in [(Window.sentence, "⏎|baz"), (.line, "∅|baz")] {
      var session = Session(at: "foo bar|baz", window: window)
      try session.expect(Edit(insert: "\n"))
      _ = session.post(broken)
      try session.expect(Edit(deleteBackward: 1))
      let joined = session.post("foo bar|baz")
      #expect(joined?.kind == .expected)
      #expect(joined?.cursorOffset?.scalars == -1)
      #expect(joined?.inserted == nil)
      #expect(joined?.removed == "\n")
    }
  }

  struct Follow: Sendable, CustomTestStringConvertible {
    let window: Window
    let start: String
    let steps: [(edit: Edit, shown: String, offset: Int)]

    var testDescription: String { "\(window): \(start)" }
  }

  /// What is announced next counts in the text that there is, not in what the window showed of it.
  @Test(arguments: [
    Follow(
      window: .sentence, start: "あい|か",
      steps: [
        (Edit(insert: "。う"), "う|か", 2), (Edit(deleteBackward: 2), "あい|か", -2),
        (Edit(deleteBackward: 1), "あ|か", -1),
      ]),
    Follow(
      window: .sentence, start: "あい|か",
      steps: [(Edit(insert: "。う"), "う|か", 2), (Edit(deleteBackward: 1), "あい。|か", -1)]),
    Follow(
      window: .line, start: "foo bar|baz",
      steps: [
        (Edit(insert: "x\ny"), "y|baz", 3), (Edit(deleteBackward: 2), "foo barx|baz", -2),
        (Edit(deleteBackward: 1), "foo bar|baz", -1),
      ]),
    Follow(
      window: .line, start: "foo|",
      steps: [
        (Edit(insert: "\n\n"), "|", 2), (Edit(insert: "abc"), "abc|", 3),
        (Edit(deleteBackward: 4), "|", -4), (Edit(deleteBackward: 1), "foo|", -1),
      ]),
  ])
  func whatFollowsCountsInTheWholeText(_ follow: Follow) throws {
    var session = Session(at: follow.start, window: follow.window)
    for (index, step) in follow.steps.enumerated() {
      try session.expect(step.edit)
      let shown = session.post(step.shown)
      #expect(shown?.kind == .expected)
      #expect(shown?.certainty == .certain)
      #expect(shown?.expected == [index + 1])
      #expect(shown?.cursorOffset?.scalars == step.offset)
    }
  }

  @Test(
    "The caret that leaves a long selection, and what is put in behind it, are told as they are")
  func outOfALongSelection() throws {
    for text in [
      String(repeating: "long text ", count: 2_000), String(repeating: "あい", count: 5_000),
    ] {
      for move in [-3, -1, 1, 3] {
        let (left, right) = ("left text ", " right text")
        var session = Session()
        _ = session.post(
          new: Snapshot(before: left, selected: text, after: right),
          evidence: Evidence(window: .full), with: classifier)
        try session.expect(Edit(moveCaret: move), Edit(insert: "Q"))
        let all = Array((left + text + right).unicodeScalars)
        let caret = left.unicodeScalars.count + (move > 0 ? text.unicodeScalars.count : 0) + move
        func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
          String(String.UnicodeScalarView(scalars))
        }
        let shown = session.post(
          new: Snapshot(before: string(all[..<caret]) + "Q", after: string(all[caret...])),
          with: classifier)
        #expect(shown?.expected == [1, 2])
        #expect(shown?.inserted == "Q")
        #expect(shown?.removed == nil)
        #expect(shown?.cursorOffset?.scalars == caret + 1 - left.unicodeScalars.count)
      }
    }
  }

  @Test func aLongTextPutInIsToldWhole() throws {
    let long = String(repeating: "東京は雨", count: 1_000)
    for window in Window.allCases {
      var session = Session(at: "ここ|そこ", window: window)
      try session.expect(Edit(insert: long))
      let shown = session.post("ここ\(long)|そこ")
      #expect(shown?.kind == .expected, "\(window)")
      #expect(shown?.inserted == long)
      #expect(shown?.cursorOffset?.scalars == 4_000)
    }
  }

  // MARK: - Where the caret is by then

  @Test(arguments: [
    (Edit(insert: "a"), "Hello |world", "Hello a|world", Kind.insertion),
    (Edit(deleteBackward: 1), "Hello |world", "Hello|world", .deletion),
    (Edit(insert: "a"), "Hello [world]", "Hello a|", .replacement),
  ])
  func anEditIsMadeWhereTheCaretIsByThen(edit: Edit, moved: String, new: String, kind: Kind) throws
  {
    for window in Window.allCases {
      var session = Session(at: "Hello world|", window: window)
      try session.expect(edit)
      #expect(session.post(moved)?.unfulfilled == [])
      let shown = session.post(new)
      #expect(shown?.kind == .expected, "\(window)")
      #expect(shown?.certainty == .likely)
      #expect(shown?.alternatives.first == kind)
      #expect(shown?.expected == [1])
      #expect(shown?.unfulfilled == [])
    }
  }

  @Test func aKeyThatDoesItElsewhereIsThePersons() throws {
    var session = Session(at: "Hello world|", window: .full)
    try session.expect(Edit(deleteBackward: 1))
    _ = session.post("Hello |world")
    let erased = session.post("Hello|world", key: .backspace)
    #expect(erased?.kind == .deletion)
    #expect(erased?.unfulfilled == [1])
  }

  @Test func aCaretMoveAnnouncedElsewhereIsThePersons() throws {
    var session = Session(at: "Hello world|", window: .full)
    try session.expect(Edit(moveCaret: -1))
    _ = session.post("Hello |world")
    #expect(session.post("Hello| world")?.kind == .cursorMove)
  }

  /// The edit and a tap behind it, told of at once.
  @Test func anEditWithACaretMoveBehindItIsShown() throws {
    for window in Window.allCases {
      var session = Session(at: "Hello world|", window: window)
      try session.expect(Edit(insert: "abc"))
      let moved = session.post("Hello |worldabc")
      #expect(moved?.kind == .cursorMove, "\(window)")
      #expect(moved?.expected == [1])
      #expect(session.post("Hello x|worldabc")?.unfulfilled == [])
    }
  }

  @Test func whatIsMadeElsewhereGoesAlongWithTheSession() throws {
    var session = Session(at: "Hello world|", window: .full)
    try session.expect(Edit(insert: "a", deleteBackward: 1, unit: .backspace))
    _ = session.post("Hello |world")
    let archived = session.archived()
    var other = try #require(Session(archive: archived))
    #expect(other.archived() == archived)
    #expect(other.post("Helloa|world")?.expected == [1])
  }

  // MARK: - With more, and beyond the known text

  @Test func anInlineCompletionBehindAnAnnouncedEditShowsIt() throws {
    var session = Session(at: "https://|", window: .full)
    for text in ["e", "x"] { try session.expect(edit: Edit(insert: text), with: classifier) }
    let first = session.post("https://e[xample.org]")
    #expect(first?.expected == [1])
    #expect(first?.unfulfilled == [])
    // The next one takes the place of what is selected.
    let second = session.post("https://ex[ample.org]")
    #expect(second?.expected == [2])
    let third = try session.expect(edit: Edit(insert: "t"), with: classifier)
    #expect(session.post("https://ext|")?.expected == [third])
  }

  @Test(
    "The mate that a host puts behind an announced bracket is the host's own",
    arguments: Window.allCases,
    [
      ("foo|", "(", "foo(|)"), ("foo bar|", "(", "foo bar(|)"), ("foo|x", "(", "foo(|)x"),
      ("foo bar| baz", "{", "foo bar{|} baz"), ("京都|", "「", "京都「|」"), ("|", "\"", "\"|\""),
    ])
  func matedBracket(window: Window, example: (old: String, put: String, new: String)) throws {
    var session = Session(at: example.old, window: window)
    let number = try session.expect(edit: Edit(insert: example.put), with: classifier)
    let shown = session.post(example.new)
    #expect(shown?.kind == .insertion)
    #expect(shown?.alternatives == [.expected])
    #expect(shown?.expected == [number])
    #expect(scalars(shown?.inserted) == scalars(drawn(example.new).after).map { [$0[0]] })
    #expect(session.expecting == 0)
  }

  @Test("What stood behind the caret before is no mate")
  func bracketBeforeBracket() throws {
    var session = Session(at: "foo|)", window: .line)
    try session.expect(edit: Edit(insert: "("), with: classifier)
    #expect(session.post("foo(|)")?.kind == .expected)
    // Nor is one behind which the text is other than before.
    session = Session(at: "foo|bar", window: .full)
    try session.expect(edit: Edit(insert: "("), with: classifier)
    #expect(session.post("foo(|)zzz")?.alternatives != [.expected])
  }

  @Test func whatTakesAllTextAwaySaysHowFarTheCaretWent() throws {
    for window in Window.allCases {
      var session = Session(at: "こんに😀|ちは", window: window)
      let number = try session.expect(
        edit: Edit(deleteBackward: 4, deleteForward: 2), with: classifier)
      let shown = session.post("∅|∅")
      #expect(shown?.kind == .expected, "\(window)")
      #expect(shown?.expected == [number])
      #expect(shown?.cursorOffset == Extent(scalars: -4, utf16: -5, graphemes: -4))
      #expect(shown?.removed == "こんに😀ちは")
      #expect(shown?.isPartial == false)
    }
  }

  @Test func whatIsTakenAwayBeyondTheKnownIsNotAnythingAtAll() throws {
    var session = Session(at: "abc|", window: .full)
    let number = try session.expect(edit: Edit(deleteBackward: 50), with: classifier)
    let typed = session.post("abcd|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.unfulfilled == [number])
  }

  @Test(
    "What comes into view behind a deletion was not put in", arguments: [Window.sentence, .line])
  func whatComesIntoViewWasNotPutIn(window: Window) throws {
    for (edit, new) in [
      (Edit(deleteBackward: 50), "earlier text. |"),
      (Edit(insert: "Q", deleteBackward: 50), "earlier text. Q|"),
    ] where window == .line || edit.insert.isEmpty {
      var session = Session(at: "hello world|", window: window)
      try session.expect(edit)
      let shown = session.post(new)
      #expect(shown?.kind == .expected)
      #expect(shown?.certainty == .likely)
      #expect(shown?.inserted == (edit.insert.isEmpty ? nil : edit.insert))
      #expect(shown?.removed == "hello world")
      #expect(shown?.cursorOffset == nil)
      #expect(shown?.isPartial == true)
    }
  }

  @Test func textTakenAwayBringsTheSentenceBeforeIntoView() throws {
    var session = Session(at: "良い|天気です", window: .sentence)
    try session.expect(edit: Edit(deleteBackward: 3), with: classifier)
    #expect(session.post("今日は。|天気です")?.kind == .expected)
  }
}
