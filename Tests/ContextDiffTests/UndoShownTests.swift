import ContextDiff
import Testing

/// What an undo shows that is no text.
@Suite struct UndoShownTests {
  private let classifier = Classifier()

  /// Posts each of `states`; returns what the last one was.
  private func last(of states: [Snapshot]) -> Transition? {
    var session = Session()
    var said: Transition?
    for state in states {
      said = session.post(new: state, evidence: Evidence(window: .sentence), with: classifier)
    }
    return said
  }

  @Test("A line break that comes back behind the caret is seen by the empty text that follows")
  func lineBreakBack() throws {
    let line = "some words"
    let erased = [
      Snapshot(before: "some word"), Snapshot(before: line), Snapshot(before: "\n"),
      Snapshot(before: line),
    ]
    let undo = try #require(last(of: erased + [Snapshot(before: line, after: "")]))
    #expect(undo.kind == .undo)
    #expect(undo.alternatives.contains(.windowShift))
    let again = last(of: erased + [Snapshot(before: line, after: ""), Snapshot(before: line)])
    #expect(again?.kind == .redo)
    // Nothing was done that could be undone.
    let untouched = last(of: [Snapshot(before: line), Snapshot(before: line, after: "")])
    #expect(untouched?.kind == .windowShift)
  }

  @Test("An undo of what is not remembered says what came and went, where both windows show it")
  func unknownUndo() {
    func said(_ old: String, _ new: String, _ window: Window) -> Transition {
      classifier.classify(
        Observation(
          old: drawn(old), new: drawn(new), evidence: Evidence(window: window, key: .undo)))
    }
    let erased = said("ab의자|∅", "ab|∅", .full)
    #expect(erased.removed == "의자" && erased.inserted == nil)
    #expect(erased.cursorOffset?.scalars == -2 && !erased.isPartial)
    let exchanged = said("One two| three four", "One 2| three four", .line)
    #expect(exchanged.removed == "two" && exchanged.inserted == "2")
    #expect(exchanged.cursorOffset?.scalars == -2)
    for (old, new, window) in [
      ("One two| three", "Wholly other| words.", Window.line),
      ("One two| three", "One 2| three", .sentence), ("One [two] three", "One two| three", .full),
    ] {
      let unknown = said(old, new, window)
      #expect(unknown.kind == .undo && unknown.isPartial, "\(old)")
      #expect(unknown.removed == nil && unknown.inserted == nil, "\(old)")
    }
  }

  @Test("What the input method begins to compose, in place of what was selected, is no undo")
  func reconversion() {
    let composing = Evidence(
      window: .full, composition: Composition(before: 0, after: 0), cause: .inputMethod)
    var session = Session(at: "今日は|∅", window: .full)
    for state in ["今日はへんかん|∅", "今日は変換|∅", "今日は[変換]∅"] { _ = session.post(state) }
    var unnamed = session
    #expect(unnamed.post("今日はへんかん|∅")?.certainty == .likely)
    let reconverted = session.post(
      new: drawn("今日はへんかん|∅"), evidence: composing, with: classifier)
    #expect(reconverted?.kind == .replacement)
    #expect(reconverted?.leavesComposition == false)
    var again = Session(at: "今日は|∅", window: .full)
    _ = again.post(new: drawn("今日は漢字|∅"), evidence: composing, with: classifier)
    _ = again.post("今日は|∅", key: .undo)
    let typed = again.post(new: drawn("今日は漢字|∅"), evidence: composing, with: classifier)
    #expect(typed?.kind == .insertion)
    #expect(typed?.leavesComposition == false)
  }

  @Test("A selection as the undo of composed text brings it is that, whatever lies beyond it")
  func composedText() throws {
    let composed = ["", "g", "が", "がt", "がつ", "がつk", "がつか", "がつかn", "がつかぬ"].map {
      Snapshot(before: "花見" + $0, after: "朝だ。")
    }
    let back = [
      Snapshot(before: "\n"), Snapshot(before: "花見が", selected: "朝だ。", after: "雨が降っている。"),
    ]
    let undo = try #require(last(of: composed + back))
    #expect(undo.kind == .undo)
    #expect(undo.alternatives == [.selection])
  }

  /// Qt shows an undo's text first, and then its caret.
  @Test("A caret that an undo may have moved leaves the undo the last act")
  func caretMovedLater() {
    func said(_ states: [(before: String, after: String)]) -> Transition? {
      var session = Session()
      var said: Transition?
      for state in states {
        let new = Snapshot(before: state.before, after: state.after)
        said = session.post(new: new, evidence: Evidence(window: .line), with: classifier)
      }
      return said
    }
    let undone = [
      ("end", " of it"), ("en", " of it"), ("e", " of it"), ("e of", " it"), ("end of", " it"),
      ("end", " of it"),
    ]
    #expect(said(undone)?.alternatives == [.undo])
    #expect(said(undone + [("e", " of it")])?.kind == .redo)
    // A caret that moved behind an edit leaves nothing to redo.
    let typed = [("e of", " it"), ("e of!", " it"), ("e", " of! it"), ("end", " of! it")]
    #expect(said(typed)?.kind == .insertion)
  }

