import ContextDiff
import Testing

/// What a key that went to the host says of a pair, and what it does not.
@Suite struct KeyTests {
  private let classifier = Classifier()

  private func session(at picture: String, pasteboard: String) -> Session {
    var session = Session()
    _ = session.post(
      new: drawn(picture), pasteboard: pasteboard, evidence: Evidence(window: .line),
      with: classifier)
    return session
  }

  @Test("What an input method puts in on a new line is no item's mark, without a blank behind it")
  func newLine() {
    for text in ["12:30", "noon", "🎉🎉"] {
      let said = classifier.classify(
        Observation(
          old: drawn("See you at|∅"), new: drawn("See you at⏎\(text)|∅"),
          evidence: Evidence(window: .full, key: .unpressed)))
      #expect(said.kind == .insertion)
      #expect(said.certainty == .certain, "\(text)")
    }
  }

  @Test(
    "Return begins the next item of a list", arguments: ["- ", "2. ", "> "])
  func nextItem(mark: String) {
    let first = mark == "2. " ? "1. " : mark
    let said = Classifier().classify(
      Observation(
        old: drawn("## Todo⏎⏎\(first)call mom|∅"), new: drawn("⏎\(first)call mom⏎\(mark)|∅"),
        evidence: Evidence(window: .paragraph, key: .return)))
    #expect(said.kind == .insertion)
    #expect(said.inserted == "\n\(mark)")
  }

  @Test("What the input method puts in behind a copy is no undo")
  func copied() {
    var session = session(at: "oof [kn]ilk", pasteboard: "tea")
    let said = session.post(
      new: drawn("oof 雨|ilk"), pasteboard: "kn", evidence: Evidence(key: .shortcut),
      with: classifier)
    #expect(said?.kind == .replacement)
  }

  @Test("A selection that goes as something is composed is erased, whatever was undone before")
  func composedOver() {
    var session = session(at: "m [とう]産は", pasteboard: "tea")
    _ = session.post(
      new: drawn("m |産は"), pasteboard: "tea", evidence: Evidence(key: .unpressed), with: classifier)
    let undone = session.post(
      new: drawn("m [とう]産は"), pasteboard: "tea", evidence: Evidence(key: .undo), with: classifier)
    #expect(undone?.kind == .undo)
    let said = session.post(
      new: drawn("m |産は"), pasteboard: "tea", evidence: Evidence(key: .unpressed), with: classifier)
    #expect(said?.kind == .deletion)
    #expect(said?.alternatives.contains(.redo) == true)
  }

  @Test("A cut takes what it puts on the pasteboard")
  func cut() {
    var session = session(at: "oof [kn]ilk", pasteboard: "tea")
    let said = session.post(
      new: drawn("oof |ilk"), pasteboard: "kn", evidence: Evidence(key: .shortcut),
      with: classifier)
    #expect(said?.kind == .cut)
  }

  @Test("Paste over the text that it holds is no caret that leaves a selection")
  func pastedOverItself() {
    var session = session(at: "say [wor]x", pasteboard: "wor")
    let said = session.post(
      new: drawn("say wor|x"), pasteboard: "wor", evidence: Evidence(key: .paste),
      with: classifier)
    #expect(said?.kind == .paste)
    #expect(said?.inserted == "wor")
  }

  @Test("Of several keys an earlier one may have done what is seen", arguments: [true, false])
  func earlier(_ merged: Bool) {
    var session = Session(at: "eggs|milk", window: .line)
    // Return, and then an arrow that led nowhere.
    let said = session.post("∅|milk", key: .caret, merged: merged)
    #expect(said?.kind == (merged ? .insertion : .outOfRangeTap))
    #expect(said?.certainty == .likely)
  }

  @Test("A shortcut selects all", arguments: [Window.full, .line])
  func selectedAll(_ window: Window) {
    var session = Session(at: "one two three|four", window: window)
    let said = session.post(
      new: drawn("∅[zero. one two threefour]∅"), evidence: Evidence(window: window, key: .shortcut),
      with: classifier)
    #expect(said?.kind == .selection)
  }

  @Test("A caret key sends nothing, and Return may send one character")
  func sent() {
    let moved = classifier.classify(
      Observation(
        old: drawn("one two|∅"), new: drawn("∅|∅"), evidence: Evidence(window: .line, key: .caret)))
    #expect(moved.kind == .outOfRangeTap)
    #expect(!moved.alternatives.contains(.submission))
    let sent = classifier.classify(
      Observation(
        old: drawn("k|∅"), new: drawn("∅|∅"), evidence: Evidence(window: .full, key: .return)))
    #expect(([sent.kind] + sent.alternatives).contains(.submission))
  }

