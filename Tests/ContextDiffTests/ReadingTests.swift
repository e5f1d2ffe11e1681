import ContextDiff
import Testing

@Suite("Readings of single pairs")
struct ReadingTests {
  struct Case: CustomTestStringConvertible {
    var old: String
    var new: String
    var kind: Kind
    var certainty = Certainty.certain
    var window = Window.sentence
    var pasteboard: String?
    var inserted: String?
    var removed: String?
    var offset: Int?

    var testDescription: String { "\(old) → \(new)" }
  }

  static let cases: [Case] = [
    Case(old: "今日は|天気", new: "今日は良|天気", kind: .insertion, inserted: "良", offset: 1),
    Case(old: "今日は良|天気", new: "今日は|天気", kind: .deletion, removed: "良", offset: -1),
    Case(old: "今日は|天気", new: "今日は|気", kind: .deletion, removed: "天", offset: 0),
    Case(
      old: "I sea| it", new: "I see| it", kind: .replacement, inserted: "e", removed: "a",
      offset: 0),
    Case(
      old: "今日は[良い]天気", new: "今日は|天気", kind: .cut, certainty: .likely, removed: "良い",
      offset: 0),
    Case(
      old: "今日は[良い]天気", new: "今日は|天気", kind: .cut, pasteboard: "良い", removed: "良い",
      offset: 0),
    Case(
      old: "今日は[良い]天気", new: "今日は悪|天気", kind: .replacement, inserted: "悪", removed: "良い",
      offset: 1),
    Case(
      old: "カキクケコ。|サシスセソ。", new: "カキクケコ|。", kind: .cursorMove, offset: -1),
    Case(
      old: "カキクケコ。|サシスセソ。", new: "あ|サシスセソ。", kind: .insertion,
      inserted: "あ", offset: 1),
    Case(old: "カキクケ|。", new: "カキクケ|サシスセソ。", kind: .deletion, removed: "。", offset: 0),
    Case(
      old: "⏎|defg", new: "abc|defg", kind: .deletion, certainty: .likely, removed: "\n", offset: -1
    ),
    Case(
      old: "今日は|天気", new: "おわり|天気", kind: .paste, certainty: .likely,
      pasteboard: "晴れ。おわり", inserted: "晴れ。おわり", offset: 6),
    // The window showed the paste before: what was typed behind it is gone.
    Case(
      old: "the valley below it!|∅", new: "n the valley below it|∅", kind: .deletion,
      certainty: .likely, window: .full, pasteboard: "We saw the river in the valley below it",
      removed: "!", offset: -1),
    Case(old: "吾輩は|猫である。", new: "どこで|とんと見当がつかぬ。", kind: .outOfRangeTap),
    Case(
      old: "one two three|∅", new: "two three|∅", kind: .windowShift, certainty: .likely,
      window: .full, offset: 0),
    // A host of lines shows all of a line: this is another one.
    Case(
      old: "see abc|", new: "abc|", kind: .outOfRangeTap, certainty: .likely, window: .line),
    Case(
      old: "|abc see", new: "|abc", kind: .outOfRangeTap, certainty: .likely, window: .line),
    Case(
      old: "one two three|∅", new: "e two threex|∅", kind: .insertion, certainty: .likely,
      window: .full, inserted: "x", offset: 1),
    Case(
      old: "one⏎two|∅", new: "one⏎two⏎|∅", kind: .insertion, certainty: .likely,
      window: .paragraph, inserted: "\n", offset: 1),
    Case(
      old: "w|朝だ。", new: "わ|朝だ。", kind: .replacement, certainty: .likely, inserted: "わ",
      removed: "w", offset: 0),
    Case(
      old: "なまえ|朝だ。", new: "名前|朝だ。", kind: .replacement, certainty: .likely,
      inserted: "名前", removed: "なまえ", offset: -1),
    Case(
      old: "one [two] three", new: "one |three", kind: .cut, certainty: .likely, window: .full,
      removed: "two ", offset: 0),
    Case(
      old: "one [two] three", new: "one| three", kind: .deletion, window: .full, pasteboard: "",
      removed: " two", offset: -1),
    Case(
      old: "good |morning", new: "good old |morning", kind: .paste, window: .full,
      pasteboard: "old", inserted: "old ", offset: 4),
    // Before a sentence that is a run of terminators stands no text of its line.
    Case(
      old: "。|∅", new: "a。|∅", kind: .insertion, certainty: .likely, inserted: "a。", offset: 2),
    // Another text at the same end of the document was not there to be selected.
    Case(
      old: "∅[a]∅", new: "∅[b]∅", kind: .replacement, certainty: .likely, inserted: "b",
      removed: "a", offset: 0),
    Case(old: "⏎|∅", new: "a[b]∅", kind: .insertion, certainty: .likely, inserted: "ab", offset: 1),
    // What follows is a new line, not more of this one; behind a sentence that has ended, no terminator.
    Case(
      old: "ab|", new: "abcd[e]", kind: .insertion, certainty: .likely, inserted: "cde",
      offset: 2),
    Case(
      old: "⏎|。", new: "⏎[。]。", kind: .insertion, certainty: .likely, inserted: "。", offset: 0),
    // The published list calls it a line's selection, which is exactly one line's.
    Case(old: "a|b。⏎c", new: "⏎[ab。⏎c]∅", kind: .selection, certainty: .likely),
    // What is kept right of the caret begins and ends alike.
    Case(
      old: "the cat| what that", new: "the cat。|that", kind: .replacement, certainty: .likely,
      window: .line, inserted: "。", removed: " what ", offset: 1),
    Case(
      old: "the cat| what that", new: "the cat。|that", kind: .replacement, certainty: .likely,
      window: .full, inserted: "。", removed: " what ", offset: 1),
    // An editor numbers the next item, and the window lets go of the line at its start.
    Case(
      old: "## Todo⏎1. call mom|∅", new: "## Todo⏎1. call mom⏎2. |∅", kind: .insertion,
      certainty: .likely, window: .paragraph, inserted: "\n2. ", offset: 4),
    // A heading's mark came at the line's start, where a host does not cut.
    Case(
      old: "Shopping li|st", new: "# Shopping li|st", kind: .windowShift, certainty: .likely,
      window: .paragraph, offset: 0),
    // There is one character to exchange.
    Case(
      old: "∅|a", new: "b|∅", kind: .replacement, certainty: .likely, window: .full,
      inserted: "b", removed: "a", offset: 1),
  ]

