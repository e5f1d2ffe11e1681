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
    withPair(observation) { pair in
      var judge = Judge(pair)
      return judge.ruling().transition(for: judge.pair, composition: observation.composition)
    }
  }

  func withPair<Result>(
    _ observation: Observation, _ body: (Pair) -> Result
  ) -> Result {
    observation.old.withFields { old in
      observation.new.withFields { new in
        observation.pasteboard.withField { pasteboard in
          body(
            Pair(
              old: old, new: new, window: observation.window, terminators: terminators,
              pasteboard: pasteboard, cause: observation.cause,
              known: Known(old, window: observation.window, terminators: terminators)))
        }
      }
    }
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
