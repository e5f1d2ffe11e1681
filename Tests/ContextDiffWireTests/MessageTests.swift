import CContextDiff
import ContextDiff
import ContextDiffWire
import Testing
import JSON
import Varlink

/// Each message, written by one side and read by the other.
@Suite struct MessageTests {
  private let pair = PairParameters(
    session: "notes", old: Snapshot(before: "今日は", selected: "良い", after: ""),
    new: Snapshot(
      before: "a\"\\\n\u{1}😀", hasText: true, caret: 5, selectionShown: false),
    pasteboard: "",
    evidence: Evidence(
      window: .paragraph, composition: Composition(before: 2, after: 0), cause: .other,
      key: .return, merged: true, reset: true),
    secure: true)

  /// What one scalar tells in full is written as its whole transition is.
  @Test(arguments: ["a", "\u{E9}", "あ", "😀", "\"", "\\", "\t", "\u{1}"])
  func aKeystrokeIsWrittenAsItsTransition(_ typed: String) {
    let start = "今日は良い天気ですね"
    let written = Snapshot(before: start, after: "").lend { old in
      Snapshot(before: start + typed, after: "").lend { new in
        let answer = Classifier().answer(
          LentObservation(old: old, new: new, pasteboard: .hidden, evidence: Evidence()))
        switch answer {
        case .keystroke: break
        case .transition: Issue.record("\(typed) is read by the contest")
        }
        let transition = answer.transition
        return (text { answer.write(to: &$0) }, text { transition.write(to: &$0) })
      }
    }
    #expect(written.0 == written.1)
  }

  @Test func aPairComesBackAsItWas() throws {
    let read = try reread(pair.write) { json throws(MessageError) in
      try PairParameters(.init(.post, json: json, fieldLimit: 100))
    }
    #expect(read.session == "notes")
    #expect(read.old == pair.old)
    #expect(read.new == pair.new)
    #expect(read.pasteboard == "")
    #expect(read.evidence == pair.evidence)
    #expect(read.secure)
  }

  @Test func whatIsNotKnownIsLeftOut() {
    let bare = PairParameters(old: nil, new: Snapshot())
    #expect(text(bare.write) == #"{"new":{"before":null,"selected":null,"after":null}}"#)
  }

