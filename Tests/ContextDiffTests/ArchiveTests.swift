import ContextDiff
import Testing

/// What a session is put away as, for another process to go on with.
struct ArchiveTests {
  private let classifier = Classifier()

  /// All that decides what is read goes along: the window learnt, what came before an undo, whom the
  /// host's causes tell apart.
  @Test(arguments: HostRecording.names + HostRecording.heldOut, [nil, .full] as [Window?])
  func aSessionPutAwayBeforeEachPairReadsAsOneThatGoesOn(recording: String, window: Window?) throws
  {
    var session = Session()
    var other = session
    let recording = try HostRecording(named: recording)
    for (number, row) in recording.rows.enumerated() {
      let new = Snapshot(
        before: row.new.before, selected: row.new.selected, after: row.new.after,
        selectionShown: recording.hidesSelections ? false : nil)
      let cause: Cause? = number % 3 == 0 ? .other : number % 7 == 0 ? .inputMethod : nil
      let key = number % 2 == 0 ? row.keyClass : nil
      if number % 20 == 19 {
        try session.expect(edit: Edit(insert: "か"), with: classifier)
        try other.expect(edit: Edit(insert: "か"), with: classifier)
      }
      other = try #require(Session(archive: other.archived()))
      let said = session.post(
        new: new, pasteboard: row.pasteboard,
        evidence: Evidence(window: window, cause: cause, key: key),
        with: classifier)
      let otherSaid = other.post(
        new: new, pasteboard: row.pasteboard,
        evidence: Evidence(window: window, cause: cause, key: key),
        with: classifier)
      #expect(contents(of: said) == contents(of: otherSaid), "pair \(number)")
      #expect(session.hostWindow == other.hostWindow)
    }
    let isSame = session.archived() == other.archived()
    #expect(isSame)
  }

  @Test("A session goes on in another process where it was")
  func archive() throws {
    var session = Session(at: "カキクケコ。|サシスセソ。")
    for state in ["良|サシスセソ。", "良い|サシスセソ。"] { _ = session.post(state) }
    try session.expect(edit: Edit(insert: "お"), with: classifier)
    var other = try #require(Session(archive: session.archived()))
    #expect(other.archived() == session.archived())
    #expect(other.post("良いお|サシスセソ。")?.kind == .expected)
    #expect(other.post("カキクケコ。|サシスセソ。")?.kind == .undo)
  }

  @Test("A session's other places, its selections and its announced text go along")
  func archivedWhole() throws {
    var session = Session(at: "吾輩は[猫である]。名前は|", window: .paragraph)
    for state in ["吾輩は猫である|。名前は", "どこで生れたか|とんと見当がつかぬ。"] {
      _ = session.post(new: drawn(state), evidence: Evidence(window: .paragraph), with: classifier)
    }
    try session.expect(edit: Edit(insert: "あ"), with: classifier)
    try session.expect(edit: Edit(deleteBackward: 2), with: classifier)
    let archived = session.archived()
    var other = try #require(Session(archive: archived))
    #expect(other.archived() == archived)
    // Back where it was before, which only the stretch that was left remembers.
    let back = drawn("猫で|ある。")
    #expect(
      session.post(new: back, evidence: Evidence(window: .paragraph), with: classifier)?.kind
        == .outOfRangeTap)
    #expect(session.remembered.left == "吾輩は猫で")
    #expect(
      other.post(new: back, evidence: Evidence(window: .paragraph), with: classifier)?.kind
        == .outOfRangeTap)
    #expect(other.remembered == session.remembered)
  }

  @Test(
    "A session goes on in which a conversion follows an erasure, or a part of one was taken back",
    arguments: [
      ["x|∅", "xk|∅", "xka|∅", "xk|∅", "xか|∅"],
      ["メモ: |∅", "メモ: かな|∅", "メモ: カナ|∅", "メモ: かな|∅", "メモ: か|∅"],
    ])
  func archiveOfConversion(_ states: [String]) throws {
    var session = Session()
    for state in states {
      _ = session.post(new: drawn(state), evidence: Evidence(window: .full), with: classifier)
    }
    let other = try #require(Session(archive: session.archived()))
    #expect(other.archived() == session.archived())
  }

  @Test("A session whose doubt the caret has ruled out goes on in another process")
  func archiveOfImpossibleDoubt() throws {
    var session = Session()
    for (before, caret) in [(nil, 18), (nil, 19), ("def.", 23)] as [(String?, Int)] {
      _ = session.post(
        new: Snapshot(before: before, after: "ddae ", caret: caret),
        evidence: Evidence(window: caret == 18 ? nil : .line), with: classifier)
    }
    let other = try #require(Session(archive: session.archived()))
    #expect(other.archived() == session.archived())
  }

  @Test("A move announced over a line's end is known in another process")
  func archiveOfMoveOutOfSight() throws {
    var session = Session(at: "Hello Bob|", window: .line)
    try session.expect(edit: Edit(moveCaret: 1), with: classifier)
    var other = try #require(Session(archive: session.archived()))
    #expect(other.post("|how are you")?.expected == [1])
  }

  @Test("Damaged archives are refused, at any length")
  func damaged() {
    var session = Session(at: "カキクケコ。|サシスセソ。")
    _ = session.post("良|サシスセソ。")
    let bytes = session.archived()
    for length in 0..<bytes.count {
      #expect(Session(archive: Array(bytes.prefix(length))) == nil)
    }
    #expect(Session(archive: bytes + [0]) == nil)
  }

  @Test("An archive with any of its bytes changed is refused, or a session to go on with")
  func changed() throws {
    var session = Session(at: "カキク|ケコ", window: .full)
    _ = session.post(new: drawn("カキ|ケコ"), evidence: Evidence(window: .full), with: classifier)
    try session.expect(edit: Edit(insert: "サ"), with: classifier)
    let bytes = session.archived()
    for index in bytes.indices {
      for change in [1, 3, 0xFF] as [UInt8] {
        var bytes = bytes
        bytes[index] &+= change
        guard var other = Session(archive: bytes, memoryLimit: 8) else { continue }
        #expect(Session(archive: other.archived(), memoryLimit: 8) != nil, "byte \(index)")
        #expect(
          other.post(new: drawn("カキ|ケコ"), evidence: Evidence(window: .full), with: classifier)
            != nil)
      }
    }
  }
}
