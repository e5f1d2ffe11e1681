import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

struct Replay: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Posts the pairs of a recording again, at the pace that they were recorded at.",
    discussion: """
      Each of the recording's sessions goes to one of its own, named replay- and this process's number, which \
      is forgotten at the end; with --session all go to that one, which stays. What the recording holds besides \
      the snapshots is told again, and what was announced is announced again. Writes how each pair \
      is read now, and where that is not what was recorded. The exit status is 1 where any is read as another \
      kind, or a line is no event.

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
    help: ArgumentHelp("Post to this session instead of ones of its own.", valueName: "name"))
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
    // This thread may wait for input.
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
    let limit = 32 << 20
    var input = try Input(file, lineLimit: limit)
    var reader = LineReader()
    var report = ReplayReport(isJSON: json, output: output.standard)
    var pace = Pace(speed: speed ?? (local ? 0 : 1))
    var number = 0
    while let lines = try input.nextLines() {
      for line in lines {
        number += 1
        do {
          guard case .complete(let bytes) = line else { throw LineError.tooLong(limit: limit) }
          let event = try reader.event(bytes)
          try await pace.wait(for: event.time)
          try report.write(event, try await readers.read(event, window: window))
        } catch let error as LineError {
          report.tell(error.description, line: number)
        }
      }
    }
    try report.finish()
  }

  private func makeReaders() async throws -> ReplayReaders {
    local
      ? ReplayReaders(to: nil, session: nil)
      : ReplayReaders(to: (try await daemon.connect(), daemon), session: session?.text)
  }
}

/// Who reads the pairs of a recording: for each session of it one of its own.
private actor ReplayReaders {
  private let daemon: (client: ContextDiffClient, options: DaemonOptions)?
  /// Where all pairs go, where that is given.
  private let session: String?
  /// The names that this replay gave, by those recorded.
  private var names: [String: String] = [:]
  private var engines: [String: Session] = [:]
  /// What was announced to each session, by the names recorded.
  private var announcements: [String: RecordedAnnouncements] = [:]
  /// Whether nothing is posted any more: what was forgotten would be begun again.
  private var isEnding = false

  init(to daemon: (ContextDiffClient, DaemonOptions)?, session: String?) {
    self.daemon = daemon
    self.session = session
  }

  func read(_ event: Event, window: Window?) async throws -> Transition? {
    let old = event.old ?? Snapshot()
    let new = event.new ?? Snapshot()
    let evidence = event.evidence.through(window)
    guard let daemon else {
      let classifier = Classifier()
      var engine = engines[event.session] ?? Session()
      announcements[event.session, default: RecordedAnnouncements()].announce(
        before: .init(event), from: old, to: new, in: &engine, with: classifier)
      defer { engines[event.session] = engine }
      return engine.post(
        old: old, new: new, pasteboard: event.pasteboard, evidence: evidence, with: classifier)
    }
    let name = session ?? name(for: event.session)
    try await announce(before: event, from: old, to: new, in: name, by: daemon)
    try checkGoesOn()
    return try await daemon.options.answer {
      try await daemon.client.post(
        new, after: old, to: name, pasteboard: event.pasteboard, evidence: evidence
      ).transition
    }
  }

  /// Announces again what was announced before the event; an edit that the daemon does not take is passed over.
  private func announce(
    before event: Event, from old: Snapshot, to new: Snapshot, in name: String,
    by daemon: (client: ContextDiffClient, options: DaemonOptions)
  ) async throws {
    var recorded = announcements[event.session] ?? RecordedAnnouncements()
    for announcement in recorded.announcements(before: .init(event), from: old, to: new) {
      try checkGoesOn()
      let number = recorded.number(of: announcement)
      do {
        let answer: Int? = try await daemon.options.answer {
          let client = daemon.client
          switch announcement.edit {
          case .edit(let edit):
            return try await client.expect(edit, after: announcement.old, in: name)
          case .snapshot(let new):
            return try await client.expect(new, after: announcement.old, in: name)
          case nil:
            if let number { try await client.withdraw(number, in: name) }
            return nil
          }
        }
        recorded.note(announcement, as: answer)
      } catch let error as ContextDiffError where error.code.isOfAnnouncements {
        recorded.note(announcement, as: nil)
      }
    }
    announcements[event.session] = recorded
  }

  private func checkGoesOn() throws {
    if isEnding { throw CancellationError() }
  }

  /// Posts nothing more, and forgets the sessions that it made; one that has ended meanwhile is as forgotten as it
  /// was to be.
  func end() async throws {
    isEnding = true
    guard let daemon else { return }
    for name in names.values {
      do {
        try await daemon.options.answer { try await daemon.client.forget(name) }
      } catch let error as ContextDiffError where error.code == .noSuchSession {}
    }
  }

  private func name(for recorded: String) -> String {
    if let name = names[recorded] { return name }
    let name = "replay-\(getpid())-\(names.count + 1)"
    names[recorded] = name
    return name
  }
}

extension ContextDiffError.Code {
  /// Whether an edit that is announced again, or withdrawn, may be refused so where the recording is not whole.
  fileprivate var isOfAnnouncements: Bool {
    self == .invalidParameter || self == .noSuchSession || self == .noSuchExpectation
  }
}

extension Evidence {
  /// The same, told of `window` where no other was told.
  fileprivate func through(_ window: Window?) -> Evidence {
    var evidence = self
    evidence.window = evidence.window ?? window
    return evidence
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
  private var output: Output
  private var writer = LineWriter()
  private let transitions: TransitionDrawing
  private var pairs = 0
  private var differing = 0
  private var sawBadLine = false

  init(isJSON: Bool, output: Output) {
    self.isJSON = isJSON
    self.output = output
    transitions = TransitionDrawing(palette: output.palette)
  }

  mutating func write(_ event: Event, _ transition: Transition?) throws {
    pairs += 1
    let recorded = event.transition.kind
    let differs = transition.map { $0.kind != recorded } ?? true
    if differs { differing += 1 }
    if isJSON {
      writer.transition(transition)
      output.write(writer.bytes)
      writer.removeAll()
    } else {
      let reading = transition.map(transitions.draw) ?? "a baseline"
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
    if sawBadLine || differing > 0 { throw ExitCode.failure }
  }
}
