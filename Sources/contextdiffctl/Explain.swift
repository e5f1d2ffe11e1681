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
      Works in this process, without a daemon and without a session's memory. The pair is given by options, \
      those left out being null, or as one JSON object on standard input, as classify takes it.

      Example:
        contextdiffctl explain --old-before アイウ。 --new-before エ
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "The pair") var pair: PairOptions

  @Flag(help: "Show each line of the published list, and what it compared.")
  var list = false

  @Flag(help: "Write the explanation as JSON.")
  var json = false

  func run() throws {
    let observation =
      try pair.observation ?? Observation(readPair(window: pair.window, needsOld: true))
    var output = output.standard
    let explanation = Classifier().explain(observation)
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

/// The pair that stands on standard input, as one JSON object over any number of lines.
func readPair(window: Window?, needsOld: Bool) throws -> PairParameters {
  guard isatty(STDIN_FILENO) == 0 else {
    throw ValidationError("Give the pair by options, or as JSON on standard input.")
  }
  let limit = 32 << 20
  var input = try Input(nil, lineLimit: limit)
  // A person's JSON may go over several lines; white space between its parts says nothing.
  var text: [UInt8] = []
  for line in try input.allLines() {
    guard case .complete(let bytes) = line, text.count + bytes.count < limit else {
      throw Failure("standard input: \(LineError.tooLong(limit: limit))")
    }
    text += bytes + [UInt8(ascii: "\n")]
  }
  var reader = LineReader()
  do throws(LineError) {
    return try reader.pair(text, window: window, needsOld: needsOld, fieldLimit: 1 << 20).parameters
  } catch {
    throw Failure("standard input: \(error)")
  }
}

/// A pair given word by word.
struct PairOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What stood left of the caret or the selection.", valueName: "text"))
  var oldBefore: String?

  @Option(help: ArgumentHelp("What was selected.", valueName: "text"))
  var oldSelected: String?

  @Option(help: ArgumentHelp("What stood right of the caret or the selection.", valueName: "text"))
  var oldAfter: String?

  @Option(help: ArgumentHelp("What stands left of the caret or the selection.", valueName: "text"))
  var newBefore: String?

  @Option(help: ArgumentHelp("What is selected.", valueName: "text"))
  var newSelected: String?

  @Option(help: ArgumentHelp("What stands right of the caret or the selection.", valueName: "text"))
  var newAfter: String?

  @Option(
    help: ArgumentHelp("Whether the host says that there is any text now.", valueName: "true|false")
  )
  var newHasText: Bool?

  @Option(help: ArgumentHelp("The pasteboard's text now.", valueName: "text"))
  var pasteboard: String?

  @Option(help: "How the host cut the text.")
  var window: Window?

  @Option(
    help: ArgumentHelp("How much left of the caret was being composed.", valueName: "scalars"))
  var compositionBefore: UInt32?

  @Option(
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
      window: window, pasteboard: pasteboard,
      composition: isComposing
        ? Composition(before: Int(compositionBefore ?? 0), after: Int(compositionAfter ?? 0)) : nil,
      cause: cause, key: key, merged: merged, reset: reset)
  }
}

extension Observation {
  /// What a line of a batch says; without `old`, nothing was shown.
  init(_ pair: PairParameters) {
    self.init(
      old: pair.old ?? Snapshot(), new: pair.new, window: pair.window, pasteboard: pair.pasteboard,
      composition: pair.composition, cause: pair.cause, key: pair.key, merged: pair.merged,
      reset: pair.reset)
  }
}