  /// As of a host that keeps the caret with each state of the text.
  @Test("A redo may bring the caret to where the next edit began")
  func redoToTheNextEdit() {
    var session = Session(at: "abcabc|xyz", window: .line)
    for state in ["abcabc|yz", "abc|abcyz", "abc123|abcyz"] { session.post(state) }
    #expect(session.post("abc|abcyz", key: .undo)?.kind == .undo)
    #expect(session.post("abcabc|xyz", key: .undo)?.inserted == "x")
    let redo = session.post("abc|abcyz")
    #expect(redo?.kind == .redo)
    #expect(redo?.removed == "x")
    #expect(redo?.inserted == nil)
    #expect(redo?.cursorOffset?.scalars == -3)
    #expect(session.post("abc123|abcyz")?.inserted == "123")
  }

  @Test("Of an erased run of equal characters a part comes back")
  func partOfEqualCharactersBack() {
    func line(_ count: Int) -> Snapshot {
      Snapshot(before: "b" + String(repeating: "a", count: count))
    }
    let undo = last(of: [line(1_000), line(700), line(800)])
    #expect(undo?.kind == .undo)
    #expect(undo?.inserted == String(repeating: "a", count: 100))
  }

  @Test("Of text erased to the right the end comes back first, behind the caret")
  func partOfTextErasedToTheRightBack() {
    var session = Session(at: "One |two three four", window: .full)
    for state in ["One |wo three four", "One |o three four", "One | three four"] {
      #expect(session.post(state)?.kind == .deletion)
    }
    #expect(session.post("One |o three four", key: .undo)?.inserted == "o")
    let back = session.post("One |wo three four")
    #expect(back?.kind == .undo)
    #expect(back?.inserted == "w")
    #expect(back?.cursorOffset?.scalars == 0)
    let again = session.post("One |o three four")
    #expect(again?.kind == .redo)
    #expect(again?.removed == "w")
    #expect(session.post("One |wo three four")?.kind == .undo)
    #expect(session.post("One |two three four")?.kind == .undo)
  }

  @Test(
    "Words that an input method put in side by side may go by one undo, and come back by one redo")
  func wordsUndoneTogether() {
    for window in [Window.full, .line] {
      var session = Session(at: "また |", window: window)
      for state in ["また 京都|", "また 京都に|", "また 京都に行く|"] {
        #expect(session.post(state)?.kind == .insertion)
      }
      let undone = session.post("また |")
      #expect(undone?.kind == .undo)
      #expect(undone?.removed == "京都に行く")
      #expect(undone?.alternatives.contains(.deletion) ?? false)
      #expect(session.post("また 京都に行く|")?.kind == .redo)
      // Some of the words may be erased as well, which is the likelier at the end of a field shown whole.
      #expect(session.post("また 京都に行くと聞いた|")?.kind == .insertion)
      let (likelier, other) = window == .full ? (Kind.deletion, Kind.undo) : (.undo, .deletion)
      let gone = session.post("また 京都|")
      #expect(gone?.kind == likelier, "\(window)")
      #expect(gone?.alternatives.contains(other) ?? false, "\(window)")
    }
  }

