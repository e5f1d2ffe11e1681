import ContextDiff
import Testing

/// What a key does that the window does not show, or that few hosts bind to it.
@Suite struct UnseenKeyTests {
  private let classifier = Classifier()

  @Test(
    "How far it is over empty lines that the window does not show is not known",
    arguments: [(Window.line, "∅"), (.sentence, "⏎")])
  func emptyLines(_ window: Window, _ start: String) {
    var session = Session(at: "Hello there friend| and more", window: window)
    session.post("\(start)| and more", key: .return)
    #expect(session.post("\(start)| and more", key: .return)?.kind == .unchanged)
    let said = session.post("Hello there fri|end", key: .caret)
    #expect(said?.kind == .outOfRangeTap)
    #expect(said?.cursorOffset == nil)
  }

  @Test("One Backspace joins one line, however many keys went unseen")
  func joinedOnce() {
    var session = Session(at: "abc|∅", window: .line)
    for key in [Key.return, .return, .caret] { session.post("∅|∅", key: key) }
    let said = session.post("abc|∅", key: .backspace)
    #expect(said?.kind == .deletion)
    #expect(said?.removed == "\n")
    // Nor does an undo of what was typed then take the newline for certain.
    session = Session(at: "∅|done", window: .line)
    for (state, key) in [("∅", Key.return), ("a", .character), ("ab", .character)] {
      session.post("\(state)|done", key: key)
    }
    #expect(session.post("∅|done", key: .undo)?.removed == "ab")
  }

  @Test("A character breaks no line, also where text right of the caret goes at a line's start")
  func typedAtLineStart() {
    var session = Session(at: "∅|    import os", window: .line)
    let said = session.post("∅|import os", key: .character)
    #expect(said?.kind == .deletion)
    #expect(said?.removed == "    ")
  }

  @Test("An arrow may step through values")
  func stepped() {
    let said = classifier.classify(
      Observation(
        old: drawn("09:59|∅"), new: drawn("10:00|∅"), evidence: Evidence(window: .full, key: .caret)
      ))
    #expect(said.certainty == .likely)
  }

  @Test("A click sends a message")
  func clickedSend() {
    let said = classifier.classify(
      Observation(
        old: drawn("see you at five|∅"), new: drawn("∅|∅"),
        evidence: Evidence(window: .full, key: .unpressed)))
    #expect(said.kind == .submission)
  }

  @Test(
    "What is composed goes when it is given up, which is no undo, and what a key pastes leaves it")
  func givenUpAndLeft() {
    var session = Session(at: "x |∅", window: .full)
    func post(_ picture: String, composed: Int, key: Key? = nil) -> Transition? {
      session.post(
        new: drawn(picture),
        evidence: Evidence(
          window: .full, composition: Composition(before: composed, after: 0), key: key),
        with: classifier)
    }
    _ = post("x women|∅", composed: 0)
    let given = post("x |∅", composed: 5)
    #expect(given?.kind == .deletion)
    #expect(given?.leavesComposition == false)
    // Also with the caret in it.
    var inside = Session(at: "今日は| more", window: .line)
    for (state, before, after) in [("今日はき|ょう more", 0, 0), ("今日は| more", 1, 2)] {
      let said = inside.post(
        new: drawn(state),
        evidence: Evidence(window: .line, composition: Composition(before: before, after: after)),
        with: classifier)
      #expect(said?.kind == (before == 0 ? .insertion : .deletion))
      #expect(said?.leavesComposition == false)
    }
    _ = post("x wo|∅", composed: 0)
    let pasted = post("x wofoo bar|∅", composed: 2, key: .paste)
    #expect(pasted?.kind == .insertion)
    #expect(pasted?.leavesComposition == true)
  }
}
