import ContextDiff
import Testing

/// How hosts show the edits that an input method announced, and what is said of them then.
@Suite struct AnnouncedEditShownTests {
  private let classifier = Classifier()

  private func expect(_ edits: Edit..., in session: inout Session) throws {
    for edit in edits { try session.expect(edit: edit, with: classifier) }
  }

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
    try expect(told.edit, in: &session)
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
      try expect(Edit(insert: "\n"), in: &session)
      _ = session.post(broken)
      try expect(Edit(deleteBackward: 1), in: &session)
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
      try expect(step.edit, in: &session)
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
        try expect(Edit(moveCaret: move), Edit(insert: "Q"), in: &session)
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
      try expect(Edit(insert: long), in: &session)
      let shown = session.post("ここ\(long)|そこ")
      #expect(shown?.kind == .expected, "\(window)")
      #expect(shown?.inserted == long)
      #expect(shown?.cursorOffset?.scalars == 4_000)
    }
  }

  // MARK: - Late

  /// A state that was passed may be shown late; or the person made it anew.
  @Test func whatComesLateIsNeverCertain() throws {
    var session = Session(at: "I |", window: .full)
    try expect(Edit(insert: "w"), Edit(insert: "e"), in: &session)
    #expect(session.post("I we|")?.expected == [1, 2])
    let late = session.post("I w|")
    #expect(late?.kind == .expected)
    #expect(late?.certainty == .likely)
    #expect(late?.alternatives.first == .deletion)
    #expect(late?.expected == [])
  }

  /// It is the skipped state to the letter, though an edit that waits would lead to the same text cut otherwise.
  @Test func aSkippedStateIsLateThoughMoreOfTheSameIsAnnounced() throws {
    for window in Window.allCases {
      for text in ["abcd", "Hello ", "あいうえ"] {
        var session = Session(at: "\(text)|", window: window)
        for _ in 1...3 { try session.expect(edit: Edit(insert: text), with: classifier) }
        #expect(session.post("\(text)\(text)\(text)|")?.expected == [1, 2])
        let late = session.post("\(text)\(text)|")
        #expect(late?.kind == .expected, "\(window)")
        #expect(late?.expected == [])
        #expect(late?.unfulfilled == [])
      }
    }
  }

  @Test(arguments: [
    ("I |", [Edit(insert: "w"), Edit(insert: "e")], "I we|", "I w|", Key.backspace, Kind.deletion),
    (
      "こんにちは。かれは|", [Edit(deleteBackward: 3), Edit(insert: "彼は")], "こんにちは。彼は|", "こんにちは。|",
      .backspace, .deletion
    ),
    (
      "foo |bar", [Edit(insert: "()"), Edit(moveCaret: -1)], "foo (|)bar", "foo ()|bar", .caret,
      .cursorMove
    ),
  ])
  func aKeyThatDoesItSaysThatItIsNotLate(
    old: String, edits: [Edit], shown: String, new: String, key: Key, kind: Kind
  ) throws {
    var session = Session(at: old, window: .full)
    for edit in edits { try session.expect(edit: edit, with: classifier) }
    #expect(session.post(shown)?.expected == [1, 2])
    let done = session.post(new, key: key)
    #expect(done?.kind == kind)
    #expect(done?.expected == [])
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
      try expect(edit, in: &session)
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
    try expect(Edit(deleteBackward: 1), in: &session)
    _ = session.post("Hello |world")
    let erased = session.post("Hello|world", key: .backspace)
    #expect(erased?.kind == .deletion)
    #expect(erased?.unfulfilled == [1])
  }

  @Test func aCaretMoveAnnouncedElsewhereIsThePersons() throws {
    var session = Session(at: "Hello world|", window: .full)
    try expect(Edit(moveCaret: -1), in: &session)
    _ = session.post("Hello |world")
    #expect(session.post("Hello| world")?.kind == .cursorMove)
  }

  /// The edit and a tap behind it, told of at once.
  @Test func anEditWithACaretMoveBehindItIsShown() throws {
    for window in Window.allCases {
      var session = Session(at: "Hello world|", window: window)
      try expect(Edit(insert: "abc"), in: &session)
      let moved = session.post("Hello |worldabc")
      #expect(moved?.kind == .cursorMove, "\(window)")
      #expect(moved?.expected == [1])
      #expect(session.post("Hello x|worldabc")?.unfulfilled == [])
    }
  }

  @Test func whatIsMadeElsewhereGoesAlongWithTheSession() throws {
    var session = Session(at: "Hello world|", window: .full)
    try expect(Edit(insert: "a", deleteBackward: 1, unit: .backspace), in: &session)
    _ = session.post("Hello |world")
    let archived = session.archived()
    var other = try #require(Session(archive: archived))
    #expect(other.archived() == archived)
    #expect(other.post("Helloa|world")?.expected == [1])
  }

  // MARK: - Half-way, and by other windows

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

  /// Until somebody knows how the host cuts its text.
  @Test(arguments: [
    ("ああ。いい|うう", Edit(insert: "え"), ["ああ。いいえ|うう"]),
    ("一。二|三", Edit(insert: "え"), ["一。二え|三", "二え|三"]),
    ("ab|cd", Edit(insert: "\n"), ["∅|cd", "⏎|cd", "ab⏎|cd"]),
    ("一。か\u{3099}|三", Edit(deleteBackward: 1, unit: .backspace), ["一。か|三", "一。|三"]),
    ("一。二|", Edit(insert: "え", deleteBackward: 1), ["一。え|", "え|"]),
  ])
  func whereTheWindowIsNotToldAnyWillDo(old: String, edit: Edit, pictures: [String]) throws {
    for new in pictures {
      var session = Session()
      _ = session.post(old)
      let number = try session.expect(edit: edit, with: classifier)
      #expect(session.post(new)?.expected == [number], "\(old) → \(new)")
    }
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

  @Test func qtShowsTheSelectionGoneBeforeTheText() throws {
    var session = Session(at: "ab[cd]ef", window: .line)
    let number = try session.expect(edit: Edit(insert: "え"), with: classifier)
    let gone = session.post("ab|ef")
    #expect(gone?.kind == .expected)
    #expect(gone?.certainty == .likely)
    #expect(gone?.alternatives.first == .cut)
    #expect(gone?.unfulfilled == [])
    #expect(session.post("abえ|ef")?.expected == [number])
  }

  @Test func aSelectionErasedByTheUserIsNoAnnouncedEdit() throws {
    var session = Session(at: "ab[cd]ef", window: .line)
    let number = try session.expect(edit: Edit(insert: "え"), with: classifier)
    var other = session
    let erased = session.post("ab|ef", key: .backspace)
    #expect(erased?.unfulfilled == [number])
    _ = other.post("ab|ef")
    #expect(other.post("abq|ef")?.unfulfilled == [number])
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

  @Test("An edit made in part behind the state halfway through it did not come")
  func inPartBehindHalfway() throws {
    for window in [Window.line, .full] {
      var session = Session(at: "Hello xyz|T", window: window)
      let number = try session.expect(
        edit: Edit(insert: "abc", deleteBackward: 2), with: classifier)
      #expect(session.post("Hello x|T", key: Key.none)?.kind == .expected)
      let typed = session.post("Hello xab|T", key: Key.none)
      #expect(typed?.kind == .insertion)
      #expect(typed?.inserted == "ab")
      #expect(typed?.unfulfilled == [number])
    }
  }

  struct Parts: Sendable, CustomTestStringConvertible {
    let old: String
    let edit: Edit
    /// What the host shows on the way to the last of it.
    let shown: [String]

    var testDescription: String { "\(old) → \(shown.joined(separator: " → "))" }
  }

  /// An edit that deletes, shown in parts; no key is told.
  static let parts = [
    Parts(
      old: "hello wor|ld", edit: Edit(insert: "WOR", deleteBackward: 3),
      shown: ["hello |ld", "hello WOR|ld"]),
    Parts(
      old: "hello wor|ld", edit: Edit(insert: "WOR", deleteBackward: 3),
      shown: ["hello wo|ld", "hello w|ld", "hello |ld", "hello WOR|ld"]),
    Parts(
      old: "hello wor|ld", edit: Edit(deleteBackward: 3),
      shown: ["hello wo|ld", "hello w|ld", "hello |ld"]),
    Parts(
      old: "hello wor|ld", edit: Edit(insert: "x", deleteBackward: 1, deleteForward: 2),
      shown: ["hello wo|ld", "hello wo|", "hello wox|"]),
  ]

  @Test(
    "Of an edit shown in parts the deletions are its own, but never for certain", arguments: parts)
  func deletionsInParts(_ parts: Parts) throws {
    for window in Window.allCases {
      var session = Session(at: parts.old, window: window)
      try expect(parts.edit, in: &session)
      for picture in parts.shown.dropLast() {
        let shown = session.post(picture)
        #expect(shown?.kind == .expected, "\(window), \(picture)")
        #expect(shown?.certainty == .likely)
        #expect(shown?.alternatives.first == .deletion)
        #expect(shown?.expected == [] && shown?.unfulfilled == [])
        #expect(session.expecting == 1)
      }
      var keyed = session
      let last = session.post(parts.shown.last!)
      #expect(last?.kind == .expected, "\(window)")
      #expect(last?.expected == [1])
      #expect(last?.certainty == (parts.edit.insert.isEmpty ? .likely : .certain))
      if parts.edit.insert.isEmpty {
        let erased = keyed.post(parts.shown.last!, key: .backspace)
        #expect(erased?.kind == .deletion, "\(window)")
        #expect(erased?.unfulfilled == [1])
      }
    }
  }

  @Test(
    "Behind a part of an edit another edit is the person's, and shows that the rest will not come",
    arguments: parts)
  func anotherEditBehindAPart(_ parts: Parts) throws {
    for window in Window.allCases {
      for count in 1..<parts.shown.count {
        var session = Session(at: parts.old, window: window)
        try expect(parts.edit, in: &session)
        for picture in parts.shown.prefix(count) { _ = session.post(picture) }
        let typed = session.post(parts.shown[count - 1].replacing("|", with: "q|"))
        #expect(typed?.kind == .insertion, "\(window)")
        #expect(typed?.inserted == "q")
        #expect(typed?.expected == [])
        #expect(typed?.unfulfilled == [1])
        #expect(session.post(parts.shown.last!)?.expected == [])
      }
    }
  }

  @Test("A key that erases takes no part of an announced deletion")
  func aKeyErasesAPart() throws {
    var session = Session(at: "hello wor|ld", window: .full)
    try expect(Edit(insert: "WOR", deleteBackward: 3), in: &session)
    let erased = session.post("hello wo|ld", key: .backspace)
    #expect(erased?.kind == .deletion)
    #expect(erased?.unfulfilled == [1])
  }

  @Test("A deletion that takes more than an announced one is no part of it")
  func aDeletionTakesMore() throws {
    for (edit, new) in [
      (Edit(insert: "X", deleteBackward: 2), "hello |ld"),
      (Edit(insert: "X", deleteBackward: 2), "hello wo|d"),
      (Edit(insert: "X", deleteForward: 1), "hello wo|ld"),
    ] {
      var session = Session(at: "hello wor|ld", window: .full)
      try expect(edit, in: &session)
      let erased = session.post(new)
      #expect(erased?.kind == .deletion)
      #expect(erased?.unfulfilled == [1])
    }
  }

  @Test("Text that begins as an announced one may be a part of it")
  func textThatBeginsAsAnnounced() throws {
    var session = Session(at: "hello |", window: .full)
    try expect(Edit(insert: "WOR"), in: &session)
    let typed = session.post("hello W|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.certainty == .likely)
    #expect(typed?.alternatives == [.expected])
    #expect(typed?.unfulfilled == [1])
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
      try expect(edit, in: &session)
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
