import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

struct Replay: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Posts the pairs of a recording again, at the pace that they were recorded at.",
    usage: "contextdiffctl replay [<options>] <file>",
    discussion: """
      Each session of the recording is posted to a session of its own, named replay- and this process's number, \
      which is forgotten at the end; with --session all are posted to that one, which stays. Window, key and \
      other evidence are told again, and what was announced is announced again. Writes how each pair is read now, and where its kind \
      or certainty is not what was recorded; what was posted before the recording began is not there to be read by. \
      The exit status is 1 where a pair is read as another kind, a line is no event, \
      or the daemon does not take it.

      Example:
        contextdiffctl replay --local notes.jsonl
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many times faster than recorded; 0 to wait for nothing, as --local does.",
      valueName: "factor"))
  var speed: Double?

  @Option(
    help: ArgumentHelp("Post to this session instead of ones of its own.", valueName: "name"),
    completion: SessionName.completion, transform: SessionName.read)
  var session: SessionName?

  @Option(help: "How the host cut the text, for events that do not say it.")
  var window: Window?

  @Flag(help: "Read in this process, without a daemon.")
  var local = false

  @Flag(help: "Write each transition as it is on the wire, one a line.")
  var json = false

  @Argument(help: "The recording; standard input if -.", completion: .file())
  var file: String

  func validate() throws {
    guard speed ?? 1 >= 0, (speed ?? 1).isFinite else {
      throw ValidationError("--speed takes a number that is not negative.")
    }
    if local, session != nil {
      throw ValidationError("Give --local or --session, not both.")
    }
  }

  func run() async throws {
    let readers = try await makeReaders()
    let interruption = Interruption()
    // A task of its own ends the sessions: the replay may be blocked in reading its input.
    interruption.onSignal {
      Task {
        try? await readers.end()
        endProcess(by: interruption.signal ?? SIGINT)
      }
    }
    do { try await replay(with: readers) } catch {
      try? await readers.end()
      if let signal = interruption.signal { endProcess(by: signal) }
      throw error
    }
    try await readers.end()
  }

  private func replay(with readers: ReplayReaders) async throws {
    var input = try Input(file)
    var reader = LineReader()
    var report = ReplayReport(isJSON: json, output: output.standard)
    var pace = Pace(speed: speed ?? (local ? 0 : 1))
    while let lines = try input.nextLines() {
      for line in lines {
        do {
          let event = try reader.event(line.bytes.get())
          try await pace.wait(for: event.time)
          try report.write(event, try await readers.read(event, window: window))
        } catch let error as LineError {
          report.tell(error.description, line: line.number)
        } catch let error as ContextDiffError where Self.isOfOnePair(error.code) {
          report.tell(error.message, line: line.number)
        }
      }
    }
    try report.finish()
  }

  /// Whether `code` refuses one pair for its contents, so that the daemon may take the next one.
  private static func isOfOnePair(_ code: ContextDiffError.Code) -> Bool {
    code == .snapshotTooLarge || code == .invalidParameter
  }

  private func makeReaders() async throws -> ReplayReaders {
    local
      ? ReplayReaders(to: nil, session: nil)
      : ReplayReaders(to: try await daemon.connect(), session: session?.text)
  }
}

/// Keeps the pace of a recording: waits until each event is due.
private struct Pace {
  private let speed: Double
  /// When the first event was replayed, and its recorded time, in microseconds; `nil` before it.
  private var start: (instant: ContinuousClock.Instant, time: Int)?

  /// A pace `speed` times as fast as recorded; 0 to wait for nothing.
  init(speed: Double) {
    self.speed = speed
  }

  /// Waits until the event recorded at `time`, in microseconds, is due; not at all for the first one.
  ///
  /// It is due as long after the first event as it was when recorded, divided by the speed.
  mutating func wait(for time: Int) async throws {
    guard speed > 0 else { return }
    guard let start else {
      start = (.now, time)
      return
    }
    // A century at most, in microseconds: a damaged recording must not overflow the duration.
    let passed = min(max(Double(time) - Double(start.time), 0) / speed, 3.2e15)
    try await Task.sleep(until: start.instant + .microseconds(Int64(passed)), clock: .continuous)
  }
}
