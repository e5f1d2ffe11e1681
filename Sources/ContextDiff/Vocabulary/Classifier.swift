/// Classifies the transition between two snapshots, without a session's memory.
public struct Classifier: Sendable {
  /// The scalars that end a sentence.
  public var terminators: Terminators

  /// A classifier for hosts whose sentences end with `terminators`.
  public init(terminators: Terminators = .standard) {
    self.terminators = terminators
  }

  /// The best reading of a pair, whatever texts it holds; two equal snapshots are `unchanged`.
  ///
  /// - Complexity: Linear in the length of the two snapshots and the pasteboard.
  public func classify(_ observation: Observation) -> Transition {
    observation.lend { classify($0) }
  }

  /// The same for a client that, with `namesShortcuts`, tells a shortcut that undoes, redoes, cuts or pastes by its own key.
  package func classify(_ observation: Observation, namesShortcuts: Bool) -> Transition {
    observation.lend(namesShortcuts: namesShortcuts) { classify($0) }
  }

  /// The best reading of a pair whose text is lent.
  package func classify(_ observation: borrowing LentObservation) -> Transition {
    answer(observation).transition
  }

  /// What `classify` says.
  package func answer(_ observation: borrowing LentObservation) -> Answer {
    if let keystroke = Keystroke(observation, terminators: terminators),
      observation.old.obeys(observation.evidence.window)
    {
      return .keystroke(keystroke)
    }
    return .transition(
      Inference.verdict(on: pair(observation)) { verdict, pair, _ in
        verdict.transition(for: pair)
      })
  }

  @inline(__always) private func pair(_ observation: borrowing LentObservation) -> Pair {
    let window = observation.likelyWindow
    var known = Known(observation.old, window: window, terminators: terminators)
    known.isAlone = true
    return Pair(observation, window: window, terminators: terminators, known: known)
  }
}

extension Classifier {
  /// How `classify` comes to its answer, for a person to read.
  ///
  /// - Complexity: As `classify`, and a copy of the text for each reading.
  public func explain(_ observation: Observation) -> Explanation {
    observation.lend { Explanation(of: pair($0)) }
  }
}