  @Test("Return over a selection is none that only erases, an arrow none that breaks a line")
  func returned() {
    var session = Session(at: "ab|cd", window: .line)
    #expect(session.post("∅|cd", key: .return)?.kind == .insertion)
    #expect(session.post("gone before|now here", key: .caret)?.kind == .outOfRangeTap)
  }

  @Test(
    "Of a host that is told to show all, and shows a line, the key says that lines were broken or joined",
    arguments: [
      ("ab|cd", "∅|cd", Key.return, Kind.insertion, "\n"),
      ("駅前で道を聞く|と言う", "∅|と言う", .return, .insertion, "\n"),
      ("∅|cd", "milk and|cd", .backspace, .deletion, "\n"),
      ("ab cd|∅", "ab cd|milk and", .delete, .deletion, "\n"),
    ])
  func lineToldAsFull(_ old: String, _ new: String, key: Key, kind: Kind, text: String) {
    let said = classifier.classify(
      Observation(
        old: drawn(old), new: drawn(new), evidence: Evidence(window: .full, key: key)))
    #expect(said.kind == kind, "\(said.alternatives)")
    #expect((kind == .insertion ? said.inserted : said.removed) == text)
  }

  @Test(
    "A key that undoes brings a state back by an undo, however that was left",
    arguments: [Window.line, .full])
  func undone(_ window: Window) {
    var session = Session(at: "∅|∅", window: window)
    var said: Transition?
    for (state, key) in [
      ("one two three four|∅", Key.unpressed), ("one two three four five six|∅", .unpressed),
      ("one two three four|∅", .undo), ("∅|elsewhere", .unpressed), ("∅|∅", .unpressed),
      ("one two three four five six|∅", .undo),
    ] {
      said = session.post(
        new: drawn(state), evidence: Evidence(window: window, key: key), with: classifier)
    }
    #expect(said?.kind == .undo)
  }

  @Test("Text erased beside a selection that stays is that, also where as much comes into view")
  func erasedBesideSelection() {
    var session = Session(at: "ab[cd]efg hij kl", window: .full)
    let said = session.post(
      new: drawn("ab[cd] hij kl mno"), evidence: Evidence(window: .full, key: .delete),
      with: classifier)
    #expect(said?.kind == .deletion)
    #expect(said?.removed == "efg")
  }

  @Test("Delete may take all that was known right of the caret, and more comes into view")
  func erasedAllInSight() {
    let said = classifier.classify(
      Observation(
        old: drawn("for⏎Yours,⏎|Okafor"), new: drawn("for⏎Yours,⏎|⏎"),
        evidence: Evidence(window: .full, key: .delete)))
    #expect(said.kind == .deletion)
    #expect(said.removed == "Okafor")
  }

  @Test("Backspace joins the line above, also behind empty lines that went unseen")
  func erasedEmptyLines() {
    var session = Session(at: "∅[a]bc", window: .line)
    _ = session.post("∅|bc", key: .return)
    #expect(session.post("xyz|bc", key: .backspace)?.kind == .deletion)
  }

  @Test("Backspace at a line's start may take the end of the line above, too")
  func erasedOverLineStart() {
    let said = classifier.classify(
      Observation(
        old: drawn("line above⏎|rest"), new: drawn("line |rest"),
        evidence: Evidence(window: .line, key: .backspace)))
    #expect(said.kind == .deletion)
    #expect(said.removed == "above\n")
  }

  @Test("A selection that came to the pasteboard by another shortcut than Cut was erased")
  func copiedAndErased() {
    var session = session(at: "し[で]す", pasteboard: "tea")
    func post(_ picture: String, _ pasteboard: String, _ key: Key) -> Transition? {
      session.post(
        new: drawn(picture), pasteboard: pasteboard, evidence: Evidence(window: .line, key: key),
        with: classifier)
    }
    #expect(post("しtea|す", "tea", .paste)?.kind == .paste)
    #expect(post("し[で]す", "tea", .undo)?.kind == .undo)
    let said = post("し|す", "で", .shortcut)
    #expect(said?.kind == .deletion)
    #expect(said?.alternatives.first == .cut)
  }

