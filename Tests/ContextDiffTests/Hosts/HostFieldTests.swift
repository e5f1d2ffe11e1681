import ContextDiff
import Testing

/// Draws a snapshot as `before|after` or `before[selected]after`, a newline as `⏎`, and behind it `?`
/// where the host does not show what is selected.
private func drawing(_ news: HostNews?) -> String? {
  guard let snapshot = news?.snapshot else { return nil }
  let mark = snapshot.selected.map { "[\($0)]" } ?? "|"
  let text = (snapshot.before ?? "") + mark + (snapshot.after ?? "")
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.joined(separator: "⏎") + (snapshot.selectionShown == false ? "?" : "")
}

/// What a field's first news look like.
private func told(
  _ frontEnd: FrontEnd, _ toolkit: Toolkit?, _ text: String, _ cursor: Int, _ anchor: Int
) throws -> String? {
  var field = HostField(frontEnd, toolkit: toolkit)
  return drawing(try field.surroundingText(text, cursor: cursor, anchor: anchor))
}

/// The repairs of what hosts tell wrong, each with what is told and what the application's state was.
@Suite struct HostRepairTests {
  @Test(
    "Qt's offsets under IBus count UTF-16 units, others' characters, Wayland's bytes",
    arguments: [
      (FrontEnd.ibus, Toolkit?.some(.qt), 3), (.ibus, .gtk3, 2), (.ibus, nil, 2), (.fcitx5, .qt, 2),
      (.fcitx5Wayland, .qt, 2), (.wayland, .qt, 5), (.wayland, nil, 5), (.android, nil, 3),
      (.atspi, nil, 2),
    ])
  func units(_ frontEnd: FrontEnd, _ toolkit: Toolkit?, _ cursor: Int) throws {
    #expect(try told(frontEnd, toolkit, "a😀b", cursor, cursor) == "a😀|b")
  }

  @Test("Qt's selection from an earlier block is a negative anchor, IBus's a large one")
  func negativeAnchor() throws {
    #expect(try told(.ibus, .qt, "second", 3, Int(UInt32.max) - 4) == "[sec]ond")
    #expect(try told(.ibus, .qt, "second", 3, -5) == "[sec]ond")
    #expect(try told(.ibus, .qt, "second", 3, 11) == "sec[ond]")
  }

  @Test("GTK 4 under IBus tells the bound, and the caret mirrored around it")
  func mirrored() throws {
    // The caret at 8, the other end at 6: 2 · 6 − 8 = 4.
    #expect(try told(.ibus, .gtk4, "hello wonderful", 6, 4) == "hello [wo]nderful")
    // The caret at 4, the other end at 6.
    #expect(try told(.ibus, .gtk4, "hello wonderful", 6, 8) == "hell[o ]wonderful")
    #expect(try told(.ibus, .gtk4, "hello", 2, 2) == "he|llo")
  }

  @Test("A mirrored caret that was cut off at the text's ends is not known")
  func mirroredAndCutOff() throws {
    #expect(try told(.ibus, .gtk4, "hello wonderful", 2, 0) == "he|llo wonderful?")
    #expect(try told(.ibus, .gtk4, "hello wonderful", 12, 15) == "hello wonder|ful?")
    // Where only one place could have been cut off, it is that one.
    #expect(try told(.ibus, .gtk4, "abcd", 2, 0) == "ab[cd]")
    #expect(try told(.ibus, .gtk4, "abcd", 2, 4) == "[ab]cd")
  }

