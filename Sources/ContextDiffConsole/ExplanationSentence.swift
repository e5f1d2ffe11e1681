package import ContextDiff

/// One English sentence that says what a pair is read as, and why.
package struct ExplanationSentence: Sendable {
  /// The sentence, with its full stop.
  package let text: String

  /// Makes the sentence; `explanation` has to be one of `observation`.
  package init(_ observation: Observation, _ explanation: Explanation) {
    let transition = explanation.transition
    let chosen = explanation.readings.first { $0.isChosen }
    var text = "It is \(Self.article(transition.kind)): \(transition.kind.meaning)"
    if let offset = transition.cursorOffset, offset.scalars != 0 {
      let count = abs(offset.scalars)
      let side = offset.scalars < 0 ? "left" : "right"
      text += ", \(count) \(count == 1 ? "scalar" : "scalars") to the \(side)"
    }
    if let chosen, let fit = Self.fit(chosen, window: observation.evidence.window ?? .sentence) {
      text += ", and that shows \(fit)"
    }
    text += "; " + Self.certainty(of: explanation)
    if transition.basicKind != transition.kind {
      text +=
        "; the published list, which compares the texts as they stand, says \(transition.basicKind.rawValue)"
    }
    if !transition.unfulfilled.isEmpty {
      let edits = transition.unfulfilled.count == 1 ? "edit" : "edits"
      text +=
        "; announced \(edits) \(transition.unfulfilled.asEditNumbers) did not come: "
        + "another edit is shown instead, or a part alone"
    }
    self.text = text + "."
  }

  /// The kind's name, after the article that it needs.
  private static func article(_ kind: Kind) -> String {
    let name = kind.rawValue
    switch kind {
    case .unchanged, .expected: return name
    case .insertion, .outOfRangeTap, .undo: return "an \(name)"
    case .cursorMove, .selection, .deselection, .lineSelection, .lineDeselection, .cut, .paste,
      .deletion, .replacement, .redo, .submission, .windowShift:
      return "a \(name)"
    }
  }

  /// How a prediction agrees with the new snapshot; `nil` for a reading that predicts no text or does not agree.
  private static func fit(_ reading: Explanation.Reading, window: Window) -> String? {
    guard reading.prediction != nil else { return nil }
    return switch reading.agreement {
    case .exact: "exactly what was seen through a \(window.rawValue) window"
    case .recut: "what was seen, cut elsewhere than a \(window.rawValue) window would"
    case .hidden: "what was seen, but for text that the host shows nothing of"
    case .none: nil
    }
  }

  /// How certain the reading is, and why.
  private static func certainty(of explanation: Explanation) -> String {
    let transition = explanation.transition
    guard transition.alternatives.isEmpty else {
      let others = transition.alternatives.map(\.rawValue).joined(separator: " or ")
      return "it is likely and not certain, because the same could be \(others)"
    }
    var others: [String] = []
    for reading in explanation.readings where !reading.isChosen && reading.weight != nil {
      let name = reading.kind.rawValue
      if reading.kind != transition.kind, !others.contains(name) { others.append(name) }
    }
    guard !others.isEmpty else { return "it is certain, because no other reading agrees" }
    let names = others.joined(separator: " and ")
    return "it is certain, because what else agrees (\(names)) is far less likely"
  }
}

extension Kind {
  /// What a transition of this kind means, as a clause.
  fileprivate var meaning: String {
    switch self {
    case .unchanged: "the two snapshots show nothing that changed"
    case .cursorMove: "the caret went to another place in the visible text"
    case .selection: "text was selected, or the selection changed"
    case .deselection: "the selection was given up"
    case .lineSelection: "exactly one whole line was selected"
    case .lineDeselection: "the selection of one whole line was given up"
    case .cut: "text was taken away into the pasteboard"
    case .paste: "the pasteboard's text was put in"
    case .outOfRangeTap: "the caret went to a place that was not visible"
    case .insertion: "text was put in"
    case .deletion: "text was taken away"
    case .replacement: "text was exchanged for other text"
    case .undo: "the state before the last edit is back"
    case .redo: "what was undone is back"
    case .submission: "the field was sent and is empty"
    case .windowShift: "nothing was done, and the host cut the same text elsewhere"
    case .expected: "the input method had announced it"
    }
  }
}
