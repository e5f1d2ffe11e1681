import ContextDiff
import Testing

/// The caret's place in the document, where the host tells it (`Snapshot.caret`).
@Suite struct CaretPlaceTests {
  private let classifier = Classifier()

  private func at(_ drawing: String, _ caret: Int) -> Snapshot {
    var snapshot = drawn(drawing)
    snapshot.caret = caret
    return snapshot
  }

  private func said(
    _ old: Snapshot, _ new: Snapshot, _ window: Window, key: Key? = nil,
    composition: Composition? = nil
  ) -> Transition {
    classifier.classify(
      Observation(
        old: old, new: new,
        evidence: Evidence(window: window, composition: composition, key: key)))
  }

  @Test("Text that was left, and is come back to, is at the place told", arguments: Window.allCases)
  func backToALineThatWasLeft(window: Window) {
    for (here, there) in [
      // At two line ends: at two ends of the document text would have come.
      (at("One two|", 7), at("abc|", 31)),
      (at("Hello there| my friend", 11), at("It is la|te", 40)),
    ] {
      var session = Session()
      for (snapshot, offset) in [(here, 0), (there, 1), (here, -1), (there, 1)] {
        let said = session.post(
          new: snapshot, evidence: Evidence(window: window), with: classifier)
        guard offset != 0, let said else { continue }
        let distance = (there.caret ?? 0) - (here.caret ?? 0)
        #expect(said.kind == .outOfRangeTap, "\(window)")
        #expect(said.cursorOffset?.scalars == offset * distance, "\(window)")
      }
    }
  }

  @Test("A line that reads alike is another where the caret stands elsewhere")
  func linesThatReadAlike() {
    for window in [Window.line, .full] {
      for key in [nil, Key.caret, Key.unpressed] {
        let said = said(at("    |", 40), at("    |", 80), window, key: key)
        #expect(said.kind == .outOfRangeTap, "\(window)")
        #expect(said.cursorOffset?.scalars == 40, "\(window)")
      }
      let tap = said(
        at("hello| world", 5), at("hello| world", 105), window,
        composition: Composition(before: 3, after: 0))
      #expect(tap.leavesComposition == true, "\(window)")
    }
  }

  @Test("An undo leads to the place told, and what cannot come there did not come there")
  func placesThatContradict() {
    for (caret, kind) in [(9, Kind.undo), (90, .outOfRangeTap)] {
      var session = Session(at: "The quick|∅", window: .full)
      _ = session.post(new: at("The quick brown fox|∅", 19), with: classifier)
      #expect(session.post(new: at("The quick|∅", caret), with: classifier)?.kind == kind)
    }
    // Where the distance is not known, a deletion never leads farther on, and an insertion never back.
    for (caret, other) in [(12, Kind.deletion), (2, .insertion)] {
      var session = Session()
      _ = session.post(
        new: at("いろはにほへと|∅", 7), evidence: Evidence(window: .full), with: classifier)
      let said = session.post(new: at("ちりぬるを|∅", caret), with: classifier)
      #expect(said?.kind != other && said?.alternatives.contains(other) == false)
    }
  }

  @Test("A sentence's window that ends with the document elsewhere shows the end of what came")
  func severalSentences() {
    let said = said(at("One two|∅", 7), at("abc|∅", 31), .sentence)
    #expect(said.kind == .insertion)
    #expect(said.isPartial)
    #expect(said.cursorOffset?.scalars == 24)
  }

  @Test(
    "No tap leads to other text at a place that was seen",
    arguments: [Window.line, .paragraph, .full], [Key.caret, Key.unpressed, nil])
  func otherTextAtASeenPlace(window: Window, key: Key?) {
    let recalled = said(at("e|", 1), at("weather tomorrow|", 16), window, key: key)
    #expect(recalled.kind == .replacement)
    #expect(recalled.certainty == .likely)
    // The same text further on may have been gone to, and so may text that was not seen.
    for (old, new) in [
      (at("weather|", 7), at("weather tomorrow|", 16)), (at("her|", 7), at("weather tom|", 11)),
      (at("e|", 1), at("weather tomorrow|", 17)),
    ] {
      let said = said(old, new, window, key: .caret)
      let named = [said.kind] + said.alternatives
      #expect(named.contains(.outOfRangeTap) || named.contains(.cursorMove))
    }
    // Whatever the positions told, they overflow nothing.
    for (one, other) in [(Int.max, 0), (0, Int.max), (Int.min, 1)] {
      _ = said(at("e|", one), at("weather|x", other), window)
    }
  }

