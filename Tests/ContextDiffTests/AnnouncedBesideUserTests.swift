import ContextDiff
import Testing

/// Announced edits beside what the user does: before them, of which the host told nothing, or after them.
@Suite struct AnnouncedBesideUserTests {
  private let classifier = Classifier()

  /// A session at `old` in which `texts` are announced, and what it says of `new`.
  private func said(
    of new: String, after old: String, announcing texts: [String], window: Window, key: Key?
  ) throws -> (transition: Transition?, waiting: Int) {
    var session = Session(at: old, window: window)
    for text in texts { try session.expect(edit: Edit(insert: text), with: classifier) }
    let transition = session.post(new, key: key)
    return (transition, session.expecting)
  }

  @Test(
    "A key's edit that the host made before the commit is the user's, and the commit is shown",
    arguments: [Window.line, .full],
    [
      (Key.character, "x"), (.paste, "pasted "), (nil, "x"), (.return, "⏎"),
    ] as [(Key?, String)])
  func insertionBefore(window: Window, user: (key: Key?, text: String)) throws {
    if window == .line, user.key == .return { return }
    for texts in [["今日"], ["今", "日"], ["今日", "は"]] {
      let (said, waiting) = try said(
        of: "We went \(user.text)今日|home", after: "We went |home", announcing: texts,
        window: window, key: user.key)
      let shown = texts == ["今日", "は"] ? [1] : Array(1...texts.count)
      #expect(said?.kind == .insertion)
      #expect(said?.certainty == .likely)
      #expect(said?.alternatives == [.expected])
      #expect(scalars(said?.inserted) == scalars(drawn("\(user.text)|").before))
      #expect(said?.expected == shown)
      #expect(said?.cursorOffset?.scalars == user.text.unicodeScalars.count + 2)
      #expect(waiting == 0)
    }
  }

  @Test("What is typed behind an announced exchange of all that is shown is the user's")
  func typedBehindExchange() throws {
    for (old, edit, new) in [
      ("ㅎ|à.đẹp", Edit(insert: "하", deleteBackward: 1), "하7|à.đẹp"),
      ("v|∅", Edit(insert: "rồi", deleteBackward: 1), "rồiz|∅"),
    ] {
      var session = Session(at: old, window: .full)
      try session.expect(edit: edit, with: classifier)
      let said = session.post(new)
      #expect(said?.kind == .insertion, "\(new)")
      #expect(said?.inserted?.unicodeScalars.count == 1)
      #expect(said?.expected == [1])
    }
  }

  @Test("An edit of the user's that exchanges all that was announced shows none of it")
  func exchanged() throws {
    let said = try said(
      of: "ax|h⏎ij", after: "a[bc de fg]h⏎ij", announcing: ["XY"], window: .full, key: .character)
    #expect(said.transition?.kind == .replacement)
    #expect(said.transition?.removed == "bc de fg")
    #expect(said.transition?.unfulfilled == [1])
    let tap = try self.said(
      of: "hello world⏎a|bcd", after: "hello world|∅", announcing: ["XY"], window: .paragraph,
      key: Key.unpressed)
    #expect(tap.transition?.kind == .outOfRangeTap)
    #expect(tap.waiting == 1)
  }

  @Test(
    "Announced text stands in the place of a selection that the host does not show",
    arguments: [
      ("∅|một hai ba bốn", "việt", "việt|∅", Window.line),
      ("の|変換だ", "へんかん", "のへんかん|だ", .line), ("∅|漢字", "字", "字|∅", .full),
    ])
  func overUnseenSelection(old: String, text: String, new: String, window: Window) throws {
    var (old, new) = (drawn(old), drawn(new))
    (old.selectionShown, new.selectionShown) = (false, false)
    var session = Session()
    _ = session.post(new: old, evidence: Evidence(window: window), with: classifier)
    try session.expect(edit: Edit(insert: text), with: classifier)
    let said = session.post(
      new: new, evidence: Evidence(window: window, composition: Composition(before: 0, after: 0)),
      with: classifier)
    #expect(said?.kind == .expected)
    #expect(said?.certainty == .likely)
    #expect(said?.expected == [1])
    #expect(said?.leavesComposition == false)
    #expect(scalars(said?.inserted) == scalars(text))
  }

