import ContextDiff
import Testing

/// What an explanation says of announced edits.
@Suite struct AnnouncedExplanationTests {
  private let classifier = Classifier()

  private func explain(
    _ picture: String, after edits: [Edit], from start: String = "ab|∅"
  ) throws -> Explanation {
    var session = Session(at: start)
    for edit in edits { try session.expect(edit: edit, with: classifier) }
    return try #require(session.explain(new: drawn(picture), with: classifier))
  }

  @Test func whatCameIsTheChosenReading() throws {
    let readings = try explain("abc|∅", after: [Edit(insert: "c")]).readings
    #expect(readings.filter(\.isChosen).map(\.reason) == ["announced edit #1"])
    #expect(readings[0].kind == .expected)
    #expect(readings[0].agreement == .exact)
    #expect(readings[0].prediction == drawn("abc|∅"))
    #expect(readings[1].reason == "without what was announced")
  }

  @Test func whatCameBesidesIsNamed() throws {
    let readings = try explain("abcx|∅", after: [Edit(insert: "c")]).readings
    #expect(readings[0].reason == "announced edit #1, and then insertion")
    #expect(readings[0].parting?.field == .before)
    #expect(readings[0].parting?.offset == 0)
  }

  @Test func eachStateOfAChainIsAReading() throws {
    let readings = try explain("abcd|∅", after: [Edit(insert: "c"), Edit(insert: "d")]).readings
    let announced = readings.filter { $0.kind == .expected }
    #expect(announced.map(\.reason) == ["announced edits #1, #2", "announced edit #1"])
    #expect(announced.map(\.isChosen) == [true, false])
  }

  @Test func whatDidNotComeSaysWhereItParts() throws {
    let readings = try explain("abx|∅", after: [Edit(insert: "cx")]).readings
    let announced = try #require(readings.first { $0.kind == .expected })
    #expect(!announced.isChosen)
    #expect(announced.weight == nil)
    #expect(announced.parting?.field == .before)
    #expect(announced.parting?.offset == 1)
    #expect(readings[0].kind == .insertion)
  }

  @Test func whatIsSelectedInsteadSaysWhereItParts() throws {
    let readings = try explain("abc[d]∅", after: [Edit(insert: "c")]).readings
    let announced = try #require(readings.first { $0.kind == .expected })
    #expect(announced.parting?.field == .selected)
    #expect(announced.parting?.offset == 0)
  }

  @Test func whatBeginsElsewhereSaysSo() throws {
    var session = Session(at: "ab|")
    _ = try session.expect(
      old: drawn("zzzz|"), edit: Edit(insert: "c"), with: classifier)
    let explanation = try #require(session.explain(new: drawn("abc|"), with: classifier))
    let announced = try #require(explanation.readings.first { $0.kind == .expected })
    #expect(announced.reason == "announced edit #1, which begins at another snapshot")
  }

  @Test func whatIsShownInPartIsTheChosenReading() throws {
    var session = Session(at: "ab[cd]ef")
    try session.expect(edit: Edit(insert: "x"), with: classifier)
    let explanation = try #require(
      session.explain(new: drawn("ab|ef"), with: classifier))
    #expect(explanation.transition.kind == .expected)
    #expect(
      explanation.readings.filter(\.isChosen).map(\.reason)
        == ["an announced edit, in part or late"])
  }
}