  @Test("Undo by its key may have changed what was out of sight: it moves no caret otherwise")
  func undoneOutOfSight() {
    var session = Session(at: "a dog.|∅", window: .paragraph)
    _ = session.post("a dog.⏎|∅", key: .return)
    _ = session.post("a dog.|∅", key: .caret)
    _ = session.post("a dog|.", key: .caret)
    let said = session.post("a dog.|∅", key: .undo)
    #expect(said?.kind == .undo)
    #expect(said?.removed == "\n")
    // Of an edit that is not remembered nothing more is known.
    var other = Session(at: "a dog|.", window: .paragraph)
    #expect(other.post("a dog.|∅", key: .undo)?.names(.undo) == true)
  }

  @Test("A shortcut without a name, from a client that names undo, hardly undoes")
  func unnamedShortcut() {
    for (key, isUndo) in [(Key.shortcut, false), (.undo, true), (nil, true)] {
      var session = Session(at: "ab|∅", window: .full)
      for state in ["ab |∅", "ab c|∅"] { _ = session.post(state, key: .character) }
      _ = session.post("ab|∅", key: .undo)
      _ = session.post("ab c|∅", key: .redo)
      let said = session.post("ab|∅", key: key)
      #expect((said?.kind == .undo) == isUndo, "\(String(describing: key))")
    }
  }

  @Test("What a host undoes in one step is learnt from the undos that their keys tell")
  func groupingByKey() {
    var session = Session(at: "see |∅", window: .full)
    let words = [("dogs", "see "), ("cats", "see dogs"), ("cows", "see dogscats")]
    for (word, before) in words {
      for end in word.indices { _ = session.post("\(before)\(word[...end])|∅", key: .character) }
      for count in [1, 2] {
        _ = session.post("\(before)\(word.dropLast(count))|∅", key: .undo)
      }
      for count in [1, 0] {
        _ = session.post("\(before)\(word.dropLast(count))|∅", key: .redo)
      }
    }
    for end in ["m", "me", "men"] { _ = session.post("see dogscatscows\(end)|∅", key: nil) }
    let said = session.post("see dogscatscowsme|∅", key: nil)
    #expect(said?.names(.undo) == true)
  }

  @Test("On a shortcut text that is gone at a line's start is not known to be out of sight")
  func commentedOut() {
    for keys in [[Key.shortcut], [.undo, .shortcut]] {
      var session = Session(at: "# def f|(x):", window: .paragraph)
      for key in keys.dropLast() { _ = session.post("# def f|(x):", key: key) }
      let said = session.post("def f|(x):", key: .shortcut)
      #expect(said?.certainty == .likely)
    }
  }