  @Test(
    "So it does on a host that says nothing of its selection, where more than a key takes is gone",
    arguments: [
      (Window.full, "∅|I will be late", "Sorry ", "Sorry |∅"), (nil, "∅|see you", "o", "o|∅"),
      (.full, "abc |def ghi", "X", "abc X|ghi"),
    ] as [(Window?, String, String, String)])
  func overUntoldSelection(window: Window?, old: String, text: String, new: String) throws {
    var session = Session(at: old, window: window)
    try session.expect(edit: Edit(insert: text), with: classifier)
    let said = session.post(new)
    #expect(said?.kind == .expected && said?.certainty == .likely)
    #expect(said?.alternatives.contains(.replacement) == true)
    #expect(said?.expected == [1] && said?.inserted == text)
  }

  @Test("A host that shows selections hides none")
  func overNoSelection() throws {
    var session = Session(at: "abc [def] ghi jkl", window: .full)
    session.post("abc |def ghi jkl")
    try session.expect(edit: Edit(insert: "X"), with: classifier)
    let said = session.post("abc X| jkl")
    #expect(said?.kind == .deletion)
    #expect(said?.expected == [1])
  }

  @Test(
    "In a field that groups what it holds the announced edit is shown with other blanks",
    arguments: [
      ("4|801 3207 5", [Edit(insert: "2")], "42|80 1320 75"),
      ("4|801 3207 5", [Edit(insert: "2"), Edit(insert: "9")], "429|8 0132 075"),
      ("480|1 3207 5", [Edit(deleteBackward: 1)], "48|13 2075"),
    ])
  func regrouped(old: String, edits: [Edit], new: String) throws {
    var session = Session(at: old, window: .full)
    for edit in edits { try session.expect(edit: edit, with: classifier) }
    let said = session.post(new)
    #expect(said?.kind == .expected && said?.certainty == .likely)
    #expect(said?.expected == Array(1...edits.count))
    #expect(session.post(old)?.certainty == .likely)
  }

  /// As editors in web pages do: HTML shows one space of several, and none at a line's end.
  @Test(
    "A blank beside the announced text, or in it, may become one that does not break, or be one no longer",
    arguments: [
      ("xin chào\u{A0}|", "c", "xin chào c|"), ("xin chào|", " ", "xin chào\u{A0}|"),
      ("a |\u{A0}b", "c", "a\u{A0}c| b"),
    ],
    [Window.line, .full])
  func blanksThatDoNotBreak(states: (old: String, insert: String, new: String), window: Window)
    throws
  {
    let (said, waiting) = try said(
      of: states.new, after: states.old, announcing: [states.insert], window: window, key: nil)
    #expect(said?.kind == .expected)
    #expect(said?.certainty == .likely)
    #expect(said?.expected == [1])
    #expect(waiting == 0)
  }

  @Test(
    "A word that the host corrects at the announced blank is exchanged with it",
    arguments: [
      ("bring teh|", " ", "bring the |", "eh", "he "), ("and i|", " ", "and I |", "i", "I "),
      ("waits --|", ".", "waits —.|", "--", "—."),
    ])
  func corrected(
    states: (old: String, insert: String, new: String, removed: String, inserted: String)
  ) throws {
    let (said, waiting) = try said(
      of: states.new, after: states.old, announcing: [states.insert], window: .full, key: nil)
    #expect(said?.kind == .replacement)
    #expect(said?.alternatives == [.expected])
    #expect(said?.expected == [1])
    #expect(said?.removed == states.removed)
    #expect(said?.inserted == states.inserted)
    #expect(waiting == 0)
  }

  @Test(
    "The announced text stands in place of the mark that a field without text holds",
    arguments: ["\u{FEFF}|", "|\u{200B}", "|⏎"], [Window.sentence, .full])
  func inPlaceOfAMark(old: String, window: Window) throws {
    let (said, waiting) = try said(
      of: "今日|", after: old, announcing: ["今日"], window: window, key: nil)
    #expect(said?.kind == .expected)
    #expect(said?.inserted == "今日")
    #expect(waiting == 0)
  }

  @Test("An erasure that the host made before the commit is the user's")
  func erasureBefore() throws {
    let (said, _) = try said(
      of: "We went今日|home", after: "We went |home", announcing: ["今日"], window: .full,
      key: .backspace)
    #expect(said?.kind == .deletion)
    #expect(said?.removed == " ")
    #expect(said?.expected == [1])
    #expect(said?.certainty == .likely)
  }

