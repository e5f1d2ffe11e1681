import ContextDiff
import Testing

/// What a replay must reach at least, as shares of one.
struct Floor {
  var right = 0.0
  /// The true kind among `kind` and `alternatives`.
  var named = 0.0
  /// Certain but wrong, of the certain: at most.
  var wrongOfCertain = 1.0
  /// Certain, of ordinary typing and caret moves.
  var ordinaryCertain = 0.0
  var undo = 0.0
  var redo = 0.0
}

extension Replay {
  /// Where this replay is below its target, as a line's end; empty where it is not.
  func shortfall(of target: Floor) -> String {
    var parts: [String] = []
    func compare(_ name: String, _ value: Double, _ least: Double) {
      if value < least {
        parts.append("\(name) \(rounded(100 * value, 2)) of \(rounded(100 * least, 2))%")
      }
    }
    compare("right", all.accuracy, target.right)
    compare("named", all.coverage, target.named)
    compare("right of certain", 1 - all.wrongOfCertain, 1 - target.wrongOfCertain)
    compare("ordinary certain", ordinary.certainShare, target.ordinaryCertain)
    compare("undo", tally(.undo).accuracy, target.undo)
    compare("redo", tally(.redo).accuracy, target.redo)
    return parts.isEmpty ? "" : "  BELOW ITS TARGET: " + parts.joined(separator: ", ")
  }

  /// Expects `floor` of this replay of `recording`; what falls below is shown with its worst
  /// readings, each shrunk to the shortest run that shows it.
  func expect(
    _ floor: Floor, of recording: Recording, _ title: String, host: Host, tellsPasteboard: Bool,
    withMemory: Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    func shrunk(_ reason: String, _ isGuilty: (Miss) -> Bool) -> Comment {
      let runs = misses.filter(isGuilty).prefix(3).map { miss in
        // What is undone is in the history: without it there is nothing to shrink.
        let run =
          miss.truth == .undo || miss.truth == .redo
          ? recording.upTo(miss.step)
          : recording.shrunk(
            to: miss, host: host, tellsPasteboard: tellsPasteboard, withMemory: withMemory)
        return run.drawing(host: host)
          + "\n      is \(miss.truth.rawValue), says \(drawn(miss.said))"
      }
      return "\(line(title))\n  \(reason):\n      \(runs.joined(separator: "\n\n      "))"
    }
    func isWrong(_ miss: Miss) -> Bool { miss.said.kind != miss.truth }
    let all = self.all
    if all.accuracy < floor.right {
      Issue.record(shrunk("right", isWrong), sourceLocation: sourceLocation)
    }
    if all.coverage < floor.named {
      Issue.record(
        shrunk("named") { isWrong($0) && !$0.said.alternatives.contains($0.truth) },
        sourceLocation: sourceLocation)
    }
    if all.wrongOfCertain > floor.wrongOfCertain {
      Issue.record(
        shrunk("certain but wrong") { isWrong($0) && $0.said.certainty == .certain },
        sourceLocation: sourceLocation)
    }
    if ordinary.certainShare < floor.ordinaryCertain {
      Issue.record("\(line(title))\n  ordinary edits certain", sourceLocation: sourceLocation)
    }
    for (kind, least) in [(Kind.undo, floor.undo), (.redo, floor.redo)]
    where tally(kind).accuracy < least {
      Issue.record(
        shrunk(kind.rawValue) { isWrong($0) && $0.truth == kind }, sourceLocation: sourceLocation)
    }
  }
}
