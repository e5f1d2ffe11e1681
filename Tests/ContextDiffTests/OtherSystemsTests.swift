import ContextDiff
import Testing

/// Pairs as other systems' own tests have them: editors', toolkits' and input methods'.
@Suite struct OtherSystemsTests {
  private let classifier = Classifier()

  @Test(
    "Text beside a selection goes, or is exchanged, with it",
    arguments: [
      ("a[bc]defg", "axyz|fg", Kind.replacement, "xyz", "bcde"),
      ("abc[d]efg", "a|g", .deletion, "", "bcdef"),
      ("abc[d]efg", "ab|efg", .deletion, "", "cd"),
      ("1[2]345x", "1|5x", .deletion, "", "234"),
      ("The quick [bro]wn fox", "The quick red| fox", .replacement, "red", "brown"),
    ])
  func overSelection(_ old: String, _ new: String, kind: Kind, inserted: String, removed: String) {
    let said = said(old, new)
    #expect(said.kind == kind)
    #expect(said.inserted ?? "" == inserted)
    #expect(said.removed == removed)
  }

  @Test(
    "Beside a selection that is kept text goes, comes or is exchanged",
    arguments: [
      ("Hello [world!]∅", "Hi [world!]∅", Kind.replacement, "i", "ello"),
      ("123[456]789", "12[456]9", .deletion, "", "345678"),
      ("AAABBB[CCC]∅", "AAA****[CCC]∅", .replacement, "****", "BBB"),
      ("abcd[ef]ghij", "abc[ef]ghij", .deletion, "", "d"),
      ("  //li[ne ]2", "  li[ne ]2", .deletion, "", "//"),
      ("a𝗉[pl]𝖾", "a𝗉𝖺𝗊[pl]𝖾", .insertion, "𝖺𝗊", ""),
    ])
  func besideSelection(
    _ old: String, _ new: String, kind: Kind, inserted: String, removed: String
  ) {
    for window in [Window.sentence, .full] {
      let said = said(old, new, window)
      let names = [said.kind] + said.alternatives
      #expect(names.contains(kind), "\(window) \(names)")
      #expect(said.kind != .selection || said.certainty == .likely, "\(window)")
    }
  }

  @Test(
    "Of a short text an edit anywhere is no certain tap",
    arguments: [
      ("aaa|x", "∅|aax"), ("he|llo", "∅|heABllo"), ("∅|1⏎2⏎3⏎4⏎5⏎6", "∅|1⏎6"),
      ("abcxyz|defg", "qr|stuv"), ("∅[123]∅", "∅|text"),
    ])
  func shortText(_ old: String, _ new: String) {
    let said = said(old, new)
    #expect(said.certainty == .likely)
    let edits: [Kind] = [.insertion, .deletion, .replacement]
    #expect(([said.kind] + said.alternatives).contains(where: edits.contains))
  }

  @Test(
    "An edit that keeps the text left of the caret is named beside a tap",
    arguments: [
      ("on|e", "on|E"), ("10|1", "10|2"), ("t|wo", "t|hree"), ("(|a", "(|)"), ("1|{", "1|1"),
    ])
  func keepsBefore(_ old: String, _ new: String) {
    let said = said(old, new, .sentence)
    #expect([said.kind] + said.alternatives == [.outOfRangeTap, .replacement])
  }

  @Test(
    "More or less of the selected text, still selected, is no certain selection",
    arguments: [
      ("∅[⏎ Hello world]∅", " **[Hello world]**"), ("∅[Hello world ⏎]∅", "**[Hello world]** "),
    ])
  func selectsMoreOrLess(_ old: String, _ new: String) {
    let said = said(old, new, .paragraph)
    #expect([said.kind] + said.alternatives == [.selection, .replacement])
  }

  @Test(
    "Of an unnamed shortcut the edit that it may have made is named beside the undo",
    arguments: [
      ("one|two", "one|∅", Kind.deletion), ("one two wor|ds more", "one two | more", .deletion),
      ("fir|st⏎second", "fir|st⏎first⏎second", .insertion),
    ])
  func unnamedShortcut(_ old: String, _ new: String, kind: Kind) {
    let said = said(old, new, .full, key: .shortcut)
    #expect([said.kind] + said.alternatives.prefix(1) == [.undo, kind])
  }

