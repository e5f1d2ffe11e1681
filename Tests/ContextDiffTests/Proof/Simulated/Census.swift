import ContextDiff

/// How often the same was seen and something else had been done: no engine can be right more often
/// than by naming, for each distinct sight, what was done most often.
///
/// A sight is the pair with `depth` snapshots before it. What was seen only once counts as right, so
/// that this is a bound, and a generous one.
struct Census {
  private struct Sight: Hashable {
    var shown: [Shown]
    var pasteboard: [Unicode.Scalar]?
  }

  private let depth: Int
  private var done: [Sight: [Kind: Int]] = [:]

  init(depth: Int) { self.depth = depth }

  mutating func add(_ recording: Recording, host: Host, tellsPasteboard: Bool) {
    let convention = Convention()
    var old = recording.start
    var shown = [host.shows(old)]
    for step in recording.steps {
      let last = shown[shown.count - 1]
      let next = host.shows(step.field)
      let pasteboard = tellsPasteboard ? step.pasteboard : nil
      let kind = convention.name(
        step, from: old, shown: last, to: next, window: host.window, pasteboard: pasteboard)
      shown.append(next)
      let sight = Sight(shown: Array(shown.suffix(depth + 2)), pasteboard: pasteboard)
      done[sight, default: [:]][kind, default: 0] += 1
      old = step.field
    }
  }

  /// The best possible share of right answers.
  var bestPossible: Double {
    var total = 0
    var best = 0
    for kinds in done.values {
      total += kinds.values.reduce(0, +)
      best += kinds.values.max() ?? 0
    }
    return total == 0 ? 1 : Double(best) / Double(total)
  }
}
