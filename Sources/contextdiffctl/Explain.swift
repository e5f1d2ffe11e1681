import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws one pair of snapshots, and shows why it is read as it is.",
    discussion: """
      Works in this process, without a daemon. The pair is given by options, those left out being null, or as \
      one JSON object on standard input, as classify takes it. With --session standard input is lines as \
      record writes them or classify takes them: the last is explained with what those of its session before it showed.

      Example:
        contextdiffctl explain --old-before アイウ。 --new-before エ
        head -n 12 notes.jsonl | contextdiffctl explain --session
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The pair") var pair: PairOptions

  @Flag(help: "Explain the last line of standard input with what the lines before it showed.")
  var session = false

  @Flag(help: "Show each line of the published list, and what it compared.")
  var list = false

  @Flag(help: "Write the explanation as JSON.")
  var json = false

  func validate() throws {
    if session, pair.observation != nil {
      throw ValidationError("Give the pair by options, or --session with lines on standard input.")
    }
  }

  func run() throws {
    let (observation, explanation) = try session ? explainLastLine() : explainPair()
    var output = output.standard
    if json {
      var writer = LineWriter()
      writer.explanation(explanation)
      output.write(writer.bytes)
    } else {
      let drawing = ExplanationDrawing(
        palette: output.palette, columns: output.columns, showsList: list)
      for line in drawing.draw(observation, explanation) { output.print(line) }
    }
    try output.flush()
  }
}

extension Explain {
  private func explainPair() throws -> (Observation, Explanation) {
    let observation =
      try pair.observation ?? Observation(readPair(window: pair.window, needsOld: true))
    return (observation, Classifier().explain(observation))
  }

  /// What the lines of one session have shown so far.
  private struct Seen {
    var session = Session()
    var last: PairParameters?
    var announcements = RecordedAnnouncements()
  }

  /// The last pair of standard input's, read in a session that has seen the others of its session.
  private func explainLastLine() throws -> (Observation, Explanation) {
    var input = try openPairs()
    var reader = LineReader()
    let classifier = Classifier()
    var sessions: [SessionName?: Seen] = [:]
    var name: SessionName?
    for (place, line) in try input.allLines().enumerated() {
      do throws(LineError) {
        guard case .complete(let bytes) = line else { throw .tooLong(limit: pairLimit) }
        let said = try reader.pair(
          bytes, window: pair.window, needsOld: false, fieldLimit: fieldLimit)
        var pair = said.parameters
        name = said.session.map { SessionName($0) }
        var seen = sessions.removeValue(forKey: name) ?? Seen()
        if let last = seen.last { _ = seen.session.post(last, with: classifier) }
        pair.old = pair.old ?? seen.last?.new
        seen.announcements.announce(
          before: said.announced, from: pair.old, to: pair.new, in: &seen.session, with: classifier)
        seen.last = pair
        sessions[name] = seen
      } catch {
        throw Failure("standard input: line \(place + 1): \(error)")
      }
    }
    guard let seen = sessions[name], let last = seen.last,
      let explanation = seen.session.explain(last, with: classifier)
    else {
      throw Failure("standard input: no pair to explain, but a baseline at most")
    }
    return (Observation(last), explanation)
  }
}

/// The longest text of a pair, and the longest line, in bytes.
private let fieldLimit = 1 << 20
private let pairLimit = 32 << 20

/// Standard input, where pairs come by it.
private func openPairs() throws -> Input { try Input(nil, lineLimit: pairLimit) }

/// The pair that stands on standard input, as one JSON object over any number of lines.
func readPair(window: Window?, needsOld: Bool) throws -> PairParameters {
  var input = try openPairs()
  // A person's JSON may go over several lines; white space between its parts says nothing.
  var text: [UInt8] = []
  for line in try input.allLines() {
    guard case .complete(let bytes) = line, text.count + bytes.count < pairLimit else {
      throw Failure("standard input: \(LineError.tooLong(limit: pairLimit))")
    }
    text += bytes + [UInt8(ascii: "\n")]
  }
  var reader = LineReader()
  do throws(LineError) {
    return try reader.pair(text, window: window, needsOld: needsOld, fieldLimit: fieldLimit)
      .parameters
  } catch {
    throw Failure("standard input: \(error)")
  }
}

/// A pair given word by word.
struct PairOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What stood left of the caret or the selection.", valueName: "text"))
  var oldBefore: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What was selected.", valueName: "text"))
  var oldSelected: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What stood right of the caret or the selection.", valueName: "text"))
  var oldAfter: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What stands left of the caret or the selection.", valueName: "text"))
  var newBefore: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What is selected.", valueName: "text"))
  var newSelected: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What stands right of the caret or the selection.", valueName: "text"))
  var newAfter: String?

  @Option(
    help: ArgumentHelp("Whether the host says that there is any text now.", valueName: "true|false")
  )
  var newHasText: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The pasteboard's text now.", valueName: "text"))
  var pasteboard: String?

  @Option(help: "How the host cut the text.")
  var window: Window?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much left of the caret was being composed.", valueName: "scalars"))
  var compositionBefore: UInt32?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much right of the caret was being composed.", valueName: "scalars"))
  var compositionAfter: UInt32?

  @Option(help: "Who the host says made the change.")
  var cause: Cause?

  @Option(help: "The key that went to the host between the two.")
  var key: Key?

  @Flag(help: "Several acts may lie between the two.")
  var merged = false

  @Flag(help: "The host reset its input method between the two.")
  var reset = false

  func validate() throws {
    if observation == nil, isatty(STDIN_FILENO) == 1 {
      throw ValidationError("Give the pair by options, or as JSON on standard input.")
    }
    let isEvidence =
      newHasText != nil || pasteboard != nil || compositionBefore != nil || compositionAfter != nil
      || cause != nil || key != nil || merged || reset
    if isEvidence, observation == nil {
      throw ValidationError(
        "Give the pair's texts by options too: a pair on standard input says itself what is known.")
    }
  }

  /// Whether any text of the old snapshot is given.
  var namesOld: Bool { oldBefore != nil || oldSelected != nil || oldAfter != nil }

  /// The pair; `nil` where none of its texts is given.
  var observation: Observation? {
    let texts = [oldBefore, oldSelected, oldAfter, newBefore, newSelected, newAfter]
    guard texts.contains(where: { $0 != nil }) else { return nil }
    let isComposing = compositionBefore != nil || compositionAfter != nil
    return Observation(
      old: Snapshot(before: oldBefore, selected: oldSelected, after: oldAfter),
      new: Snapshot(
        before: newBefore, selected: newSelected, after: newAfter, hasText: newHasText),
      pasteboard: pasteboard,
      evidence: Evidence(
        window: window,
        composition: isComposing
          ? Composition(before: Int(compositionBefore ?? 0), after: Int(compositionAfter ?? 0))
          : nil,
        cause: cause, key: key, merged: merged, reset: reset))
  }
}

extension Observation {
  /// What a line of a batch says; without `old`, nothing was shown.
  init(_ pair: PairParameters) {
    self.init(
      old: pair.old ?? Snapshot(), new: pair.new, pasteboard: pair.pasteboard,
      evidence: pair.evidence)
  }
}
