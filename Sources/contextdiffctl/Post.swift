import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

struct Post: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Posts one pair to a session, whose subscribers hear of it.",
    discussion: """
      The pair is given as explain takes it; without any of the old texts it goes on from the session's \
      last post. The first post of a session only sets its baseline.

      Example:
        contextdiffctl post notes-1 --new-before 今日は
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The pair") var pair: PairOptions

  @Flag(
    help:
      "The field is a password's: nothing of the pair is kept, reported or logged. Give the old texts, too."
  )
  var secure = false

  @Flag(help: "Write the transition as it is on the wire.")
  var json = false

  @Argument(help: "The session's name: 1 to 255 bytes, no control characters.")
  var name: SessionName

  func run() async throws {
    let post = try parameters()
    let client = try await daemon.connect()
    let name = name.text
    let posted = try await daemon.answer {
      try await client.post(
        post.new, after: post.old, to: name, pasteboard: post.pasteboard, evidence: post.evidence,
        secure: post.secure)
    }
    var output = output.standard
    if json {
      var writer = LineWriter()
      writer.transition(posted.transition)
      output.write(writer.bytes)
    } else {
      let drawing = TransitionDrawing(palette: output.palette)
      let first = post.secure ? "nothing before it, and nothing kept of it" : "a baseline"
      output.print(posted.transition.map(drawing.draw) ?? first)
    }
    try output.flush()
  }

  private func parameters() throws -> PairParameters {
    var parameters: PairParameters
    if let observation = pair.observation {
      parameters = PairParameters(observation)
      if !pair.namesOld { parameters.old = nil }
    } else {
      parameters = try readPair(window: pair.window, needsOld: false)
    }
    parameters.secure = parameters.secure || secure
    return parameters
  }
}

struct Expect: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Announces an edit, so that the post that shows it comes out as expected.",
    discussion: """
      The edit is given by what it does at the caret, or by the snapshot that it leads to. It begins where the \
      edits announced before it lead, or at the session's last post. Written is its number in the session, by \
      which it can be withdrawn.

      Example:
        contextdiffctl expect notes-1 --delete-backward 2 --insert 良い
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The text put in.", valueName: "text"))
  var insert: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much is taken away left of the caret.", valueName: "count"))
  var deleteBackward: UInt32?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much is taken away right of the caret.", valueName: "count"))
  var deleteForward: UInt32?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far the caret moves, positive towards the text's end.", valueName: "count"))
  var moveCaret: Int32?

  @Option(help: "What the counts count.")
  var unit = Edit.Unit.graphemes

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What will stand left of the caret or the selection.", valueName: "text"))
  var newBefore: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What will be selected.", valueName: "text"))
  var newSelected: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What will stand right of the caret or the selection.", valueName: "text"))
  var newAfter: String?

  @Argument(help: "The session's name: 1 to 255 bytes, no control characters.")
  var name: SessionName

  private var namesEdit: Bool {
    insert != nil || deleteBackward != nil || deleteForward != nil || moveCaret != nil
  }

  private var edit: Edit {
    Edit(
      insert: insert ?? "", deleteBackward: Int(deleteBackward ?? 0),
      deleteForward: Int(deleteForward ?? 0), moveCaret: Int(moveCaret ?? 0), unit: unit)
  }

  private var namesSnapshot: Bool { newBefore != nil || newSelected != nil || newAfter != nil }

  func validate() throws {
    guard namesEdit != namesSnapshot else {
      throw ValidationError(
        "Give what the edit does, or the snapshot that it leads to, and not both.")
    }
    guard namesSnapshot || edit.isValid else {
      throw ValidationError("The edit does nothing.")
    }
    guard max(edit.deleteBackward, edit.deleteForward) <= Edit.countLimit else {
      throw ValidationError("At most \(Edit.countLimit) are taken away at once.")
    }
  }

  func run() async throws {
    let client = try await daemon.connect()
    let name = name.text
    let number: Int
    if namesSnapshot {
      let new = Snapshot(before: newBefore, selected: newSelected, after: newAfter)
      number = try await daemon.answer { try await client.expect(new, in: name) }
    } else {
      let edit = edit
      number = try await daemon.answer { try await client.expect(edit, in: name) }
    }
    var output = output.standard
    output.print("\(number)")
    try output.flush()
  }
}

struct Withdraw: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Takes back an announced edit, and those announced on top of it.",
    discussion: """
      Example:
        contextdiffctl withdraw notes-1 3
      """)

  @OptionGroup var daemon: DaemonOptions

  @Argument(help: "The session's name: 1 to 255 bytes, no control characters.")
  var name: SessionName

  @Argument(help: "The edit's number in the session, as expect wrote it.")
  var number: SequenceNumber

  func run() async throws {
    let client = try await daemon.connect()
    let (name, number) = (name.text, number.value)
    try await daemon.answer { try await client.withdraw(number, in: name) }
  }
}
