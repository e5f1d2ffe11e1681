import ArgumentParser
import ContextDiff
import ContextDiffConsole
import ContextDiffWire

/// Writes how each pair of a recording is read now, and where that is another kind than recorded, or another certainty.
struct ReplayReport: ~Copyable {
  private let isJSON: Bool
  private var output: Output
  private var writer = LineWriter()
  private let transitions: TransitionDrawing
  private var pairs = 0
  /// How many of the pairs were read as another kind than recorded, or only set a baseline.
  private var differing = 0
  /// How many were read as the same kind with another certainty.
  private var otherwiseCertain = 0
  /// Whether a line was no event, or was refused.
  private var sawBadLine = false

  init(isJSON: Bool, output: Output) {
    self.isJSON = isJSON
    self.output = output
    transitions = TransitionDrawing(palette: output.palette)
  }

  /// Writes how the pair of `event` is read now: `transition`, or `nil` where it only set a baseline.
  mutating func write(_ event: Event, _ transition: Transition?) throws {
    pairs += 1
    let recorded = event.transition.kind
    let differs = transition.map { $0.kind != recorded } ?? true
    let differsInCertainty =
      !differs && transition.map { $0.certainty != event.transition.certainty } ?? false
    if differs { differing += 1 }
    if differsInCertainty { otherwiseCertain += 1 }
    if isJSON {
      writer.transition(transition)
      output.write(json: writer.bytes)
      writer.removeAll()
    } else {
      let reading = transition.map(transitions.draw) ?? "a baseline"
      let was =
        differs
        ? output.palette.mark("  (was \(recorded.rawValue))", as: .failure)
        : differsInCertainty ? "  (was \(event.transition.certainty.rawValue))" : ""
      output.print("\(VisibleText(event.session).text)  \(reading)\(was)")
    }
    try output.flush()
  }

  /// Writes to standard error why the line of that number was not read.
  mutating func tell(_ reason: String, line number: Int) {
    sawBadLine = true
    complain("line \(number): \(reason)")
  }

  /// Writes the totals, except as JSON.
  ///
  /// - Throws: `ExitCode.failure` where a pair was read as another kind or a line was not read; what `flush` throws.
  mutating func finish() throws {
    if !isJSON {
      let noun = pairs == 1 ? "pair" : "pairs"
      let certainties =
        otherwiseCertain == 0 ? "" : ", \(otherwiseCertain) with another certainty"
      output.print(
        "\(pairs) \(noun), \(differing) read as another kind than recorded\(certainties)")
      try output.flush()
    }
    if sawBadLine || differing > 0 { throw ExitCode.failure }
  }
}
