import ContextDiff
import Testing

/// What a session concludes of how its host cuts the text, and what it reads by that.
@Suite struct WindowBeliefTests {
  private let classifier = Classifier()

  private func post(
    _ states: [String], told window: Window?, key: Key? = nil, to session: inout Session
  ) -> Transition? {
    var said: Transition?
    for state in states {
      said = session.post(
        new: drawn(state), evidence: Evidence(window: window, key: key), with: classifier)
    }
    return said
  }

  @Test("Told full, a host that shows other text alone shows lines: an empty one is no end")
  func leavesText() {
    var session = Session()
    let said = post(
      ["∅|Dear Mrs Holt,", "I enclose|the bill", "Yours|truly", "∅|∅", "P. Okafor|∅"], told: .full,
      to: &session)
    #expect(said?.kind == .outOfRangeTap || said?.kind == .deletion)
    #expect(said?.certainty == .likely)
  }

  @Test("A move within a cut of some letters, which no sentence explains, is one in the first pair")
  func cutShort() {
    var session = Session()
    let text = "the engine reads what is shown and says what happened between the two of them"
    let states = [40, 47].map { caret in
      let end = text.index(text.startIndex, offsetBy: caret)
      return Snapshot(
        before: String(text[..<end].suffix(30)), after: String(text[end...].prefix(30)))
    }
    _ = session.post(new: states[0], with: classifier)
    let said = session.post(new: states[1], with: classifier)
    #expect(said?.kind == .cursorMove)
    #expect(said?.cursorOffset?.scalars == 7)
  }

  @Test("A chat of single lines keeps what it was told")
  func chat() {
    var session = Session()
    let said = post(
      ["∅|∅", "h|∅", "hi|∅", "∅|∅", "o|∅", "ok|∅", "∅|∅", "b|∅", "by|∅", "bye|∅", "∅|∅"],
      told: .full, to: &session)
    #expect(said?.kind == .submission)
  }

  @Test("What is typed settles nothing: lines of a selection that is not shown are no plain cut")
  func unseenLines() {
    var session = Session()
    let said = post(
      [
        "∅|milk", "です|milk", "です！|milk", "∅|です！milk", "です|milk", "∅|milk", "です|milk",
        "です！|milk", "です！|milk⏎eggs⏎milk", "です！|ilk", "です|ilk", "で|ilk", "∅|ilk",
        "です！|milk⏎eggs⏎milk", "です|milk", "∅|milk", "です|milk", "ですk|milk",
        "ですkかmi|lk⏎eggs⏎milk⏎bread⏎", "ですkかmil|∅", "⏎|∅", "e|∅", "eg|∅", "eg⏎|∅", "g|∅",
        "go|∅", "go⏎|∅", "⏎|∅",
      ], told: .full, to: &session)
    #expect(said?.kind == .insertion)
  }

  @Test("The return key that shows no new line tells a host of lines")
  func returned() {
    var session = Session()
    let said = post(["∅|eggs", "g|eggs", "∅|eggs"], told: .full, key: .return, to: &session)
    #expect(said?.kind == .insertion)
    #expect(said?.inserted == "\n")
  }

  @Test("A selection over a line's start is one, though the line above was not seen")
  func overLineStart() {
    var session = Session(at: "∅|import sys", window: .line)
    let said = session.post("x = 1[⏎]import sys")
    #expect(said?.kind == .selection)
  }

  @Test("Several lines shown once, as for a selection that is not shown, leave a host one of lines")
  func unseenSelection() {
    var session = Session()
    let states = [
      "∅|Dear Mrs Holt,", "I enclose|the bill", "It rained|again", "We ag|reed", "Could|you pay",
      "Yours|truly", "Yours|⏎truly⏎yours", "Yours|truly", "Your|truly", "You|truly", "Yo|truly",
      "Y|truly",
    ]
    _ = post(states, told: nil, to: &session)
    #expect(session.hostWindow == .line)
  }

  /// Typing `text` from its 40th character on, on a host that shows the last `length` characters.
  private func typed(_ text: String, showing length: Int, announcing: Bool) throws -> [Transition] {
    var session = Session()
    let characters = Array(text)
    _ = session.post(
      new: Snapshot(before: String(characters[..<40].suffix(length))), with: classifier)
    return try characters.indices.dropFirst(40).map { index in
      if announcing {
        try session.expect(edit: Edit(insert: String(characters[index])), with: classifier)
      }
      let new = Snapshot(before: String(characters[...index].suffix(length)))
      let said = session.post(new: new, with: classifier)
      return try #require(said)
    }
  }

  @Test("A cut at a number of characters is learnt while edits are announced, of kana, too")
  func learnsWhileEditsWait() throws {
    let english =
      "the quick brown fox jumps over the lazy dog and then goes home to see what is there"
    let kana = "りましたよいいてんきですねといったそうですがほんとうはどうだったのかわからないままにひがくれてしまいましたので"
    for text in [english, kana] {
      for length in [20, 32] {
        let typed = try typed(text, showing: length, announcing: false)
        #expect(typed.dropFirst().allSatisfy { $0.kind == .insertion && $0.certainty == .certain })
        let announced = try self.typed(text, showing: length, announcing: true)
        #expect(
          announced.dropFirst().allSatisfy { $0.kind == .expected && $0.certainty == .certain })
      }
    }
  }

  @Test(
    "Where `before` is an empty text, an empty `after` is no line below",
    arguments: [("|", "h|"), ("hello|", "|"), ("|", "こ|")])
  func saysEmpty(_ old: String, _ new: String) {
    let said = classifier.classify(Observation(old: drawn(old), new: drawn(new)))
    #expect(said.kind == (new == "|" ? .submission : .insertion))
    #expect(said.inserted == (new == "|" ? nil : drawn(new).before))
  }

  @Test("A session goes on knowing that an empty text is null, until null is shown")
  func goesOnSayingEmpty() throws {
    var archived = Session(at: "|", window: nil)
    _ = archived.post("h|")
    archived = try #require(Session(archive: archived.archived()))
    #expect(archived.post("he|")?.kind == .insertion)

    var session = Session(at: "|", window: nil)
    for state in ["h|", "he|", "hel|", "he|", "h|", "|", "n|", "no|", "not|"] {
      #expect(session.post(state)?.kind != .outOfRangeTap, "\(state)")
    }
    var selecting = Session(at: "|abcd", window: nil)
    _ = selecting.post("ab[cd]")
    #expect(selecting.post("abx|")?.kind == .replacement)
  }

  @Test("In a field that held no text the caret can go nowhere")
  func heldNoText() {
    for window in Window.allCases {
      let said = classifier.classify(
        Observation(
          old: Snapshot(hasText: false), new: Snapshot(before: "123456", hasText: true),
          evidence: Evidence(window: window)))
      #expect(said.kind == .insertion)
      #expect(!said.alternatives.contains(.outOfRangeTap))
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