  @Test("What the user put in afterwards is remembered with the announced text")
  func remembered() throws {
    var session = Session(at: "We went |home", window: .full)
    try session.expect(edit: Edit(insert: "今日"), with: classifier)
    _ = session.post("We went x今日|home", key: .character)
    let back = session.post("We |went x今日home", key: .caret)
    #expect(back?.kind == .cursorMove)
    #expect(back?.cursorOffset?.scalars == -8)
  }

  @Test("Other text than the announced one shows that it was not done")
  func otherText() throws {
    let (said, _) = try said(
      of: "We went 明日|home", after: "We went |home", announcing: ["今日"], window: .full, key: nil)
    #expect(said?.expected == [])
    #expect(said?.unfulfilled == [1])
  }

  @Test(
    "A commit at another caret is the announced one, whether no key is told or none went",
    arguments: Window.allCases, [nil, Key.unpressed])
  func behindTap(window: Window, key: Key?) throws {
    let (said, waiting) = try said(
      of: "We went今日| home today x", after: "We went home today x|", announcing: ["今日"],
      window: window, key: key)
    #expect(said?.kind == .expected)
    #expect(said?.expected == [1])
    #expect(said?.certainty == .likely)
    #expect(said?.inserted == "今日")
    #expect(said?.removed == nil)
    #expect(said?.cursorOffset?.scalars == -11)
    #expect(waiting == 0)
  }

  @Test("A commit and the sentence's end behind it are no sentence that came into view")
  func sentenceEnd() throws {
    for end in ["。", "！"] {
      var session = Session(at: "は|∅")
      try session.expect(edit: Edit(insert: "電車"), with: classifier)
      let said = session.post("は電車\(end)|∅")
      #expect(said?.kind == .insertion)
      #expect(said?.inserted == end)
      #expect(said?.cursorOffset?.scalars == 3)
      #expect(said?.expected == [1])
    }
  }

  /// What the user types does not fall to an edit that was typed and erased before.
  @Test func whatIsTypedAndErasedAgainIsShownWithWhatStoodBefore() throws {
    var session = Session(at: "ab|", window: .full)
    for edit in [Edit(insert: "cd"), Edit(insert: "x"), Edit(deleteBackward: 1)] {
      try session.expect(edit: edit, with: classifier)
    }
    #expect(session.post("abcd|")?.expected == [1, 2, 3])
    #expect(session.expecting == 0)
    // It may be a state between them, late, or the user's.
    var shown = session.post("abcdx|", key: .character)
    #expect(shown?.expected == [])
    #expect(shown?.certainty == .likely)
    #expect(shown?.alternatives == [.insertion])
    shown = session.post("abcdxy|", key: .character)
    #expect(shown?.kind == .insertion)
    #expect(shown?.unfulfilled == [])
  }

  @Test(
    "Of a commit into an empty field or line, Backspace takes the end", arguments: Window.allCases)
  func erasureBehind(window: Window) throws {
    for after in ["∅", "x y z w."] {
      let (said, waiting) = try said(
        of: "könne|\(after)", after: "∅|\(after)", announcing: ["können"], window: window,
        key: .backspace)
      #expect(said?.kind == .deletion)
      #expect(said?.removed == "n")
      #expect(said?.expected == [1])
      #expect(waiting == 0)
    }
  }

  @Test(
    "A commit and the user's next character, of which the host told at once, are undone at once",
    arguments: Window.allCases)
  func undone(window: Window) throws {
    for (old, edit, new) in [
      ("abc ", Edit(insert: "yes"), "abc yesz"),
      ("I like teh", Edit(insert: "the", deleteBackward: 3), "I like the "),
    ] {
      var session = Session(at: "\(old)|x y z w.", window: window)
      try session.expect(edit: edit, with: classifier)
      let typed = session.post("\(new)|x y z w.")
      #expect(typed?.kind == .insertion && typed?.expected == [1])
      let undone = session.post("\(old)|x y z w.")
      #expect(undone?.kind == .undo)
      #expect(session.post("\(new)|x y z w.")?.kind == .redo)
    }
  }

  @Test(
    "An announced edit takes characters of which the host told nothing before",
    arguments: [
      ("tôi khon", Edit(insert: "ông", deleteBackward: 3, unit: .scalars), "tôi không"),
      ("ab ti", Edit(insert: "ê", deleteBackward: 1, unit: .scalars), "ab tiê"),
    ])
  func overUnseenKeys(_ old: String, edit: Edit, new: String) throws {
    for (key, merged) in [(Key.character, false), (.unpressed, true)] {
      var session = Session(at: "\(old)|∅", window: .full)
      try session.expect(edit: edit, with: classifier)
      let said = session.post("\(new)|∅", key: key, merged: merged)
      #expect(said?.kind == .expected && said?.certainty == .likely)
      #expect(said?.expected == [1] && said?.unfulfilled == [])
    }
  }