  @Test("A line that was emptied is not the whole document: a caret key finds another line")
  func emptiedLine() {
    var session = Session(at: "x|∅", window: .line)
    #expect(session.post("∅|∅", key: .backspace)?.kind == .deletion)
    #expect(
      session.post("This is the line above, quite long|∅", key: .caret)?.kind == .outOfRangeTap)
  }

  @Test("A shortcut without a name undoes nothing of a client that names undo")
  func unnamedBesideNamed() throws {
    // The memory is in doubt, and the pair is read without it as well.
    var session = Session(at: "ab|∅", window: .sentence)
    var said: Transition?
    for (state, key) in [
      ("abc|∅", Key.character), ("ab|∅", .undo), ("⏎|∅", .return), ("⏎|∅", .return),
      ("a|∅", .character), ("ab|∅", .character), ("abcd on|∅", .unpressed),
      ("abcd xyz|∅", .shortcut),
    ] {
      said = session.post(state, key: key)
    }
    #expect(said?.kind == .replacement)
    // What came behind the announced text is read by itself.
    session = Session(at: "abcdefq|ghij", window: .full)
    session.post("abcdefqr|ghij", key: .character)
    session.post("abcdefq|ghij", key: .undo)
    try session.expect(edit: Edit(insert: "良い"), with: classifier)
    said = session.post("abcdefq良い xyz uvw|ghij", key: .shortcut)
    #expect(said?.kind == .insertion && said?.expected == [1])
  }

  @Test("A shortcut pastes what the pasteboard holds, and no announced text")
  func shortcutBesideAnnounced() throws {
    var session = Session(at: "今日は|です", window: .full)
    session.post("今日は|です", key: .undo)
    try session.expect(edit: Edit(insert: "良い天気"), with: classifier)
    session.post("今日はで|す", key: .caret)
    let said = session.post(
      new: drawn("今日はで良い天気|す"), pasteboard: "other",
      evidence: Evidence(window: .full, key: .shortcut), with: classifier)
    #expect(said?.expected == [1] && said?.unfulfilled == [])
  }

  @Test("Return begins the next item where a host that is told as full shows its line alone")
  func itemOfALine() {
    for (old, new) in [("- wait|⏎At noon", "- |⏎At noon"), ("  - **one**|∅", "  - |∅")] {
      let said = classifier.classify(
        Observation(
          old: drawn(old), new: drawn(new), evidence: Evidence(window: .full, key: .return)))
      #expect(said.kind == .insertion)
    }
  }

  @Test("What the key pastes was not typed, however short", arguments: ["你", "你们", "a", "안"])
  func pasted(_ text: String) {
    let said = classifier.classify(
      Observation(
        old: drawn("今天早上|没有带伞"), new: drawn("今天早上\(text)|没有带伞"), pasteboard: text,
        evidence: Evidence(window: .full, key: .paste)))
    #expect(said.kind == .paste)
    #expect(said.certainty == .certain)
  }

  @Test("The last of several keys rules nothing out")
  func lastOfSeveral() {
    let said = classifier.classify(
      Observation(
        old: drawn("a message|∅"), new: drawn("∅|∅"),
        evidence: Evidence(window: .full, key: .caret, merged: true)))
    #expect(said.names(.submission))
  }

  @Test("Backspace between two brackets that came as one takes both, and moves the caret nowhere")
  func pairErased() {
    var session = Session(at: "int foo| x", window: .full)
    #expect(session.post("int foo(|) x", key: .character)?.inserted == "()")
    let erased = session.post("int foo| x", key: .backspace)
    #expect(erased?.kind == .deletion && erased?.removed == "()")
    #expect(erased?.names(.outOfRangeTap) == false)
  }

  @Test(
    "Where no key went to the host, text exchanged and back may be the input method's as well as undone"
  )
  func candidatesInTurn() {
    var session = Session(at: "駅で彼は|きしゃのきしゃを待つ", window: .full)
    session.post("駅で彼は[きしゃのきしゃ]を待つ", key: .caret)
    session.post("駅で彼は[貴社の記者]を待つ", key: .unpressed)
    session.post("駅で彼は[貴社の汽車]を待つ", key: .unpressed)
    let back = session.post("駅で彼は[きしゃのきしゃ]を待つ", key: .unpressed)
    #expect(back?.certainty == .likely)
    #expect(back?.names(.undo) == true && back?.names(.replacement) == true)
  }

  @Test("A shortcut by which the input method edits what it composes undoes nothing")
  func composedByShortcut() {
    var session = Session(at: "We talk about word| today", window: .full)
    for state in ["Word", "WORD", "word"] {
      let done = session.post(
        new: drawn("We talk about \(state)| today"),
        evidence: Evidence(
          composition: Composition(before: 4, after: 0), cause: .inputMethod, key: .shortcut),
        with: classifier)
      #expect(done?.kind == .replacement, "\(state)")
      #expect(done?.leavesComposition == false, "\(state)")
    }
  }

  @Test("A shortcut exchanges what is selected: what is gone is what was shown")
  func selectionInTurn() {
    let word = "internationalization"
    var session = Session(at: "We talk about |\(word) today", window: .full)
    session.post("We talk about [\(word)] today", key: .caret)
    var last = word
    for state in [word.prefix(1).uppercased() + word.dropFirst(), word.uppercased(), word] {
      let done = session.post("We talk about [\(state)] today", key: .shortcut)
      #expect(done?.certainty == .likely, "\(state)")
      let gone = done?.removed ?? ""
      #expect(last.hasSuffix(gone) && !gone.isEmpty, "\(state)")
      last = state
    }
  }

  @Test("Until the window is known, Return may have left an empty line behind")
  func returnInALine() {
    var session = Session(at: "Hello ther|∅", window: nil)
    session.post("Hello there|∅", key: .character)
    #expect(session.post("∅|∅", key: .return)?.names(.insertion) == true)
  }

  @Test(
    "A shortcut is the key's, whatever script its layout types",
    arguments: [
      // Я, Ν in Russian as Y, ζ, ס and ر.
      (0x6F1 as UInt32, 0x4 as UInt32, Key.undo), (0x6D1, 0x5, .redo), (0x6CE, 0x4, .redo),
      (0x7E6, 0x4, .undo), (0xCF1, 0x4, .cut), (0x5D1, 0x4, .paste), (0x6C6, 0x4, .shortcut),
      (0x6D1, 0x8, .shortcut), (0x6D1, 0, .character),
    ])
  func layout(keysym: UInt32, modifiers: UInt32, key: Key) {
    #expect(Key(keysym: keysym, modifiers: modifiers) == key)
  }
}

extension Transition {
  /// Whether it is of that kind, or may be.
  fileprivate func names(_ kind: Kind) -> Bool { self.kind == kind || alternatives.contains(kind) }
}
