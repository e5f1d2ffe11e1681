import ContextDiff
import Testing

/// The texts that a transition of announced edits names are those of the edits.
@Suite struct AnnouncedEditTextTests {
  private let classifier = Classifier()

  @Test(
    "Text that repeats its surroundings is the announced one, not the same text farther on",
    arguments: [
      ("hello| world", Edit(insert: " brave"), "hello brave| world", nil, " brave"),
      ("天気です|ね。", Edit(insert: "ねえ"), "天気ですねえ|ね。", nil, "ねえ"),
      ("∅|(a)", Edit(insert: "()", moveCaret: -1), "(|)(a)", nil, "()"),
      ("ok lo|l.", Edit(deleteBackward: 2), "ok |l.", "lo", nil),
      ("xねがが|y", Edit(insert: "が", deleteBackward: 3), "xが|y", "ねがが", "が"),
      ("ab[ab]ab", Edit(insert: "ab"), "abab|ab", "ab", "ab"),
    ] as [(String, Edit, String, String?, String?)])
  func repeated(_ old: String, edit: Edit, _ new: String, _ removed: String?, _ inserted: String?)
    throws
  {
    for window in [Window.full, .line] {
      var session = Session(at: old, window: window)
      try session.expect(edit: edit, with: classifier)
      let said = session.post(new)
      #expect(said?.kind == .expected && said?.certainty == .certain)
      #expect(said?.removed == removed)
      #expect(said?.inserted == inserted)
    }
  }

  @Test("The same of an edit announced by its snapshots")
  func bySnapshots() throws {
    var session = Session(at: "hello| world", window: .full)
    try session.expect(new: drawn("hello brave| world"))
    #expect(session.post("hello brave| world")?.inserted == " brave")
  }

  @Test(
    "A replacement that the host shows in two states, the deletion first",
    arguments: [
      ("우리 내일 점심에 만나요 하|", "한", 1, " 우리 내일 점심에 만나요 |", "우리 내일 점심에 만나요 한|"),
      ("また学校|", "美味しい", 2, "また|", "また美味しい|"),
    ])
  func inTwoStates(
    _ old: String, _ insert: String, _ deleteBackward: Int, _ halfway: String, _ new: String
  ) throws {
    var session = Session(at: old, window: .full)
    let number = try session.expect(
      edit: Edit(insert: insert, deleteBackward: deleteBackward), with: classifier)
    let first = session.post(halfway)
    #expect(first?.kind == .expected && first?.certainty == .likely)
    #expect(first?.unfulfilled == [])
    let said = session.post(new)
    #expect(said?.kind == .expected && said?.certainty == .certain)
    #expect(said?.expected == [number])
    #expect(said?.removed == nil)
    #expect(said?.inserted == insert)
    #expect(said?.cursorOffset?.scalars == insert.unicodeScalars.count)
  }

  @Test("A text longer than the window, of which the window shows the end")
  func longerThanTheWindow() throws {
    let insert = "We met for dinner and the rest of the morning was calm."
    for (old, window) in [("∅|Bye", Window.full), ("|", .full), ("∅|Bye", .paragraph)] {
      var session = Session(at: old, window: window)
      let number = try session.expect(edit: Edit(insert: insert), with: classifier)
      let after = old == "|" ? "" : "Bye"
      let said = session.post("er and the rest of the morning was calm.|\(after)")
      #expect(said?.expected == [number])
      #expect(said?.inserted == insert)
      #expect(said?.cursorOffset?.scalars == insert.unicodeScalars.count)
    }
  }

  @Test("A text that the field cuts short may be the user's, and is not certain")
  func cutShort() throws {
    var session = Session(at: "đi |", window: .line)
    try session.expect(edit: Edit(insert: "bạn nhé cảm nhé hôm không trời đi"), with: classifier)
    let said = session.post("đi bạn nhé cảm nhé hôm không trời đ|")
    #expect(said?.kind == .insertion && said?.certainty == .likely)
    #expect(said?.alternatives.contains(.expected) == true)
  }

  @Test("Two edits at once, where the window is cut at a number of characters")
  func cutAnew() throws {
    var session = Session(
      at: "a long text that stood here before hello| world of mine", window: .full)
    try session.expect(edit: Edit(insert: " "), with: classifier)
    try session.expect(edit: Edit(insert: "brave"), with: classifier)
    let said = session.post(" text that stood here before hello brave| world of mine")
    #expect(said?.kind == .expected)
    #expect(said?.expected == [1, 2])
    #expect(said?.inserted == " brave")
  }

  @Test(
    "A replacement that leaves a part of the text, where the window is cut at a number of characters"
  )
  func replacedInPart() throws {
    var session = Session(at: "the lexical order xab | and more", window: .full)
    try session.expect(edit: Edit(insert: "ab ", deleteBackward: 1), with: classifier)
    let said = session.post("e lexical order xabab | and more")
    #expect(said?.kind == .expected)
    #expect(said?.removed == " " && said?.inserted == "ab ")
  }