  @Test("In a long selection whose lines begin alike, the caret's line is found")
  func caretInLongSelection() {
    let lines = (0..<12_000).map { "2026-11-27 04:48 entry \($0 * 7_919 % 100_000)\n" }
    let text = lines.joined()
    for place in [0, 5_000, 11_999] {
      let line = lines[place]
      let old = Snapshot(before: "a\n", selected: text, after: "b")
      let new = Snapshot(
        before: String(line.prefix(5)), after: String(line.dropFirst(5).dropLast()))
      let said = Classifier().classify(
        Observation(old: old, new: new, evidence: Evidence(window: .line)))
      #expect(said.kind == .deselection, "line \(place)")
      let before = lines[..<place].reduce(5) { $0 + $1.unicodeScalars.count }
      #expect(said.cursorOffset?.scalars == before, "line \(place)")
    }
  }

  @Test("A drawn pair reads as drawn", arguments: cases)
  func reads(_ expected: Case) {
    let transition = Classifier().classify(
      Observation(
        old: drawn(expected.old), new: drawn(expected.new),
        pasteboard: expected.pasteboard, evidence: Evidence(window: expected.window)))
    #expect(transition.kind == expected.kind)
    #expect(transition.certainty == expected.certainty)
    #expect(transition.alternatives.isEmpty == (transition.certainty == .certain))
    #expect(scalars(transition.inserted) == scalars(expected.inserted))
    #expect(scalars(transition.removed) == scalars(expected.removed))
    #expect(transition.cursorOffset?.scalars == expected.offset)
  }

