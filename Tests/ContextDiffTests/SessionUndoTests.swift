import ContextDiff
import Testing

@Suite("Undo and redo in a session")
struct SessionUndoTests {
  private let classifier = Classifier()

  @Test("A run of typing is undone in one step, and comes back in one")
  func undo() {
    var session = Session(at: "今日は|天気です")
    for state in ["今日は良|天気です", "今日は良い|天気です", "今日は良いお|天気です"] {
      #expect(session.post(state)?.kind == .insertion)
    }
    let undone = session.post("今日は|天気です")
    #expect(undone?.kind == .undo)
    #expect(scalars(undone?.removed) == scalars("良いお"))
    #expect(session.post("今日は良いお|天気です")?.kind == .redo)
  }

  @Test("A caret that an undo leaves across a line break from the text that came is the undo's")
  func caretAcrossALineBreak() {
    var erased = Session(at: "one two|⏎three", window: .full)
    erased.post("one |⏎three")
    #expect(erased.post("one two⏎|three")?.kind == .undo)
    var cut = Session(at: "one [two⏎]three", window: .full)
    cut.post("one |three")
    #expect(cut.post("one two|⏎three")?.kind == .undo)
  }

  @Test("A selection that returns with its text is an undo")
  func undoBringsSelectionBack() {
    var session = Session(at: "今日は[良い]天気です")
    #expect(session.post("今日は悪|天気です")?.kind == .replacement)
    #expect(session.post("今日は[良い]天気です")?.kind == .undo)
  }

  @Test("One backspace over what was typed last is a deletion, perhaps an undo")
  func backspace() {
    var session = Session(at: "今日は|天気です")
    _ = session.post("今日は良|天気です")
    let transition = session.post("今日は|天気です")
    #expect(transition?.kind == .deletion)
    #expect(transition?.alternatives == [.undo])
  }

  @Test(
    "Each of several undos that look like backspaces names undo, and each redo behind them redo",
    arguments: [
      // Erasures lie side by side.
      (["e|", "e |", "e g|", "e go|", "e gon|", "e go|", "e |", "e|"], Kind.undo),
      (["Go |", "Go i|", "Go in|", "Go in |", "Go in|", "Go in |", "Go in|", "Go i|"], .undo),
      // The line before shows behind the first letter of a sentence.
      ([" Please bring it.|", "A|", "A |", "A|", " Please bring it.|"], .undo),
      (["Anna |", "Anna h|", "Anna ha|", "Anna h|", "Anna ha|"], .redo),
      // The caret has moved in between.
      (
        [
          "def ar|ea()", "def arf|ea()", "def arf.|ea()", "def arf|ea()", "def arfea(|)",
          "def arf.|ea()",
        ], .redo
      ),
    ])
  func series(_ states: [String], last kind: Kind) throws {
    var session = Session()
    var said: Transition?
    for state in states { said = session.post(new: drawn(state), with: classifier) }
    #expect(try #require(said).alternatives.contains(kind))
  }

  @Test("An undo of what may have been something else is not certain")
  func undoOfDoubted() {
    for window in [Window.full, .paragraph] {
      var session = Session(at: "∅|vwxyz", window: window)
      for state in ["a|vwxyz", "b|vwxyz"] {
        _ = session.post(new: drawn(state), evidence: Evidence(window: window), with: classifier)
      }
      let last = session.post(
        new: drawn("∅|vwxyz"), evidence: Evidence(window: window), with: classifier)
      #expect(last?.certainty == .likely)
    }
  }

  @Test("What was composed, went and is back at once was undone and done again")
  func composedAgain() {
    var session = Session(at: "吾輩|∅")
    for state in ["吾輩h|∅", "吾輩は|∅"] { _ = session.post(state) }
    #expect(session.post("吾輩|∅")?.kind == .deletion)
    #expect(session.post("吾輩は|∅")?.kind == .redo)
  }

  @Test("A conversion of what was typed last is one, whatever was there before")
  func conversionIsNoUndo() {
    var session = Session(at: "事だけは|∅")
    for state in ["事だけ|∅", "事だけh|∅"] { _ = session.post(state) }
    #expect(session.post("事だけは|∅")?.kind == .replacement)
  }

  @Test("An undo far from the caret is known by the text that comes back")
  func undoFarAway() {
    var session = Session(at: "one two three. Four five six.|∅", window: .full)
    func show(_ picture: String) -> Transition? {
      session.post(new: drawn(picture), evidence: Evidence(window: .full), with: classifier)
    }
    _ = show("one [two ]three. Four five six.")
    #expect(show("one |three. Four five six.")?.kind == .cut)
    #expect(show("one three. Four five six.|∅")?.kind == .cursorMove)
    let undone = show("one [two ]three. Four five six.")
    #expect(undone?.kind == .undo)
    #expect(scalars(undone?.inserted) == scalars("two "))
    #expect(show("one |three. Four five six.")?.kind == .redo)
  }

  @Test("What an edit keeps it leaves out, and its undo brings all of it back")
  func undoOfWhatIsToldFolded() {
    var session = Session(at: "; 3.5| ml", window: .line)
    let states = ["; 3.[ ]ml", "; 3.s|ml", "; 3.[ ]ml", "; 3.5| ml"]
    let kinds = states.map {
      session.post(new: drawn($0), evidence: Evidence(window: .line), with: classifier)?.kind
    }
    #expect(kinds == [.deletion, .replacement, .undo, .undo])
  }

