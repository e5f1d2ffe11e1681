import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole

struct Replay: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Posts the pairs of a recording again, at the pace that they were recorded at.",
    discussion: """
      Writes how each pair is read now, and tells where that is another kind than recorded. A recording holds \
      no pasteboard, so that a paste may be read as an insertion.

      Example:
        contextdiffctl replay --speed 10 notes.jsonl
      """)

  @OptionGroup var daemon: DaemonOptions

  @Option(
    help: ArgumentHelp(
      "How many times faster than recorded; 0 to wait for nothing.", valueName: "factor"))
  var speed = 1.0

  @Option(
    help: ArgumentHelp("Post to this session instead of those recorded.", valueName: "name"))
  var session: SessionName?

  @Option(help: "How the host cut the text.")
  var window: Window?

  @Flag(help: "Write each transition as it is on the wire, one a line.")
  var json = false

  @Argument(help: "The recording; standard input if -.", completion: .file())
  var file: String

  func validate() throws {
    guard speed >= 0, speed.isFinite else {
      throw ValidationError("--speed takes a number that is not negative.")
    }
  }

  func run() async throws {
    let limit = 32 << 20
    var input = try Input(file, lineLimit: limit)
    let client = try await daemon.connect()
    var reader = LineReader()
    var report = ReplayReport(isJSON: json)
    var pace = Pace(speed: speed)
    var number = 0
    while let lines = try input.nextLines() {
      for line in lines {
        number += 1
        do {
          guard case .complete(let bytes) = line else { throw LineError.tooLong(limit: limit) }
          let event = try reader.event(bytes)
          guard let old = event.old, let new = event.new else { continue }
          try await pace.wait(for: event.time)
          let posted = try await client.post(
            new, after: old, to: session?.name ?? event.session, window: window)
          try report.write(event, posted)
        } catch let error as LineError {
          report.tell(error.description, line: number)
        }
      }
    }
    try report.finish()
  }
}

/// When each event of a recording is due.
private struct Pace {
  private let speed: Double
  private var start: (instant: ContinuousClock.Instant, time: Int)?

  init(speed: Double) {
    self.speed = speed
  }

  /// Waits until as much time has passed since the first event as passed when it was recorded,
  /// divided by the speed.
  mutating func wait(for time: Int) async throws {
    guard speed > 0 else { return }
    guard let start else {
      start = (.now, time)
      return
    }
    // Within a century, so that no recording can overflow a duration.
    let passed = min(max(Double(time) - Double(start.time), 0) / speed, 3.2e15)
    try await Task.sleep(until: start.instant + .microseconds(Int64(passed)), clock: .continuous)
  }
}

/// Writes how each pair of a recording is read now.
private struct ReplayReport: ~Copyable {
  private let isJSON: Bool
  private var output = Output.standard
  private var writer = LineWriter()
  private let transitions: TransitionDrawing
  private var pairs = 0
  private var differing = 0
  private var sawBadLine = false

  init(isJSON: Bool) {
    self.isJSON = isJSON
    transitions = TransitionDrawing(palette: output.palette)
  }

  mutating func write(_ event: Event, _ posted: Posted) throws {
    pairs += 1
    let recorded = event.transition.kind
    let differs = posted.transition.map { $0.kind != recorded } ?? true
    if differs { differing += 1 }
    if isJSON {
      writer.transition(posted.transition)
      output.write(writer.bytes)
      writer.removeAll()
    } else {
      let reading = posted.transition.map(transitions.draw) ?? "a baseline"
      let was = differs ? output.palette.mark("  (was \(recorded.rawValue))", as: .failure) : ""
      output.print("\(VisibleText(event.session).text)  \(reading)\(was)")
    }
    try output.flush()
  }

  mutating func tell(_ reason: String, line number: Int) {
    sawBadLine = true
    complain("line \(number): \(reason)")
  }

  mutating func finish() throws {
    if !isJSON {
      output.print("\(pairs) pairs, \(differing) read as another kind than recorded")
      try output.flush()
    }
    if sawBadLine { throw ExitCode.failure }
  }
}