  @Test(
    "Return that indents, or goes on with a list, is one insertion",
    arguments: [
      ("    foo|∅", "    foo⏎    |∅", Window.paragraph, "\n    "),
      ("{|∅", "{⏎    |∅", .paragraph, "\n    "), ("- milk|∅", "- milk⏎- |∅", .full, "\n- "),
    ])
  func continuedLine(_ old: String, _ new: String, _ window: Window, _ inserted: String) {
    let said = said(old, new, window)
    #expect(said.kind == .insertion)
    #expect(said.inserted == inserted)
  }

  @Test(
    "A field's only word exchanged is a replacement",
    arguments: [
      ("tgis|∅", "this |∅", "his ", "gis"), ("あ|∅", "い|∅", "い", "あ"), ("a|∅", "â|∅", "â", "a"),
      ("aiueo|∅", "あいうえお|∅", "あいうえお", "aiueo"), ("🐶|∅", "🐯|∅", "🐯", "🐶"),
      ("集合|∅", "宗号|∅", "宗号", "集合"),
    ])
  func onlyWord(_ old: String, _ new: String, inserted: String, removed: String) {
    let said = said(old, new)
    #expect(said.kind == .replacement)
    #expect(said.inserted == inserted)
    #expect(said.removed == removed)
  }

  @Test("A backspace that empties a field sent nothing", arguments: ["foo|bar", "(|)", "hello|∅"])
  func backspaced(_ old: String) {
    let said = said(old, "∅|∅", key: .backspace)
    #expect(said.kind == .deletion)
    #expect(!said.alternatives.contains(.submission))
  }

  @Test("A run of terminators goes at once")
  func terminators() {
    #expect(said("one|...", "one|two", .sentence).kind == .deletion)
    #expect(said("もう一度|。。。", "もう一度|そして", .sentence).kind == .deletion)
  }

  @Test(
    "Return in a list, or a comment, begins the next line as the last began",
    arguments: [
      ("> > one|∅", "> > |∅"), ("- buy milk|∅", "- |∅"), ("  // note|∅", "  // |∅"),
    ])
  func nextItem(_ old: String, _ new: String) {
    for window in [Window.sentence, .line] {
      let unsaid = said(old, new, window)
      #expect(([unsaid.kind] + unsaid.alternatives).contains(.insertion), "\(window)")
      #expect(said(old, new, window, key: .return).kind == .insertion, "\(window)")
    }
  }

  @Test("Return between brackets puts in two line breaks")
  func block() {
    for (old, new, window) in [
      ("let x = {|}", "  |", Window.sentence), ("let x = {|}", "  |∅", .line),
      ("foo( | )", "⏎|", .sentence),
    ] {
      let said = said(old, new, window)
      #expect(said.kind == .insertion, "\(window) \(said.alternatives)")
      #expect(said.inserted?.first == "\n" && said.inserted?.last == "\n")
    }
  }

  @Test("A pair that shows line breaks as no sentence does is read by the window that shows them")
  func untoldWindow() {
    #expect(said("foo|∅", "foo⏎|∅", nil).kind == .insertion)
    #expect(said("foo⏎a|⏎bar", "foo⏎ab|⏎bar", nil).kind == .insertion)
    let block = said("let x = {|}", "let x = {⏎  |⏎}", nil)
    #expect(block.kind == .insertion)
    #expect(block.inserted == "\n  \n")
  }

  @Test("An input method that exchanges what it composes leaves it nowhere, wherever the caret is")
  func composed() {
    for (old, new, before) in [
      ("abcxyz|defg", "abc|pqrstdefg", 3), ("Aつる|DE", "A|鶴DE", 2), ("hijkl|∅", "∅|mn", 5),
    ] {
      let said = said(
        old, new, composition: Composition(before: before, after: 0), cause: .inputMethod)
      #expect(said.kind == .replacement, "\(old)")
      #expect(said.leavesComposition == false, "\(old)")
    }
    // Who did it need not be told.
    let unsaid = said("ぱ|∅", "ぴゃ|∅", .sentence, composition: Composition(before: 1, after: 0))
    #expect(unsaid.kind == .replacement)
  }

  @Test("An emptied line that may be another line takes no certain text")
  func doubtedSubmission() {
    var session = Session()
    var said: Transition?
    for state in [
      "The first line|∅", "The first line.|∅", "∅|∅", "A line that nobody saw|∅",
    ] {
      said = session.post(
        new: drawn(state), pasteboard: "other", evidence: Evidence(window: .full),
        with: classifier)
    }
    #expect(said?.certainty == .likely)
    #expect(said.map { [$0.kind] + $0.alternatives }?.contains(.outOfRangeTap) ?? false)
  }

