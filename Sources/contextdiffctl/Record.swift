import ArgumentParser
import ContextDiffClient
import ContextDiffConsole

struct Record: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes events with their pairs to a file, for replay.",
    discussion: """
      Goes on until it is interrupted; each event is in the file as soon as it happened. The file is \
      for this user alone, because it holds what was typed. With --redact each letter, digit and \
      emoji becomes one of a handful of its class, always the same within the recording, by a rule that is \
      kept nowhere; spaces, punctuation and line breaks stay, and so do the sessions' names.

      Example:
        contextdiffctl record --session notes-1 --redact notes.jsonl
      """)

  @OptionGroup var daemon: DaemonOptions

  @Option(help: ArgumentHelp("A session to record; all of them if left out.", valueName: "name"))
  var session: [SessionName] = []

  @Option(
    help: ArgumentHelp(
      "Begin after the event of this number, as far as the daemon still holds them; 0 for all.",
      valueName: "number"))
  var since: UInt32?

  @Flag(help: "Hide what was typed, and keep its shape.")
  var redact = false

  @Argument(help: "The file to write; standard output if -.", completion: .file())
  var file: String

  func run() async throws {
    let client = try await daemon.connect()
    var output = file == "-" ? .standard : try Output(creating: file)
    let events = client.events(
      of: session.isEmpty ? nil : session.map(\.name),
      since: since.map { EventPosition(sequence: Int($0)) }, snapshots: true)
    await client.close()
    let redaction = redact ? Redaction() : nil
    var writer = LineWriter()
    for try await element in events {
      switch element {
      case .ready: continue
      case .lost(let count):
        complain("lost \(count.map { "\($0)" } ?? "an unknown number of") events")
      case .event(let event):
        writer.event(redaction?.redact(event) ?? event)
        output.write(writer.bytes)
        writer.removeAll()
        try output.flush()
      }
    }
  }
}