  @Test("An explanation shows each alternative that it names", arguments: cases)
  func explains(_ expected: Case) {
    for new in [expected.new, "∅|∅"] {
      let explanation = Classifier().explain(
        Observation(
          old: drawn(expected.old), new: drawn(new),
          pasteboard: expected.pasteboard, evidence: Evidence(window: expected.window)))
      for kind in explanation.transition.alternatives {
        #expect(
          explanation.readings.contains { $0.kind == kind && $0.weight != nil },
          "\(expected.old) → \(new): \(kind)")
      }
    }
  }

  @Test("Lengths come in three units")
  func units() {
    let family = "👨‍👩‍👧"
    let transition = Classifier().classify(
      Observation(old: drawn("傘|を持って"), new: drawn("傘\(family)|を持って")))
    #expect(transition.cursorOffset == Extent(scalars: 5, utf16: 8, graphemes: 1))
  }

  @Test("A decomposed character is not its composed twin")
  func scalarsDecide() {
    #expect(Snapshot(before: "が") != Snapshot(before: "か\u{3099}"))
    #expect(Snapshot(before: nil) != Snapshot(before: ""))
    #expect(Set([Snapshot(before: "が"), Snapshot(before: "か\u{3099}")]).count == 2)
  }

  struct Composed: CustomTestStringConvertible {
    var new: String
    var leaves: Bool
    var testDescription: String { new }
  }

  @Test(
    "The caret or the edit leaves what is composed, or does not",
    arguments: [
      Composed(new: "今日はよ|い天気です", leaves: false),
      Composed(new: "今日はよいい|天気です", leaves: false),
      Composed(new: "今日|はよい天気です", leaves: true),
      Composed(new: "吾輩は|猫である。", leaves: true),
      Composed(new: "今日はよい天|気です", leaves: true),
    ])
  func composition(_ expected: Composed) {
    let transition = Classifier().classify(
      Observation(
        old: drawn("今日はよい|天気です"), new: drawn(expected.new),
        evidence: Evidence(composition: Composition(before: 2, after: 0))))
    #expect(transition.leavesComposition == expected.leaves)
  }

  @Test("A negative length of a composition counts as none", arguments: [Int.min, -1, 0])
  func composed(right length: Int) {
    let transition = Classifier().classify(
      Observation(
        old: drawn("猫abc|の"), new: drawn("猫xyz|の"),
        evidence: Evidence(composition: Composition(before: 3, after: length))))
    #expect(transition.kind == .replacement)
  }

  @Test("A composition is as long as any number says", arguments: [Int.min, -1, 0, 1, .max])
  func composed(length: Int) {
    for new in ["今日は|良い天気", "今日は良い|天気"] {
      let transition = Classifier().classify(
        Observation(
          old: drawn("今日は良|い天気"), new: drawn(new),
          evidence: Evidence(composition: Composition(before: length, after: length))))
      #expect(transition.leavesComposition == (length < 1))
    }
  }

  /// What else shows the same needs text that nobody saw, or another cut.
  @Test(
    "An edit of what is composed exchanges it",
    arguments: [("た", "だ"), ("k", "か"), ("ni", "你"), ("ㄱ", "가"), ("각", "가가")])
  func composedAnew(old: String, new: String) {
    for window in Window.allCases {
      let transition = Classifier().classify(
        Observation(
          old: drawn("\(old)|∅"), new: drawn("\(new)|∅"),
          evidence: Evidence(
            window: window, composition: Composition(before: old.unicodeScalars.count, after: 0),
            cause: .inputMethod)))
      #expect(transition.kind == .replacement, "\(window)")
      #expect(transition.removed == old)
      #expect(transition.inserted == new)
      #expect(transition.leavesComposition == false)
    }
  }

  @Test("A field that showed no text is cleared of none")
  func clearedOfNothing() {
    let cleared = Classifier().classify(Observation(old: drawn("∅|"), new: drawn("∅|∅")))
    #expect(cleared.kind == .submission)
    #expect(cleared.removed == nil)
  }

  @Test("A window of less than nothing shows nothing")
  func negativeLimit() {
    for limit in [Int.min, -1, 0] {
      let shown = Window.full.snapshot(of: "今日は良い天気", from: 3, to: 3, limit: limit)
      #expect(shown == Snapshot())
    }
  }

  @Test("Text that a host does not show proves no submission")
  func hasText() {
    let sent = Snapshot(hasText: false)
    let hidden = Snapshot(hasText: true)
    let old = drawn("送信します|∅")
    #expect(Classifier().classify(Observation(old: old, new: sent)).kind == .submission)
    #expect(Classifier().classify(Observation(old: old, new: hidden)).kind != .submission)
  }

  @Test("Where a field says that it is empty nobody went elsewhere, or broke a line")
  func emptied() {
    let sent = Snapshot(hasText: false)
    for window in Window.allCases {
      let evidence = Evidence(window: window, key: .return)
      let said = Classifier().classify(
        Observation(old: drawn("送信します|∅"), new: sent, evidence: evidence))
      #expect(said.kind == .submission, "\(window)")
      #expect(said.certainty == .certain, "\(window)")
    }
    let cut = Classifier().classify(
      Observation(old: drawn("∅[送信します]∅"), new: sent, evidence: Evidence(window: .line)))
    #expect(cut.kind == .cut)
    #expect(!cut.alternatives.contains { $0 == .outOfRangeTap || $0 == .replacement })
  }

  @Test("Return over what is selected at a line's start shows the same newline")
  func brokenAtStart() {
    func said(_ key: Key?) -> Transition {
      Classifier().classify(
        Observation(old: drawn("⏎[abc]def"), new: drawn("⏎|def"), evidence: Evidence(key: key)))
    }
    #expect(said(.return).kind == .replacement)
    #expect(said(.return).inserted == "\n")
    #expect(said(nil).kind == .cut)
    #expect(said(nil).alternatives == [.deletion, .replacement])
  }

  @Test(
    "A host may put one space beside what is pasted",
    arguments: Window.allCases, ["foo baz |bar", "foo baz| bar"])
  func smartPaste(window: Window, new: String) {
    for old in ["foo |bar", "foo [qux]bar"] {
      let said = Classifier().classify(
        Observation(
          old: drawn(old), new: drawn(new), pasteboard: "baz", evidence: Evidence(window: window)))
      #expect(said.kind == .paste)
      #expect(said.inserted == "baz ")
    }
  }

  @Test(
    "A host may change the line breaks of what is pasted",
    arguments: [
      ("x\r\ny", "x⏎y"), ("first\nsecond", "first second"), ("first\r\nsecond", "firstsecond"),
      ("a line\n", "a line"),
    ])
  func changedLineBreaks(pasteboard: String, come: String) {
    for window in [Window.full, .paragraph] {
      let said = Classifier().classify(
        Observation(
          old: drawn("hello |"), new: drawn("hello \(come)|"), pasteboard: pasteboard,
          evidence: Evidence(window: window)))
      #expect(said.kind == .paste, "\(window)")
      #expect(said.inserted == drawn("\(come)|").before)
    }
    let other = Classifier().classify(
      Observation(
        old: drawn("hello |"), new: drawn("hello first other|"), pasteboard: "first\nsecond",
        evidence: Evidence(window: .full)))
    #expect(other.kind == .insertion)
  }

  @Test("An arrow and typing through an inline completion look the same")
  func typedThrough() {
    func said(_ key: Key?) -> Transition {
      Classifier().classify(
        Observation(
          old: drawn("https://e[xample.org]"), new: drawn("https://ex[ample.org]"),
          evidence: Evidence(window: .full, key: key)))
    }
    let kinds = [said(nil).kind] + said(nil).alternatives
    #expect(kinds.contains(.selection) && kinds.contains(.replacement))
    #expect(said(.character).kind == .replacement)
    #expect(said(.character).inserted == "xample.org")
    #expect(said(.caret).kind == .selection)
    #expect(said(.caret).certainty == .certain)
  }

  @Test("What is cut where it was shown short is on the pasteboard whole")
  func cutShortAndCut() {
    func said(_ pasteboard: String) -> Transition {
      Classifier().classify(
        Observation(
          old: drawn("よ。[朝だ。今日はよい日だ。]夜"), new: drawn("よ。|夜"), pasteboard: pasteboard,
          evidence: Evidence(window: .full)))
    }
    #expect(said("朝だ。雨が降っている。今日はよい日だ。").kind == .cut)
    #expect(said("朝だ。今日はよい日だ。").kind == .cut)
    #expect(said("昼だ。雨が降っている。今日はよい日だ。").kind == .deletion)
  }

  @Test("600,000 equal characters do not stall the alignment")
  func equalCharacters() {
    let text = String(repeating: "あ", count: 600_000)
    let transition = Classifier().classify(
      Observation(
        old: Snapshot(before: text + "い", after: text),
        new: Snapshot(before: "う" + text, after: text), evidence: Evidence(window: .full)))
    #expect(transition.kind != .unchanged)
  }

  @Test("A host that resets its input method does so at a tap rather than at a commit")
  func reset() {
    func read(_ isReset: Bool) -> Kind {
      let evidence = Evidence(window: .full, reset: isReset)
      return Classifier().classify(
        Observation(old: drawn("x|"), new: drawn("y|"), evidence: evidence)
      ).kind
    }
    #expect(read(false) == .replacement)
    #expect(read(true) == .outOfRangeTap)
  }

  @Test("A long selection that the host cuts short is that selection")
  func cutShort() {
    let transition = Classifier().classify(
      Observation(
        old: drawn("∅|朝だ。雨が降っている。傘を持つ。"), new: drawn("∅[朝だ。傘を持つ。]∅"),
        evidence: Evidence(window: .full)))
    #expect(transition.kind == .selection)
    #expect(transition.isPartial)
    #expect(transition.cursorOffset?.scalars == 0)
  }

  @Test("A long text behind a line that is still shown was put in, and is no other line")
  func longBehindALine() {
    let old = "The road is closed."
    let more = " Lorries pass the school every four minutes!"
    let said = Classifier().classify(
      Observation(
        old: drawn("\(old)|∅"), new: drawn("\(old)\(more)|∅"),
        evidence: Evidence(window: .line)))
    #expect(said.kind == .insertion && said.inserted == more)
  }
}

/// The scalars of a text, for a comparison that `String ==` does not make.
func scalars(_ text: String?) -> [Unicode.Scalar]? {
  text.map { Array($0.unicodeScalars) }
}

/// All that a transition says; printed by itself, it shows none of its text.
func contents(of transition: Transition?) -> String {
  let texts = [scalars(transition?.inserted), scalars(transition?.removed)]
  return "\(transition as Any), \(texts)"
}