  @Test("The way of the caret through an undo is counted in whole scalars")
  func undoBesideEmoji() {
    var session = Session(at: "∅|😀😀", window: .full)
    for state in ["a|😀😀", "ab|😀😀", "abc|😀😀"] {
      _ = session.post(new: drawn(state), evidence: Evidence(window: .full), with: classifier)
    }
    let undone = session.post(
      new: drawn("∅|😀😀"), evidence: Evidence(window: .full), with: classifier)
    #expect(undone?.kind == .undo)
    #expect(undone?.cursorOffset == Extent(scalars: -3, utf16: -3, graphemes: -3))
    let redone = session.post(
      new: drawn("abc|😀😀"), evidence: Evidence(window: .full), with: classifier)
    #expect(redone?.kind == .redo)
    #expect(redone?.cursorOffset == Extent(scalars: 3, utf16: 3, graphemes: 3))
  }

  @Test("A composed word is undone as a whole")
  func undoOfAComposition() {
    var session = Session(at: "今日は|∅")
    for state in ["今日はa|∅", "今日はあ|∅", "今日はあm|∅", "今日はあめ|∅", "今日は雨|∅"] {
      _ = session.post(state)
    }
    for state in ["今日は雨g|∅", "今日は雨が|∅", "今日は雨がf|∅", "今日は雨がふ|∅", "今日は雨が降|∅"] {
      _ = session.post(state)
    }
    #expect(session.post("今日は雨|∅")?.kind == .undo)
    #expect(session.post("今日は|∅")?.kind == .undo)
    #expect(session.post("今日は雨|∅")?.kind == .redo)
  }

  @Test("A word that goes behind an undo may go by another one, of an edit from before the session")
  func undoBeyondTheSession() {
    var session = Session(at: "今日は良い天気|∅")
    for state in ["今日は良い天気か|∅", "今日は良い天気かな|∅"] { _ = session.post(state) }
    #expect(session.post("今日は良い天気|∅")?.kind == .undo)
    let gone = session.post("今日は良い|∅")
    #expect(gone?.kind == .deletion)
    #expect(gone?.alternatives == [.undo])
  }

  @Test(
    "A key that erases, types or moves the caret does not undo",
    arguments: [
      Key.backspace, .delete, .character, .return, .caret,
    ])
  func keysThatDoNotUndo(key: Key) {
    var session = Session(at: "村の[牧人]で")
    #expect(session.post("村のx|で")?.kind == .replacement)
    let shown = session.post(new: drawn("村の[牧人]で"), evidence: Evidence(key: key), with: classifier)
    #expect(shown?.kind != .undo)
    #expect(shown?.alternatives.contains(.undo) == false)
  }

  @Test("What was done in a stretch of text is taken back from another one")
  func undoInAStretchLeftBefore() {
    var session = Session(at: "いろはにほ|へとちりぬるを", window: .sentence)
    for state in ["いろはにほ春|へとちりぬるを", "いろはにほ春夏|へとちりぬるを"] {
      _ = session.post(new: drawn(state), evidence: Evidence(window: .sentence), with: classifier)
    }
    let tap = session.post(
      new: drawn("山の奥には|鹿が鳴く"), evidence: Evidence(window: .sentence), with: classifier)
    #expect(tap?.kind == .outOfRangeTap)
    let undone = session.post(
      new: drawn("いろはにほ|へとちりぬるを"), evidence: Evidence(window: .sentence), with: classifier)
    #expect(undone?.kind == .undo)
    let again = session.post(
      new: drawn("いろはにほ春夏|へとちりぬるを"), evidence: Evidence(window: .sentence), with: classifier)
    #expect(again?.kind == .redo)
  }

  @Test("A selection in other text behind an undo that brought one is one more undo")
  func undosThatSelect() {
    var session = Session(at: "村の[牧人]で")
    #expect(session.post("村のx|で")?.kind == .replacement)
    #expect(session.post("村の[牧人]で")?.kind == .undo)
    let undone = session.post("笛を[吹き]∅")
    #expect(undone?.kind == .undo)
    #expect(undone?.certainty == .likely)
    #expect(undone?.alternatives.first == .selection)
    var other = Session(at: "村の[牧人]で")
    #expect(other.post("笛を[吹き]∅")?.kind == .selection)
  }

  @Test("An undo in a stretch left before an edit is doubted: another place may look the same")
  func undoBeforeALaterEdit() {
    var session = Session()
    var said: Transition?
    for state in [
      "夕方の電車で帰った。|∅", "夕方の電車で帰った|∅", "∅|京都へ行ったのは", "x|京都へ行ったのは", "夕方の電車で帰った。|∅",
    ] {
      said = session.post(new: drawn(state), with: classifier)
    }
    #expect(said?.kind == .undo)
    #expect(said?.alternatives == [.outOfRangeTap])
  }

  @Test("A pasteboard that explains nothing changes nothing that an undo elsewhere may be")
  func otherPasteboard() {
    for pasteboard in [nil, "qqq", "hello world"] {
      var session = Session(at: "bhello world|;", window: .sentence)
      session.post("bhello worldi|;")
      session.post("ab|;")
      let said = session.post(
        new: drawn("bhello world|;"), pasteboard: pasteboard,
        evidence: Evidence(window: .sentence), with: Classifier())
      #expect(said?.kind == .undo)
      #expect(said?.alternatives == [.outOfRangeTap, .redo], "\(pasteboard ?? "nil")")
    }
  }
}