  @Test("GTK 4 swaps the ends under fcitx5 and on Wayland")
  func swapped() throws {
    var field = HostField(.fcitx5, toolkit: .gtk4)
    // The document's caret was at 2, and what is told as the cursor is the selection's other end.
    #expect(drawing(try field.surroundingText("hello", cursor: 4, anchor: 2)) == "he[ll]o")
    #expect(try told(.wayland, .gtk4, "hello", 9, 2) == "he[llo]")
    // So that it is the anchor that must lie in the text.
    #expect(throws: HostField.OutOfText.anchor) {
      try told(.wayland, .gtk4, "hello", 2, 9)
    }
  }

  @Test("Qt shows a selection up to the block's end that is none, on Wayland and to fcitx5")
  func falseSelection() throws {
    for frontEnd in [FrontEnd.wayland, .fcitx5Wayland, .fcitx5] {
      #expect(try told(frontEnd, .qt, "hello", 2, 5) == "he|llo?")
      var field = HostField(frontEnd, toolkit: .qt)
      _ = try field.surroundingText("hello", cursor: 5, anchor: 5)
      // It began at the end: Shift and Left.
      #expect(drawing(try field.surroundingText("hello", cursor: 4, anchor: 5)) == "hell[o]")
      #expect(drawing(try field.surroundingText("hello", cursor: 3, anchor: 5)) == "hel[lo]")
      // Not in another block.
      #expect(drawing(try field.surroundingText("other", cursor: 3, anchor: 5)) == "oth|er?")
      #expect(drawing(try field.surroundingText("other", cursor: 2, anchor: 5)) == "ot|her?")
    }
    #expect(try told(.ibus, .qt, "hello", 2, 5) == "he[llo]")
    #expect(try told(.wayland, .qt, "hello", 5, 2) == "he[llo]")
  }

  @Test("The next line behind GTK 3's caret, and the one above Firefox's, are not the caret's line")
  func secondLine() throws {
    #expect(try told(.ibus, .gtk3, "first\nsecond", 5, 5) == "first|")
    #expect(try told(.ibus, .gtk3, "first\nsecond", 5, 2) == "fi[rst]")
    #expect(try told(.ibus, .firefox, "first\nsecond", 6, 6) == "|second?")
    // With a selection Firefox shows all its lines.
    #expect(try told(.ibus, .firefox, "first\nsecond\nthird", 8, 8) == "se|cond?")
    #expect(try told(.ibus, .gtk4, "first\nsecond", 5, 5) == "first|⏎second")
    #expect(try told(.ibus, nil, "first\nsecond", 5, 5) == "first|⏎second")
  }

  @Test("Firefox, and GTK 3 on Wayland, never tell what is selected")
  func hiddenSelection() throws {
    #expect(try told(.fcitx5, .firefox, "hello", 2, 4) == "he|llo?")
    #expect(try told(.wayland, .gtk3, "hello", 2, 2) == "he|llo?")
    #expect(try told(.ibus, .gtk3, "hello", 2, 4) == "he[ll]o")
  }

  @Test("Firefox shows a commit's caret before its text: nothing new, until the text comes")
  func caretFirst() throws {
    var field = HostField(.fcitx5, toolkit: .firefox)
    _ = try field.surroundingText("雨", cursor: 1, anchor: 1)
    field.commit("と")
    // Beyond the line's end is the next line's start, where the line above is shown, too.
    #expect(try field.surroundingText("雨\n", cursor: 2, anchor: 2) == nil)
    #expect(drawing(try field.surroundingText("雨と", cursor: 2, anchor: 2)) == "雨と|?")
    // Two at once, each shown by its caret first.
    field.commit("か")
    field.commit("も")
    #expect(try field.surroundingText("雨と\n", cursor: 3, anchor: 3) == nil)
    #expect(try field.surroundingText("next", cursor: 1, anchor: 1) == nil)
    #expect(drawing(try field.surroundingText("雨とかも", cursor: 4, anchor: 4)) == "雨とかも|?")
    // One that shows the text at once is believed at once.
    field.commit("が")
    #expect(drawing(try field.surroundingText("雨とかもが", cursor: 5, anchor: 5)) == "雨とかもが|?")
    _ = try field.surroundingText("雨とかも", cursor: 4, anchor: 4)
    // A host that put in something else is believed the second time.
    field.commit("ね")
    #expect(try field.surroundingText("雨とかも", cursor: 2, anchor: 2) == nil)
    #expect(drawing(try field.surroundingText("雨とかも", cursor: 3, anchor: 3)) == "雨とか|も?")
  }

  @Test("What may have been done besides a commit is news, from Firefox too")
  func notCaretFirst() throws {
    func told(_ toolkit: Toolkit, _ committed: String?, key: UInt32? = nil) throws -> String? {
      var field = HostField(.ibus, toolkit: toolkit)
      _ = try field.surroundingText("abcd", cursor: 1, anchor: 1)
      if let committed { field.commit(committed) }
      if let key { field.key(keysym: key, modifiers: 0) }
      return drawing(try field.surroundingText("abcd", cursor: 2, anchor: 2))
    }
    #expect(try told(.firefox, "x") == nil)
    #expect(try told(.firefox, nil) == "ab|cd?")
    #expect(try told(.firefox, "") == "ab|cd?")
    #expect(try told(.firefox, "x", key: 0xFF53) == "ab|cd?")
    for toolkit in [Toolkit.gtk3, .gtk4, .qt] { #expect(try told(toolkit, "x") == "ab|cd") }
    // Nor is it what a field begins with that the focus has just come to.
    var field = HostField(.ibus, toolkit: .firefox)
    field.commit("x")
    #expect(try field.surroundingText("abcd", cursor: 1, anchor: 1) == nil)
    #expect(drawing(try field.surroundingText("xabcd", cursor: 1, anchor: 1)) == "x|abcd?")
    field.commit("x")
    field.focusIn()
    #expect(drawing(try field.surroundingText("abcd", cursor: 2, anchor: 2)) == "ab|cd?")
  }

  @Test("After the focus came through IBus, the field before's text is nothing new")
  func oldFieldsText() throws {
    var field = HostField(.ibus, toolkit: .gtk3)
    field.key(keysym: 0x61, modifiers: 0)
    _ = try field.surroundingText("the old field", cursor: 3, anchor: 3)
    field.key(keysym: 0x61, modifiers: 0)
    field.reset()
    field.focusIn()
    #expect(try field.surroundingText("the old field", cursor: 3, anchor: 3) == nil)
    let news = try #require(try field.surroundingText("the new", cursor: 7, anchor: 7))
    #expect(drawing(news) == "the new|")
    // What was pressed there says nothing of this field.
    #expect(news.evidence.key == Key.unpressed && !news.evidence.reset)
  }

  @Test("The former field's text comes once: told again, it is this field's own")
  func oldFieldsTextAgain() throws {
    var field = HostField(.ibus, toolkit: .gtk3)
    _ = try field.surroundingText("both fields", cursor: 3, anchor: 3)
    field.focusIn()
    #expect(try field.surroundingText("both fields", cursor: 3, anchor: 3) == nil)
    #expect(
      drawing(try field.surroundingText("both fields", cursor: 3, anchor: 3)) == "bot|h fields")
    #expect(try field.surroundingText("both fields", cursor: 3, anchor: 3) == nil)
  }

  @Test("After a report that cannot be read, the last one again is news")
  func skipped() throws {
    var field = HostField(.ibus, toolkit: .gtk3)
    _ = try field.surroundingText("text", cursor: 3, anchor: 3)
    field.skip()
    #expect(drawing(try field.surroundingText("text", cursor: 3, anchor: 3)) == "tex|t")
  }

  @Test(
    "Elsewhere, a field with the text of the one before is told",
    arguments: FrontEnd.allCases.filter { $0 != .ibus })
  func equalText(frontEnd: FrontEnd) throws {
    var field = HostField(frontEnd)
    _ = try field.surroundingText("", cursor: 0, anchor: 0)
    #expect(try field.surroundingText("", cursor: 0, anchor: 0) == nil)
    field.focusIn()
    let news = try #require(try field.surroundingText("", cursor: 0, anchor: 0))
    #expect(drawing(news) == "|")
  }

  @Test("A caret beyond the text is none; an anchor beyond it is at the text's edge")
  func beyondTheText() throws {
    for (frontEnd, toolkit) in [(FrontEnd.ibus, Toolkit?.none), (.ibus, .gtk4), (.wayland, .gtk3)] {
      for cursor in [6, -1, Int.max, Int.min] {
        #expect(throws: HostField.OutOfText.cursor) {
          try told(frontEnd, toolkit, "hello", cursor, cursor)
        }
      }
    }
    #expect(try told(.fcitx5, nil, "hello", 2, Int.max) == "he[llo]")
    #expect(try told(.fcitx5, nil, "hello", 2, Int.min) == "[he]llo")
    #expect(try told(.fcitx5, nil, "", 0, 0) == "|")
  }

  @Test("An offset inside a scalar is before it")
  func insideAScalar() throws {
    #expect(try told(.wayland, nil, "a😀b", 3, 3) == "a|😀b")
    #expect(try told(.wayland, nil, "か\u{3099}", 4, 4) == "か|\u{3099}")
    #expect(try told(.android, nil, "a😀b", 2, 2) == "a|😀b")
    #expect(try told(.android, nil, "a😀b", 2, 3) == "a[😀]b")
  }

  @Test("AT-SPI's offsets are places in the document")
  func documentCaret() throws {
    var field = HostField(.atspi)
    let news = try field.surroundingText("a😀b", cursor: 3, anchor: 2)
    #expect(news?.snapshot.caret == 2)
    #expect(news?.evidence.window == .full)
  }
}

