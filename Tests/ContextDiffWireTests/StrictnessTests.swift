import ContextDiffWire
import JSON
import Testing

/// What a client sends that the interface does not have is an error that names it.
@Suite struct StrictnessTests {
  /// Where the interface's text defines the members of an object, and how that object is read.
  struct Form: Sendable, CustomTestStringConvertible {
    let definition: String
    /// The object around a member: `%` stands for it.
    let frame: String
    let read: @Sendable (JSONValue) throws(MessageError) -> Void

    var testDescription: String { definition }
  }

  private static let limit = 100

  static let forms = [
    Form(definition: "method Classify", frame: "{%}") { json throws(MessageError) in
      _ = try PairParameters.View(.classify, json: json, fieldLimit: limit)
    },
    Form(definition: "method Post", frame: "{%}") { json throws(MessageError) in
      _ = try PairParameters.View(.post, json: json, fieldLimit: limit)
    },
    Form(definition: "type Snapshot", frame: #"{"new":{%}}"#) { json throws(MessageError) in
      _ = try PairParameters.View(.post, json: json, fieldLimit: limit)
    },
    Form(definition: "type Composition", frame: #"{"composition":{%}}"#) {
      json throws(MessageError) in
      _ = try PairParameters.View(.post, json: json, fieldLimit: limit)
    },
    Form(definition: "method Expect", frame: "{%}") { json throws(MessageError) in
      _ = try ExpectParameters(json: json, fieldLimit: limit)
    },
    Form(definition: "type Snapshot", frame: #"{"old":{%}}"#) { json throws(MessageError) in
      _ = try ExpectParameters(json: json, fieldLimit: limit)
    },
    Form(definition: "type Edit", frame: #"{"edit":{%}}"#) { json throws(MessageError) in
      _ = try ExpectParameters(json: json, fieldLimit: limit)
    },
    Form(definition: "method Withdraw", frame: "{%}") { json throws(MessageError) in
      _ = try WithdrawParameters(json: json)
    },
    Form(definition: "method Subscribe", frame: "{%}") { json throws(MessageError) in
      _ = try SubscribeParameters(json: json)
    },
    Form(definition: "method Forget", frame: "{%}") { json throws(MessageError) in
      _ = try SessionParameters(json: json)
    },
    Form(definition: "method ListSessions", frame: "{%}") { json throws(MessageError) in
      try NoParameters.read(json)
    },
    Form(definition: "method GetStatistics", frame: "{%}") { json throws(MessageError) in
      try NoParameters.read(json)
    },
  ]

  /// The error of the object of `form` with that member.
  private func fault(of member: String, in form: Form) -> MessageError? {
    #expect(throws: MessageError.self) {
      try parse(form.frame.replacing("%", with: member), form.read)
    }
  }

  @Test(arguments: forms) func anUnknownMemberIsNamedByItsPath(_ form: Form) throws {
    let error = try #require(fault(of: #""surprise":null"#, in: form))
    let object = form.frame.split(separator: "\"").dropFirst().first.map { "\($0)." } ?? ""
    #expect(error.parameter == "\(object)surprise")
    guard case .unknown("surprise", let known) = error.reason else {
      Issue.record("\(error)")
      return
    }
    // As the interface's own text has them.
    let names = try members(of: form.definition)
    let told = known.description.replacing(" or ", with: ", ")
    #expect(told == (names.isEmpty ? "none" : names.joined(separator: ", ")))
    // For logs: what the client wrote is not in it.
    #expect(!error.description.contains("surprise"))
  }

  @Test(arguments: forms) func noMemberOfTheInterfaceIsUnknown(_ form: Form) throws {
    for name in try members(of: form.definition) {
      do {
        try parse(form.frame.replacing("%", with: "\"\(name)\":null"), form.read)
      } catch let error as MessageError {
        if case .unknown = error.reason { Issue.record("\(name) is taken for unknown") }
      }
    }
  }

  /// It may be text that stands where it does not belong.
  @Test(arguments: ["今日は", "two words", "", "9a", "a.b", "a\\n", String(repeating: "a", count: 65)])
  func whatCannotBeANameIsNotRepeated(name: String) throws {
    let inside = try #require(fault(of: "\"\(name)\":1", in: Self.forms[2]))
    #expect(inside.parameter == "new")
    let outside = try #require(fault(of: "\"\(name)\":1", in: Self.forms[1]))
    #expect(outside.parameter == "parameters")
  }

  @Test(arguments: [
    (#""window":"door""#, "window: must be one of sentence, paragraph, line, full"),
    (#""cause":1"#, "cause: must be one of inputMethod, other"),
    (#""merged":"yes""#, "merged: must be true or false"),
    (#""new":7"#, "new: must be an object"),
    (#""new":{"before":7}"#, "new.before: must be a string"),
    (#""new":{"caret":-7}"#, "new.caret: must be an integer from 0 to 9223372036854775807"),
    (#""session":"""#, "session: must be a string of 1 to 255 bytes without control characters"),
    (#""session":"s""#, "new: missing"),
  ])
  func aWrongValueIsToldWhatItMayBe(member: String, words: String) {
    #expect(fault(of: member, in: Self.forms[1])?.description == words)
  }

  @Test(arguments: [
    (#""unit":"words""#, "edit.unit: must be one of graphemes, scalars, utf16, bytes, backspace"),
    (#""deleteBackward":-1"#, "edit.deleteBackward: must be an integer from 0 to 2147483648"),
    (
      #""moveCaret":2147483649"#,
      "edit.moveCaret: must be an integer from -2147483648 to 2147483648"
    ),
  ])
  func aWrongPartOfAnEditIsToldWhatItMayBe(member: String, words: String) {
    let edit = Self.forms.first { $0.definition == "type Edit" }!
    #expect(fault(of: member, in: edit)?.description == words)
  }
}

/// The members that the interface's text gives to `definition`: `type Edit`, `method Post`.
func members(of definition: String) throws -> [String] {
  let lines = Interface.description.split(separator: "\n").filter {
    !$0.drop { $0 == " " }.hasPrefix("#")
  }
  let text = lines.joined(separator: " ")
  let start = try #require(
    text.firstRange(of: "\(definition) (") ?? text.firstRange(of: "\(definition)("))
  let inside = text[start.upperBound...].prefix { $0 != ")" }
  return inside.split(separator: ",").map {
    String($0.split(separator: ":")[0].filter { $0 != " " })
  }
}
