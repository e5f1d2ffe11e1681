import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole

struct Monitor: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what happens, as it happens.",
    discussion: """
      Goes on until it is interrupted. When the daemon is restarted it comes back by itself, and gets what \
      happened meanwhile; what the daemon no longer holds is told as lost.

      Example:
        contextdiffctl monitor --session notes-1 --kind cut --kind paste
      """)

  @OptionGroup var daemon: DaemonOptions

  @Option(help: ArgumentHelp("A session to hear of; all of them if left out.", valueName: "name"))
  var session: [SessionName] = []

  @Option(help: ArgumentHelp("A kind to hear of; all of them if left out.", valueName: "kind"))
  var kind: [Kind] = []

  @Flag(help: "Write each event as it is on the wire, one a line, and losses as {\"lost\": …}.")
  var json = false

  @Flag(help: "Show each event's pair of snapshots too.")
  var draw = false

  @Option(
    help: ArgumentHelp(
      "Begin after the event of this number, as far as the daemon still holds them; 0 for all.",
      valueName: "number"))
  var since: UInt32?

  func run() async throws {
    let client = try await daemon.connect()
    let events = client.events(
      of: session.isEmpty ? nil : session.map(\.name), kinds: kind.isEmpty ? nil : kind,
      since: since.map { EventPosition(sequence: Int($0)) }, snapshots: draw)
    await client.close()
    var report = EventReport(isJSON: json, isDrawn: draw)
    for try await element in events {
      try report.write(element)
    }
  }
}

/// Writes what a subscriber hears.
struct EventReport: ~Copyable {
  private let isJSON: Bool
  private let isDrawn: Bool
  private var output = Output.standard
  private var writer = LineWriter()
  private let snapshots: SnapshotDrawing
  private let transitions: TransitionDrawing
  private var wasReady = false

  init(isJSON: Bool, isDrawn: Bool) {
    self.isJSON = isJSON
    self.isDrawn = isDrawn
    snapshots = SnapshotDrawing(palette: output.palette, fieldColumns: (output.columns - 8) / 2)
    transitions = TransitionDrawing(palette: output.palette)
  }

  mutating func write(_ element: EventSequence.Element) throws {
    switch element {
    case .ready:
      if wasReady { complain("connected again") }
      wasReady = true
    case .event(let event) where isJSON: writer.event(event)
    case .event(let event): draw(event)
    case .lost(let count) where isJSON: writer.lost(count)
    case .lost(let count):
      let count = count.map { "\($0)" } ?? "an unknown number of"
      output.print(output.palette.mark("lost \(count) events", as: .failure))
    }
    output.write(writer.bytes)
    writer.removeAll()
    try output.flush()
  }

  private mutating func draw(_ event: Event) {
    let time = Timestamp(microseconds: event.time)
    let session = VisibleText(event.session).text
    let number = output.palette.mark("#\(event.sequence)", as: .quiet)
    let shown = output.isTerminal ? time.timeOfDay : time.full
    output.print("\(shown)  \(session)  \(number)  \(transitions.draw(event.transition))")
    guard isDrawn else { return }
    if let old = event.old { output.print("    \(snapshots.draw(old).text)") }
    if let new = event.new { output.print("    \(snapshots.draw(new).text)") }
  }
}