/// What lies between two news.
@Suite struct HostEvidenceTests {
  private let a: UInt32 = 0x61
  private let left: UInt32 = 0xFF51

  @Test("Each key that went to the host is told with the next news, once")
  func keys() throws {
    var field = HostField(.ibus, toolkit: .qt)
    #expect(try field.surroundingText("", cursor: 0, anchor: 0)?.evidence.key == nil)
    field.key(keysym: a, modifiers: 0)
    #expect(try field.surroundingText("a", cursor: 1, anchor: 1)?.evidence.key == .character)
    #expect(try field.surroundingText("a", cursor: 0, anchor: 0)?.evidence.key == Key.unpressed)
    field.key(keysym: 0xFFE1, modifiers: 0)
    field.key(keysym: left, modifiers: 1)
    #expect(try field.surroundingText("a", cursor: 0, anchor: 1)?.evidence.key == .caret)
  }

  @Test("Keys of one class are that class; of several, several acts")
  func several() throws {
    var field = HostField(.ibus, toolkit: .qt)
    for _ in 0..<3 { field.key(keysym: a, modifiers: 0) }
    var news = try #require(try field.surroundingText("aaa", cursor: 3, anchor: 3))
    #expect(news.evidence.key == .character && !news.evidence.merged)
    field.key(keysym: left, modifiers: 0)
    field.key(keysym: a, modifiers: 0)
    news = try #require(try field.surroundingText("aaaa", cursor: 3, anchor: 3))
    #expect(news.evidence.key == nil && news.evidence.merged)
    field.key(keysym: 0xFF1B, modifiers: 0)
    news = try #require(try field.surroundingText("", cursor: 0, anchor: 0))
    #expect(news.evidence.key == nil && !news.evidence.merged)
  }

