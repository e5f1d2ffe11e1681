import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

struct Monitor: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what happens, as it happens.",
    usage: "contextdiffctl monitor [<options>]",
    discussion: """
      Goes on until it is interrupted, or has shown --count events. When the daemon is restarted it comes back by \
      itself, and gets what happened meanwhile; what the daemon no longer holds is told as lost. On a terminal \
      each event is followed by what the host shows now; lines fit the width.

      With --json each event is a line as it is on the wire. So is {"ready": …} at the start and after each \
      restart, and {"sequence": …, "lost": …}.

      Example:
        contextdiffctl monitor --session notes-1 --kind cut --kind paste
      """)

  /// The value of `--since`: the event after which to begin.
  enum Since {
    /// Behind the event of that number.
    case number(Int)
    /// Where the monitor before this one stopped.
    case last

    /// Reads the option, as its `transform`.
    @Sendable static func read(_ argument: String) throws -> Since {
      if argument == "last" { return .last }
      guard let number = Int(argument), sequenceNumbers.contains(number) else {
        throw ValidationError("neither last nor a number from 0 to \(Int.max)")
      }
      return .number(number)
    }
  }

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("A session to hear of; all of them if left out.", valueName: "name"),
    completion: SessionName.completion, transform: SessionName.read)
  var session: [SessionName] = []

  @Option(help: ArgumentHelp("A kind to hear of; all of them if left out.", valueName: "kind"))
  var kind: [Kind] = []

  @Flag(help: "Write each event as it is on the wire, one a line, and losses.")
  var json = false

  @Flag(
    inversion: .prefixedNo,
    help:
      "Show each event's pair of snapshots too, or neither; on a terminal what the host shows now, where neither is given."
  )
  var draw: Bool?

  @Flag(help: "Show a line a second: how many pairs, of which kinds, and how soon they came here.")
  var stat = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End after so many events, lost ones not counted, or lines of --stat.", valueName: "number"),
    transform: number(in: 1...Int.max))
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Begin after the event of this number, as far as the daemon still holds them; 0 for all; last for where the monitor before this one of the same sessions and kinds stopped, or 0 where none did.",
      valueName: "number|last"),
    transform: Since.read)
  var since: Since?

  @Option(
    help: ArgumentHelp(
      "The run of the daemon that counted --since, as {\"ready\": …} names it.",
      valueName: "instance"))
  var instance: String?

  func validate() throws {
    try session.checkFit()
    if stat, json { throw ValidationError("--stat writes no JSON.") }
    if instance != nil {
      guard case .number = since else {
        throw ValidationError("--instance needs --since with a number.")
      }
    }
  }

  func run() async throws {
    let client = try await daemon.connect().client
    let watch = ReaderWatch()
    let place = MonitorPlace(socket: daemon.socket, sessions: session.map(\.text), kinds: kind)
    var isPlaceAsked = if case .last = since { true } else { false }
    if isPlaceAsked, let problem = place.problem {
      complain("where the monitor before this one stopped is not known: \(problem)")
    }
    let output = output.standard
    var events = client.events(
      of: session.isEmpty ? nil : session.map(\.text), kinds: kind.isEmpty ? nil : kind,
      since: position(place), snapshots: !stat && (draw ?? output.isTerminal))
    events.onConnectionChange = EventReport.tell
    // The subscription has a connection of its own.
    await client.close()
    if stat {
      return try await EventStatistics(output: output, lineLimit: count, watch: watch).run(events)
    }
    var report = EventReport(
      isJSON: json, draws: draw, isFiltered: !session.isEmpty || !kind.isEmpty,
      socket: daemon.socket, output: output)
    var left = count ?? .max
    var iterator = events.makeAsyncIterator()
    while let step = try await iterator.step() {
      if case .event = step.element { left -= 1 }
      if left == 0 { watch.end() }
      if let element = step.element { try report.write(element, at: step.position) }
      if let problem = place.note(step.position), isPlaceAsked {
        complain("where this monitor stops cannot be kept: \(problem)")
        isPlaceAsked = false
      }
      if left == 0 { return }
    }
  }

  /// The position that `--since` names; `nil` to begin with what happens from now on.
  private func position(_ place: MonitorPlace) -> EventPosition? {
    switch since {
    case .number(let number): EventPosition(instance: instance, sequence: number)
    case .last: place.stored ?? EventPosition(sequence: 0)
    case nil: nil
    }
  }
}
