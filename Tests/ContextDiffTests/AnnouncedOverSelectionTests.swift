import ContextDiff
import Testing

/// Announced text that the host put in over a selection which it did not show, or while the caret went elsewhere.
@Suite struct AnnouncedOverSelectionTests {
  @Test(
    "A commit over a selection that reaches into other lines, or takes in all, is the announced one",
    arguments: [
      ("何でも|薄暗い所で", "吾輩は猫明日|薄暗い所で"), ("記憶して|いる。", "明日|∅"),
    ])
  func selectionBeyond(old: String, new: String) throws {
    var session = Session(at: old, window: .line)
    try session.expect(Edit(insert: "明日"))
    let commit = session.post(new)
    #expect(commit?.kind == .expected)
    #expect(commit?.certainty == .likely)
    #expect(commit?.expected == [1])
    #expect(commit?.unfulfilled == [])
    #expect(commit?.inserted == "明日")
    #expect(commit?.isPartial == true)
    // The next one follows it.
    try session.expect(Edit(insert: "は"))
    let next = session.post(new.replacing("|", with: "は|"))
    #expect(next?.expected == [2])
    #expect(next?.unfulfilled == [])
  }

  @Test("Before a line's start no text comes into view")
  func lineStart() throws {
    var session = Session(at: "∅|薄暗い", window: .line)
    try session.expect(Edit(insert: "明日"))
    let commit = session.post("吾輩は猫明日|薄暗い")
    #expect(commit?.certainty == .likely)
    #expect(commit?.expected == [1])
  }

  @Test("What the user erased behind the same text, which was refused, is no announced text")
  func refused() throws {
    var session = Session(at: "제목ㄱ각|⏎next line", window: .full)
    try session.expect(Edit(insert: "ㄱ"))
    #expect(session.post("제목ㄱ|⏎next line")?.kind == .deletion)
  }

  @Test("A user's key explains such a pair by itself")
  func usersKey() throws {
    var session = Session(at: "記憶して|いる。", window: .line)
    try session.expect(Edit(insert: "明日"))
    #expect(session.post("明日|∅", key: .paste)?.kind != .expected)
  }

  @Test(
    "A caret that goes either way over a commit has its whole way",
    arguments: [("今日|は良いお天気", -3), ("今日は良いお天|気", 2)])
  func caretMoved(new: String, offset: Int) throws {
    var session = Session(at: "今日は良い|天気", window: .full)
    try session.expect(Edit(insert: "お"))
    let moved = session.post(new)
    #expect(moved?.kind == .cursorMove)
    #expect(moved?.expected == [1])
    #expect(moved?.cursorOffset?.scalars == offset)
  }
}
