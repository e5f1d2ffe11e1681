/// Says what happened between two snapshots, from these alone.
public struct Classifier: Sendable {
  /// The scalars that end a sentence.
  public var terminators: Terminators

  /// A classifier for hosts whose sentences end with `terminators`.
  public init(terminators: Terminators = .standard) {
    self.terminators = terminators
  }

  /// The best reading of a pair.
  ///
  /// - Complexity: Linear in the length of the two snapshots and the pasteboard.
  public func classify(_ observation: Observation) -> Transition {
    let composition = observation.composition
    return withPair(observation) { pair in
      var judge = Judge(pair)
      return judge.ruling().transition(for: judge.pair, composition: composition)
    }
  }

  func withPair<Result>(
    _ observation: Observation, _ body: (consuming Pair) -> Result
  ) -> Result {
    let window = observation.window
    let cause = observation.cause
    let new = observation.new
    let pasteboard = observation.pasteboard
    var result: Result?
    observation.old.lend { old in
      new.lend { new in
        pasteboard.lend { pasteboard in
          result = body(
            Pair(
              old: old, new: new, window: window, terminators: terminators,
              pasteboard: pasteboard, cause: cause,
              known: Known(old, window: window, terminators: terminators)))
        }
      }
    }
    guard let result else { preconditionFailure("the text was not lent") }
    return result
  }
}

extension Classifier {
  /// How `classify` comes to its answer.
  ///
  /// - Complexity: As `classify`, and a copy of the text for each reading; for people, not for
  ///   every pair.
  public func explain(_ observation: Observation) -> Explanation {
    withPair(observation) { pair in
      var judge = Judge(pair, isTraced: true)
      let ruling = judge.ruling()
      return Explanation(of: judge, ruling: ruling, composition: observation.composition)
    }
  }
}
