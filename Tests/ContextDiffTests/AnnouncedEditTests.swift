import ContextDiff
import Testing

/// Edits that an input method announces: their numbers, and what becomes of them.
@Suite struct AnnouncedEditTests {
  private let classifier = Classifier()

  private func session(at picture: String, window: Window = .full) -> Session {
    var session = Session()
    _ = session.post(new: drawn(picture), window: window, with: classifier)
    return session
  }

  // MARK: - Numbers

  @Test func numbersCountUpWithinASession() throws {
    var session = session(at: "a|")
    #expect(try session.expect(edit: Edit(insert: "b"), with: classifier) == 1)
    #expect(try session.expect(edit: Edit(insert: "c"), with: classifier) == 2)
    let shown = session.post(new: drawn("abc|"), with: classifier)
    #expect(shown?.kind == .expected)
    #expect(shown?.expected == [1, 2])
    #expect(shown?.expectedEdits == 2)
    #expect(try session.expect(new: drawn("abcd|")) == 3)
  }

  @Test func theOldestOfTooManyIsUnfulfilled() throws {
    var session = session(at: "a|")
    for _ in 0..<34 {
      try session.expect(old: drawn("x|"), edit: Edit(insert: "b"), with: classifier)
    }
    #expect(session.post(new: drawn("aq|"), with: classifier)?.unfulfilled == [1, 2])
    #expect(session.post(new: drawn("aqr|"), with: classifier)?.unfulfilled == [])
  }

  // MARK: - Withdrawing

  @Test func withdrawingTakesBackWhatIsOnTop() throws {
    var session = session(at: "a|")
    let first = try session.expect(edit: Edit(insert: "b"), with: classifier)
    let second = try session.expect(edit: Edit(insert: "c"), with: classifier)
    let third = try session.expect(edit: Edit(insert: "d"), with: classifier)
    try session.withdraw(second)
    #expect(throws: Session.NoSuchExpectation.self) { try session.withdraw(second) }
    #expect(throws: Session.NoSuchExpectation.self) { try session.withdraw(third) }
    let typed = session.post(new: drawn("abx|"), with: classifier)
    #expect(typed?.kind == .insertion)
    #expect(typed?.expected == [first])
    #expect(typed?.inserted == "x")
  }

  @Test func whatWasShownCannotBeWithdrawn() throws {
    var session = session(at: "a|")
    let number = try session.expect(edit: Edit(insert: "b"), with: classifier)
    #expect(session.post(new: drawn("ab|"), with: classifier)?.expected == [number])
    #expect(throws: Session.NoSuchExpectation.self) { try session.withdraw(number) }
  }
}
