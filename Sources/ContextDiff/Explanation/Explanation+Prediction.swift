extension Pair {
  /// What `hypothesis` predicted, and how the new window agrees with the prediction.
  func explained(
    _ hypothesis: Hypothesis, _ verdict: borrowing Verdict
  ) -> Explanation.Reading {
    let prediction = prediction(of: hypothesis)
    let goesByKnown = prediction != nil && !hypothesis.goesByOtherText
    return Explanation.Reading(
      kind: hypothesis.kind, prediction: prediction,
      reachesUnknownLeft: goesByKnown
        ? hypothesis.isPartial || reachesUnknownLeft(hypothesis.action) : prediction == nil,
      reachesUnknownRight: goesByKnown
        ? reachesUnknownRight(hypothesis.action) : prediction == nil,
      agreement: Explanation.Agreement(hypothesis.agreement),
      parting: hypothesis.agrees ? nil : prediction.map { parting(from: $0, hypothesis.action) },
      weight: hypothesis.agrees ? hypothesis.weight : nil, isChosen: false,
      reason: reason(for: hypothesis, verdict))
  }

  /// What the window would show by `hypothesis`, as far as the text is known; `nil` where it may show any text.
  private func prediction(of hypothesis: Hypothesis) -> Snapshot? {
    if hypothesis.goesByOtherText { return Snapshot(new) }
    if hypothesis.kind == .submission { return Snapshot() }
    let action = hypothesis.action
    guard action.isPlaced else { return nil }
    // Of text that is seen in part, only the shown part is known.
    let left =
      hypothesis.isPartial && !action.inserted.isEmpty
      ? Joined(action.inserted) : action.left(in: known)
    let selected = action.selection(in: known)
    return Snapshot(
      before: left.contiguous.withBytes {
        window.shownLeft(of: $0, terminators: terminators).string
      },
      selected: selected.isEmpty ? nil : selected.string,
      after: action.right(in: known).contiguous.withBytes {
        window.shownRight(of: $0, terminators: terminators).string
      })
  }

  private func reachesUnknownLeft(_ action: Action) -> Bool {
    action.joinsPreviousLine || action.left(in: known).isEmpty && known.leftEdge != .document
  }

  private func reachesUnknownRight(_ action: Action) -> Bool {
    if action.joinsNextLine { return true }
    guard action.right(in: known).isEmpty else { return false }
    return known.rightEdge == .sentence || known.rightEdge == .open
  }

  /// The field that agrees worst (of several, the first of `before`, `selected`, `after`), and how far it agrees.
  private func parting(from prediction: Snapshot, _ action: Action) -> Explanation.Parting {
    let edges = action.openedEdges(selectionMayGoOn(takenBy: action))
    let left = compareLeft(action.left(in: known), edge: edges.left).agreement
    let selected = compareSelected(action.selection(in: known))
    let right = compareRight(action.right(in: known), edge: edges.right).agreement
    let worst = max(left, selected, right)
    return prediction.lend { prediction in
      if left == worst {
        return .init(
          field: .before,
          offset: prediction.before.bytes.scalarsToEnd(sharedWith: new.before.bytes))
      }
      return selected == worst
        ? .init(
          field: .selected,
          offset: prediction.selected.bytes.scalarsFromStart(sharedWith: new.selected.bytes))
        : .init(
          field: .after,
          offset: prediction.after.bytes.scalarsFromStart(sharedWith: new.after.bytes))
    }
  }

  private func reason(for hypothesis: Hypothesis, _ verdict: borrowing Verdict) -> String {
    if hypothesis.agrees {
      let family = hypothesis.kind.family
      let isNamed = verdict.alternatives.contains { $0.family == family }
      return isNamed ? "agrees too" : "agrees, and is far less likely"
    }
    return switch hypothesis.agreement {
    case .exact, .none: ""
    case .recut: "the same text, cut elsewhere than this window cuts"
    case .hidden: "nothing is shown where there is text"
    }
  }
}

extension Hypothesis {
  /// Whether its text is not the known one, but that of a history, of a stretch or of the old snapshot alone.
  fileprivate var goesByOtherText: Bool { way != nil || ground != .known }
}

extension Explanation.Agreement {
  init(_ agreement: Fit.Agreement) {
    self =
      switch agreement {
      case .exact: .exact
      case .recut: .recut
      case .hidden: .hidden
      case .none: .none
      }
  }
}

extension Bytes {
  /// How many scalars from the start on are the same in `other`.
  func scalarsFromStart(sharedWith other: Bytes) -> Int { prefix(commonStart(other)).scalarCount }

  /// How many scalars up to the end are the same in `other`.
  func scalarsToEnd(sharedWith other: Bytes) -> Int { suffix(commonEnd(other)).scalarCount }
}