  @Test("A line's end that is shown as an empty text is no newline that comes behind the edit")
  func lineEnd() throws {
    var session = Session(at: "ab|")
    try session.expect(edit: Edit(insert: "cd"), with: classifier)
    let said = session.post("abcdX|", key: .character)
    #expect(said?.inserted == "X")
    #expect(said?.expected == [1])
  }

  @Test(
    "A move of the caret out of the known text is the announced one, or a tap",
    arguments: [
      ("Hello Bob|", 1, "|how are you", Window.line),
      ("He|llo Bob", -3, "all done|∅", .paragraph),
      ("Hello Bob|∅", 1, "Hello Bob⏎|how are you", .paragraph),
    ])
  func movedOutOfSight(_ old: String, by count: Int, _ new: String, _ window: Window) throws {
    var session = Session(at: old, window: window)
    try session.expect(edit: Edit(moveCaret: count), with: classifier)
    let said = session.post(new)
    #expect(said?.kind == .expected)
    #expect(said?.certainty == .likely)
    #expect(said?.alternatives.contains(.outOfRangeTap) ?? false)
    #expect(said?.expected == [1])
    #expect(said?.inserted == nil && said?.removed == nil)
    // A key of the user's moved the caret, and the edit waits.
    session = Session(at: old, window: window)
    try session.expect(edit: Edit(moveCaret: count), with: classifier)
    #expect(session.post(new, key: .caret)?.expected == [])
  }

  @Test(
    "A move announced over a sentence's end is done once it is shown",
    arguments: [("我|们。", "好吗？|我们。"), (" |me.", "Oh no.| me."), (" |我们", "好吗?| 我们")])
  func movedToSentence(_ old: String, _ new: String) throws {
    var session = Session(at: old, window: .sentence)
    try session.expect(edit: Edit(moveCaret: -1), with: classifier)
    let said = session.post(new)
    #expect(said?.kind == .expected)
    #expect(said?.expected == [1])
    #expect(session.expecting == 0)
  }

  @Test("A key of the user's that moves the caret as far as announced is no announced move")
  func movedByTheUser() throws {
    var session = Session(at: "我|们。", window: .sentence)
    try session.expect(edit: Edit(moveCaret: -1), with: classifier)
    #expect(session.post("好吗？|我们。", key: .caret)?.expected == [])
    #expect(session.expecting == 1)
  }

  @Test("A caret that went the other way is no announced move out of the known text")
  func movedTheOtherWay() throws {
    var session = Session(at: "Hello Bob|", window: .line)
    try session.expect(edit: Edit(moveCaret: 1), with: classifier)
    #expect(session.post("He|llo Bob")?.expected == [])
    #expect(session.expecting == 1)
  }

  @Test(
    "Text that a deletion should have taken, and that is still shown, was not taken",
    arguments: [
      ("abc|xyz four", Edit(deleteBackward: 5), "abcd|xyz four"),
      ("one two|abc", Edit(deleteForward: 5), "one two|dabc"),
    ])
  func notTaken(_ old: String, _ edit: Edit, _ new: String) throws {
    var session = Session(at: old, window: .line)
    try session.expect(edit: edit, with: classifier)
    #expect(session.post(new)?.expected == [])
  }

  @Test("Announced moves, each over a line's end, are known one after the other")
  func movesOutOfSight() throws {
    var session = Session(at: "Hello Bob|", window: .line)
    try session.expect(edit: Edit(moveCaret: 1), with: classifier)
    try session.expect(edit: Edit(moveCaret: 1), with: classifier)
    #expect(session.post("|how are you")?.expected == [1])
    #expect(session.post("h|ow are you")?.expected == [2])
  }

  @Test("Text announced behind such a move is known where it comes")
  func textBehindAMove() throws {
    var session = Session(at: "Hello Bob|", window: .line)
    try session.expect(edit: Edit(moveCaret: 1), with: classifier)
    try session.expect(edit: Edit(insert: "Oh, "), with: classifier)
    #expect(session.post("|how are you")?.expected == [1])
    let said = session.post("Oh, |how are you")
    #expect(said?.expected == [2])
    #expect(said?.inserted == "Oh, ")
  }

  @Test(
    "A move beyond the document's end leads nowhere: what comes is the user's",
    arguments: [
      ("One⏎Hello Bob|∅", "Two⏎Something| else⏎to read", Window.full),
      ("Hello Bob|∅", "Something| else to read", .sentence),
    ])
  func beyondTheEnd(_ old: String, _ new: String, _ window: Window) throws {
    var session = Session(at: old, window: window)
    try session.expect(edit: Edit(moveCaret: 1), with: classifier)
    #expect(session.post(new)?.expected == [])
  }
}
