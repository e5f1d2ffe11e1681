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
}