  @Test func namesOfALaterVersionAreNoFault() throws {
    let told = #"""
      {"kind":"dictation","basicKind":"dictation","certainty":"guessed","alternatives":["dictation","undo"]}
      """#
    let read = try parse(told) { json throws(MessageError) in try Transition(json: json) }
    #expect(read.kind == .outOfRangeTap)
    #expect(read.certainty == .likely)
    #expect(read.alternatives == [.undo])
  }

  @Test(arguments: Kind.allCases, Certainty.allCases)
  func aTransitionIsWrittenByItsNames(kind: Kind, certainty: Certainty) {
    let transition = Transition(kind: kind, basicKind: kind, certainty: certainty)
    let start = """
      {"kind":"\(kind.rawValue)","basicKind":"\(kind.rawValue)","certainty":"\(certainty.rawValue)",
      """
    #expect(
      text { writer in
        writer.name("transition")
        transition.write(to: &writer)
      }.hasPrefix("{\"transition\":" + start))
  }

  /// The engine's, which are on the wire as the test above has them, and contextdiff.h's.
  @Test func eachKindHasOneNameInSwiftAndC() {
    for kind in Kind.allCases {
      let number = UInt32(Kind.allCases.firstIndex(of: kind) ?? 0)
      #expect(name(number) == kind.rawValue)
      #expect(contextdiff_kind_is_move(contextdiff_kind(number)) == (kind.isMove ? 1 : 0))
    }
    #expect(name(UInt32(Kind.allCases.count)) == nil)
    #expect(contextdiff_kind_is_move(contextdiff_kind(UInt32(Kind.allCases.count))) == 1)

    func name(_ number: UInt32) -> String? {
      contextdiff_kind_name(contextdiff_kind(number)).map { String(cString: $0) }
    }
  }

  @Test func announcementsComeBackAsTheyWere() throws {
    let edit = Edit(
      insert: "あ", deleteBackward: 1, deleteForward: 2, moveCaret: -3, unit: .backspace)
    let byEdit = ExpectParameters(session: "s", edit: .edit(edit))
    let read = try reread(byEdit.write) { json throws(MessageError) in
      try ExpectParameters(json: json, fieldLimit: 100)
    }
    guard case .edit(let other) = read.edit else {
      Issue.record("no edit")
      return
    }
    #expect(other == edit)

    let bySnapshot = ExpectParameters(
      session: "s", old: Snapshot(before: "x"), edit: .snapshot(Snapshot(after: "y")))
    let second = try reread(bySnapshot.write) { json throws(MessageError) in
      try ExpectParameters(json: json, fieldLimit: 100)
    }
    guard case .snapshot(let new) = second.edit else {
      Issue.record("no snapshot")
      return
    }
    #expect(second.old == Snapshot(before: "x"))
    #expect(new == Snapshot(after: "y"))
  }

  @Test func aSubscriptionComesBackAsItWas() throws {
    let subscription = SubscribeParameters(
      sessions: ["a", "b"], kinds: [.cut, .undo], since: 7, instance: "i", snapshots: true)
    let read = try reread(subscription.write) { json throws(MessageError) in
      try SubscribeParameters(json: json)
    }
    #expect(read.sessions == ["a", "b"])
    #expect(read.kinds == [.cut, .undo])
    #expect(read.since == 7)
    #expect(read.instance == "i")
    #expect(read.snapshots)
  }

  @Test func anEventPrintsNoText() {
    let secret = "secret"
    let event = Event(
      sequence: 7, session: "notes", time: 2,
      transition: Transition(kind: .paste, basicKind: .paste, inserted: secret),
      old: Snapshot(), new: Snapshot(before: secret), pasteboard: secret,
      announced: [Announcement(number: 3, edit: .edit(Edit(insert: secret)))])
    var dumped = ""
    dump(event, to: &dumped)
    for shown in ["\(event)", String(reflecting: event), dumped] {
      #expect(!shown.contains(secret))
      #expect(shown.contains("sequence: 7") && shown.contains("notes"))
    }
  }

  @Test(arguments: Kind.allCases) func aTransitionOfEachKindComesBackAsItWas(kind: Kind) throws {
    let transition = Transition(
      kind: kind, basicKind: .cut, certainty: .likely, alternatives: [.undo, .redo],
      cursorOffset: Extent(scalars: -1, utf16: 2, graphemes: 3), inserted: "あ", removed: "",
      isPartial: true, leavesComposition: false, expected: [4, 5], unfulfilled: [3])
    let event = Event(
      sequence: 1, session: "s", time: 2, transition: transition, old: Snapshot(),
      new: Snapshot(before: "x"),
      announced: [
        Announcement(number: 3, old: Snapshot(), edit: .edit(Edit(insert: "い", moveCaret: -1))),
        Announcement(number: 4, edit: .snapshot(Snapshot(after: "y"))),
        Announcement(number: 3, edit: nil),
      ])
    let reply = try reread(SubscribeReply.event(event).write) { json throws(MessageError) in
      try SubscribeReply(json: json)
    }
    guard case .event(let read) = reply else {
      Issue.record("no event")
      return
    }
    #expect([read.sequence, read.time] == [1, 2])
    #expect(read.session == "s")
    #expect(read.old == Snapshot())
    #expect(read.new == Snapshot(before: "x"))
    #expect(read.announced == event.announced)
    #expect(read.transition.kind == kind)
    #expect(read.transition.basicKind == .cut)
    #expect(read.transition.certainty == .likely)
    #expect(read.transition.alternatives == [.undo, .redo])
    #expect(read.transition.cursorOffset == transition.cursorOffset)
    #expect(read.transition.inserted == "あ")
    #expect(read.transition.removed == "")
    #expect(read.transition.isPartial)
    #expect(read.transition.leavesComposition == false)
    #expect(read.transition.expectedEdits == 2)
    #expect(read.transition.expected == [4, 5])
    #expect(read.transition.unfulfilled == [3])
  }

  @Test func aLossAndAMarkSayUpToWhere() throws {
    let read = { (reply: SubscribeReply) in
      try reread(reply.write) { json throws(MessageError) in try SubscribeReply(json: json) }
    }
    guard case .lost(3, upTo: 9) = try read(.lost(3, upTo: 9)) else {
      Issue.record("no loss")
      return
    }
    guard case .seen(upTo: 7) = try read(.seen(upTo: 7)) else {
      Issue.record("no mark")
      return
    }
  }

  @Test func sessionsComeBackAsTheyWere() throws {
    let sessions = [
      SessionInfo(
        name: "a", window: .line, windowLearnt: true, pairs: 1, bytes: 2, expecting: 3, time: 4),
      SessionInfo(name: "b", time: 5),
    ]
    let read = try reread(SessionsReply(sessions: sessions).write) { json throws(MessageError) in
      try SessionsReply(json: json)
    }
    #expect(read.sessions == sessions)
  }

  @Test func anAnnouncedEditIsNamedByItsNumber() throws {
    let reply = try reread(ExpectReply(expected: 7).write) { json throws(MessageError) in
      try ExpectReply(json: json)
    }
    #expect(reply.expected == 7)
    let parameters = try reread(WithdrawParameters(session: "s", expected: 7).write) {
      json throws(MessageError) in try WithdrawParameters(json: json)
    }
    #expect(parameters.session == "s")
    #expect(parameters.expected == 7)
  }

  /// A daemon of a later version may say more.
  @Test func whatADaemonSaysBesidesIsPassedOver() throws {
    let text = """
      {"event":{"sequence":1,"session":"s","time":2,"later":1,"old":{"later":1},"new":{},
      "transition":{"kind":"cut","basicKind":"cut","certainty":"certain","later":1}},"later":1}
      """
    let reply = try parse(text) { json throws(MessageError) in try SubscribeReply(json: json) }
    guard case .event(let event) = reply else {
      Issue.record("no event")
      return
    }
    #expect(event.transition.kind == .cut)
  }

  @Test func theInterfaceDefinesEachMethodThatIsImplemented() throws {
    let interface = try VarlinkInterface(description: Interface.description)
    #expect(interface.name == "io.contextdiff")
    #expect(interface.methods == Interface.Method.allCases.map(\.rawValue))
  }

  @Test func theValuesOfEachEnumerationAreTheInterfaces() throws {
    func check<Values: CaseIterable & RawRepresentable<String>>(
      _ name: String, _ values: Values.Type
    ) throws {
      #expect(try Set(members(of: "type \(name)")) == Set(values.allCases.map(\.rawValue)))
    }
    try check("Kind", Kind.self)
    try check("Certainty", Certainty.self)
    try check("Window", Window.self)
    try check("Cause", Cause.self)
    try check("Key", Key.self)
    try check("Unit", Edit.Unit.self)
  }

  // MARK: - Errors

  @Test(arguments: [
    (#"{"old":{},"new":{"before":1}}"#, "new.before"),
    (#"{"old":{},"new":[]}"#, "new"),
    (#"{"old":7,"new":{}}"#, "old"),
    (#"{"new":{}}"#, "old"),
    (#"{"old":{}}"#, "new"),
    (#"{}"#, "old"),
    (#"{"old":{},"new":{},"composition":{"before":1,"after":-1}}"#, "composition.after"),
    (#"{"old":{},"new":{"befor":"x"}}"#, "new.befor"),
    (#"{"old":{},"new":{},"pastebaord":null}"#, "pastebaord"),
    (#"{"old":{},"new":{},"session":"s"}"#, "session"),
    (#"{"old":{},"new":{},"key":"up"}"#, "key"),
    (#"{"old":{},"new":{"caret":-1}}"#, "new.caret"),
  ])
  func aWrongMemberIsNamedByItsPath(text: String, path: String) throws {
    let error = #expect(throws: MessageError.self) {
      try parse(text) { json throws(MessageError) in
        try PairParameters(.init(.classify, json: json, fieldLimit: 100))
      }
    }
    #expect(error?.parameter == path)
  }

  @Test func aFieldIsMeasuredInBytesOfUTF8() throws {
    let text = #"{"old":{},"new":{"after":"あ"}}"#
    for (limit, isTaken) in [(3, true), (2, false)] {
      let read = {
        try parse(text) { json throws(MessageError) in
          try PairParameters(.init(.classify, json: json, fieldLimit: limit))
        }
      }
      if isTaken {
        #expect(try read().new == Snapshot(after: "あ"))
      } else {
        #expect(throws: MessageError("new.after", .tooLong(limit: 2))) {
          try read()
        }
      }
    }
  }
}
