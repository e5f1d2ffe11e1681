import ContextDiff
import Testing

/// What an announced edit counts in.
@Suite struct AnnouncedEditUnitTests {
  private let classifier = Classifier()

  @Test("Edits are told apart by the scalars that they put in")
  func equality() {
    let composed = Edit(insert: "が", unit: .scalars)
    let decomposed = Edit(insert: "か\u{3099}", unit: .scalars)
    #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
    #expect(composed == Edit(insert: "が", unit: .scalars))
    #expect(composed != Edit(insert: "が", unit: .utf16))
  }

  @Test("A host of lines shows another line below the caret's: what is remembered stays text")
  func anotherLineBelow() throws {
    var session = Session()
    _ = session.post(
      old: Snapshot(after: "\r\n\u{FE0F}\u{2028}😀"), new: Snapshot(after: "\r\n👩👧👨👩"),
      evidence: Evidence(window: .line, key: .character), with: classifier)
    let remembered = session.remembered.right
    #expect(remembered.unicodeScalars.allSatisfy { $0 != "\u{FFFD}" })
    #expect("\r\n👩👧👨👩".utf8.starts(with: remembered.utf8))
    // It counted beyond the text, and trapped.
    let edit = Edit(insert: " ", deleteForward: 3, moveCaret: 5, unit: .backspace)
    try session.expect(edit: edit, with: classifier)
  }

  struct Counted: Sendable, CustomTestStringConvertible {
    let unit: Edit.Unit
    let old: String
    var delete = 0
    var forward = 0
    var move = 0
    let new: [String]

    var testDescription: String { "\(unit) in \(old)" }
  }

  static let family = "👨‍👩‍👧"
  /// A cluster of 401 bytes.
  static let heap = "a" + String(repeating: "\u{301}", count: 200)

  @Test(arguments: [
    Counted(unit: .graphemes, old: "abか\u{3099}\(family)|", delete: 2, new: ["ab|"]),
    Counted(unit: .scalars, old: "abか\u{3099}|", delete: 1, new: ["abか|"]),
    Counted(unit: .scalars, old: "ab😀|", delete: 1, new: ["ab|"]),
    Counted(unit: .utf16, old: "ab😀|", delete: 2, new: ["ab|"]),
    Counted(unit: .utf16, old: "ab😀か|", delete: 3, new: ["ab|"]),
    // Half of a pair is no text.
    Counted(unit: .utf16, old: "ab😀|", delete: 1, new: ["ab|"]),
    Counted(unit: .bytes, old: "abか|", delete: 3, new: ["ab|"]),
    Counted(unit: .bytes, old: "abか|", delete: 1, new: ["ab|"]),
    Counted(unit: .bytes, old: "ab|かな", forward: 6, new: ["ab|"]),
    Counted(unit: .scalars, old: "ab|か\u{3099}x", forward: 1, new: ["ab|\u{3099}x"]),
    Counted(unit: .utf16, old: "ab|😀x", move: 2, new: ["ab😀|x"]),
    Counted(unit: .bytes, old: "abかな|x", move: -6, new: ["ab|かなx"]),
    Counted(unit: .graphemes, old: "ab|🇯🇵🇫🇷x", forward: 1, new: ["ab|🇫🇷x"]),
    Counted(unit: .graphemes, old: "ab🇯🇵🇫🇷|x", delete: 1, new: ["ab🇯🇵|x"]),
    // A press takes what the host's rule takes, whichever it is.
    Counted(unit: .backspace, old: "abか\u{3099}|", delete: 1, new: ["abか|", "ab|"]),
    Counted(unit: .backspace, old: "ab\u{FF76}\u{FF9E}|", delete: 1, new: ["ab\u{FF76}|", "ab|"]),
    Counted(unit: .backspace, old: "ab कि|", delete: 1, new: ["ab क|", "ab |"]),
    Counted(unit: .backspace, old: "ab क्षि|", delete: 1, new: ["ab क्ष|", "ab क्|", "ab |"]),
    Counted(unit: .backspace, old: "ab กี่|", delete: 1, new: ["ab กี|", "ab |"]),
    Counted(unit: .backspace, old: "ab กี่|", delete: 2, new: ["ab ก|", "ab|"]),
    // Chromium takes an emoji as a whole, and of anything else the last scalar.
    Counted(unit: .backspace, old: "abか\u{3099}\(family)|", delete: 2, new: ["abか|", "ab|"]),
    Counted(
      unit: .backspace, old: "ab\(family)|", delete: 1,
      new: ["ab|", "ab👨‍👩|", "ab👨‍👩\u{200D}|"]),
    Counted(unit: .backspace, old: "ab👍🏽|", delete: 1, new: ["ab|", "ab👍|"]),
    Counted(unit: .backspace, old: "ab🇯🇵|", delete: 1, new: ["ab|", "ab🇯|"]),
    Counted(unit: .backspace, old: "abcd|", delete: 2, new: ["ab|"]),
    Counted(unit: .backspace, old: "ab|か\u{3099}x", forward: 1, new: ["ab|x", "ab|\u{3099}x"]),
    // A selection is the first press's, and all of it the first cluster's.
    Counted(unit: .backspace, old: "ab[cd]ef", delete: 2, new: ["a|ef"]),
    Counted(unit: .backspace, old: "ab[cd]ef", forward: 2, new: ["ab|f"]),
    Counted(unit: .graphemes, old: "ab[cd]ef", forward: 1, new: ["ab|ef"]),
    Counted(unit: .scalars, old: "ab[cd]ef", forward: 1, new: ["ab|f"]),
    // The caret goes on from the selection's end on that side.
    Counted(unit: .scalars, old: "ab[cd]ef", move: 1, new: ["abcde|f"]),
    Counted(unit: .scalars, old: "ab[cd]ef", move: -1, new: ["a|bcdef"]),
    // Clusters far longer than those of any language.
    Counted(unit: .graphemes, old: "b\(heap)\(heap)|", delete: 2, new: ["b|"]),
    Counted(unit: .graphemes, old: "b|\(heap)\(heap)c", forward: 2, new: ["b|c"]),
  ])
  func anEditCountsInItsUnit(_ counted: Counted) throws {
    for new in counted.new {
      var session = Session(at: counted.old, window: .full)
      let edit = Edit(
        deleteBackward: counted.delete, deleteForward: counted.forward, moveCaret: counted.move,
        unit: counted.unit)
      let number = try session.expect(edit: edit, with: classifier)
      let shown = session.post(new)
      #expect(shown?.kind == .expected, "\(counted.old) → \(new)")
      #expect(shown?.expected == [number])
    }
  }

