import ContextDiff
import Testing

/// Edits that an input method announces and the host never makes, and what the person does meanwhile.
@Suite struct DroppedEditTests {
  private let classifier = Classifier()

  @Test("An edit that a session's first snapshot shows already is not waited for")
  func madeBeforeTheBaseline() throws {
    var session = Session()
    try session.expect(old: drawn("q|"), edit: Edit(insert: "x"), with: classifier)
    #expect(session.post("qx|") == nil)
    #expect(session.expecting == 0)
    #expect(session.post("q|", key: .backspace)?.kind == .deletion)
    let typed = session.post("qx|", key: .character)
    #expect(typed?.kind == .insertion)
    #expect(typed?.unfulfilled == [])
  }

  @Test("An edit that the host never makes holds no more however often the caret comes and goes")
  func halfwayAgainAndAgain() throws {
    let full = Evidence(window: .full)
    let start = Snapshot(before: "xx", after: "abcdefghijkl")
    var session = Session()
    _ = session.post(new: start, evidence: full, with: classifier)
    try session.expect(edit: Edit(insert: "qrs"), with: classifier)
    var held: [Int] = []
    for _ in 0..<20 {
      _ = session.post(
        new: Snapshot(before: "xxabc", after: "defghijkl"), evidence: full, with: classifier)
      _ = session.post(new: start, evidence: full, with: classifier)
      held.append(session.heldBytes)
    }
    #expect(held.last == held[1])
  }

  @Test("An edit that the host never makes holds no more however far the caret goes on")
  func halfwayFurtherAndFurther() throws {
    let text = String(String.UnicodeScalarView((0..<400).map { Unicode.Scalar(0x4E00 + $0)! }))
    var session = Session()
    var held: [Int] = []
    for offset in 0..<200 {
      let new = Snapshot(
        before: String(text.dropLast(400 - offset)), after: String(text.dropFirst(offset)))
      let shown = session.post(new: new, evidence: Evidence(window: .full), with: classifier)
      if offset == 0 { try session.expect(edit: Edit(insert: "Q"), with: classifier) }
      if offset > 0 { #expect(shown?.kind == .expected) }
      held.append(session.heldBytes)
    }
    // Blocks of memory are multiples of 16 bytes, two for each place of the caret.
    #expect(abs(held[199] - held[40]) <= 32 * 2 * 16)
    let edited = Snapshot(before: "Q", after: text)
    _ = session.post(
      new: Snapshot(before: "", after: text), evidence: Evidence(window: .full), with: classifier)
    let shown = session.post(new: edited, evidence: Evidence(window: .full), with: classifier)
    #expect(shown?.expected == [1])
  }

  @Test(
    "What is erased beside an edit that the host never makes is no other cut of the text with it",
    arguments: Window.allCases)
  func erasingIsNoOtherCut(window: Window) throws {
    for insert in ["Q", "QRSTU"] {
      var session = Session(at: "abc|defghijklmnop qrs", window: window)
      try session.expect(edit: Edit(insert: insert), with: classifier)
      let shown = session.post("|defghijklmnop qrs")
      #expect(shown?.kind != .expected)
      #expect(shown?.expected == [])
    }
  }

  /// What the person did leaves one side of the caret as the announced edit would, or shorter.
  @Test(arguments: [
    ("t|he see", Edit(deleteBackward: 1), "ta|he see", Key.character, Kind.insertion),
    ("mat|", Edit(deleteBackward: 3), "mata|", .character, .insertion),
    ("hello| cat sat", Edit(deleteBackward: 5), "hellozq| cat sat", .paste, .insertion),
    ("ok| cat sat", Edit(deleteBackward: 2), "o| cat sat", .backspace, .deletion),
    ("cat sat |at", Edit(deleteForward: 2), "cat sat |t", .delete, .deletion),
    ("hello now|", Edit(deleteBackward: 1), "hello no|w", .caret, .cursorMove),
    ("|hello now", Edit(deleteForward: 1), "h|ello now", .caret, .cursorMove),
    ("| cat sat", Edit(insert: "the"), "e| cat sat", .character, .insertion),
    ("xxaか|", Edit(deleteBackward: 2), "xxa|", .backspace, .deletion),
  ])
  func whatAKeyDidIsNoAnnouncedEdit(
    old: String, edit: Edit, new: String, key: Key, kind: Kind
  ) throws {
    for window in [Window.full, .line, .sentence] {
      var session = Session(at: old, window: window)
      try session.expect(edit: edit, with: classifier)
      let shown = session.post(new, key: key)
      #expect(shown?.kind == kind, "\(window)")
      #expect(shown?.expected == [], "\(window)")
    }
  }

  @Test func whoUndoesTakesBackWhatWasSeen() throws {
    var session = Session(at: "a|", window: .full)
    _ = session.post("ab|", key: .character)
    try session.expect(edit: Edit(insert: "q"), with: classifier)
    let undone = session.post("a|", key: .undo)
    #expect(undone?.kind == .undo)
    #expect(undone?.expected == [])
    #expect(undone?.removed == "b")
  }

  @Test("An edit that is announced and not seen, and one act that explains the pair without it")
  func oneActOrTwo() throws {
    var session = Session(at: "see [the mat] sat", window: .full)
    try session.expect(edit: Edit(insert: "e"), with: classifier)
    let typed = session.post("see ex| sat")
    #expect(typed?.certainty == .likely)
    #expect(Set([typed?.kind, typed?.alternatives.first]) == [.insertion, .replacement])
    session = Session(at: "a[oon] cat sat", window: .full)
    try session.expect(edit: Edit(deleteBackward: 1), with: classifier)
    let replaced = session.post("az| cat sat")
    #expect(replaced?.certainty == .likely)
    #expect(Set([replaced?.kind, replaced?.alternatives.first]) == [.insertion, .replacement])
  }

  @Test("Text that came instead of what is known shows no announced text")
  func otherTextInstead() throws {
    for (old, insert, new) in [("a|∅", "b", "xyz|∅"), ("か|∅", "\u{3099}", "\u{304C}|∅")] {
      for window in [Window.sentence, nil] {
        var session = Session(at: old, window: window)
        let number = try session.expect(edit: Edit(insert: insert), with: classifier)
        let shown = session.post(new)
        #expect(shown?.kind == .replacement)
        #expect(shown?.expected == [])
        #expect(shown?.unfulfilled == [number])
      }
    }
  }

  /// All that the announced edit puts in would be gone again.
  @Test(arguments: [
    (
      "hello o| cat sat", Edit(insert: "今日", deleteBackward: 3), "| cat sat", Kind.deletion,
      "hello o"
    ),
    ("ok[ がき on sat].", Edit(insert: "今日"), "okzq|.", .replacement, " がき on sat"),
  ])
  func whatLeavesNoTraceIsNotShown(
    old: String, edit: Edit, new: String, kind: Kind, removed: String
  ) throws {
    for window in [Window.full, .paragraph, .sentence] {
      var session = Session(at: old, window: window)
      let number = try session.expect(edit: edit, with: classifier)
      let shown = session.post(new)
      // Where `full` is told, a host may show a line at a time, and Return looks like the deletion.
      if window != .full || kind != .deletion {
        #expect(shown?.kind == kind, "\(window)")
        #expect(shown?.removed == removed, "\(window)")
      }
      #expect(shown?.expected == [], "\(window)")
      #expect(shown?.unfulfilled == [number], "\(window)")
    }
  }
}
