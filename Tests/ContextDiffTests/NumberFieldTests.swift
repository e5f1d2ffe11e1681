import ContextDiff
import Testing

/// Fields that group the digits of a number anew while it is typed.
@Suite struct NumberFieldTests {
  private static let states: [[String]] = [
    ["0.0|∅", "0.01|∅", "0.12|∅", "1.23|∅", "12.34|∅"],
    ["732|∅", "7,329|∅", "73,296|∅", "732,962|∅", "7,329,620|∅"],
    ["$0.00|∅", "$0.09|∅", "$0.98|∅", "$9.87|∅", "$98.76|∅"],
  ]

  @Test("A digit typed is no tap", arguments: states, [Window.full, .line])
  func typed(_ states: [String], _ window: Window) {
    var session = Session(at: states[0], window: window)
    for state in states.dropFirst() {
      let said = session.post(state, key: .character)
      #expect(said?.kind == .replacement || said?.kind == .insertion, "\(state)")
    }
    for state in states.dropLast().reversed().dropFirst() {
      #expect(session.post(state, key: .backspace)?.kind != .outOfRangeTap, "\(state)")
    }
  }

  @Test("A digit announced is expected", arguments: states, [Window.full, .line])
  func announced(_ states: [String], _ window: Window) throws {
    let classifier = Classifier()
    var session = Session(at: states[0], window: window)
    for (index, state) in states.enumerated().dropFirst() {
      let digit = state.last { $0.isWholeNumber } ?? "0"
      let number = try session.expect(edit: Edit(insert: String(digit)), with: classifier)
      let said = session.post(state)
      #expect(number == index)
      #expect(said?.kind == .expected, "\(state)")
      #expect(said?.expected == [number], "\(state)")
    }
  }

  @Test(
    "Text with other characters is none",
    arguments: [("0.12", "1.2x"), ("a12", "1a2"), ("..", "...")])
  func others(_ old: String, _ new: String) throws {
    var session = Session(at: "\(old)|∅", window: .full)
    _ = try session.expect(edit: Edit(insert: "7"), with: Classifier())
    #expect(session.post("\(new)|∅")?.expected == [])
  }
}