  // From web-platform-tests' delete.js and Compose's BackspaceCommandTest.
  @Test(
    "One character, with its marks, or one mark goes",
    arguments: [
      ("foo\u{F6}|bar", "foo|bar", "\u{F6}"), ("o\u{308}|bar", "o|bar", "\u{308}"),
      ("foo\u{308}\u{327}|bar", "foo\u{308}|bar", "\u{327}"),
      (
        "\u{5E9}\u{5C1}\u{5B8}|\u{5DC}\u{5D5}\u{5DD}", "\u{5E9}\u{5C1}|\u{5DC}\u{5D5}\u{5DD}",
        "\u{5B8}"
      ),
      ("foo⏎⏎|bar", "foo⏎|bar", "\n"), ("😀|😁😂😃😄", "∅|😁😂😃😄", "😀"),
      ("👨‍👩‍👧‍👦|👨‍👩‍👧‍👦", "∅|👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"),
    ])
  func oneBackspace(_ old: String, _ new: String, removed: String) {
    let said = said(old, new)
    #expect(said.kind == .deletion)
    #expect(said.certainty == .certain)
    #expect(said.removed == removed)
  }

  // From rustyline's emacs.rs, Slate's transforms, Textual's test_edit_via_bindings and JLine's EditLineTest.
  @Test(
    "Words and ends of lines go",
    arguments: [
      ("Hello, wor|ld!", "Hello, |ld!", "wor"), ("Hello|, world!", "Hello|!", ", world"),
      ("Hi|foo⏎bar", "Hi|⏎bar", "foo"), ("foo⏎bar|Hi", "foo⏎|Hi", "bar"),
      ("Hi|⏎bar", "Hi|bar", "\n"), ("one two thr|ee", "one two |ee", "thr"),
      ("word🇫🇷|∅", "word|∅", "🇫🇷"), ("word|⏎another", "word|another", "\n"),
      ("01234|56789", "01234|∅", "56789"), ("This is a test|∅", "This is a |∅", "test"),
      ("Long as she does it quiet-like|∅", "Long as she does it quiet-|∅", "like"),
    ])
  func killed(_ old: String, _ new: String, removed: String) {
    let said = said(old, new)
    #expect(said.kind == .deletion)
    #expect(said.certainty == .certain)
    #expect(said.removed == removed)
  }

  // From VSCodeVim's modeNormal, IdeaVim's MotionQuoteActionTest, evil-tests and smartparens' commands.
  @Test(
    "What a command takes around the caret is one deletion",
    arguments: [
      ("one <blink>he|llo</blink> two", "one | two", "<blink>hello</blink>"),
      ("foo⏎⏎bar baz⏎bar |baz⏎⏎fun", "foo⏎⏎|⏎fun", "bar baz\nbar baz\n"),
      ("foo (bar b|az qux) quux", "foo (|) quux", "bar baz qux"),
      ("foo \"bar b|az qux\" quux", "foo \"|\" quux", "bar baz qux"),
      ("test <div><p>({((|))})</p></div> test;", "test | test;", "<div><p>({(())})</p></div>"),
      ("foo (asdad asd (some-func) asdasd|) bar", "foo | bar", "(asdad asd (some-func) asdasd)"),
    ])
  func takenAround(_ old: String, _ new: String, removed: String) {
    let said = said(old, new)
    #expect(said.kind == .deletion)
    #expect(said.removed == removed)
  }

  // From VSCodeVim's modeNormal and smartparens' commands.
  @Test(
    "All text that goes from both sides of the caret may be erased",
    arguments: [
      "Hello, |world", "Two roads diverged in a |wood, and I⏎I took the one less traveled by",
      "(progn (some |long sexp))",
    ])
  func allGone(_ old: String) {
    let said = said(old, "∅|∅")
    #expect(said.kind == .submission)
    #expect(said.alternatives.contains(.deletion))
  }

