import ContextDiff
import Testing

@Suite("Sessions")
struct SessionTests {
  private let classifier = Classifier()

  @Test("A tap to remembered text comes with its distance")
  func distance() {
    var session = Session(at: "カキクケコ。|サシスセソ。")
    _ = session.post("サシスセ|ソ。")
    _ = session.post("サシスセソ。|タチツテト。")
    _ = session.post("タチ|ツテト。")
    let tap = session.post("カキ|クケコ。")
    #expect(tap?.kind == .outOfRangeTap)
    #expect(tap?.certainty == .certain)
    #expect(tap?.cursorOffset?.scalars == -12)
  }

  @Test("Remembered text that is hidden at a line's start was not put in when it is shown again")
  func hiddenAtLineStart() {
    var session = Session(at: "The ships were leaving.⏎The| next day", window: .paragraph)
    #expect(session.post("∅|The next day")?.kind == .cursorMove)
    let said = session.post("The ships were leaving.⏎m|The next day")
    #expect(said?.kind == .insertion)
    #expect(said?.inserted == "m")
    #expect(said?.cursorOffset?.scalars == 1)
  }

  @Test("Other terminators count from the next pair on, for somebody who types, too")
  func otherTerminators() {
    func said(pausing: Bool) -> [Transition?] {
      var session = Session()
      let first = Classifier(terminators: Terminators("。"))
      let second = Classifier(terminators: Terminators("."))
      var said: [Transition?] = []
      func type(_ text: String, behind start: String, with classifier: Classifier) -> String {
        var before = start
        for scalar in text.unicodeScalars {
          let old = before
          before.unicodeScalars.append(scalar)
          said.append(
            session.post(
              old: Snapshot(before: old), new: Snapshot(before: before),
              evidence: Evidence(window: .sentence), with: classifier))
        }
        return before
      }
      let sentence = type("うはとてもよい天気。", behind: "きょ", with: first)
      _ = session.post(
        old: Snapshot(before: sentence), new: Snapshot(before: "あ"),
        evidence: Evidence(window: .sentence), with: first)
      let text = type("したもいくつかの雨かな", behind: "あ", with: first)
      if pausing {
        _ = session.post(
          old: Snapshot(before: text), new: Snapshot(before: text),
          evidence: Evidence(window: .sentence), with: first)
      }
      _ = type("まで", behind: text, with: second)
      return said
    }
    #expect(said(pausing: false) == said(pausing: true))
  }

  @Test("A line put in at once is not the line before, which is known to be another")
  func linesAtOnce() {
    var session = Session()
    func post(_ before: String) -> Transition? {
      session.post(
        new: Snapshot(before: before), evidence: Evidence(window: .sentence), with: classifier)
    }
    _ = post("git commit")
    for line in ["make test", "Dear Bob", "thanks for this", "ok", "see you", "bye"] {
      #expect(post("\n")?.kind == .insertion)
      #expect(post(line)?.kind == .insertion, "\(line)")
    }
    #expect(post("\n")?.kind == .insertion)
    #expect(post("bye")?.kind == .deletion)
  }

  @Test("An announced edit is expected once")
  func expected() throws {
    var session = Session(at: "今日は|天気です")
    try session.expect(edit: Edit(insert: "良"), with: classifier)
    #expect(session.post("今日は良|天気です")?.kind == .expected)
    _ = session.post("今日は|天気です")
    #expect(session.post("今日は良|天気です")?.kind == .insertion)
  }

  @Test("Chained edits show in one step, and one passed on the way may come late")
  func chained() throws {
    var session = Session(at: "今日は|天気です")
    for character in ["良", "い", "お"] {
      try session.expect(edit: Edit(insert: character), with: classifier)
    }
    let shown = session.post("今日は良い|天気です")
    #expect(shown?.kind == .expected)
    #expect(shown?.expectedEdits == 2)
    #expect(session.post("今日は良|天気です")?.kind == .expected)
    #expect(session.post("今日は良い|天気です")?.kind == .expected)
    #expect(session.post("今日は良いお|天気です")?.expectedEdits == 1)
  }

  @Test("A post that shows something else leaves what is announced")
  func mismatch() throws {
    var session = Session(at: "今日は|天気です")
    try session.expect(edit: Edit(insert: "良"), with: classifier)
    #expect(session.post("今日|は天気です")?.kind == .cursorMove)
    #expect(session.post("今日は|天気です")?.kind == .cursorMove)
    #expect(session.post("今日は良|天気です")?.kind == .expected)
  }

