import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffWire

struct Expect: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Announces an edit, so that the post that shows it comes out as expected.",
    usage: "contextdiffctl expect [<options>] <name>",
    discussion: """
      Give the edit by what it does at the caret, or by the snapshot that it leads to. It begins where the \
      edits announced before it lead, or at the session's last post; a session without a post takes none. Writes \
      the edit's number in the session, by which withdraw takes it back. Every user of the machine can read a \
      command's arguments: what somebody types is announced by a client, not by this command.

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
    help: ArgumentHelp("How much is taken away left of the caret.", valueName: "count"),
    transform: number(in: 0...Edit.countLimit))
  var deleteBackward: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much is taken away right of the caret.", valueName: "count"),
    transform: number(in: 0...Edit.countLimit))
  var deleteForward: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far the caret moves, positive towards the text's end.", valueName: "count"),
    transform: number(in: -Edit.countLimit...Edit.countLimit))
  var moveCaret: Int?

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

  @Argument(
    help: SessionName.help,
    completion: SessionName.completion, transform: SessionName.read)
  var name: SessionName

  private var namesEdit: Bool {
    insert != nil || deleteBackward != nil || deleteForward != nil || moveCaret != nil
  }

  private var edit: Edit {
    Edit(
      insert: insert ?? "", deleteBackward: deleteBackward ?? 0,
      deleteForward: deleteForward ?? 0, moveCaret: moveCaret ?? 0, unit: unit)
  }

  private var namesSnapshot: Bool { newBefore != nil || newSelected != nil || newAfter != nil }

  func validate() throws {
    guard namesEdit || namesSnapshot else {
      throw ValidationError("Give what the edit does, or the snapshot that it leads to.")
    }
    guard namesEdit != namesSnapshot else {
      throw ValidationError(
        "Give what the edit does or the snapshot that it leads to, not both.")
    }
    guard namesSnapshot || edit.isValid else {
      throw ValidationError("The edit does nothing.")
    }
  }

  func run() async throws {
    let daemon = try await daemon.connect()
    let name = name.text
    let announced: AnnouncedEdit =
      namesSnapshot
      ? .snapshot(Snapshot(before: newBefore, selected: newSelected, after: newAfter))
      : .edit(edit)
    let number = try await daemon.answer { try await $0.expect(announced, after: nil, in: name) }
    var output = output.standard
    output.print("\(number)")
    try output.flush()
  }
}
