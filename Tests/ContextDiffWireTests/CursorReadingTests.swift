import ContextDiff
import ContextDiffWire
import JSON
import TestSupport
import Testing

/// What a cursor reads of a pair's parameters is what the parsed text says.
@Suite struct CursorReadingTests {
  private static let limit = 40

  /// A pair's parameters as either reader has them, written again; `nil` where it does not take them.
  private func readings(
    of text: String, as form: PairParameters.View.Form
  ) -> (cursor: String?, parsed: String?) {
    var text = text
    return text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      let parser = JSONParser()
      var cursor: String?
      _ = parser.read(bytes) {
        var view = PairParameters.View()
        guard view.read(form, from: &$0, fieldLimit: Self.limit), $0.isAtEnd else { return false }
        cursor = written(view)
        expectSnapshots(of: view)
        return true
      }
      let parsed = (try? parser.parse(bytes)).flatMap {
        try? written(PairParameters.View(form, json: $0, fieldLimit: Self.limit))
      }
      return (cursor, parsed)
    }
  }

  private func written(_ view: borrowing PairParameters.View) -> String {
    text { PairParameters(view).write(to: &$0) }
  }

  /// The text that a snapshot came as is the snapshot's, and has all three texts in an event.
  private func expectSnapshots(
    of view: borrowing PairParameters.View, fieldLimit: Int = Self.limit
  ) {
    #expect((view.old == nil) == (view.oldText == nil))
    for (json, fields) in [(view.oldText, view.old), (view.newText, view.new)] {
      guard let json, let fields else { continue }
      // Behind another value, as in an event.
      let (start, end) = json.inEvent
      let object = #"{"old":{},"new":"# + String(decoding: start, as: UTF8.self) + "\(end)}"
      for name in ["before", "selected", "after"] {
        #expect(object.contains("\"\(name)\":"), "\(object)")
      }
      let again = try? parse(object) { json throws(MessageError) in
        written(try PairParameters.View(.line, json: json, fieldLimit: fieldLimit))
      }
      var pair = PairParameters.View()
      (pair.old, pair.new) = (.hidden, fields)
      #expect(again == written(pair))
    }
  }

  @Test(arguments: [
    (#"{"after":null,"caret":3,"selected":"","before":"a\nb"}"#, true),
    (#"{"before":"a","selected":"b","after":"c"}"#, true), (#"{"before":"a","after":"c"}"#, false),
    (#"{"selected":"a","before":null}"#, false), (#"{"hasText":true}"#, false),
  ])
  func aSnapshotWithAllThreeTextsIsKeptAsItCame(_ snapshot: String, isKept: Bool) {
    var text = "{\"old\":\(snapshot),\"new\":\(snapshot)}"
    let kept = text.withUTF8 { bytes in
      let parser = JSONParser()
      var kept: [String?] = []
      _ = parser.read(UnsafeRawBufferPointer(bytes)) {
        var view = PairParameters.View()
        let isTaken = view.read(.classify, from: &$0, fieldLimit: Self.limit)
        if isTaken {
          kept = [view.oldText, view.newText].map { text in
            text?.whole.map { String(decoding: $0, as: UTF8.self) }
          }
        }
        return isTaken
      }
      return kept
    }
    let wanted: String? = isKept ? snapshot : nil
    #expect(kept == [wanted, wanted])
  }

  @Test func whatTheInterfaceHasIsTakenInAnyOrder() {
    var random = SeededGenerator(seed: 1)
    for form in [PairParameters.View.Form.classify, .post] {
      for _ in 0..<2_000 {
        var maker = ParametersMaker(random: random, isUsual: true)
        let text = maker.parameters(of: form)
        random = maker.random
        let (cursor, parsed) = readings(of: text, as: form)
        #expect(cursor != nil && cursor == parsed, "\(text)")
      }
    }
  }

  /// White space, escaped names, names twice, wrong types, texts that are too long, broken ones.
  @Test func whatIsTakenOfAnyTextIsWhatItSays() {
    var random = SeededGenerator(seed: 2)
    var (taken, left, wrong) = (0, 0, 0)
    for form in [PairParameters.View.Form.classify, .post] {
      for _ in 0..<10_000 {
        var maker = ParametersMaker(random: random, isUsual: false)
        let text = maker.parameters(of: form)
        random = maker.random
        let (cursor, parsed) = readings(of: text, as: form)
        if let cursor {
          #expect(cursor == parsed, "\(text)")
          taken += 1
        } else if parsed != nil {
          left += 1
        } else {
          wrong += 1
        }
      }
    }
    // Each of the three is really tried.
    #expect(min(taken, left, wrong) > 1_000, "\(taken), \(left), \(wrong)")
  }

  /// Posts of a session, one after the other, that begin with what was shown last, or nearly.
  @Test(arguments: [true, false]) func aPostThatGoesOnSaysTheSame(isUsual: Bool) {
    var random = SeededGenerator(seed: 3)
    // A start is known by its bytes where the whole of it is no longer than a field may be.
    let limit = 400
    var (goneOn, others) = (0, 0)
    for _ in 0..<2_000 {
      var start = PostStart()
      var latest = #"{"before":""}"#
      for _ in 0..<8 {
        var maker = ParametersMaker(random: random, isUsual: isUsual)
        let (text, new) = maker.post(startingAt: latest)
        random = maker.random
        latest = new
        Array(text.utf8).withUnsafeBytes { bytes in
          let isTaken = JSONParser().read(bytes) {
            var view = PairParameters.View()
            guard view.readPost(from: &$0, likelyStart: start, fieldLimit: limit), $0.isAtEnd
            else { return false }
            start.keep(after: view)
            if view.goesOn { goneOn += 1 } else { others += 1 }
            return JSONParser().read(bytes) {
              var whole = PairParameters.View()
              guard whole.read(.post, from: &$0, fieldLimit: limit) else { return false }
              if view.goesOn {
                #expect(view.old == nil && whole.old != nil)
                view.old = whole.old
              }
              #expect(written(view) == written(whole), "\(text)")
              expectSnapshots(of: view, fieldLimit: limit)
              return true
            }
          }
          #expect(isTaken || readings(of: text, as: .post).cursor == nil, "\(text)")
          if !isTaken { start = PostStart() }
        }
      }
    }
    #expect(min(goneOn, others) > 500, "\(goneOn), \(others)")
  }

  /// What a host tells besides the text of a field is known of a snapshot that was read, too: that `before` is `""`, where
  /// others say null.
  @Test(arguments: [
    (Snapshot(before: "", after: "う"), Snapshot(before: "", after: "う。")),
    (Snapshot(before: "", after: ""), Snapshot(before: "あい。", after: "")),
    (Snapshot(before: "h", after: ""), Snapshot(before: "", after: "")),
    (Snapshot(after: ""), Snapshot(before: "h", after: "")),
  ])
  func whatIsReadIsClassifiedAsWhatWasGiven(_ old: Snapshot, _ new: Snapshot) throws {
    let written = text { PairParameters(session: "s", old: old, new: new).write(to: &$0) }
    var read: Transition?
    let isTaken = Array(written.utf8).withUnsafeBytes { bytes in
      JSONParser().read(bytes) {
        var view = PairParameters.View()
        guard view.read(.post, from: &$0, fieldLimit: Self.limit) else { return false }
        var session = Session()
        read =
          session.answer(
            old: view.old, new: view.new, pasteboard: view.pasteboard, evidence: view.evidence,
            with: Classifier())?.transition
        return true
      }
    }
    #expect(isTaken)
    var session = Session()
    let given = session.post(old: old, new: new, with: Classifier())
    #expect(String(describing: read) == String(describing: given))
  }

  @Test(arguments: Window.allCases.map(\.rawValue)) func everyWindowIsTaken(_ name: String) {
    expectTaken("\"window\":\"\(name)\"")
  }

  @Test(arguments: Cause.allCases.map(\.rawValue)) func everyCauseIsTaken(_ name: String) {
    expectTaken("\"cause\":\"\(name)\"")
  }

  @Test(arguments: Key.allCases.map(\.rawValue)) func everyKeyIsTaken(_ name: String) {
    expectTaken("\"key\":\"\(name)\"")
  }

  private func expectTaken(_ member: String) {
    let (cursor, parsed) = readings(
      of: "{\"session\":\"s\",\"new\":{\"before\":\"\"},\(member)}", as: .post)
    #expect(cursor != nil && cursor == parsed)
  }
}

/// Makes a pair's parameters at random: usual ones, or with anything that may be wrong or unusual.
private struct ParametersMaker {
  var random: SeededGenerator
  let isUsual: Bool

  mutating func parameters(of form: PairParameters.View.Form) -> String {
    var members = [member("new", snapshot())]
    if form == .classify || random.chance(2) { members.append(member("old", snapshot())) }
    if form == .post { members.append(member("session", string(["a", "メモ", "notes-1"]))) }
    let others: [(String, String)] = [
      ("pasteboard", field()), ("window", string(Window.allCases.map(\.rawValue))),
      ("composition", "{\"before\":\(number()),\"after\":\(number())}"),
      ("cause", string(Cause.allCases.map(\.rawValue))),
      ("key", string(Key.allCases.map(\.rawValue))), ("merged", flag()), ("reset", flag()),
    ]
    for (name, value) in others where random.chance(4) { members.append(member(name, value)) }
    if form == .post, random.chance(6) { members.append(member("secure", flag())) }
    members.shuffle(using: &random)
    if strays(40), let twice = members.randomElement(using: &random) { members.append(twice) }
    if strays(40) { members.append(member("surprise", flag())) }
    var text = object(members)
    if strays(20) {
      // Broken anywhere.
      var bytes = Array(text.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      text = String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  /// A post's parameters that most often begin with `latest` for `old`, and the snapshot that is their `new`.
  mutating func post(startingAt latest: String) -> (text: String, new: String) {
    let new = snapshot()
    let old = random.chance(6) ? snapshot() : latest
    let name = random.chance(6) ? string(["a", "b"]) : "\"メモ\""
    var members = [member("session", name), member("old", old)]
    if random.chance(8) { members.swapAt(0, 1) }
    if random.chance(8) { members.remove(at: 1) }
    members.append(member("new", new))
    if random.chance(4) { members.append(member("pasteboard", field())) }
    if strays(10), let twice = members.randomElement(using: &random) { members.append(twice) }
    if strays(10) { members.removeLast() }
    return (object(members), new)
  }

  /// Whether something unusual comes now.
  private mutating func strays(_ oneIn: Int) -> Bool { !isUsual && random.chance(oneIn) }

  private mutating func object(_ members: [String]) -> String {
    "{" + members.joined(separator: strays(30) ? ", " : ",") + "}"
  }

  private mutating func member(_ name: String, _ value: String) -> String {
    let space = strays(80) ? " " : ""
    let name =
      strays(80) ? "\\u00\(String(name.utf8.first ?? 0, radix: 16))\(name.dropFirst())" : name
    let value =
      strays(60) ? ["null", "7", "\"\"", "{}", "[]"].randomElement(using: &random) : value
    return "\"\(name)\"\(space):\(value ?? "null")"
  }

  private mutating func snapshot() -> String {
    let all: [(String, String)] = [
      ("before", field()), ("selected", field()), ("after", field()), ("hasText", flag()),
      ("caret", number()), ("selectionShown", flag()),
    ]
    var members = all.filter { _ in random.chance(2) }.map { member($0.0, $0.1) }
    if members.isEmpty { members = [member("before", field())] }
    if strays(60) { members.append(members[0]) }
    return object(members)
  }

  private mutating func flag() -> String { random.chance(2) ? "true" : "false" }

  private mutating func number() -> String {
    if strays(10) {
      return ["-1", "01", "1.0", "1e3", "9999999999999999999", "1234567890123456789"]
        .randomElement(using: &random) ?? "-1"
    }
    return
      "\(Int.random(in: 0...(random.chance(2) ? 12 : 999_999_999_999_999_999), using: &random))"
  }

  private mutating func string(_ choices: [String]) -> String {
    let stray = strays(30) ? ["", "other", "a\\nb", "\\ud800"].randomElement(using: &random) : nil
    return "\"\(stray ?? choices.randomElement(using: &random) ?? "")\""
  }

  /// Up to 40 bytes of text with escapes; more where something unusual comes.
  private mutating func field() -> String {
    if random.chance(8) { return "null" }
    let pieces = [
      "a", "Ω", "へ", "行きました", "👍🏽", "plain words ", "\\n", "\\\"", "\\u3078", "\\ud83d\\ude00",
    ]
    var text = ""
    var bytes = 0
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let piece = pieces.randomElement(using: &random) ?? "a"
      bytes += piece.utf8.count
      guard bytes <= 40 || strays(2) else { break }
      text += piece
    }
    return "\"\(text)\""
  }
}
