import ContextDiff
import Testing

/// Pairs seen in editors and input methods, each with its neighbours: mirrored where that means the same, a letter
/// before and behind, in each window that it can stand in.
@Suite struct HostPairTests {
  struct Case: CustomTestStringConvertible {
    var old: String
    var new: String
    var kind: Kind
    var windows: [Window] = Window.allCases
    var inserted: String?
    var removed: String?
    var offset: Int?
    var isPlainText = true

    var testDescription: String { "\(old) → \(new)" }
  }

  static let cases: [Case] = [
    Case(
      old: "A Bar|rack ", new: "A Barack| ", kind: .replacement, inserted: "ack", removed: "rack",
      offset: 3),
    Case(old: "ap|ple", new: "a|le", kind: .deletion, removed: "pp", offset: -1),
    Case(
      old: "foo(a|, b)", new: "foo(a{|}, b)", kind: .insertion, inserted: "{}", offset: 1),
    Case(
      old: "x|Hello", new: "xA|ello", kind: .replacement, inserted: "A", removed: "H", offset: 1),
    Case(
      old: "see [uppercase] now", new: "see [Uppercase] now", kind: .replacement,
      inserted: "Uppercase", removed: "uppercase", offset: 0),
    Case(
      old: "say [x] now", new: "say \"[x]\" now", kind: .replacement, inserted: "\"x\"",
      removed: "x", offset: 1),
    Case(
      old: "https://| ", new: "https://e[xample] ", kind: .insertion, inserted: "example",
      offset: 1),
    Case(old: "num_| = 1", new: "num_items| = 1", kind: .insertion, inserted: "items", offset: 5),
    Case(
      old: "aao|aa", new: "aa[ô]aa", kind: .replacement, inserted: "ô", removed: "o", offset: -1),
    Case(
      old: "aa[o]aa", new: "aa[ô]aa", kind: .replacement, inserted: "ô", removed: "o", offset: 0),
    Case(
      old: "see [a text] now", new: "see [text] now", kind: .deletion, removed: "a ", offset: 0),
    Case(old: "the cat and|", new: "the cat and the|", kind: .insertion, inserted: " the"),
    Case(old: "xyz abc[SEL] def ghi", new: "xyz abcSEL| def ghi", kind: .deselection, offset: 3),
  ]

  static let neighbours: [(Case, Window)] = cases.flatMap { one in
    one.windows.map { (one, $0) }
  }

