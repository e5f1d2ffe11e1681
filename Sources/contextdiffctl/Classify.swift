import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire

struct Classify: DaemonCommand {
  static let configuration = CommandConfiguration(
    abstract: "Reads pairs of snapshots as JSON lines, and writes what happened in each.",
    usage: "contextdiffctl classify [<options>] [<file>]",
    discussion: """
      A line is an object with old, new and, where they are known, pasteboard, window, composition, \
      cause, key, merged, reset and secure. Other members are passed over, what was announced too, which replay \
      announces again; but with --session those that neither a recording nor a case has are refused, for \
      a misspelt secure would make a password known. A snapshot may have no others. Blank lines are passed over. Each line is answered by one line, in order and at once: the transition as it is on the wire, null \
      where a post only set a session's baseline, or {"error": …, "line": …} for a line that is no \
      pair, which is also told on standard error. The exit status is 1 if there was such a line.

      Example:
        contextdiffctl classify --local pairs.jsonl | jq .kind
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Post to this session, so that its memory is used and its subscribers hear of it.",
      valueName: "name"),
    completion: SessionName.completion, transform: SessionName.read)
  var session: SessionName?

  @Flag(help: "Classify in this process, without a daemon; no text longer than 1 MiB.")
  var local = false

  @Option(help: "How the host cut the text, for lines that do not say it.")
  var window: Window?

  @Flag(help: "Draw each pair with its caret, for people, instead of writing JSON.")
  var draw = false

  @Argument(help: "The file to read; standard input if left out or -.", completion: .file())
  var file: String?

  /// The longest text of a snapshot, in bytes; unlimited for a daemon, which refuses what is too long for it.
  private var fieldLimit: Int { local ? LocalSessions.textLimit : .max }

  func run() async throws {
    let sawError =
      local && session == nil && !draw
      ? try await classifyOnAllProcessors() : try await classifyInOrder()
    if sawError { throw ExitCode.failure }
  }

  /// Answers one chunk of input after the other, in one place: a daemon, a session or, to draw, one classifier.
  ///
  /// - Returns: Whether a line was no pair, or was refused.
  private func classifyInOrder() async throws -> Bool {
    var answerer = try await makeAnswerer()
    var input = try Input(file)
    var batch = Batch(
      session: session?.text, window: window, fieldLimit: fieldLimit,
      callLimit: try await answerer.callLimit())
    var report = AnswerReport(isDrawn: draw, output: output.standard)
    var progress = Progress(totalBytes: input.totalBytes)
    while let lines = try input.nextLines() {
      for line in lines { batch.append(line) }
      let answers = await answerer.answers(to: batch.pairs)
      progress.show(lines: input.readLines, bytes: input.readBytes)
      try report.write(batch, answers.given)
      if let failure = answers.failure {
        progress.end()
        throw failure
      }
      batch.removeAll()
    }
    progress.end()
    return report.sawError
  }

  /// Answers the lines in this process, those of each chunk of input on several threads.
  ///
  /// - Returns: Whether a line was no pair.
  private func classifyOnAllProcessors() async throws -> Bool {
    var input = try Input(file)
    let batch = LocalBatch(window: window, fieldLimit: fieldLimit)
    var output = output.standard
    var progress = Progress(totalBytes: input.totalBytes)
    var sawError = false
    while let lines = try input.nextLines() {
      for answers in await batch.answers(to: lines) {
        for (reason, line) in answers.complaints { complain("line \(line): \(reason)") }
        sawError = sawError || !answers.complaints.isEmpty
        output.write(json: answers.bytes)
      }
      try output.flush()
      progress.show(lines: input.readLines, bytes: input.readBytes)
    }
    progress.end()
    return sawError
  }

  private func makeAnswerer() async throws -> Answerer {
    switch (local, session) {
    case (false, _): .daemon(try await daemon.connect())
    case (true, nil): .classifier
    case (true, _?): .session(Session())
    }
  }
}

/// Lines that are answered together: what each of them is, and the pairs among them.
struct Batch: ~Copyable {
  /// What a line is.
  enum Slot {
    /// The next of `pairs`, with the line's `name`, a title for the reader; `nil` where it has none.
    case pair(name: String?)
    /// A line that is no pair, and why.
    case bad(LineError)
  }

  /// Each line that is not blank, in order; `number` is its number in the input, from 1.
  private(set) var slots: [(number: Int, slot: Slot)] = []
  /// The pairs of the lines, in order.
  private(set) var pairs: [PairParameters] = []

  private let session: String?
  private let window: Window?
  private let fieldLimit: Int
  private let callLimit: Int
  private var reader = LineReader()

  /// A batch without lines.
  ///
  /// - Parameters:
  ///   - session: Where the pairs are posted; `nil` to classify each without a session, which needs its old snapshot.
  ///   - window: The window of lines that name none.
  ///   - fieldLimit: The longest text of a snapshot, in bytes.
  ///   - callLimit: The longest call, in bytes.
  init(session: String?, window: Window?, fieldLimit: Int, callLimit: Int) {
    self.session = session
    self.window = window
    self.fieldLimit = fieldLimit
    self.callLimit = callLimit
  }

  /// Adds a line: a pair, or a bad line with the reason.
  mutating func append(_ line: LineSplitter.Line) {
    do throws(LineError) {
      let bytes = try line.bytes.get()
      var pair = try reader.pair(
        bytes, window: window, for: session == nil ? .classify : .post, fieldLimit: fieldLimit)
      pair.parameters.session = session
      // The call Classify has no parameter `secure`: it keeps and reports nothing anyway.
      if session == nil { pair.parameters.secure = false }
      // What a call holds besides, a session's name with its escapes above all, is shorter than 4 KiB.
      if bytes.count > callLimit - 4_096, pair.parameters.callLength > callLimit {
        throw .callTooLong(limit: callLimit)
      }
      pairs.append(pair.parameters)
      slots.append((line.number, .pair(name: pair.name)))
    } catch {
      slots.append((line.number, .bad(error)))
    }
  }

  /// Removes all lines.
  mutating func removeAll() {
    slots.removeAll(keepingCapacity: true)
    pairs.removeAll(keepingCapacity: true)
  }
}

/// Writes the answers to `classify`'s lines, in the order of the lines.
private struct AnswerReport: ~Copyable {
  /// Whether a line was no pair, or was refused.
  private(set) var sawError = false

  private let isDrawn: Bool
  private var output: Output
  private var writer = LineWriter()
  private let snapshots: SnapshotDrawing
  private let transitions: TransitionDrawing

  init(isDrawn: Bool, output: Output) {
    self.isDrawn = isDrawn
    self.output = output
    snapshots = SnapshotDrawing(palette: output.palette, fieldColumns: (output.columns - 8) / 2)
    transitions = TransitionDrawing(palette: output.palette)
  }

  /// Writes one answer for each line of `batch`, or draws each pair.
  ///
  /// `answers` are those to `batch.pairs`, in order. Where they are fewer, the lines from the first pair without an
  /// answer on are left out, which standard error says.
  mutating func write(
    _ batch: borrowing Batch, _ answers: [Result<PairReply, ContextDiffError>]
  ) throws {
    var next = 0
    lines: for (number, slot) in batch.slots {
      switch slot {
      case .bad(let error):
        tell(error.description, line: number)
      case .pair(let name):
        if next == answers.count {
          complain("line \(number) got no answer, nor did those after it")
          break lines
        }
        defer { next += 1 }
        switch answers[next] {
        case .failure(let error): tell(error.message, line: number)
        case .success(let reply) where isDrawn:
          draw(batch.pairs[next], reply, name: name, line: number)
        case .success(let reply): writer.transition(reply.transition)
        }
      }
    }
    output.write(json: writer.bytes)
    writer.removeAll()
    try output.flush()
  }

  /// Writes why a line has no answer to standard error and, except while drawing, as JSON in the answer's place.
  private mutating func tell(_ reason: String, line number: Int) {
    sawError = true
    complain("line \(number): \(reason)")
    if !isDrawn { writer.error(reason, line: number) }
  }

  private mutating func draw(
    _ pair: PairParameters, _ reply: PairReply, name: String?, line number: Int
  ) {
    let title = name.map { "  \(VisibleText($0).text)" } ?? ""
    output.print(output.palette.mark("\(number)\(title)", as: .heading))
    if let old = pair.old { output.print(fitted: "    \(snapshots.draw(old).text)") }
    output.print(fitted: "    \(snapshots.draw(pair.new).text)")
    output.print(fitted: "    \(reply.transition.map(transitions.draw) ?? "a baseline")")
    output.print("")
  }
}
