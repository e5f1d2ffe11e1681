import ContextDiff
import Testing

/// States on the way to an announced edit that the host skipped and shows afterwards.
@Suite struct AnnouncedLateTests {
  private let classifier = Classifier()

  /// A state that was passed may be shown late; or the person made it anew.
  @Test func whatComesLateIsNeverCertain() throws {
    var session = Session(at: "I |", window: .full)
    try session.expect(Edit(insert: "w"), Edit(insert: "e"))
    #expect(session.post("I we|")?.expected == [1, 2])
    let late = session.post("I w|")
    #expect(late?.kind == .expected)
    #expect(late?.certainty == .likely)
    #expect(late?.alternatives.first == .deletion)
    #expect(late?.expected == [])
  }

  @Test("A skipped state that shows nothing is a field that was sent, and perhaps late")
  func sentBackToASkippedState() throws {
    var session = Session(at: "∅|∅", window: nil)
    try session.expect(Edit(insert: "yes"))
    session.post("yes|∅")
    try session.expect(Edit(deleteBackward: 3), Edit(insert: "yes "))
    #expect(session.post("yes |∅")?.expected == [2, 3])
    let sent = session.post("∅|∅", key: .unpressed)
    #expect(sent?.kind == .submission && sent?.certainty == .likely)
    #expect(sent?.alternatives.contains(.expected) == true)
    #expect(sent?.expected == [])
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

  /// Once the user has gone elsewhere, a skipped state is the user's own.
  @Test func whatIsSkippedIsNoLongerLateOnceTheCaretHasMoved() throws {
    var session = Session(at: "I |", window: .full)
    try session.expect(Edit(insert: "w"), Edit(insert: "e"))
    #expect(session.post("I we|")?.expected == [1, 2])
    #expect(session.post("|I we")?.kind == .cursorMove)
    #expect(session.post("I we|")?.kind == .cursorMove)
    #expect(session.post("I w|")?.kind == .deletion)
  }

  /// A password field's edit came in between.
  @Test func whatIsSkippedIsNoLongerLateOnceASecurePairCame() throws {
    var session = Session(at: "I |", window: .full)
    try session.expect(Edit(insert: "w"), Edit(insert: "e"))
    #expect(session.post("I we|")?.expected == [1, 2])
    let secure = session.postSecure(old: drawn("p|"), new: drawn("pq|"), with: classifier)
    #expect(secure?.kind == .insertion)
    #expect(session.post("I w|")?.kind == .deletion)
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
}
