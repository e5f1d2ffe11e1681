import ContextDiff
import Testing

/// What input methods put in that looks like something else: text that repeats a part of what stands there, the
/// first text in a field, words exchanged whole.
@Suite struct CommittedTextTests {
  private let classifier = Classifier()

  /// What a session with that window says of the last of `states`, each with the key that led there.
  private func said(
    _ states: [String], window: Window, keys: [Key?] = []
  ) -> Transition? {
    var session = Session()
    var said: Transition?
    for (number, state) in states.enumerated() {
      let key = number < keys.count ? keys[number] : nil
      said = session.post(
        new: drawn(state), evidence: Evidence(window: window, key: key), with: classifier)
    }
    return said
  }

  @Test(
    "Text that ends as an earlier step left off takes none of it back",
    arguments: [
      (["∅|∅", "お疲れ|∅", "お疲れ様|∅", "お疲れ様です。本日のお|∅"], "です。本日のお"),
      (["∅|∅", "会議|∅", "会議は|∅", "会議は三時からだと思う会|∅"], "三時からだと思う会"),
      (["∅|∅", "a|∅", "ab|∅", "abcdefghija|∅"], "cdefghija"),
    ])
  func repeats(_ states: [String], _ inserted: String) {
    let said = said(states, window: .full)
    #expect(said?.kind == .insertion)
    #expect(said?.inserted == inserted)
  }

  @Test("The first word in an empty field is put in", arguments: [Window.line, .paragraph, .full])
  func firstWord(_ window: Window) {
    #expect(said(["∅|∅", "Hello |∅"], window: window)?.kind == .insertion)
  }

  @Test(
    "What pushes all of a window out of sight that is cut by its length is longer than what is seen of it",
    arguments: [.paste, Key.unpressed])
  func longerThanTheWindow(_ key: Key) {
    let states = [
      "いいお天気です明日|も晴れて", "いお天気です明日は|も晴れて", "が高くて空が青い日|も晴れて",
    ]
    let said = said(states, window: .full, keys: [nil, .character, key])
    #expect(said?.kind == .insertion)
    #expect(said?.inserted == "が高くて空が青い日")
    #expect(said?.isPartial == true)
    #expect(said?.cursorOffset == nil)
  }

  @Test("More blanks behind a line's indentation are these blanks, and no new line")
  func indentedFurther() {
    let said = said(["    |return", "        |return"], window: .line)
    #expect(said?.kind == .insertion)
    #expect(said?.inserted == "    ")
    #expect(said?.cursorOffset?.scalars == 4)
  }

  @Test("A paste that ends with a newline may hold more lines than the one seen")
  func pastedLines() {
    let pasted = said(["  | sum;", "| sum;"], window: .line, keys: [nil, .paste])
    #expect(pasted?.kind == .insertion)
    #expect(pasted?.isPartial == true)
    #expect(pasted?.cursorOffset == nil)
    #expect(said(["  | sum;", "| sum;"], window: .line, keys: [nil, .return])?.isPartial == false)
  }

  @Test("A message that ends with one character is sent")
  func shortEnd() {
    let english = ["Thanks|∅", "Thanks.|∅", " |∅", "∅|∅"]
    #expect(said(english, window: .sentence, keys: [nil, nil, nil, .return])?.kind == .submission)
    let japanese = ["ありがとう|∅", "ありがとう。|∅", "笑|∅", "∅|∅"]
    #expect(said(japanese, window: .sentence, keys: [nil, nil, nil, .return])?.kind == .submission)
  }

  @Test(
    "A first word exchanged whole is a replacement, though its script has few lead bytes",
    arguments: [
      ("うぃんど| size", "ウィンド| size"), ("мир| всем сразу", "дом| всем сразу"),
      ("map| vsem srazu", "hut| vsem srazu"), ("せくしょ|∅", "セクショ|∅"), ("ㅎ|∅", "하|∅"),
    ])
  func exchanged(_ old: String, _ new: String) {
    let said = said([old, new], window: .full)
    #expect(said?.kind == .replacement)
    #expect(said?.removed == String(old.prefix { $0 != "|" }))
    #expect(said?.inserted == String(new.prefix { $0 != "|" }))
  }

  @Test("A blank typed where a line begins that has none is no new line")
  func blank() {
    let said = said(["∅|abc def", " |abc def"], window: .line)
    #expect(said?.kind == .insertion)
    #expect(said?.inserted == " ")
  }

  @Test("Who copies what is selected and goes to its end gives it up")
  func copied() {
    var session = Session()
    var said: Transition?
    for (state, pasteboard) in [
      ("one brown fox and [some words] and after", "earlier"),
      ("one brown fox and some words| and after", "some words"),
    ] {
      said = session.post(
        new: drawn(state), pasteboard: pasteboard, evidence: Evidence(window: .full),
        with: classifier)
    }
    #expect(said?.kind == .deselection)
    #expect(said?.alternatives == [.paste])
  }