  @Test("Each letter taken back behind one that may have been undone may be undone as well")
  func lettersUndoneOneByOne() {
    let typed = ["s", "so", "soo", "soon"].map { "It was \($0)|" }
    let erased = ["It was soo|", "It was so|", "It was s|"]
    var session = Session(at: "It was |", window: .full)
    for state in typed { _ = session.post(state) }
    for state in erased {
      let said = session.post(state)
      #expect(said?.kind == .deletion)
      #expect(said?.alternatives.contains(.undo) ?? false, "\(state)")
    }
    // What stood there before was not typed.
    #expect(session.post("It was |")?.kind == .deletion)
    #expect(session.post("It was|")?.alternatives == [])
    // No host does so that takes back all that was typed.
    var other = Session(at: "It was |", window: .full)
    for state in typed { _ = other.post(state) }
    #expect(other.post("It was |", key: .undo)?.kind == .undo)
    for state in typed { _ = other.post(state) }
    #expect(other.post("It was soo|")?.kind == .deletion)
    #expect(other.post("It was so|")?.alternatives == [])
    // A key that erases rules an undo out.
    var keyed = Session(at: "It was |", window: .full)
    for state in typed { _ = keyed.post(state) }
    for state in erased { #expect(keyed.post(state, key: .backspace)?.alternatives == []) }
  }

  @Test(
    "A character that an input method may have put in may be undone by any host, and one after the other"
  )
  func charactersUndoneOneByOne() {
    var session = Session(at: "また |", window: .full)
    for state in ["また 京|", "また 京に|"] { _ = session.post(state) }
    #expect(session.post("また |", key: .undo)?.kind == .undo)
    for state in ["また 京|", "また 京に|"] { _ = session.post(state) }
    for state in ["また 京|", "また |"] {
      let said = session.post(state)
      #expect(said?.kind == .deletion)
      #expect(said?.alternatives.contains(.undo) ?? false, "\(state)")
    }
    // No undo takes the second character of a word that came at once.
    var other = Session(at: "また |", window: .full)
    for state in ["また 京都に|", "また 京都|"] { _ = other.post(state) }
    let said = other.post("また 京|")
    #expect(said?.kind == .deletion)
    #expect(said?.alternatives == [])
  }

  @Test("Half of an exchange's undo leaves nothing of which a part may come back")
  func halfOfAnExchangeIsNoErasedRun() {
    var session = Session(at: "I saw foo|", window: .line)
    _ = session.post("I saw barbaz|")
    #expect(session.post("I saw |", key: .undo)?.kind == .undo)
    for state in ["I saw f|", "I saw fo|"] {
      let said = session.post(state)
      #expect(said?.kind == .insertion)
      #expect(said?.alternatives == [], "\(state)")
    }
  }

  @Test("Of text erased to both sides what was erased last comes back first")
  func textErasedToBothSidesComesBack() {
    var session = Session(at: "xyab|cd", window: .full)
    for state in ["xya|cd", "xy|cd", "xy|d"] { #expect(session.post(state)?.kind == .deletion) }
    for (state, back) in [("xy|cd", "c"), ("xya|cd", "a"), ("xyab|cd", "b")] {
      let said = session.post(state, key: .undo)
      #expect(said?.kind == .undo)
      #expect(said?.inserted == back)
    }
  }

  @Test(
    "Of what was typed over a selection the undo may take the typed text first, and bring the selected back then"
  )
  func replacementUndoneInHalves() {
    var session = Session(at: "Twelve [long ]words stand here", window: .line)
    for state in ["Twelve s|words stand here", "Twelve sh|words stand here"] {
      _ = session.post(state)
    }
    let half = session.post("Twelve |words stand here")
    #expect(half?.kind == .undo)
    #expect(half?.removed == "sh")
    #expect(half?.alternatives.contains(.deletion) ?? false)
    let whole = session.post("Twelve long |words stand here")
    #expect(whole?.kind == .undo)
    #expect(whole?.inserted == "long ")
    #expect(session.post("Twelve sh|words stand here")?.kind == .redo)
    // Elsewhere it is less likely.
    var other = Session(at: "Twelve [long ]words stand here", window: .full)
    for state in ["Twelve s|words stand here", "Twelve sh|words stand here"] {
      _ = other.post(state)
    }
    #expect(other.post("Twelve |words stand here")?.alternatives.contains(.undo) ?? false)
  }

  @Test(
    "Of a run of one character at a line's start as much comes back as is shown",
    arguments: [Window.line, .full])
  func partOfRun(_ window: Window) {
    var session = Session(at: "wwww|, yes", window: window)
    for rest in ["www", "ww", "w"] { session.post("\(rest)|, yes", key: .backspace) }
    let said = session.post("ww|, yes", key: .undo)
    #expect(said?.kind == .undo)
    #expect(said?.inserted == "w")
    #expect(said?.cursorOffset?.scalars == 1)
  }

  @Test(
    "The undo of a part of what was typed at a line's start takes what goes",
    arguments: [Window.line, .full])
  func partOfTyped(_ window: Window) {
    var session = Session(at: "∅|, ok", window: window)
    for typed in ["w", "ww", "www", "wwww"] { session.post("\(typed)|, ok", key: .character) }
    let said = session.post("ww|, ok", key: .undo)
    #expect(said?.kind == .undo)
    #expect(said?.removed == "ww")
    #expect(said?.cursorOffset?.scalars == -2)
  }

  @Test("A key for a redo where nothing was undone may have inserted what was cut")
  func yanked() {
    var session = Session(at: "abc def|∅", window: .full)
    let said = session.post("abc def.|∅", key: .redo)
    #expect(said?.kind == .redo)
    #expect(said?.alternatives.contains(.insertion) == true)
  }
}
