import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

/// A pair of snapshots and what else is known of it, given by options; or as JSON on standard input.
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
    help: ArgumentHelp("Whether the host said that there was any text.", valueName: "true|false"))
  var oldHasText: Bool?

  @Option(
    help: ArgumentHelp("Whether the host says that there is any text now.", valueName: "true|false")
  )
  var newHasText: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the caret, or the selection's left end, stood in the whole text.", valueName: "scalars"
    ),
    transform: number(in: 0...Int.max))
  var oldCaret: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the caret, or the selection's left end, stands in the whole text.",
      valueName: "scalars"),
    transform: number(in: 0...Int.max))
  var newCaret: Int?

  @Option(
    help: ArgumentHelp("Whether the host told what was selected.", valueName: "true|false"))
  var oldSelectionShown: Bool?

  @Option(
    help: ArgumentHelp("Whether the host tells what is selected.", valueName: "true|false"))
  var newSelectionShown: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The pasteboard's text now.", valueName: "text"))
  var pasteboard: String?

  @Option(help: "How the host cut the text.")
  var window: Window?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much left of the caret was being composed.", valueName: "scalars"),
    transform: number(in: 0...Int.max))
  var compositionBefore: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much right of the caret was being composed.", valueName: "scalars"),
    transform: number(in: 0...Int.max))
  var compositionAfter: Int?

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
      old != Snapshot() || new != Snapshot() || pasteboard != nil || compositionBefore != nil
      || compositionAfter != nil
      || cause != nil || key != nil || merged || reset
    if isEvidence, observation == nil {
      throw ValidationError(
        "Give the pair's texts by options too: a pair on standard input says itself what is known.")
    }
  }

  /// What the options give of the old snapshot.
  private var old: Snapshot {
    Snapshot(
      before: oldBefore, selected: oldSelected, after: oldAfter, hasText: oldHasText,
      caret: oldCaret, selectionShown: oldSelectionShown)
  }

  /// What the options give of the new snapshot.
  private var new: Snapshot {
    Snapshot(
      before: newBefore, selected: newSelected, after: newAfter, hasText: newHasText,
      caret: newCaret, selectionShown: newSelectionShown)
  }

  /// The pair that the options give; `nil` where they give none of its texts.
  ///
  /// A text that is not given is one that the host does not tell.
  var observation: Observation? {
    let texts = [oldBefore, oldSelected, oldAfter, newBefore, newSelected, newAfter]
    guard texts.contains(where: { $0 != nil }) else { return nil }
    let isComposing = compositionBefore != nil || compositionAfter != nil
    return Observation(
      old: old, new: new, pasteboard: pasteboard,
      evidence: Evidence(
        window: window,
        composition: isComposing
          ? Composition(before: compositionBefore ?? 0, after: compositionAfter ?? 0)
          : nil,
        cause: cause, key: key, merged: merged, reset: reset))
  }

  /// The pair that the options give or, where they give none of its texts, the one on standard input: a JSON object
  /// over any number of lines.
  ///
  /// - Parameters:
  ///   - use: What the pair is for: to be classified it must have its old snapshot; to be posted, one of which
  ///     nothing is given is `nil`.
  ///   - fieldLimit: The longest text of a pair on standard input, in bytes.
  /// - Returns: The pair, without a session.
  /// - Throws: `Failure` where standard input is empty, cannot be read or is no pair.
  func parameters(for use: LineReader.Use, fieldLimit: Int) throws -> PairParameters {
    if let observation {
      var parameters = PairParameters(observation)
      if use == .post, old == Snapshot() { parameters.old = nil }
      return parameters
    }
    var input = try Input(nil)
    let lines = try input.allLines()
    if lines.isEmpty { throw Failure("standard input: no pair") }
    // JSON written by hand may have several lines. They are joined again with line feeds, which JSON ignores.
    var text: [UInt8] = []
    var reader = LineReader()
    do throws(LineError) {
      for line in lines {
        text += try line.bytes.get() + [UInt8(ascii: "\n")]
        guard text.count <= Input.longestLine else { throw .tooLong(limit: Input.longestLine) }
      }
      return try reader.pair(text, window: window, for: use, fieldLimit: fieldLimit)
        .parameters
    } catch {
      throw Failure("standard input: \(error)")
    }
  }
}

extension Observation {
  /// The observation of `pair`; where it has no old snapshot, one that tells nothing stands for it.
  init(_ pair: PairParameters) {
    self.init(
      old: pair.old ?? Snapshot(), new: pair.new, pasteboard: pair.pasteboard,
      evidence: pair.evidence)
  }
}
