import ContextDiff
import Testing

/// How hosts show an announced edit in several pairs, and by a window that was not told.
@Suite struct AnnouncedEditHalfwayTests {
  private let classifier = Classifier()

  /// However many states a host shows on the way, the one where the edit begins stays known.
  @Test func fromAHostThatGoesBackTheEditIsStillExpected() throws {
    let text = String(repeating: "a", count: 40)
    var session = Session(at: "x \(text)|", window: .full)
    try session.expect(edit: Edit(insert: "b", deleteBackward: 40), with: Classifier())
    for left in (1..<40).reversed() { session.post("x \(text.prefix(left))|") }
    #expect(session.expecting == 1)
    session.post("x \(text)|", key: .undo)
    let shown = session.post("x b|")
    #expect(shown?.kind == .expected)
    #expect(shown?.expected == [1])
  }

  @Test("A selection that is known to be cut is no state on the way to an announced edit")
  func selectionCut() throws {
    var session = Session(at: "ab[cd]ef", window: .full)
    try session.expect(Edit(insert: "x"))
    let said = session.post(
      new: drawn("ab|ef"), pasteboard: "cd", evidence: Evidence(window: .full), with: classifier)
    #expect(said?.kind == .cut)
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

  @Test("An edit made in part behind the state halfway through it did not come")
  func inPartBehindHalfway() throws {
    for window in [Window.line, .full] {
      var session = Session(at: "Hello xyz|T", window: window)
      let number = try session.expect(
        edit: Edit(insert: "abc", deleteBackward: 2), with: classifier)
      #expect(session.post("Hello x|T", key: Key.unpressed)?.kind == .expected)
      let typed = session.post("Hello xab|T", key: Key.unpressed)
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
      try session.expect(parts.edit)
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
        try session.expect(parts.edit)
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
    try session.expect(Edit(insert: "WOR", deleteBackward: 3))
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
      try session.expect(edit)
      let erased = session.post(new)
      #expect(erased?.kind == .deletion)
      #expect(erased?.unfulfilled == [1])
    }
  }

  @Test("Text that begins as an announced one may be a part of it")
  func textThatBeginsAsAnnounced() throws {
    var session = Session(at: "hello |", window: .full)
    try session.expect(Edit(insert: "WOR"))
    let typed = session.post("hello W|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.certainty == .likely)
    #expect(typed?.alternatives == [.expected])
    #expect(typed?.unfulfilled == [1])
  }

  @Test("A host that deletes no more than was announced is halfway no second time")
  func deletesNoMore() throws {
    var session = Session(at: "ab tie|∅", window: .full)
    try session.expect(Edit(insert: "ê", deleteBackward: 1, unit: .scalars))
    #expect(session.post("ab ti|∅")?.expected == [])
    #expect(session.expecting == 1)
    let erased = session.post("ab t|∅")
    #expect(erased?.kind == .deletion && erased?.removed == "i")
    #expect(erased?.unfulfilled == [1])
  }

  @Test("Of an announced edit the erasing may be shown first, no key having erased")
  func erasingFirst() throws {
    for (window, key) in [(Window.full, Key.unpressed), (.line, .unpressed)] {
      var session = Session(at: "xin chao viet|", window: window)
      let number = try session.expect(
        edit: Edit(insert: "ệt", deleteBackward: 2, unit: .scalars), with: classifier)
      let half = session.post("xin chao vi|", key: key)
      #expect(half?.unfulfilled == [])
      let whole = session.post("xin chao việt|", key: key)
      #expect(whole?.kind == .expected)
      #expect(whole?.expected == [number])
    }
  }

  @Test(
    "Where all that is shown left of the caret is exchanged, the erasing alone is not the whole edit",
    arguments: [
      (Window.full, "ân| rest", "| rest", "ấn| rest"),
      (.sentence, "ân| rest", "| rest", "ấn| rest"),
      (.line, "ân|", "|", "ấn|"),
    ])
  func erasingAllFirst(_ window: Window, _ old: String, _ half: String, _ new: String) throws {
    // A line that is empty though no key went to the host is another one, as likely as not.
    for key in window == .line ? [nil] : [Key.unpressed, nil] {
      var session = Session(at: old, window: window)
      let number = try session.expect(
        edit: Edit(insert: "ấn", deleteBackward: 2, unit: .scalars), with: classifier)
      let erased = session.post(half, key: key)
      #expect(erased?.kind == .expected && erased?.certainty == .likely)
      #expect(erased?.expected == [])
      #expect(erased?.removed == "ân" && erased?.inserted == nil)
      #expect(erased?.cursorOffset?.scalars == -2)
      let whole = session.post(new, key: key)
      #expect(whole?.kind == .expected && whole?.certainty == .certain)
      #expect(whole?.expected == [number])
      #expect(whole?.inserted == "ấn" && whole?.removed == nil)
      #expect(whole?.cursorOffset?.scalars == 2)
    }
  }

  @Test("At a line's start the erasing alone shows the newline before it")
  func erasingToALinesStart() throws {
    var session = Session(at: "⏎| rest", window: .sentence)
    session.post("â| rest")
    session.post("ân| rest")
    let number = try session.expect(
      edit: Edit(insert: "ấn", deleteBackward: 2, unit: .scalars), with: classifier)
    let erased = session.post("⏎| rest")
    #expect(erased?.kind == .expected && erased?.expected == [])
    #expect(erased?.removed == "ân" && erased?.inserted == nil)
    let whole = session.post("ấn| rest")
    #expect(whole?.kind == .expected && whole?.expected == [number])
    #expect(whole?.inserted == "ấn" && whole?.removed == nil)
  }

  @Test(
    "The caret may be shown behind the announced text in the next pair",
    arguments: [Window.full, .line])
  func caretBehindTextLater(_ window: Window) throws {
    for key in [Key.unpressed, nil] {
      var session = Session(at: "user alice|, bob", window: window)
      let number = try session.expect(edit: Edit(insert: "漢字"), with: classifier)
      let text = session.post("user alice|漢字, bob", key: key)
      #expect(text?.kind == .expected && text?.certainty == .likely)
      #expect(text?.expected == [number] && text?.inserted == "漢字")
      #expect(text?.cursorOffset?.scalars == 0)
      let caret = session.post("user alice漢字|, bob", key: key)
      #expect(caret?.kind == .expected && caret?.alternatives == [.cursorMove])
      #expect(caret?.cursorOffset?.scalars == 2)
      #expect(session.post("user alice漢|字, bob", key: .caret)?.kind == .cursorMove)
    }
  }

  @Test("A commit announced alone may take the place of what the input method erases itself")
  func erasedUnannounced() throws {
    for states in [["xin chao vi|", "xin chao việt|"], ["xin chao việt|"]] {
      for window in [Window.full, .line] {
        var session = Session(at: "xin chao viet|", window: window)
        let number = try session.expect(edit: Edit(insert: "ệt"), with: classifier)
        var said: Transition?
        for state in states {
          said = session.post(state, key: Key.unpressed)
          #expect(said?.unfulfilled == [], "\(window)")
        }
        #expect(said?.kind == .expected, "\(window)")
        #expect(said?.expected == [number], "\(window)")
        // What the person erases and types then is the person's.
        #expect(session.post("xin chao việ|", key: .backspace)?.kind == .deletion)
        #expect(session.post("xin chao việt|", key: .character)?.kind == .insertion)
      }
    }
  }

  @Test(
    "Where all shown text was to go and still stands, the person's edit is the person's",
    arguments: [
      (Window.full, "teh| cat sat", Edit(insert: "the", deleteBackward: 3), "tehx| cat sat"),
      (.line, "x| cat sat", Edit(deleteBackward: 1), "xq| cat sat"),
      (.full, "cabe| cat sat", Edit(insert: "xyé", deleteBackward: 4), "cabea| cat sat"),
    ])
  func refused(window: Window, old: String, edit: Edit, new: String) throws {
    var session = Session(at: old, window: window)
    try session.expect(edit)
    let said = session.post(new)
    #expect(said?.kind == .insertion)
    #expect(said?.expected == [] && said?.unfulfilled == [1])
  }
}
