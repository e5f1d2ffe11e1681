import ContextDiff
import Testing

/// What people's recorded editing of code and prose showed.
@Suite struct PeoplesEditingTests {
  @Test("The line below is the likeliest place of a caret that went out of sight, and no known one")
  func lineBelowIsGuessed() {
    let guessed = said("view();|", "⏎|str.", .sentence)
    #expect(guessed.kind == .outOfRangeTap)
    #expect(guessed.cursorOffset == nil)
    // Nor is the line joined to what was shown before.
    var session = Session(at: "foo bar baz|")
    session.post("⏎|qux quux")
    let back = session.post("foo bar| baz")
    #expect(back?.kind == .outOfRangeTap)
    #expect(back?.cursorOffset == nil)
    // The host's caret positions tell it.
    var (old, new) = (drawn("view();|"), drawn("⏎|str."))
    (old.caret, new.caret) = (7, 8)
    let told = Classifier().classify(
      Observation(old: old, new: new, evidence: Evidence(window: .sentence)))
    #expect(told.cursorOffset?.scalars == 1)
  }

  @Test(
    "What came in one edit is not undone in parts",
    arguments: [
      ["x.map|", "x.map(f: F)|", "x.map(|"],
      ["- |", "- The patch ID, encoded as a list.|", "- The patch ID|"],
      [
        "tree.|", "tree. It can be used to store any value|", "tree. It can be used to store any |",
        "tree. It can be used to store |", "tree. It can be used to |",
      ],
      [
        "f(no|⏎}", "f(no_notify(_items: &[C], _marker: Item)|⏎}",
        "f(no_notify(_items: &[C]|, _marker: Item)⏎}", "f(no_notify()|, _marker: Item)⏎}",
        "f(no_notify(|⏎}",
      ],
    ])
  func oneInsertion(states: [String]) {
    var session = Session(at: states[0], window: .full)
    var last: Transition?
    for state in states.dropFirst() { last = session.post(state) }
    #expect(last?.kind == .deletion)
    // The whole of it is.
    var other = Session(at: states[0], window: .full)
    other.post(states[1])
    let whole = other.post(states[0])
    #expect(whole?.kind == .undo || whole?.alternatives.contains(.undo) ?? false)
  }

  @Test("A paragraph's window that shows no more than before, and nothing of it, is elsewhere")
  func otherPlace() {
    let up = said(
      "ossible.⏎⏎But I knew something he didn't:|∅",
      "ing even faster probably wasn't possible.|∅", .paragraph)
    #expect(up.kind == .cursorMove)
    #expect(up.cursorOffset?.scalars == -33)
    let far = said(
      "ossible.⏎⏎But I knew something he didn't:|∅",
      "is another text, shown in its place.|∅", .paragraph)
    #expect(far.kind == .outOfRangeTap)
    #expect(far.certainty == .likely)
  }

  @Test("A window cut by its length that shows nothing of what it showed is elsewhere")
  func otherText() {
    let here = "The whole scene has a bit of a case of the browns. Or all the characters do, "
    let there = "Now it is time for all of them to have a chat in a flat that they can afford"
    var session = Session(at: here + "|∅", window: .paragraph)
    for text in [here.dropFirst() + "i|∅", there + "|∅", here.dropFirst() + "i|∅"] {
      session.post(String(text))
    }
    // Such as a Backspace then is no undo.
    #expect(session.post(here + "|∅")?.kind == .deletion)
    #expect(said(here + "|∅", there + "|∅", .paragraph).kind == .outOfRangeTap)
  }

  @Test("What comes back after an edit that may have been a tap may be another tap")
  func tapAndBack() {
    for window in [Window.paragraph, .line, .full] {
      var session = Session(at: "it works|", window: window)
      let there = session.post("it was good|")
      #expect(there?.alternatives.contains(.outOfRangeTap) ?? false)
      #expect(session.post("it works|")?.alternatives.contains(.outOfRangeTap) ?? false)
    }
  }

  @Test("A character typed again through a window cut by its length is no undo")
  func typedAgain() {
    let text = String(repeating: "It was a bright cold day in April. ", count: 16)
    for window in [Window.paragraph, .full] {
      var session = Session(at: text.dropFirst() + "0|,", window: window)
      session.post(text + "|,")
      #expect(session.post(text.dropFirst() + "0|,")?.kind == .insertion)
    }
  }

  @Test("Return after a Return was erased is no redo")
  func returnAgain() {
    for window in [Window.sentence, .full] {
      let (line, next) = window == .full ? ("One of|", "One of⏎|") : ("One of|∅", "⏎|∅")
      var session = Session(at: line, window: window)
      session.post(next)
      session.post(line)
      #expect(session.post(next)?.kind == .insertion)
    }
  }

  @Test("Several words erased at once through a window cut by its length are no insertion")
  func manyErased() {
    let text = (100..<400).map(String.init).joined(separator: " ")
    let (before, after) = (text.prefix(700), text.dropFirst(700).prefix(340))
    for window in [Window.paragraph, .full] {
      var session = Session(at: before.dropFirst(101) + "|" + after, window: window)
      session.post(before.dropFirst(100) + "|" + after)
      let erased = session.post(before.dropFirst(60).dropLast(40) + "|" + after)
      #expect(erased?.kind == .deletion)
      #expect(erased?.cursorOffset?.scalars == -40)
      #expect(session.post(before.dropFirst(100) + "|" + after)?.kind == .undo)
    }
  }

  @Test("What is put in and fills a window cut by its length may be longer")
  func longPaste() {
    let text = String(repeating: "It was a bright cold day in April. ", count: 20)
    let put = said("∅|" + text, text.uppercased() + "|" + text, .full)
    #expect(put.kind == .insertion)
    #expect(put.isPartial)
    #expect(put.cursorOffset == nil)
  }
}
