import ContextDiff
import Testing

/// Announced edits that the host refuses, or that together change nothing, and those behind which the user acts at once.
@Suite struct AnnouncedRefusedTests {
  let classifier = Classifier()

  // MARK: - Refused

  @Test("In a full field the erasure behind a refused character is the input method's")
  func erasedBehindARefusedCharacter() throws {
    var session = Session(at: "12345678|", window: .paragraph)
    try session.expect(Edit(insert: "9"))
    #expect(session.post("12345678|")?.kind == .unchanged)
    try session.expect(Edit(deleteBackward: 1))
    let erased = session.post("1234567|")
    #expect(erased?.kind == .expected)
    #expect(erased?.alternatives == [.deletion])
    #expect(erased?.expected == [2])
    #expect(erased?.unfulfilled == [1])
  }

  @Test("One edit of many of which those before it were refused may be the user's own")
  func oneBehindSeveralRefusedEdits() throws {
    var session = Session(at: "x|", window: .full)
    try session.expect(
      Edit(insert: "a"), Edit(insert: "b"), Edit(insert: "c"), Edit(insert: "d"))
    let typed = session.post("xc|")
    #expect(typed?.kind == .insertion)
    #expect(typed?.expected == [])
  }

  @Test("What waits behind a refused edit is still known when it comes")
  func afterARefusedEditTheOthersWaitOn() throws {
    var session = Session(at: "今日は|", window: .paragraph)
    try session.expect(Edit(insert: "x"), Edit(insert: "良"), Edit(insert: "い"))
    let first = session.post("今日は良|")
    #expect(first?.expected == [2])
    #expect(first?.unfulfilled == [1])
    let second = session.post("今日は良い|")
    #expect(second?.kind == .expected)
    #expect(second?.expected == [3])
  }

  @Test(
    "Text announced behind an exchange that was not made is shown alone",
    arguments: [
      ("today", Edit(insert: "today", deleteBackward: 5)),
      ("Jonn", Edit(insert: "Jonathan", deleteBackward: 4)),
    ])
  func typedBehindARefusedExchange(old: String, exchange: Edit) throws {
    var session = Session(at: "\(old)|∅", window: .full)
    try session.expect(exchange)
    #expect(session.post("∅|∅")?.alternatives.contains(.submission) == true)
    try session.expect(Edit(insert: "nice "))
    let typed = session.post("nice |∅")
    #expect(typed?.kind == .expected && typed?.certainty == .likely)
    #expect(typed?.expected == [2] && typed?.unfulfilled == [1])
    #expect(typed?.inserted == "nice ")
    #expect(typed?.cursorOffset?.scalars == 5)
  }

  @Test("Announced text of which no more than the end is shown is never certain")
  func endAlone() throws {
    var session = Session(at: "∅|∅", window: .full)
    try session.expect(Edit(insert: "todaynice "))
    let said = session.post("nice |∅")
    #expect(said?.kind == .expected && said?.expected == [1])
    #expect(said?.alternatives == [.insertion])
  }

  // MARK: - Without effect

  @Test(
    "Edits that together change nothing are shown by the same text, and what follows is at most likely theirs"
  )
  func editsWithoutNetEffect() throws {
    var session = Session(at: "お願いです|", window: .paragraph)
    try session.expect(
      Edit(deleteBackward: 1), Edit(deleteBackward: 1), Edit(insert: "です"))
    let same = session.post("お願いです|")
    #expect(same?.kind == .unchanged)
    #expect(same?.expected == [1, 2, 3])
    #expect(session.expecting == 0)
    var byKey = session
    #expect(byKey.post("お願いで|", key: .backspace)?.kind == .deletion)
    // The host may still come to make them.
    let late = session.post("お願いで|")
    #expect(late?.kind == .expected)
    #expect(late?.alternatives == [.deletion])
    #expect(session.post("お願|")?.kind == .deletion)
  }

  @Test("The arrow key over a line whose Return changed nothing that is shown is the user's")
  func returnThatShowsNothing() throws {
    var session = Session(at: "⏎|", window: .sentence)
    try session.expect(Edit(insert: "\n"))
    #expect(session.post("⏎|")?.expected == [1])
    #expect(session.post(new: Snapshot(before: "\n", after: ""), with: classifier)?.expected == [])
  }

