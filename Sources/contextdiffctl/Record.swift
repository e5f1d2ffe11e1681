import ArgumentParser
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

struct Record: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes events with their pairs and what else was told to a file, for replay.",
    usage: "contextdiffctl record [<options>] <file>",
    discussion: """
      Goes on until it is interrupted, or has --count events; each event is in the file as soon as it happened, \
      with whatever else the post told and what was announced before it. The pasteboard's text is recorded only \
      with --pasteboard. The file is for this user alone, because it holds what was typed. With --redact each \
      letter, digit, symbol and emoji becomes one of a handful of its class, always the same within the recording, \
      by a rule that is kept nowhere; spaces, punctuation and line breaks stay, and so do the sessions' names.

      Example:
        contextdiffctl record --session notes-1 --redact notes.jsonl
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("A session to record; all of them if left out.", valueName: "name"),
    completion: SessionName.completion, transform: SessionName.read)
  var session: [SessionName] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Begin after the event of this number, as far as the daemon still holds them; 0 for all.",
      valueName: "number"),
    transform: number(in: sequenceNumbers))
  var since: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("End after so many events, lost ones not counted.", valueName: "number"),
    transform: number(in: 1...Int.max))
  var count: Int?

  @Flag(help: "Record the pasteboard's text too, of the posts from now on.")
  var pasteboard = false

  @Flag(help: "Overwrite a file that is there.")
  var force = false

  @Flag(help: "Hide what was typed, and keep its shape.")
  var redact = false

  @Argument(help: "The file to write; standard output if -.", completion: .file())
  var file: String

  func validate() throws {
    try session.checkFit()
  }

  func run() async throws {
    let client = try await daemon.connect().client
    var events = client.events(
      of: session.isEmpty ? nil : session.map(\.text),
      since: since.map { EventPosition(sequence: $0) }, snapshots: true,
      pasteboard: pasteboard)
    events.onConnectionChange = EventReport.tell
    await client.close()
    let watch = file == "-" ? ReaderWatch() : nil
    // A signal cancels the recording: what has come is in the file, and the count is told before the process ends.
    let interruption = Interruption()
    let recording = Task {
      try await Self.write(
        events, to: file == "-" ? .standard(output.standard) : .file(file, overwriting: force),
        as: redact ? Redaction() : nil, isFiltered: !session.isEmpty,
        limit: count ?? .max, watch: watch)
    }
    interruption.onSignal { recording.cancel() }
    do { try await recording.value } catch is CancellationError {}
    if let signal = interruption.signal { endProcess(by: signal) }
  }

  /// Where the recording is written.
  private enum Target: Sendable {
    case standard(Output)
    case file(String, overwriting: Bool)
  }

  /// Writes `events` to `target`, each as it comes, until they end, the task is cancelled or `limit` are written; of a
  /// file, standard error then says how many there are, also where this throws.
  ///
  /// - Parameters:
  ///   - events: The events, with their pairs.
  ///   - target: Where they are written.
  ///   - redaction: Hides what was typed; `nil` to write it as it is.
  ///   - isFiltered: Whether `events` are those of some sessions alone.
  ///   - limit: How many events are written at most.
  ///   - watch: Ended before the last event is written; `nil` where standard output is not written to.
  /// - Throws: Where the target cannot be made or written, or an error ends `events`.
  private static func write(
    _ events: EventSequence, to target: Target, as redaction: Redaction?, isFiltered: Bool,
    limit: Int, watch: ReaderWatch?
  ) async throws {
    var output: Output?
    var writer = LineWriter()
    var written = 0
    defer {
      if output != nil, case .file(let name, _) = target {
        complain("recorded \(written) \(written == 1 ? "event" : "events") in \(name)")
      }
    }
    // Opens the target, once the daemon has answered: a recording that cannot begin overwrites no file.
    func begin() throws {
      guard output == nil else { return }
      switch target {
      case .standard(let standard): output = standard
      case .file(let name, let overwriting):
        output = try Output(creating: name, overwriting: overwriting)
        complain("recording to \(name)")
      }
    }
    for try await element in events {
      switch element {
      case .ready: try begin()
      case .lost(let count): complain(EventReport.lost(count, isFiltered: isFiltered))
      case .event(let event):
        try begin()
        writer.event(redaction?.redact(event) ?? event)
        output?.write(json: writer.bytes)
        writer.removeAll()
        if written + 1 == limit { watch?.end() }
        try output?.flush()
        written += 1
        if written == limit { return }
      }
    }
  }
}