  @Test("Of many texts to which presses may lead, the shortest and the longest wait")
  func manyLengths() throws {
    // Each rule takes another length by six presses on the left, and one of two by two on the right.
    let left = "abcdeक्षि👍🏽\(Self.family)"
    for new in ["ab|c", "abcdeक्षि👍|か\u{3099}c"] {
      var session = Session(at: "\(left)|か\u{3099}か\u{3099}c", window: .full)
      try session.expect(
        edit: Edit(deleteBackward: 6, deleteForward: 2, unit: .backspace), with: classifier)
      #expect(session.post(new)?.expected == [1], "\(new)")
    }
  }

  /// Of か and a mark the host may take the mark or both with the first press.
  @Test func aPressTakesWhatSeveralMayTake() throws {
    var session = Session(at: "あか\u{3099}|", window: .full)
    for _ in 1...2 {
      try session.expect(edit: Edit(deleteBackward: 1, unit: .backspace), with: classifier)
    }
    #expect(session.post("あ|")?.expected == [1])
    #expect(session.post("∅|∅")?.expected == [2])
  }

  @Test func anEditFollowsAPressWhateverThatTook() throws {
    for taken in ["ab", "abか"] {
      var session = Session(at: "abか\u{3099}|", window: .full)
      try session.expect(edit: Edit(deleteBackward: 1, unit: .backspace), with: classifier)
      try session.expect(edit: Edit(insert: "x"), with: classifier)
      #expect(session.post("\(taken)x|")?.expected == [1, 2])
    }
  }

  @Test func anotherLengthThanAnnouncedIsNotTaken() throws {
    var session = Session(at: "あいうえお|", window: .full)
    let number = try session.expect(
      edit: Edit(deleteBackward: 3, unit: .scalars), with: classifier)
    #expect(session.post("あいうえ|")?.expected == [])
    #expect(session.post("あいうえx|")?.unfulfilled == [number])
  }

  @Test("A press of backspace at a line's or a sentence's start, little or nothing behind it")
  func textThatNobodySaw() throws {
    for (window, old, new) in [
      (Window.sentence, " |", "Hello world.|"), (.sentence, "⏎|", "Hello world|"),
      (.sentence, "⏎|B", "A|B"), (.line, "∅|B", "A|B"), (.line, "∅|∅", "Hello world|∅"),
    ] {
      var session = Session(at: old, window: window)
      let number = try session.expect(
        edit: Edit(deleteBackward: 1, unit: .backspace), with: classifier)
      let shown = session.post(new)
      #expect(shown?.kind == .expected, "\(window) \(old)")
      #expect(shown?.expected == [number] && shown?.unfulfilled == [], "\(window) \(old)")
      #expect(session.expecting == 0)
    }
    // Other text behind the caret is no end of it.
    var session = Session(at: "∅|B", window: .line)
    try session.expect(edit: Edit(deleteBackward: 1, unit: .backspace), with: classifier)
    #expect(session.post("A|C")?.expected == [])
  }

  /// The unit is a matter of counting: a reference that counts in strings agrees with it anywhere.
  @Test(arguments: Edit.Unit.allCases) func lengthsAreThoseOfStrings(unit: Edit.Unit) throws {
    var random = SeededGenerator(seed: 11)
    let pieces = ["a", "か\u{3099}", "😀", "🇯🇵", Self.family, "क्षि", "กี่", "\n", "é", "e\u{301}", "한"]
    for _ in 0..<300 {
      let left =
        "それは吾輩だ"
        + (0..<random.number(1...12)).map { _ in pieces.randomElement(using: &random)! }.joined()
      let count = random.number(1...6)
      let rest: String
      switch unit {
      case .graphemes, .backspace: rest = String(left.dropLast(count))
      case .scalars: rest = String(String.UnicodeScalarView(left.unicodeScalars.dropLast(count)))
      case .utf16:
        var scalars = Array(left.unicodeScalars)
        var taken = 0
        while taken < count, let last = scalars.popLast() { taken += UTF16.width(last) }
        rest = String(String.UnicodeScalarView(scalars))
      case .bytes:
        var scalars = Array(left.unicodeScalars)
        var taken = 0
        while taken < count, let last = scalars.popLast() { taken += UTF8.width(last) }
        rest = String(String.UnicodeScalarView(scalars))
      }
      var session = Session()
      let old = Snapshot(before: left, after: "ここまで")
      _ = session.post(new: old, evidence: Evidence(window: .full), with: classifier)
      try session.expect(edit: Edit(deleteBackward: count, unit: unit), with: classifier)
      let shown = session.post(
        new: Snapshot(before: rest, after: "ここまで"), with: classifier)
      #expect(shown?.kind == .expected, "\(count) of \(left.debugDescription)")
    }
  }
}