  @Test("An announced edit that takes away more than there can be is looked for as soon as any")
  func endlessDeletion() throws {
    var session = Session(at: "tôi khon|∅", window: .full)
    try session.expect(
      edit: Edit(insert: "ông", deleteBackward: 1 << 31, unit: .scalars), with: classifier)
    let said = session.post("tôi khon và|∅", key: .character)
    #expect(said?.kind == .insertion && said?.unfulfilled == [1])
  }

  @Test(
    "Where the window begins anew behind what was announced, the user's character shows it",
    arguments: [
      (Window.sentence, "そうです|ね", "。", "は|ね"), (.sentence, "It rains|∅", ".", " |∅"),
      (.line, "I said so| and left", "\n", "x| and left"),
    ])
  func anew(window: Window, old: String, announced: String, new: String) throws {
    let (said, waiting) = try said(
      of: new, after: old, announcing: [announced], window: window, key: .character)
    #expect(said?.kind == .insertion)
    #expect(scalars(said?.inserted) == scalars(drawn(new).before))
    #expect(said?.expected == [1] && said?.unfulfilled == [] && waiting == 0)
    #expect(said?.cursorOffset?.scalars == 2)
  }

  @Test("Return out of sight of what was announced moves the caret over both")
  func offset() throws {
    let (said, _) = try said(
      of: "⏎|home now", after: "We went|home now", announcing: [" today"], window: .sentence,
      key: .return)
    #expect(said?.expected == [1])
    #expect(said?.cursorOffset?.scalars == 7)
  }

  @Test(
    "What the user erased before the commit is the user's, also where the two begin alike",
    arguments: [
      ("hi there ok| fine", "今日", "hi there o今日| fine", nil), ("きかきかb|", "ぱ", "きかきかぱ|", nil),
      ("edon't|", "the", "edon'the|", Key.backspace),
    ] as [(String, String, String, Key?)])
  func erasureBefore(old: String, announced: String, new: String, key: Key?) throws {
    let (said, waiting) = try said(
      of: new, after: old, announcing: [announced], window: .full, key: key)
    #expect(said?.kind == .deletion && said?.certainty == .likely)
    #expect(said?.expected == [1] && said?.unfulfilled == [] && waiting == 0)
  }

  @Test("A character typed behind one that is shown after its caret is the user's alone")
  func caretFirst() throws {
    var session = Session(at: "He went |home now", window: .full)
    try session.expect(edit: Edit(insert: "a"), with: classifier)
    #expect(session.post("He went h|ome now", key: .unpressed)?.kind == .expected)
    let typed = session.post("He went ab|home now", key: .character)
    #expect(typed?.kind == .insertion && typed?.inserted == "b")
    #expect(typed?.expected == [1])
  }

  @Test("What the user does at another caret is no announced edit that is not seen")
  func elsewhere() throws {
    for (edit, new, key) in [
      (Edit(insert: "é"), "∅|ab cd efgh", nil),
      (Edit(insert: "Q", deleteBackward: 1, deleteForward: 1), "∅|b cd efgh", nil),
      (Edit(deleteBackward: 1), "x|ab cd efgh", Key.character),
    ] as [(Edit, String, Key?)] {
      var session = Session(at: "ab cd ef|gh", window: .line)
      try session.expect(edit: edit, with: classifier)
      _ = session.post("∅|ab cd efgh", key: .caret)
      #expect(session.post(new, key: key)?.expected == [], "\(new)")
    }
  }

  @Test("A tap out of text that was to be erased, and stands, shows no erasure")
  func tapped() throws {
    let (said, _) = try said(
      of: "Dear Ana,⏎thank |you all", after: "Dear Ana|,", announcing: [], window: .paragraph,
      key: .unpressed)
    var session = Session(at: "Dear Ana|,", window: .paragraph)
    try session.expect(edit: Edit(deleteBackward: 1), with: classifier)
    let beside = session.post("Dear Ana,⏎thank |you all", key: .unpressed)
    #expect(beside?.kind == said?.kind)
    #expect(beside?.expected == [])
  }
}