  @Test(arguments: neighbours.indices)
  func reads(_ index: Int) {
    let (one, window) = Self.neighbours[index]
    for (before, behind) in [("", ""), ("z", ""), ("", "z"), ("z", "z")] {
      let transition = Classifier().classify(
        Observation(
          old: drawn(before + one.old + behind), new: drawn(before + one.new + behind),
          evidence: Evidence(window: window)))
      let title = "\(before)\(one)\(behind) \(window.rawValue): \(drawn(transition))"
      #expect(transition.kind == one.kind, "\(title)")
      if let inserted = one.inserted { #expect(transition.inserted == inserted, "\(title)") }
      if let removed = one.removed { #expect(transition.removed == removed, "\(title)") }
      if let offset = one.offset { #expect(transition.cursorOffset?.scalars == offset, "\(title)") }
      #expect(transition.alternatives != [.outOfRangeTap] || transition.certainty == .likely)
    }
  }

  /// One line's window: without the key nothing is certain, and with it the key decides.
  @Test(arguments: [
    (Key.return, Kind.insertion), (.caret, .outOfRangeTap), (.backspace, .deletion),
    (.shortcut, .undo),
  ])
  func theKeyDecidesWhereALineIsGone(_ key: Key, _ kind: Kind) {
    var observation = Observation(
      old: drawn("abc|∅"), new: drawn("∅|∅"), evidence: Evidence(window: .line))
    let untold = Classifier().classify(observation)
    #expect(untold.certainty == .likely)
    observation.evidence.key = key
    let transition = Classifier().classify(observation)
    #expect(transition.kind == kind, "\(drawn(transition))")
  }

  /// Two acts at once, or somebody else's edit, can show any text: a tap least of all is certain, however
  /// many letters stand where they stood.
  @Test(arguments: [
    ("one two |three four", "one TWO |three FOUR"), ("ruof eerht| owt eno", "RUOF eerht| OWT eno"),
    ("one two three| four", "oneX two three| four"),
    ("ruof |eerht owt eno", "ruof |eerht owt Xeno"),
    ("he said [so] again", "we meant [so] again"),
  ])
  func nothingIsCertainWhereTextIsLeftInCommon(_ old: String, _ new: String) {
    for window in Window.allCases {
      for (before, behind) in [("", ""), ("z", ""), ("", "z"), ("z", "z")] {
        let transition = Classifier().classify(
          Observation(
            old: drawn(before + old + behind), new: drawn(before + new + behind),
            evidence: Evidence(window: window)))
        let title = "\(before)\(old)\(behind) \(window.rawValue): \(drawn(transition))"
        #expect(transition.certainty == .likely, "\(title)")
      }
    }
  }

  /// The shortcuts of nearly every program decide where the pasteboard is not known, and against what it
  /// holds.
  @Test(arguments: [
    ("one|∅", "one two|∅", String?.none, Key.paste, Kind.insertion),
    ("one|∅", "one two|∅", nil, .undo, .undo), ("one|∅", "one two|∅", nil, .redo, .redo),
    ("one|∅", "one two|∅", " two", .paste, .paste), ("one|∅", "one two|∅", " two", .undo, .undo),
    ("one|∅", "one two|∅", " two", .redo, .redo), ("one|∅", "ones|∅", "s", .undo, .undo),
    ("one| two", "on| two", nil, .undo, .undo), ("one[ two]∅", "one|∅", nil, .cut, .cut),
    ("one[ two]∅", "one|∅", nil, .undo, .undo),
    ("one[ two]∅", "one more|∅", nil, .paste, .replacement),
  ])
  func aShortcutThatIsKnownDecides(
    _ old: String, _ new: String, _ pasteboard: String?, _ key: Key, _ kind: Kind
  ) {
    for window in [Window.line, .full] {
      var observation = Observation(
        old: drawn(old), new: drawn(new), pasteboard: pasteboard, evidence: Evidence(window: window)
      )
      observation.evidence.key = key
      let transition = Classifier().classify(observation)
      #expect(transition.kind == kind, "\(old) → \(new), \(window): \(drawn(transition))")
    }
  }

  @Test func aMoveWhoseWindowBeginsBeyondTheOldCaret() {
    let transition = Classifier().classify(
      Observation(
        old: drawn("o|xyShe had brought"), new: drawn("She had| brought"),
        evidence: Evidence(window: .full)))
    #expect(transition.kind == .cursorMove, "\(drawn(transition))")
    #expect(transition.cursorOffset?.scalars == 9)
  }

  @Test func theSameSelectionInAnotherCutIsAShift() {
    let transition = Classifier().classify(
      Observation(
        old: drawn("and they said [x] now and then"), new: drawn("they said [x] now and"),
        evidence: Evidence(window: .full)))
    #expect(transition.kind == .windowShift, "\(drawn(transition))")
  }

  @Test func theCaretsPlaceSettlesLookAlikes() {
    let told = Observation(
      old: Snapshot(before: nil, after: "one", caret: 0),
      new: Snapshot(before: nil, after: "two", caret: 40), evidence: Evidence(window: .line))
    let transition = Classifier().classify(told)
    #expect(transition.kind == .outOfRangeTap)
    #expect(transition.cursorOffset?.scalars == 40)
  }

  @Test func severalActsAreNeverCertain() {
    let transition = Classifier().classify(
      Observation(
        old: drawn("one two| three"), new: drawn("one twox| three"),
        evidence: Evidence(window: .full, merged: true)))
    #expect(transition.kind == .insertion)
    #expect(transition.certainty == .likely)
  }

  @Test func anUnseenSelectionMayHaveBeenCut() {
    let transition = Classifier().classify(
      Observation(
        old: Snapshot(before: "one ", after: "two three", selectionShown: false),
        new: Snapshot(before: "one ", after: " three", selectionShown: false),
        pasteboard: "two", evidence: Evidence(window: .line)))
    #expect(transition.kind == .cut)
    #expect(transition.removed == "two")
  }

  @Test func anEditOfTheCompositionIsTheInputMethods() {
    let transition = Classifier().classify(
      Observation(
        old: drawn("た|∅"), new: drawn("だ|∅"),
        evidence: Evidence(composition: Composition(before: 1, after: 0), cause: .inputMethod)))
    #expect(transition.kind == .replacement)
    #expect(transition.leavesComposition == false)
  }

  /// Hosts of lines may show a neighbour of the caret's line besides: GTK 3 the line below at a line's end,
  /// Firefox the one above at its start.
  @Test(arguments: [
    ("ab|⏎next", "ab|next", Key.delete, Kind.deletion), ("ab|⏎next", "ne|xt", .caret, .cursorMove),
    ("above⏎|rest", "above|rest", .backspace, .deletion), ("ab|cd", "ab⏎|cd", .return, .insertion),
    ("ab|⏎next", "abc|⏎next", .character, .insertion),
    ("above⏎|rest", "ab|ove", .caret, .cursorMove),
    ("one|∅", "one|⏎two", .caret, .windowShift),
  ])
  func readsALineWithItsNeighbour(_ old: String, _ new: String, _ key: Key, _ kind: Kind) {
    var observation = Observation(
      old: drawn(old), new: drawn(new), evidence: Evidence(window: .line))
    observation.evidence.key = key
    let transition = Classifier().classify(observation)
    #expect(transition.kind == kind, "\(old) → \(new): \(drawn(transition))")
  }

  /// As much text comes into view at the end of GTK 4's words as goes behind the caret.
  @Test func aWordErasedBehindTheCaret() {
    let transition = Classifier().classify(
      Observation(
        old: drawn("   x|import sys⏎⏎def"), new: drawn("   x| sys⏎⏎def total"),
        evidence: Evidence(window: .full)))
    #expect(transition.kind == .deletion, "\(drawn(transition))")
    #expect(transition.removed == "import")
  }

  /// A state that a shortcut brings back was retraced, though the history does not lead there.
  @Test func aShortcutBringsBackWhatWasSeen() {
    let classifier = Classifier()
    var session = Session()
    let steps: [(String, Key?)] = [
      ("one|∅", nil), ("ones|∅", .character), ("∅|somewhere else", Key.unpressed),
      ("ones|∅", Key.unpressed),
      ("one|∅", .shortcut), ("ones|∅", .shortcut),
    ]
    let kinds = steps.map { picture, key in
      session.post(
        new: drawn(picture), evidence: Evidence(window: .line, key: key), with: classifier)?.kind
    }
    #expect(kinds.suffix(2) == [.undo, .redo])
  }

  /// What a key does in hardly any host is never certain.
  @Test(arguments: [Key.delete, .caret, .return, .backspace])
  func whatTheKeyHardlyDoesIsNotCertain(_ key: Key) {
    var observation = Observation(
      old: drawn("a text as lo|ng as this"), new: drawn("a text as lox|ng as this"),
      evidence: Evidence(window: .full))
    observation.evidence.key = key
    let transition = Classifier().classify(observation)
    #expect(transition.kind == .insertion)
    #expect(transition.certainty == .likely)
  }
}
