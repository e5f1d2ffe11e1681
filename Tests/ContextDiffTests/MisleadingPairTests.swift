import ContextDiff
import Testing

/// Pairs that look like something that was not done, each with the model's rule against it.
struct MisleadingPairTests {
  private let classifier = Classifier()

  @Test("A host that shows an empty text for null sends messages as any other does")
  func emptyForNull() {
    var session = Session()
    for state in ["|", "s|", "se|", "see|", "see |", "see y|", "see yo|", "see you|"] {
      _ = session.post(new: drawn(state), with: Classifier())
    }
    let said = session.post("|")
    #expect(said?.kind == .submission)
    #expect(said?.removed == "see you")
  }

  @Test("An edit farther right that leaves the text behind the caret is never certain")
  func fartherRight() {
    for (old, new) in [
      ("abc def |xy ello world", "abc def xy |hello world"),
      ("तुम कि| है घर जाना", "तुम कि है |मघर जाना"),
    ] {
      let said = said(old, new, .full)
      #expect(said.certainty == .likely)
      #expect(said.alternatives.contains(.outOfRangeTap))
    }
  }

  @Test("Null and an empty text are no edit by themselves", arguments: Window.allCases)
  func nullProvesNothing(window: Window) {
    for (old, new) in [
      ("hello world|", "hello world|∅"), ("|abc", "∅|abc"), ("abc|", "abc|∅"), ("|", "∅|∅"),
      ("hello [world]", "hello [world]∅"),
    ] {
      for (old, new) in [(old, new), (new, old)] {
        let said = said(old, new, window)
        if drawn(old) == drawn(new) { continue }
        let names = [said.kind] + said.alternatives
        #expect(names.contains(.windowShift), "\(old) → \(new) \(window) \(names)")
        if window == .line { #expect(said.kind == .windowShift, "\(old) → \(new)") }
      }
    }
  }

  @Test("What is seen where nothing was may have come", arguments: Window.allCases)
  func textWhereNullStood(window: Window) {
    for (old, new) in [
      ("∅|∅", "∅|Hello there, friend"), ("print(|∅", "print(|)"), ("<div>|∅", "<div>|</div>"),
      ("Hello wo|∅", "Hello wo|rld, how are"),
    ] {
      let said = said(old, new, window)
      let names = [said.kind] + said.alternatives
      #expect(names.contains(.insertion), "\(old) → \(new) \(window) \(names)")
    }
  }

  @Test("Nothing that is shown is no character in a terminator's place")
  func nothingTakesATerminatorsPlace() {
    for key in [nil, Key.character] {
      let said = said("今日。|次", "∅|次", .sentence, key: key)
      #expect(!([said.kind] + said.alternatives).contains(.replacement))
    }
  }

  @Test("A selection that changed by a scalar is as likely in any script")
  func changedByAScalar() {
    for around in ["", "xx"] {
      let certainties = [("a", "b"), ("あ", "い"), ("あ", "愛"), ("😀", "😁")].map { old, new in
        said("\(around)[\(old)]\(around)", "\(around)[\(new)]\(around)", .sentence).certainty
      }
      #expect(Set(certainties) == [.likely])
    }
  }

  @Test("A tap to other text is one, however long the two are", arguments: Window.allCases)
  func longTexts(window: Window) {
    let here = "the quick brown fox jumps over a lazy dog and then "
    let there = "はなのいろはうつりにけりないたづらにわがみよにふるながめせしまに"
    for times in [1, 4, 16, 256] {
      let old = Snapshot(
        before: "A first line with " + String(repeating: here, count: times),
        after: "some words of " + String(repeating: here.uppercased(), count: times))
      let far = String(repeating: there, count: times)
      for new in [
        Snapshot(before: "Now", after: far), Snapshot(before: far, after: "Now"),
        Snapshot(before: far, after: far),
      ] {
        let observation = Observation(old: old, new: new, evidence: Evidence(window: window))
        let said = classifier.classify(observation)
        #expect(said.kind == .outOfRangeTap, "\(window) \(times)")
        // Of a text that is short enough to be in view as a whole, all may have been exchanged.
        let sizes = [old, new].map { ($0.before ?? "").utf8.count + ($0.after ?? "").utf8.count }
        let isInView = window == .full && sizes.allSatisfy { $0 < 512 }
        #expect(said.certainty == (isInView ? .likely : .certain), "\(window) \(times)")
        #expect(classifier.explain(observation).transition.kind == said.kind)
      }
    }
  }

  @Test("A selection given up whose text is gone was cut, wherever the caret went")
  func cutFromAfar() {
    for window in [Window.sentence, .full] {
      let said = said("abc [def] ghi", "abc  ghi|∅", window)
      #expect(said.kind == .cut && said.certainty == .likely, "\(window)")
    }
  }

  @Test("A line break that is selected at a line's end was there", arguments: Window.allCases)
  func lineBreakSelected(window: Window) {
    let said = said("First line|∅", "First line[⏎]∅", window)
    #expect(([said.kind] + said.alternatives).contains(.selection))
  }

  @Test(
    "What is typed or erased in text that repeats itself is no certain exchange, where the window slides along",
    arguments: [Window.full, .paragraph])
  func slidWindow(window: Window) {
    let pairs: [(old: String, new: String, kind: Kind)] = [
      ("              |name", "             i|name", .insertion),
      ("----------ab|name", "---------abc|name", .insertion),
      ("---------abc|name", "----------ab|name", .deletion),
    ]
    for (old, new, kind) in pairs {
      let said = said(old, new, window)
      #expect(said.kind == kind, "\(old) → \(new) \(said.alternatives)")
      #expect(said.alternatives.contains(.replacement), "\(old) → \(new) \(said.alternatives)")
    }
  }

  @Test("An edit is told without what its texts begin and end with alike")
  func foldedTexts() {
    let typed = said("let x = fo|o;", "let x = fooBar|;", .sentence)
    #expect((typed.kind, typed.inserted, typed.removed) == (.insertion, "Bar", nil))
    for window in Window.allCases {
      let comma = said("hello |∅", "hello, |∅", window)
      #expect((comma.kind, comma.inserted, comma.removed) == (.insertion, ",", nil), "\(window)")
    }
  }

  @Test("The caret's place in the document tells a tap from a move in sight")
  func toldCaret() {
    var old = drawn("hello wo|rld")
    var new = drawn("hello |world")
    (old.caret, new.caret) = (108, 306)
    let said = classifier.classify(
      Observation(old: old, new: new, evidence: Evidence(window: .full)))
    #expect(said.kind == .outOfRangeTap)
    #expect(said.cursorOffset?.scalars == 198)
  }

  @Test("BackSpace over what was copied is a deletion")
  func backspaceOverCopied() {
    let said = said("hello [wo]rld", "hello |rld", .full, key: .backspace, pasteboard: "wo")
    #expect(said.kind == .deletion)
  }

  @Test("A word that goes where selections are not shown may have been cut")
  func hiddenSelection() {
    var old = drawn("hello |world")
    var new = drawn("hello |∅")
    (old.selectionShown, new.selectionShown) = (false, false)
    let said = classifier.classify(
      Observation(old: old, new: new, evidence: Evidence(window: .full)))
    #expect(([said.kind] + said.alternatives).contains(.cut))
  }

  @Test(
    "Text typed again that the window begins with is no tap",
    arguments: [Window.paragraph, .line, .full])
  func typedAgain(window: Window) {
    for word in ["hello ", "thanks! ", "こんにちは", "abcdef."] {
      var session = Session()
      var said: Transition?
      for text in ["", word, word + "x", word + "x" + word] {
        said = session.post(
          new: window.snapshot(
            of: text, from: text.unicodeScalars.count, to: text.unicodeScalars.count),
          evidence: Evidence(window: window), with: classifier)
      }
      #expect(said?.kind == .insertion, "\(word) \(window)")
    }
  }

  @Test("The caret goes over a line break that is remembered", arguments: [Window.sentence, .line])
  func overALineBreak(window: Window) {
    var session = Session()
    var said: Transition?
    for (text, caret) in [
      ("foo bar:baz qux", 8), ("foo bar:\nbaz qux", 9), ("foo bar:\nbaz qux", 8),
      ("foo bar:\nbaz qux", 9),
    ] {
      said = session.post(
        new: window.snapshot(of: text, from: caret, to: caret), evidence: Evidence(window: window),
        with: classifier)
    }
    #expect(said?.kind == .outOfRangeTap || said?.kind == .cursorMove)
    if window == .sentence { #expect(said?.cursorOffset?.scalars == 1) }
  }

  @Test(
    "A click on another line that begins alike is no certain edit over a line break",
    arguments: [Window.line, .paragraph])
  func linesThatBeginAlike(window: Window) {
    for (old, new) in [
      ("import os|", "import s|ys"), ("    return x|", "    return yellow| == 1"),
    ] {
      for key in [nil, Key.unpressed] {
        let said = said(old, new, window, key: key)
        let names = [said.kind] + said.alternatives
        #expect(names.contains(.outOfRangeTap), "\(old) → \(new) \(window) \(names)")
      }
    }
  }

  @Test("A line that reads like a part of the last one is another, at a distance that nobody told")
  func lineLikeAPart() {
    for (old, new) in [
      ("foo(bar)| return the a", "r|eturn"), ("the world! and ba|over quick", "ove|r"),
    ] {
      var session = Session(at: old, window: .line)
      let said = session.post(new)
      #expect(said?.kind == .outOfRangeTap, "\(new)")
      #expect(said?.cursorOffset == nil, "\(new)")
    }
  }

  @Test("A line break in a line break's place is no edit")
  func lineBreakForLineBreak() {
    for key in [Key.unpressed, .character, .caret] {
      let said = said(
        "ught her own book. Why not?|", "ght her own book. Why not?\n|There are two", .paragraph,
        key: key)
      #expect(said.removed == nil || said.removed != said.inserted, "\(key)")
      let names = [said.kind] + said.alternatives
      #expect(names.contains(.outOfRangeTap) || names.contains(.cursorMove), "\(key) \(names)")
    }
  }

  @Test("What is selected in another place may have been dropped there")
  func droppedOutOfSight() {
    let said = said(
      " We went home ea[rly]!", "There are two of them [rly]here.", .sentence, key: Key.unpressed)
    #expect(said.kind == .selection)
    #expect(said.alternatives == [.insertion])
  }

  @Test(
    "Long text that comes with the caret in it is not the one character beside that",
    arguments: [Window.paragraph, .full])
  func longTextAroundCaret(window: Window) {
    let here = "the quick brown fox jumps over a lazy dog and then "
    for (times, more) in [(1, 1), (1, 4), (4, 1), (4, 4)] {
      let before = String(repeating: here, count: times)
      let new = Snapshot(before: before, after: String(repeating: here.uppercased(), count: more))
      var session = Session(at: "∅|∅", window: window)
      let said = session.post(new: new, with: classifier)
      #expect(said?.inserted?.utf8.count ?? 0 != 2, "\(window) \(times) \(more)")
      if said?.cursorOffset != nil { #expect(said?.cursorOffset?.scalars == before.utf8.count) }
    }
  }
}
