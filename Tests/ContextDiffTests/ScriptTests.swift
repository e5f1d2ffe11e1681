import ContextDiff
import Testing

/// What people and input methods do in scripts besides the recordings' Latin and Japanese.
@Suite struct ScriptTests {
  private let classifier = Classifier()

  @Test(
    "A word composed in the text is no tap in another line",
    arguments: [
      ("nihao|", "你好|", 5), ("ㄋㄧˇㄏㄠˇ|", "你好|", 6), ("한국|", "韓國|", 2), ("viet|", "việt|", 4),
      ("にほん|", "日本|", 3), ("xie'xie|", "谢谢|", 7), ("ni hao|", "你好|", 6),
      ("ni\u{2006}hao|", "你好|", 6),
    ])
  func composed(_ old: String, _ new: String, scalars: Int) {
    for window in [Window.line, .paragraph, .full] {
      let evidence = Evidence(
        window: window, composition: Composition(before: scalars, after: 0), key: Key.unpressed)
      let said = classifier.classify(
        Observation(old: drawn(old), new: drawn(new), evidence: evidence))
      #expect(said.kind == .replacement, "\(window)")
      #expect(said.leavesComposition == false, "\(window)")
    }
  }

  @Test(
    "Backspace in a Korean input method takes a letter, and an undo may",
    arguments: [("닭", "달"), ("달", "다"), ("과", "고"), ("다", "ㄷ"), ("꽝", "꽈"), ("희", "흐"), ("빠", "ㅃ")])
  func letterErased(_ syllable: String, _ left: String) {
    for window in [Window.line, .full, .sentence] {
      var session = Session(at: "오늘\(left)|∅", window: window)
      _ = session.post("오늘\(syllable)|∅")
      let said = session.post("오늘\(left)|∅")
      #expect(said?.kind == .replacement, "\(window)")
      #expect(said?.alternatives.contains(.undo) ?? false, "\(window)")
      // At a line's start, too, the key joins no line.
      session = Session(at: "\(syllable)|∅", window: window)
      let pressed = session.post("\(left)|∅", key: .backspace)
      #expect(pressed?.kind == .replacement, "\(window)")
      #expect(pressed?.removed == syllable, "\(window)")
    }
  }

  @Test(
    "A word committed into an empty line is as likely in any script",
    arguments: ["你好", "안녕하세요", "việt", "สวัสดี", "नमस्ते"])
  func committed(_ word: String) {
    let said = classifier.classify(
      Observation(
        old: drawn("∅|∅"), new: drawn("\(word)|∅"),
        evidence: Evidence(window: .line, key: Key.unpressed)))
    #expect(said.kind == .insertion)
  }

  @Test(
    "Delete takes the consonant of a conjunct with its marks, by hosts that know no conjuncts",
    arguments: [
      ("यह |क्षमा करें", "यह |षमा करें", "क्"), ("যে |ক্ষমা কর", "যে |ষমা কর", "ক্"),
      ("यह |क्षमा करें", "यह |मा करें", "क्ष"),
    ])
  func conjunct(_ old: String, _ new: String, removed: String) {
    for window in [Window.line, .full, .sentence] {
      let said = classifier.classify(
        Observation(
          old: drawn(old), new: drawn(new), evidence: Evidence(window: window, key: .delete)))
      #expect(said.kind == .deletion, "\(window)")
      #expect(said.removed == removed, "\(window)")
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

  @Test("A message is sent with the caret behind its first character, too")
  func sent() {
    var session = Session(at: "∅|∅", window: .full)
    for state in ["你|∅", "你好|∅", "你好朋友|∅", "你|好朋友"] { _ = session.post(state) }
    let said = session.post("∅|∅")
    #expect(said?.kind == .submission)
  }

  @Test(
    "A new line begins with the mark of a list in whatever script",
    arguments: ["- ", "• ", "・ ", "– ", "\u{3000}\u{3000}"])
  func itemMark(_ mark: String) {
    let old = Snapshot(before: mark + "milk bread")
    let new = Snapshot(before: mark)
    let said = classifier.classify(
      Observation(old: old, new: new, evidence: Evidence(window: .line, key: .return)))
    #expect(said.kind == .insertion)
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

  @Test("Of an announced edit the erasing may be shown first, no key having erased")
  func erasingFirst() throws {
    for (window, key) in [(Window.full, Key.unpressed), (.line, .unpressed)] {
      var session = Session(at: "xin chao viet|", window: window)
      let number = try session.expect(
        edit: Edit(insert: "ệt", deleteBackward: 2, unit: .scalars), with: classifier)
      let half = session.post("xin chao vi|", key: key)
      #expect(half?.unfulfilled == [])
      let whole = session.post("xin chao việt|", key: key)
      #expect(whole?.kind == .expected)
      #expect(whole?.expected == [number])
    }
  }

  @Test("A commit announced alone may take the place of what the input method erases itself")
  func erasedUnannounced() throws {
    for states in [["xin chao vi|", "xin chao việt|"], ["xin chao việt|"]] {
      for window in [Window.full, .line] {
        var session = Session(at: "xin chao viet|", window: window)
        let number = try session.expect(edit: Edit(insert: "ệt"), with: classifier)
        var said: Transition?
        for state in states {
          said = session.post(state, key: Key.unpressed)
          #expect(said?.unfulfilled == [], "\(window)")
        }
        #expect(said?.kind == .expected, "\(window)")
        #expect(said?.expected == [number], "\(window)")
        // What the person erases and types then is the person's.
        #expect(session.post("xin chao việ|", key: .backspace)?.kind == .deletion)
        #expect(session.post("xin chao việt|", key: .character)?.kind == .insertion)
      }
    }
  }

  @Test("An announced edit may be the first that shows by which rule the host cuts")
  func shownByAnotherRule() throws {
    var session = Session()
    let text = "今天早上下了一场大雨了吗我说。"
    var before = ""
    for scalar in text {
      before.append(scalar)
      _ = session.post(new: Snapshot(before: before), with: classifier)
    }
    let number = try session.expect(edit: Edit(insert: "路上"), with: classifier)
    let said = session.post(new: Snapshot(before: before + "路上"), with: classifier)
    #expect(said?.kind == .expected)
    #expect(said?.expected == [number])
  }
}