  @Test("An edit of the person's on top of an announced one keeps its kind")
  func mixed() throws {
    var session = Session(at: "今日は|天気です")
    try session.expect(edit: Edit(insert: "良い"), with: classifier)
    let transition = session.post("今日は良いx|天気です")
    #expect(transition?.kind == .insertion)
    #expect(transition?.expectedEdits == 1)
    #expect(scalars(transition?.inserted) == scalars("x"))
  }

  @Test("A word erased back over a sentence's end, of which a blank was shown, is a deletion")
  func erasedOverASentencesEnd() {
    var session = Session()
    for state in [" I am here.|Next", " |Next"] {
      _ = session.post(
        new: drawn(state), evidence: Evidence(window: .sentence), with: classifier)
    }
    let said = session.post(
      new: drawn(" I am |Next"), evidence: Evidence(window: .sentence), with: classifier)
    #expect(said?.kind == .deletion)
    #expect(said?.removed == "here. ")
  }

  @Test("Text at a line's start may be the line above where the window may show a line")
  func joinedLineUntold() {
    var session = Session()
    _ = session.post(new: drawn("|go lazy home"), with: classifier)
    let said = session.post(new: drawn("brown Hello we|go lazy home"), with: classifier)
    #expect(said?.kind == .insertion)
    #expect(said?.alternatives == [.deletion])
  }

  @Test("The highest numbers of announced edits outlive an archive")
  func highestNumber() throws {
    var session = Session(at: "a|b")
    session.countAnnouncements(from: .max)
    let number = try session.expect(edit: Edit(insert: "x"), with: classifier)
    var other = try #require(Session(archive: session.archived()))
    #expect(try other.expect(edit: Edit(insert: "y"), with: classifier) == number + 1)
  }

  @Test("At most 32 announced edits wait, and the oldest goes first")
  func capacity() throws {
    var session = Session(at: "今日は|天気です")
    for number in 0...32 {
      try session.expect(
        old: drawn("第\(number)です|∅"), new: drawn("第\(number)ですね|∅"))
    }
    let first = session.post(
      old: drawn("第0です|∅"), new: drawn("第0ですね|∅"), with: classifier)
    #expect(first?.kind == .insertion)
    let second = session.post(
      old: drawn("第1です|∅"), new: drawn("第1ですね|∅"), with: classifier)
    #expect(second?.kind == .expected)
  }

  @Test("Who announces and never posts is told the last 32 that were dropped")
  func neverPosted() throws {
    var session = Session(at: "今日は|天気です")
    for _ in 1...80 { try session.expect(edit: Edit(insert: "x"), with: classifier) }
    #expect(session.expecting == 32)
    #expect(session.post("別の|文です")?.unfulfilled.prefix(32) == ArraySlice(17...48))
  }