  // From Emacs' simple-tests and electric-tests, smartparens' insertion, vscode-markdown's listEditing, Helix'
  // insert.rs and obsidian-outliner.
  @Test(
    "An editor puts in more than was typed",
    arguments: [
      ("(a b| c d)", "(a b⏎| c d)", "\n"), ("(a b| c d)", "(a b|⏎ c d)", "\n"),
      ("|(a b c d)", "- - |⏎(a b c d)", "- - \n"), (" |(())  ", " (|)(())  ", "()"),
      ("\"foo | bar\"", "\"foo \\\"|\\\" bar\"", "\\\"\\\""),
      ("char x = |∅", "char x = '|'", "''"), ("* item1|∅", "* item1⏎* |∅", "\n* "),
      ("1.  item1|∅", "1.  item1⏎2.  |∅", "\n2.  "),
      ("// Hello world!|⏎⏎", "// Hello world!⏎// |⏎⏎", "\n// "),
      ("- one⏎  - tw|o", "- one⏎  - tw⏎  - |o", "\n  - "),
    ])
  func putInByEditor(_ old: String, _ new: String, inserted: String) {
    let said = said(old, new)
    #expect(said.kind == .insertion)
    #expect(said.inserted == inserted)
  }

  // From Calva's and Emacs' paredit, smartparens' commands, CKEditor's autoformat and IdeaVim's
  // ChangeCaseToggleCharacterActionTest.
  @Test(
    "What leaves the caret for the window's end, or comes to both, is no certain deletion or insertion",
    arguments: [
      ("(str|) \"foo\"", "(str| \"foo\")"), ("(foo bar |baz)", "foo bar (|baz)"),
      ("(foo|) bar baz", "(foo| bar baz)"), ("|#(foo)", "(|#(foo))"),
      ("foo |bar baz", "foo (|bar baz)"), ("foo   bar|⏎baz", "baz⏎foo   bar|∅"),
      ("**foobar*|∅", "foobar|∅"), ("foobar|∅", "**foobar**|∅"),
      ("Oh, hi Mar|k", "Oh, hi Mar|K"),
    ])
  func movedFarOff(_ old: String, _ new: String) {
    let said = said(old, new)
    #expect(([said.kind] + said.alternatives).contains(.replacement))
  }

  // From obsidian-outliner's EnterBehaviourOverride and ListsMovementCommands, and vscode-markdown's
  // listEditing.
  @Test(
    "Text farther left that goes or comes leaves the text next to the caret",
    arguments: [
      ("- one⏎  - two⏎    - |∅", "- one⏎  - two⏎  - |∅", Kind.deletion),
      ("- item1⏎  - |∅", "- item1⏎- |∅", .deletion),
      ("- qwe⏎  - qwe⏎  - q|we", "- qwe⏎  - qwe⏎    - q|we", .insertion),
      ("- |item1", "    - |item1", .insertion), ("    1. |item1", "1. |item1", .deletion),
    ])
  func fartherLeft(_ old: String, _ new: String, kind: Kind) {
    let said = said(old, new)
    #expect(said.certainty == .likely)
    #expect(([said.kind] + said.alternatives).contains(kind))
  }

  // From VSCodeVim's modeVisual and surround, IdeaVim's IncrementNumberActionTest and paredit.
  @Test(
    "A text in another case, or with more or less in it, is no certain tap",
    arguments: [
      ("ar|ch linux", "∅|ARCH LINUX"), ("∅|OnE TwO tHrEe", "oNe twO |ThrEe"),
      ("∅|0xDEAD", "0xDEA|E"), ("∅|test-0116", "test-011|7"),
      ("o|ne two three", "\"one\" two |\"three\""),
      ("∅|she sells", "∅|(she) (sells)"),
    ])
  func resembles(_ old: String, _ new: String) {
    for window in [Window.sentence, .line, .full] {
      let said = said(old, new, window)
      #expect(said.certainty == .likely, "\(window)")
      let edits: [Kind] = [.insertion, .deletion, .replacement]
      #expect(([said.kind] + said.alternatives).contains(where: edits.contains), "\(window)")
    }
  }

  // From NeoVintageous' test__plugin_surround, Zed's surrounds.rs and nvim-ts-autotag's renametag_spec.
  @Test(
    "A text of which the middle is kept is no certain tap",
    arguments: [
      ("<di|v> dsadsa </div> ", "<lala|> dsadsa </lala> "),
      ("<div class=\"lla\"> dsadsa </di|v> ", "<lala class=\"lla\"> dsadsa </lal|a> "),
      ("'|foobar'", "∅|{foobar}"), ("'  |a  '", "∅|{  a  }"),
    ])
  func keepsMiddle(_ old: String, _ new: String) {
    for window in [Window.sentence, .line, .full] {
      let said = said(old, new, window)
      #expect(said.certainty == .likely, "\(window)")
      #expect(([said.kind] + said.alternatives).contains(.replacement), "\(window)")
    }
  }