  @Test("A tap leads to another place than the one told")
  func noTapWithoutAMove() {
    let said = said(at("One two three|", 20), at("other words|", 20), .full)
    #expect(said.kind != .outOfRangeTap || said.certainty == .likely)
  }

  @Test("Return on an empty line of which the next is as empty")
  func returnOnAnEmptyLine() {
    let said = said(at("∅|∅", 10), at("∅|∅", 11), .line, key: .return)
    #expect(said.kind == .insertion)
    #expect(said.inserted == "\n")
    let back = self.said(at("∅|∅", 11), at("∅|∅", 10), .line, key: .backspace)
    #expect(back.kind == .deletion)
  }

  @Test("Equal places and equal text are unchanged", arguments: Window.allCases)
  func equal(window: Window) {
    #expect(said(at("ab|c", 7), at("ab|c", 7), window).kind == .unchanged)
    #expect(said(at("ab|c", 7), drawn("ab|c"), window).kind == .unchanged)
  }

  /// Whoever goes about in a text of many lines, at random, and types: each tap is as far as is told.
  @Test(arguments: Window.allCases) func goingAboutAtRandom(window: Window) {
    var random = SeededGenerator(seed: 20_261_123)
    var taps = 0
    for _ in 0..<60 {
      var lines = ["One two", "abc", "", "It is late", "    x", "One two"]
      var session = Session()
      var caret = 0
      for _ in 0..<60 {
        let row = Int.random(in: 0..<lines.count, using: &random)
        let column = Int.random(in: 0...lines[row].unicodeScalars.count, using: &random)
        let text = lines[row].unicodeScalars
        let middle = text.index(text.startIndex, offsetBy: column)
        var before = String(text[..<middle])
        let after = String(text[middle...])
        if Bool.random(using: &random) {
          before += "é"
          lines[row] = before + after
        }
        let old = caret
        caret =
          lines[..<row].reduce(0) { $0 + $1.unicodeScalars.count + 1 }
          + before.unicodeScalars.count
        var snapshot = Snapshot(before: before, after: after)
        snapshot.caret = caret
        let said = session.post(
          new: snapshot, evidence: Evidence(window: window), with: classifier)
        guard said?.kind == .outOfRangeTap else { continue }
        taps += 1
        #expect(said?.cursorOffset?.scalars == caret - old)
      }
    }
    // Half of the 3,600 posts change nothing but the caret, most of them beyond what was shown.
    #expect(taps > 1_000)
  }

  @Test("A shortcut that no history explains is no certain undo", arguments: Window.allCases)
  func unknownShortcut(window: Window) {
    for (old, new) in [
      (at("|hello world", 6), at("|hello world", 18)),
      (at("The quick fox.|", 101), at("The quick fox.|", 203)),
    ] {
      let said = said(old, new, window, key: .shortcut)
      #expect(said.certainty == .likely, "\(window) \(said.kind)")
      #expect(said.cursorOffset?.scalars == (new.caret ?? 0) - (old.caret ?? 0))
    }
  }

  @Test("The distance is the one that the host tells", arguments: [Window.line, .sentence, .full])
  func distanceTold(window: Window) {
    let said = said(
      at("then because we go| on", 127), at("then because| we go on", 9), window)
    #expect(said.cursorOffset?.scalars == -118)
    #expect(said.certainty == .likely)
  }

  @Test("What may have been an edit may be taken back, also where a tap leads just as far")
  func takenBack() {
    var session = Session()
    var said: Transition?
    for (state, caret) in [(" nobody reall|∅", 13), (" I agree!|∅", 29), (" nobody reall|∅", 13)] {
      said = session.post(
        new: at(state, caret), evidence: Evidence(window: .sentence), with: Classifier())
    }
    #expect(said?.certainty == .likely)
    #expect(said?.alternatives.contains(.undo) == true)
  }
}