  @Test("An edit that cannot be made is refused")
  func refusals() {
    var empty = Session()
    #expect(throws: Session.ExpectError.noBaseline) {
      try empty.expect(edit: Edit(insert: "a"), with: classifier)
    }
    var session = Session(at: "a|b")
    #expect(throws: Session.ExpectError.invalidEdit) {
      try session.expect(edit: Edit(), with: classifier)
    }
    #expect(throws: Session.ExpectError.invalidEdit) {
      try session.expect(edit: Edit(insert: "a", deleteBackward: -1), with: classifier)
    }
  }

  @Test("An announced edit takes grapheme clusters and shows through the window")
  func edits() throws {
    var session = Session(at: "傘👨‍👩‍👧|を持って")
    try session.expect(
      edit: Edit(insert: "。", deleteBackward: 1, deleteForward: 1), with: classifier)
    #expect(session.post("傘。|持って")?.kind == .expected)
  }

  @Test("A preview is remembered by nobody")
  func preview() {
    let session = Session(at: "今日は|天気です")
    let shown = session.preview(new: drawn("今日は良|天気です"), with: classifier)
    #expect(shown?.kind == .insertion)
    #expect(session.latest == drawn("今日は|天気です"))
    // Without a snapshot before, the pair says where it begins.
    let blank = Session()
    #expect(blank.preview(new: drawn("今日は|"), with: classifier) == nil)
    let told = blank.preview(old: drawn("今日|"), new: drawn("今日は|"), with: classifier)
    #expect(told?.kind == .insertion)
  }

  @Test("A selection in other text leaves what was being composed")
  func selectionElsewhere() {
    let said = classifier.classify(
      Observation(
        old: drawn("今日は|天気"), new: drawn("別の[文]です"),
        evidence: Evidence(composition: Composition(before: 1, after: 0))))
    #expect(said.kind == .selection)
    #expect(said.leavesComposition == true)
  }

  @Test("Carets too far apart to be counted say nothing")
  func caretsApart() {
    let said = classifier.classify(
      Observation(
        old: Snapshot(before: "ab", caret: .min), new: Snapshot(before: "abc", caret: .max)))
    #expect(said.kind == .insertion)
    #expect(said.cursorOffset?.scalars == 1)
  }

  @Test("What else a pair could be is never what it is")
  func alternatives() {
    var session = Session(at: "|aa", window: .full)
    for state in ["∅|∅", "b|∅", "∅|∅"] {
      _ = session.post(new: drawn(state), evidence: Evidence(window: .full), with: classifier)
    }
    let undone = session.post(
      new: drawn("|aa"), evidence: Evidence(window: .full), with: classifier)
    #expect(undone?.kind == .undo)
    #expect(undone?.alternatives == [.outOfRangeTap, .insertion, .redo])
  }

  @Test("An arrow key gives up a long selection, whatever line begins behind it")
  func longSelection() {
    let seen = Observation(
      old: drawn("∅[Alice was beginning to get very tired.⏎]So she"), new: drawn("⏎|So she"))
    #expect(classifier.classify(seen).kind == .deselection)
  }

  @Test("An announced edit may reach as far as an integer does, on either side")
  func farReaching() throws {
    for edit in [
      Edit(moveCaret: .min), Edit(moveCaret: .max), Edit(deleteBackward: .max),
      Edit(deleteForward: .max),
    ] {
      var session = Session(at: "今日は良い|天気です")
      try session.expect(edit: edit, with: classifier)
      let reached = edit.moveCaret < 0 || edit.deleteBackward > 0
      let left = edit.deleteBackward > 0 ? "天気です" : "今日は良い天気です"
      let right = edit.deleteForward > 0 ? "今日は良い" : "今日は良い天気です"
      let shown = reached ? "∅|" + left : right + "|∅"
      #expect(session.post(shown)?.kind == .expected, "\(shown)")
    }
  }

  @Test("100,000 flags do not stall an announced edit")
  func flags() throws {
    let flags = String(repeating: "🇯🇵", count: 100_000)
    let half = String(repeating: "🇯🇵", count: 50_000)
    let old = Snapshot(before: flags)
    for (edit, new) in [
      (Edit(deleteBackward: 50_000), Snapshot(before: half)),
      (Edit(moveCaret: -50_000), Snapshot(before: half, after: half)),
    ] {
      var session = Session()
      try session.expect(old: old, edit: edit, with: classifier)
      #expect(session.post(old: old, new: new, with: classifier)?.kind == .expected)
    }
  }

  @Test("What was erased beyond the window is known where the session saw it")
  func erasedBeyondTheWindow() {
    var session = Session(at: "今日は雨だ|∅")
    for state in ["今日は雨だ。|∅", "傘|∅", "傘を|∅", "傘を持|∅"] { _ = session.post(state) }
    let erased = session.post("今日は雨|∅")
    #expect(erased?.kind == .deletion)
    #expect(scalars(erased?.removed) == scalars("だ。傘を持"))
  }

  @Test("Announced edits that nothing showed are not counted with those that are shown")
  func overtaken() throws {
    var session = Session(at: "今日は|天気です")
    try session.expect(edit: Edit(insert: "良"), with: classifier)
    #expect(session.post("今日はx|天気です")?.kind == .insertion)
    try session.expect(edit: Edit(insert: "y"), with: classifier)
    let shown = session.post("今日はxy|天気です")
    #expect(shown?.kind == .expected)
    #expect(shown?.expectedEdits == 1)
  }

  @Test("Text that somebody else changed beyond the window is not put in by who erases up to it")
  func changedBeyondTheWindow() {
    var session = Session(at: "ABCDEFGHIJ|klmnopqrst", window: .full)
    func show(_ picture: String) -> Transition? {
      session.post(new: drawn(picture), evidence: Evidence(window: .full), with: classifier)
    }
    #expect(show("klmnopqrst|uvwxyz")?.kind == .cursorMove)
    // Before the "k" stands a "0" by now, and more digits before it.
    for (state, gone) in [("0klmnopqrs|uvwxyz", "t"), ("90klmnopqr|uvwxyz", "s")] {
      let erased = show(state)
      #expect(erased?.kind == .deletion)
      #expect(scalars(erased?.removed) == scalars(gone))
      #expect(erased?.cursorOffset?.scalars == -1)
    }
    #expect(scalars(session.remembered.left) == scalars("90klmnopqr"))
  }

  @Test("A tap may be an undo of what the caret has left, but for who knows the key")
  func tapAwayFromWhereAnEditWasLeft() {
    for key in [nil, Key.caret] {
      var session = Session()
      func post(_ state: String, _ key: Key? = nil) -> Transition? {
        session.post(
          new: drawn(state), evidence: Evidence(window: .line, key: key), with: classifier)
      }
      _ = post("いろはにほへ|∅")
      #expect(post("いろはにほへと|∅")?.kind == .insertion)
      #expect(post("ちりぬるを|わかよたれそ", .caret)?.alternatives == [])
      let tap = post("いろは|にほへと", key)
      #expect(tap?.kind == .outOfRangeTap)
      #expect(tap?.alternatives == (key == nil ? [.undo] : []))
    }
  }

  @Test("A text put in at once on a new last line is not the line above, joined")
  func textOnANewLine() {
    var session = Session(at: "∅|∅", window: .sentence)
    for state in ["a|∅", "ab|∅", "abc|∅", "abc |∅", "abc d|∅", "⏎|∅"] {
      _ = session.post(new: drawn(state), evidence: Evidence(window: .sentence), with: classifier)
    }
    let shown = session.post(
      new: drawn("fifteen letters|∅"), evidence: Evidence(window: .sentence), with: classifier)
    #expect(shown?.kind == .insertion)
    #expect(shown?.inserted == "fifteen letters")
  }

  @Test("A place that was visible is one within the visible text, though it is found in the memory")
  func rememberedPlaceInSight() {
    var session = Session(at: "ab ⏎とき|⏎cd", window: .full)
    _ = session.post("とき|⏎")
    let said = session.post("∅|とき", key: .caret)
    #expect(said?.kind == .cursorMove)
    #expect(said?.cursorOffset?.scalars == -2)
  }

  @Test(
    "A caret that goes beyond the window, of which the next one shows a part, puts nothing in",
    arguments: [
      (
        "東と、、雨雨かはしですがき⏎よろし漢字|くお願いします🙏",
        "雨雨かはしですがき⏎よろし漢字くお願いします🙏⏎よろしくお|願いします🙏⏎願", Key.caret
      ),
      (
        "よろしくお⏎よろしくお願いします🙏⏎よろしくお願いします🙏⏎⏎|🙏⏎願いし雨",
        "よろしくお願いします🙏⏎⏎🙏⏎願いし雨、は漢|字です京都AXF", Key.unpressed
      ),
    ])
  func caretBeyondWindow(_ old: String, _ new: String, _ key: Key) {
    var session = Session(at: old, window: .full)
    #expect(session.post(new, key: key)?.kind == .outOfRangeTap)
  }

  @Test(
    "A host of lines that shows the line above says whether the caret's line was broken",
    arguments: [
      ("に|ほん", "に⏎|ほん", Kind.insertion), ("の終わりに|ほん", "終わりに⏎|ほん", .insertion),
      ("に⏎| rows:", "に⏎| rows:⏎  result", .windowShift),
      ("sys|⏎", "sys|⏎def total", .deletion),
    ])
  func lineAbove(_ old: String, _ new: String, _ kind: Kind) {
    var session = Session(at: old, window: .line)
    let said = session.post(new: drawn(new), evidence: Evidence(window: .line), with: classifier)
    #expect(said?.kind == kind)
  }

  @Test(
    "The input method made no tap, by a host that has said so of no edit but of what was composed",
    arguments: [true, false])
  func causeTells(isComposed: Bool) {
    var session = Session(at: "いろ|∅", window: .full)
    for (text, cause) in [
      ("いろは", Cause.other), ("いろはに", .other), ("いろはにほ", .inputMethod), ("いろはにほへ", .other),
      ("いろはにほへと", .other),
    ] {
      let composition =
        isComposed && cause == .inputMethod ? Composition(before: 0, after: 0) : nil
      _ = session.post(
        new: drawn("\(text)|∅"), evidence: Evidence(composition: composition, cause: cause),
        with: classifier)
    }
    let said = session.post(
      new: drawn("ちりぬるを|∅"), evidence: Evidence(cause: .inputMethod), with: classifier)
    #expect((said?.kind == .outOfRangeTap) == !isComposed)
  }

  @Test("A message is sent with the caret behind its first character, too")
  func sent() {
    var session = Session(at: "∅|∅", window: .full)
    for state in ["你|∅", "你好|∅", "你好朋友|∅", "你|好朋友"] { _ = session.post(state) }
    let said = session.post("∅|∅")
    #expect(said?.kind == .submission)
  }
}
