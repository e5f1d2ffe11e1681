import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

/// Writes the events that `monitor` receives: as JSON, or as lines for people.
struct EventReport: ~Copyable {
  private let isJSON: Bool
  /// Whether both snapshots are drawn under each event; `nil` to draw the new one alone, and only on a terminal.
  private let draws: Bool?
  /// Whether only some sessions or kinds are heard of.
  private let isFiltered: Bool
  private let socket: String
  private var output: Output
  private var writer = LineWriter()
  private let snapshots: SnapshotDrawing
  private let transitions: TransitionDrawing
  /// Whether a daemon has answered before, so that the next answer is that of another connection.
  private var wasReady = false
  /// The width of the column of sessions' names on a terminal; grows with the names.
  private var nameColumns = 4

  /// A report that has written nothing; `socket` is the path of the daemon's socket, which its first line names.
  init(isJSON: Bool, draws: Bool?, isFiltered: Bool, socket: String, output: Output) {
    self.isJSON = isJSON
    self.draws = draws
    self.isFiltered = isFiltered
    self.socket = socket
    self.output = output
    let columns = output.columns
    snapshots = SnapshotDrawing(palette: output.palette, fieldColumns: max(8, (columns - 8) / 2))
    transitions = TransitionDrawing(palette: output.palette, fieldColumns: max(8, columns / 4))
  }

  /// Writes `element` at once; `position` is the position behind it in the daemon's events.
  mutating func write(_ element: EventSequence.Element, at position: EventPosition) throws {
    switch element {
    case .ready(let position):
      if !wasReady, output.isTerminal, !isJSON {
        output.print(
          fitted: output.palette.mark("listening on \(VisibleText(socket).text)", as: .quiet))
      }
      if isJSON { writer.ready(instance: position.instance ?? "", sequence: position.sequence) }
      wasReady = true
    case .event(let event) where isJSON: writer.event(event)
    case .event(let event): draw(event)
    case .lost(let count) where isJSON: writer.lost(count, upTo: position.sequence)
    case .lost(let count):
      output.print(
        fitted: output.palette.mark(Self.lost(count, isFiltered: isFiltered), as: .failure))
    }
    output.write(json: writer.bytes)
    writer.removeAll()
    try output.flush()
  }

  /// Says on standard error what becomes of the connection.
  static func tell(_ change: EventSequence.ConnectionChange) {
    complain(change == .lost ? "disconnected" : "connected again")
  }

  /// The words for `count` lost events; `nil` is an unknown number.
  ///
  /// Of an event that is gone the daemon does not know any more which session's and of which kind it was, so that where
  /// the subscription `isFiltered` an unknown number may be none.
  static func lost(_ count: Int?, isFiltered: Bool) -> String {
    guard let count else {
      return "lost an unknown number of events" + (isFiltered ? ", perhaps none of these" : "")
    }
    return "lost \(count) \(count == 1 ? "event" : "events")"
  }

  private mutating func draw(_ event: Event) {
    let time = Timestamp(microseconds: event.time)
    let session = VisibleText(event.session)
    let number = output.palette.mark("#\(event.sequence)", as: .quiet)
    let reading = transitions.draw(event.transition)
    if output.isTerminal {
      // The names have a quarter of the line at most, so that the reading has room on a narrow terminal.
      nameColumns = min(20, output.columns / 4, max(nameColumns, session.columns))
      let name = Palette.fit(session.text, columns: nameColumns)
      let space = String(repeating: " ", count: max(0, nameColumns - VisibleText(name).columns))
      output.print(fitted: "\(time.timeOfDay)  \(name)\(space)  \(number)  \(reading)")
    } else {
      output.print(fitted: "\(time.full)  \(session.text)  \(number)  \(reading)")
    }
    guard draws ?? output.isTerminal else { return }
    if draws == true, let old = event.old {
      output.print(fitted: "    \(snapshots.draw(old).text)")
    }
    if let new = event.new { output.print(fitted: "    \(snapshots.draw(new).text)") }
  }
}