  @Test("A reset says that nobody typed, but for Firefox")
  func resets() throws {
    for toolkit in [Toolkit.gtk3, .gtk4, .qt, .firefox] {
      var field = HostField(.ibus, toolkit: toolkit)
      field.reset()
      #expect(
        try field.surroundingText("a", cursor: 1, anchor: 1)?.evidence.reset
          == (toolkit != .firefox))
      #expect(try field.surroundingText("ab", cursor: 2, anchor: 2)?.evidence.reset == false)
    }
  }

  @Test(
    "Windows by toolkit",
    arguments: [
      (Toolkit?.some(.gtk3), Window?.some(.line)), (.qt, .line), (.firefox, .line), (.gtk4, .full),
      (.chromium, nil), (nil, nil),
    ])
  func windows(_ toolkit: Toolkit?, _ window: Window?) throws {
    var field = HostField(.fcitx5, toolkit: toolkit)
    #expect(try field.surroundingText("a", cursor: 1, anchor: 1)?.evidence.window == window)
  }

  @Test("The same again is nothing new")
  func repeated() throws {
    var field = HostField(.wayland)
    #expect(try field.surroundingText("a", cursor: 1, anchor: 1) != nil)
    #expect(try field.surroundingText("a", cursor: 1, anchor: 1) == nil)
    #expect(try field.surroundingText("a", cursor: 1, anchor: 0) != nil)
    #expect(try field.surroundingText("a", cursor: 1, anchor: 1) != nil)
  }

  @Test(
    "Toolkits by what their clients say",
    arguments: [
      ("gtk3-im:mousepad", String?.none, Toolkit?.some(.gtk3)), ("gtk4-im", nil, .gtk4),
      ("gtk3-im:firefox-esr", nil, .firefox), ("gtk3-im", "/usr/lib/firefox/firefox", .firefox),
      ("gtk3-im:chromium", nil, .chromium), ("QIBusInputContext", nil, .qt), ("xim", nil, nil),
      ("", nil, nil), (":", nil, nil), ("gtk3-im:", "", .gtk3),
    ])
  func toolkits(_ client: String, _ program: String?, _ toolkit: Toolkit?) {
    #expect(Toolkit(client: client, program: program) == toolkit)
  }

  @Test("Where the focus goes to another program, the toolkit is told anew")
  func anotherProgram() throws {
    var field = HostField(.fcitx5, toolkit: .gtk4)
    field.toolkit = Toolkit(program: "/usr/lib/firefox/firefox")
    field.focusIn()
    #expect(field.toolkit == .firefox)
    #expect(drawing(try field.surroundingText("hello", cursor: 2, anchor: 4)) == "he|llo?")
  }

  @Test(
    "Keys by keysym and modifiers",
    arguments: [
      (0x61, 0, Key?.some(.character)), (0x61, 4, .shortcut), (0x61, 1, .character),
      (0x61, 8, .shortcut), (0x61, 0x40, .shortcut), (0x61, 1 << 26, .shortcut),
      (0x61, 0x80, .character), (0x61, 0x10, .character), (0x0100_3042, 0, .character),
      (0x4B1, 0, .character), (0x20AC, 0, .character), (0xFFB1, 0x10, .character),
      (0xFF0D, 0, .return), (0xFF8D, 1, .return), (0xFF0D, 4, .shortcut), (0xFF08, 0, .backspace),
      (0xFF08, 4, .backspace), (0xFF08, 8, .shortcut), (0xFFFF, 4, .delete), (0xFF9F, 4, .delete),
      (0xFFFF, 5, .shortcut), (0xFFFF, 0x40, .shortcut), (0xFFFF, 0, .delete),
      (0xFFFF, 1, .cut), (0xFF9F, 1, .cut), (0xFF9F, 0, .delete),
      (0xFF51, 0, .caret), (0xFF51, 5, .caret), (0xFF96, 0, .caret), (0xFF56, 4, .caret),
      (0xFF63, 1, .paste), (0xFF63, 0, nil), (0xFF63, 4, .shortcut), (0xFFE1, 0, nil),
      (0x7A, 4, .undo), (0x5A, 6, .undo), (0x5A, 5, .redo), (0x79, 4, .redo), (0x59, 5, .shortcut),
      (0x78, 4, .cut), (0x58, 5, .shortcut), (0x76, 4, .paste), (0x56, 5, .paste),
      (0x7A, 12, .shortcut), (0x7A, 0x44, .shortcut), (0x63, 4, .shortcut), (0x6DA, 4, .shortcut),
      (0xFF65, 0, .undo), (0xFF66, 0, .redo), (0x1008_FF57, 0, .shortcut),
      (0x1008_FF58, 0, .cut), (0x1008_FF6D, 0, .paste),
      (0xFF1B, 0, nil), (0xFFBE, 0, nil), (0xFE51, 0, nil), (0, 0, nil), (0xFFFF_FFFF, 0, nil),
    ])
  func keysyms(_ keysym: Int, _ modifiers: Int, _ key: Key?) {
    #expect(Key(keysym: UInt32(keysym), modifiers: UInt32(modifiers)) == key)
  }

  @Test("Shortcuts are acts of their own: two of them are several")
  func shortcuts() throws {
    var field = HostField(.ibus, toolkit: .qt)
    field.key(keysym: 0x7A, modifiers: 4)
    #expect(try field.surroundingText("a", cursor: 1, anchor: 1)?.evidence.key == .undo)
    field.key(keysym: 0x7A, modifiers: 4)
    field.key(keysym: 0x7A, modifiers: 4)
    let news = try #require(try field.surroundingText("", cursor: 0, anchor: 0))
    #expect(news.evidence.key == nil && news.evidence.merged)
  }

  @Test("Posted to a session, a field's news come out as readings")
  func posted() throws {
    var session = Session()
    var field = HostField(.ibus, toolkit: .gtk3)
    let classifier = Classifier()
    let first = try #require(try field.surroundingText("こん", cursor: 2, anchor: 2))
    #expect(session.post(first, with: classifier) == nil)
    field.key(keysym: a, modifiers: 0)
    let second = try #require(try field.surroundingText("こんa", cursor: 3, anchor: 3))
    #expect(session.post(second, with: classifier)?.kind == .insertion)
  }
}

/// What a session makes of a field's news.
@Suite struct HostNewsTests {
  @Test("A line killed by a shortcut that is none of undo's is not certainly undone")
  func killedLine() throws {
    var session = Session()
    var field = HostField(.fcitx5, toolkit: .gtk4)
    var said: Transition?
    for (text, keysym, modifiers) in [
      ("foo\n", 0xFF0D, 0), ("foo\nw", 0x77, 0), ("foo\nwo", 0x6F, 0), ("foo\nwo ", 0x20, 0),
      ("foo\nwo w", 0x77, 0), ("foo\n", 0x75, 4),
    ] as [(String, UInt32, UInt32)] {
      field.key(keysym: keysym, modifiers: modifiers)
      let end = text.unicodeScalars.count
      guard let news = try field.surroundingText(text, cursor: end, anchor: end) else { continue }
      said = session.post(news, with: Classifier())
    }
    #expect(said.map { [$0.kind] + $0.alternatives }?.contains(.deletion) ?? false)
  }
}
