import ArgumentParser
import ContextDiff
import ContextDiffConsole
import ContextDiffWire

/// Writes how each pair of a recording is read now.
struct ReplayReport: ~Copyable {
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