  @Test("Of a client that names undo and its like, another shortcut is none of them")
  func otherShortcut() {
    let states = ["keep this|∅", "keep this one|∅", "keep this|∅", "keep |∅"]
    let named = said(states, window: .full, keys: [nil, nil, .undo, .shortcut])
    #expect(named?.kind == .deletion)
    #expect(named?.removed == "this")
    let unnamed = said(["keep this|∅", "keep |∅"], window: .full, keys: [nil, .shortcut])
    #expect(unnamed?.kind == .undo)
  }

  @Test(
    "A selection longer than what is shown beside a caret is given up within it",
    arguments: [
      (
        "o three four five six se[ven eight nine ten e]leven twelve thirteen fo",
        "ur five six seven eight |nine ten eleven twelve t", Window.full, 10
      ),
      (
        "one two three four f[ive six seven eight nine ten eleven twelve thirteen fourteen fifteen "
          + "sixteen seventeen eig]hteen nineteen twenty",
        " eleven twelve thirteen |fourteen fifteen sixteen", .paragraph, 52
      ),
    ])
  func givenUp(_ old: String, _ new: String, _ window: Window, _ offset: Int) {
    let said = classifier.classify(
      Observation(old: drawn(old), new: drawn(new), evidence: Evidence(window: window)))
    #expect(said.kind == .deselection)
    #expect(said.cursorOffset?.scalars == offset)
  }

  @Test("What is selected on a later line of a paragraph's window is no text put in")
  func selectedFartherDown() {
    let line = "It was late in the evening when they came"
    let next = " home.⏎The lamps in the windows were [lit already], and somebody sang."
    let said = classifier.classify(
      Observation(
        old: drawn(line + "| home."), new: drawn(line + next),
        evidence: Evidence(window: .paragraph)))
    #expect(said.kind == .selection)
  }

  @Test(
    "A word of the next sentence that is selected is no text put in",
    arguments: ["今日は雨です|。", "今日|は雨です。"])
  func selectedInNextSentence(_ caret: String) {
    let states = ["今日は雨です。|∅", "明日。|∅", caret, "今日は雨です。[明日]。"]
    #expect(said(states, window: .sentence)?.kind == .selection)
  }

  @Test("How far the caret went to the document's empty last line is not known of unseen lines")
  func emptyLastLine() {
    let said = said(["今日は雨|", "⏎|∅"], window: .sentence)
    #expect(said?.kind == .outOfRangeTap)
    #expect(said?.cursorOffset == nil)
  }

  @Test("A word that was converted last is converted to another")
  func nextCandidate() {
    let said = said(["今|は。", "今かんじ|は。", "今漢字|は。", "今感じ|は。"], window: .sentence)
    #expect(said?.kind == .replacement)
    #expect(said?.removed == "漢字")
    #expect(said?.inserted == "感じ")
  }

  @Test("A word that was put in whole and converted may be undone, though one key erases it")
  func conversionUndone() {
    let said = said(["明|は。", "明えき|は。", "明駅|は。", "明|は。"], window: .sentence)
    #expect(said?.kind == .deletion)
    #expect(said?.alternatives.contains(.undo) ?? false)
  }

  @Test(
    "What an input method does to the text it composes is no undo",
    arguments: [(Cause.inputMethod, 2), (nil, 2), (.inputMethod, 5)] as [(Cause?, Int)])
  func conversionTakenBack(_ cause: Cause?, composed: Int) {
    func said(by key: Key?) -> Transition? {
      var session = Session()
      var said: Transition?
      for (state, before) in [
        ("今日は|", nil), ("今日はあした|", 0), ("今日は明日|", 3), ("今日はあした|", composed),
      ] as [(String, Int?)] {
        said = session.post(
          new: drawn(state),
          evidence: Evidence(
            window: .paragraph, composition: before.map { Composition(before: $0, after: 0) },
            cause: cause, key: key), with: classifier)
      }
      return said
    }
    let taken = said(by: nil)
    #expect(taken?.kind == .replacement)
    #expect(taken?.alternatives.contains(.undo) == false)
    #expect(taken?.leavesComposition == false)
    #expect(said(by: .undo)?.kind == .undo)
  }

  @Test("Text put in at once is a session's first, by whatever window it is then read")
  func firstText() {
    var session = Session(at: "∅|∅", window: nil)
    let said = session.post("Hello, how are you? |∅")
    #expect(said?.kind == .insertion)
  }

  @Test("A pair typed at the document's end is put in whole: nothing lies beyond")
  func pairAtTheEnd() {
    var session = Session(at: "hello there item⏎fo|∅", window: .full)
    session.post("hello there item⏎foo|∅")
    let said = session.post("hello there item⏎foo(|)")
    #expect(said?.kind == .insertion && said?.inserted == "()")
    #expect(said?.certainty == .certain)
  }
}