  // From NeoVintageous' test__ex_sort and Zed's convert.rs and increment.rs.
  @Test(
    "Of a short document a replacement is named beside a tap, whatever else is",
    arguments: [
      ("∅|1⏎2⏎5⏎3⏎4⏎2⏎5⏎", "∅|5⏎4⏎3⏎2⏎1⏎"), ("ab|C⏎", "∅|ABC⏎"), ("11|1⏎", "∅|0⏎"),
    ])
  func shortDocument(_ old: String, _ new: String) {
    let said = said(old, new)
    #expect(([said.kind] + said.alternatives).contains(.replacement))
  }

  @Test(
    "Other text whose letters begin with the same bytes is no edit farther left",
    arguments: [
      ("∅|村の牧人で", "∅|笛を吹き羊と遊んで"), ("∅|가나다", "∅|라마바사"),
      ("∅|ab", "∅|cadb"),
    ])
  func unlike(_ old: String, _ new: String) {
    let said = said(old, new)
    #expect(said.kind == .outOfRangeTap)
    #expect(!said.alternatives.contains(.deletion) && !said.alternatives.contains(.insertion))
  }

  @Test("A word that is selected as it comes was not deleted farther left")
  func completedFartherLeft() {
    let said = said("hello ab|", "hello [xyz]")
    #expect(!said.alternatives.contains(.deletion))
  }

  @Test(
    "A word corrected far left of the caret is exchanged, however much follows it",
    arguments: [Window.full, .paragraph, .sentence])
  func correctedFarOff(_ window: Window) {
    for follows in [
      "ers", " the letters from my friend", " the letters from my old friend every month",
    ] {
      let said = said("I recieve\(follows)|", "I receive\(follows)|", window)
      #expect(said.kind == .replacement, "\(follows)")
      #expect(said.removed?.hasSuffix(follows) ?? false && said.cursorOffset?.scalars == 0)
    }
  }

  @Test(
    "A paste that the field tidies is a paste",
    arguments: [
      ("HELLO |", "HELLO FOO BAR|", "FOO\t\tBAR"), ("|", "123456|", " 123456"),
      ("No. |", "No. 123456|", "123456 "), ("4|", "41234 5678|", "12345678"),
    ])
  func tidiedPaste(_ old: String, _ new: String, pasteboard: String) {
    for window in [Window.full, .sentence] {
      let said = classifier.classify(
        Observation(
          old: drawn(old), new: drawn(new), pasteboard: pasteboard,
          evidence: Evidence(window: window)))
      let come = String(new.dropLast().dropFirst(old.count - 1))
      #expect(said.kind == .paste && said.inserted == come, "\(window)")
    }
  }

  @Test(
    "Text taken away up to its sentence's end may be a deletion: the next sentence is shown",
    arguments: [
      ("Hello wor|ld. ", "Hello wor|Next one."), ("今日は天気が|いい。", "今日は天気が|明日は雨。"),
    ])
  func takenToSentenceEnd(_ old: String, _ new: String) {
    let said = said(old, new, .sentence)
    #expect(([said.kind] + said.alternatives).contains(.deletion))
    #expect(said.certainty == .likely)
  }

  @Test("A selection exchanged at a sentence's start, the caret left in the new text")
  func exchangedAtSentenceStart() {
    let said = said("上です。[123456789]。", "123text|789。", .sentence)
    #expect(said.kind == .replacement)
    #expect(said.inserted == "123text789")
  }

  @Test("What a host that never tells its selection says of it is passed over")
  func hiddenSelection() {
    let old = Snapshot(before: "abc", after: "x")
    var new = Snapshot(before: "abcd", after: "x", selectionShown: false)
    let evidence = Evidence(window: .full)
    let plain = classifier.classify(Observation(old: old, new: new, evidence: evidence))
    new.selected = "ignored"
    let told = classifier.classify(Observation(old: old, new: new, evidence: evidence))
    #expect(told.inserted == "d" && told == plain)
    var session = Session()
    _ = session.post(new: new, evidence: evidence, with: classifier)
    let more = Snapshot(before: "abcde", selected: "other", after: "x", selectionShown: false)
    let next = session.post(old: new, new: more, evidence: evidence, with: classifier)
    #expect(next?.kind == .insertion && next?.inserted == "e")
  }
}
