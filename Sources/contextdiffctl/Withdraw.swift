import ArgumentParser
import ContextDiffClient
import ContextDiffWire

struct Withdraw: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Takes back an announced edit, and those announced on top of it.",
    usage: "contextdiffctl withdraw [<options>] <name> <number>",
    discussion: """
      Example:
        contextdiffctl withdraw notes-1 3
      """)

  @OptionGroup var daemon: DaemonOptions

  @Argument(
    help: SessionName.help,
    completion: SessionName.completion, transform: SessionName.read)
  var name: SessionName

  @Argument(
    help: "The edit's number in the session, as expect wrote it.",
    transform: contextdiffctl.number(in: sequenceNumbers))
  var number: Int

  func run() async throws {
    let (name, number) = (name.text, number)
    try await daemon.connect().answer { try await $0.withdraw(number, in: name) }
  }
}