  @Test(
    "The same text says nothing of an edit that reaches beyond it",
    arguments: [
      (Edit(moveCaret: 1), "abc|", "∅|def"), (Edit(deleteBackward: 1), "∅|def", "abc|def"),
    ])
  func repeatedBeforeAnEditBeyondTheText(edit: Edit, old: String, new: String) throws {
    var session = Session(at: old, window: .line)
    try session.expect(edit)
    #expect(session.post(old)?.expected == [])
    let shown = session.post(new)
    #expect(shown?.kind == .expected)
    #expect(shown?.expected == [1])
  }

  // MARK: - And the user at once

  @Test("All that was typed at the text's end is named where the caret goes back over it at once")
  func typedAndLeft() throws {
    var session = Session(at: "see you|", window: .paragraph)
    try session.expect(Edit(insert: " "), Edit(insert: "a"), Edit(insert: "t"))
    let moved = session.post("see| you at")
    #expect(moved?.kind == .cursorMove)
    #expect(moved?.expected == [1, 2, 3])
  }

  @Test("A selection right behind announced edits names them")
  func typedAndSelected() throws {
    var out = Session(at: "see you t|", window: .paragraph)
    try out.expect(Edit(insert: "t"), Edit(insert: "o"))
    let word = out.post("[see] you tto")
    #expect(word?.kind == .selection)
    #expect(word?.expected == [1, 2])

    var over = Session(at: "機会かいし|", window: .sentence)
    try over.expect(Edit(insert: "かいしゃ", deleteBackward: 3))
    let part = over.post("機会かい[しゃ]")
    #expect(part?.kind == .selection)
    #expect(part?.expected == [1])

    var across = Session(at: "今日は雨|", window: .paragraph)
    try across.expect(Edit(insert: "で"), Edit(insert: "す"))
    let all = across.post("今日は[雨です]")
    #expect(all?.kind == .selection)
    #expect(all?.expected == [1, 2])
  }

  @Test("The beginning of an announced exchange alone is the user's, but not for certain")
  func begunInExchange() throws {
    var session = Session(at: "八時にかんじ|八今日", window: .paragraph)
    try session.expect(Edit(insert: "感じ", deleteBackward: 3))
    let part = session.post("八時に感|八今日")
    #expect(part?.kind == .replacement)
    #expect(part?.alternatives == [.expected])
    #expect(part?.unfulfilled == [1])
  }

  @Test("Announced moves that leave the sentence together are theirs together")
  func movesOutOfTheSentence() throws {
    var session = Session(at: "Hello.| See you.", window: .sentence)
    try session.expect(Edit(moveCaret: -3), Edit(moveCaret: -6))
    let moved = session.post("It was fi|ne.")
    #expect(moved?.kind == .expected)
    #expect(moved?.expected == [1, 2])
  }

  @Test("A bracket's mate is one where the window lost as much at its far end")
  func mateInAWindowThatShifts() throws {
    var session = Session(at: "return `|`⏎and the rest of the text that", window: .full)
    try session.expect(Edit(insert: "{"))
    let mate = session.post("return `{|}`⏎and the rest of the text th")
    #expect(mate?.kind == .insertion)
    #expect(mate?.inserted == "}")
    #expect(mate?.expected == [1])
  }

  @Test("Several commits over a selection that the host hides are the input method's")
  func commitsOverAHiddenSelection() throws {
    for (old, new) in [("for |item in list", "for linenumber| in list"), ("一|雨が", "一linenumber|が")]
    {
      var start = drawn(old)
      var end = drawn(new)
      (start.selectionShown, end.selectionShown) = (false, false)
      let evidence = Evidence(window: .line, key: .unpressed)
      var session = Session()
      _ = session.post(new: start, evidence: evidence, with: classifier)
      try session.expect(Edit(insert: "line"), Edit(insert: "number"))
      let said = session.post(new: end, evidence: evidence, with: classifier)
      #expect(said?.kind == .expected)
      #expect(said?.expected == [1, 2])
      #expect(said?.inserted == "linenumber")
    }
  }

  @Test(
    "What a field refused takes nothing that is typed in the next field",
    arguments: ["Tokyo|∅", "[Tokyo]∅", "∅|∅"])
  func nextField(_ next: String) throws {
    let classifier = Classifier()
    var session = Session(at: "1234 5678|∅", window: .full)
    try session.expect(edit: Edit(insert: "5"), with: classifier)
    session.post("1234 5678|∅")
    let left = session.post(
      new: drawn(next), evidence: Evidence(window: .full, key: .character, reset: true),
      with: classifier)
    let typed = session.post(next == "Tokyo|∅" ? "Tokyo5|∅" : "5|∅", key: .character)
    #expect((left?.unfulfilled ?? []) + (typed?.unfulfilled ?? []) == [1])
    #expect(typed?.expected == [])
  }
}
