extension Explanation {
  /// How `pair` is classified without a session.
  init(of pair: Pair) {
    self = Inference.verdict(on: pair, isTraced: true) { verdict, pair, contest in
      Explanation(
        verdict.transition(for: pair), of: verdict, for: pair, among: contest.trials)
    }
  }

  /// How `verdict` on `pair`, and so `transition`, was found among `trials`.
  init(
    _ transition: Transition, of verdict: borrowing Verdict, for pair: Pair,
    among trials: [Hypothesis]
  ) {
    self.transition = transition
    left = Overlay(left: pair)
    right = Overlay(right: pair)
    let list = DecisionList(
      old: pair.shownOld, new: pair.shownNew, window: pair.window,
      pasteboard: pair.pasteboard, keepsText: pair.shownOld.all == pair.shownNew.all)
    self.list = DecisionList.Rule.allCases.map { list.line($0, decides: $0 == pair.rule) }
    var readings = trials.map { pair.explained($0, verdict) }
    // Among trials with the same weight, the contest chose as this does.
    let winner = trials.indices
      .filter { trials[$0].kind.family == verdict.winner.kind.family }
      .filter { trials[$0].agrees && trials[$0].weight == verdict.winner.weight }
      .min { trials[$0].precedes(trials[$1]) }
    // The verdict on two equal snapshots comes from no trial.
    if winner == nil { readings.append(pair.explained(verdict.winner, verdict)) }
    let chosen = winner ?? readings.count - 1
    readings[chosen].isChosen = true
    readings[chosen].kind = verdict.winner.kind
    readings[chosen].reason =
      pair.rule != .anythingElse && pair.rule.kind == verdict.winner.kind
      ? "as the list says" : ""
    // Look-alikes agree without a trial, no likelier than a coincidence, or than what is named before them.
    var lightest = verdict.winner.weight + Measured.coincidence
    for kind in verdict.alternatives {
      let weights = readings.compactMap { $0.kind.family == kind.family ? $0.weight : nil }
      if let weight = weights.max() {
        lightest = min(lightest, weight)
      } else {
        readings.append(pair.explained(.unplaced(kind, weight: lightest), verdict))
      }
    }
    self.readings = readings
    sortReadings()
  }
}

extension Explanation.Overlay {
  fileprivate init(left pair: Pair) {
    let old = pair.old.before.bytes
    let new = pair.new.before.bytes
    let alignment = pair.alignment
    self.init(
      oldCut: old.prefix(alignment.oldCut).scalarCount,
      newCut: new.prefix(alignment.newCut).scalarCount,
      kept: alignment.kept(of: old).scalarCount,
      removed: pair.gone.scalarCount, added: pair.come.scalarCount)
  }

  fileprivate init(right pair: Pair) {
    let old = pair.old.after.bytes
    let new = pair.new.after.bytes
    let fromCaret = old.commonStart(new)
    if fromCaret == min(old.count, new.count) {
      self.init(
        oldCut: old.dropFirst(fromCaret).scalarCount, newCut: new.dropFirst(fromCaret).scalarCount,
        kept: old.prefix(fromCaret).scalarCount, removed: 0, added: 0)
      return
    }
    let change = pair.rightChange
    self.init(
      oldCut: 0, newCut: 0, kept: old.dropFirst(change.gone).scalarCount,
      removed: old.prefix(change.gone).scalarCount, added: change.come.scalarCount)
  }
}

extension DecisionList {
  fileprivate func line(_ rule: Rule, decides: Bool) -> Explanation.Line {
    func value(_ name: String, _ text: String) -> Explanation.Line.Value {
      Explanation.Line.Value(name: name, text: text)
    }
    let alls = [value("old.all", old.all.string), value("new.all", new.all.string)]
    let newSelected = value("new.selected", new.selected.bytes.string)
    let oldSelected = value("old.selected", old.selected.bytes.string)
    let befores = [
      value("old.before", old.before.bytes.string), value("new.before", new.before.bytes.string),
    ]
    let afters = [
      value("old.after", old.after.bytes.string), value("new.after", new.after.bytes.string),
    ]
    let clip = pasteboard.isShown ? [value("pasteboard", pasteboard.bytes.string)] : []
    let (condition, compared) =
      switch rule {
      case .selected: ("new.all = old.all, new.selected ≠ \"\"", alls + [newSelected])
      case .deselected: ("new.all = old.all, old.selected ≠ \"\"", alls + [oldSelected])
      case .moved: ("new.all = old.all, new.before ≠ old.before", alls + befores)
      case .same: ("new.all = old.all", alls)
      case .lineSelected:
        ("new.before = \"⏎\", old.all = new.selected", [befores[1], alls[0], newSelected])
      case .lineDeselected:
        ("old.before = \"⏎\", old.selected = new.all", [befores[0], oldSelected, alls[1]])
      case .cut: ("old.before + old.after = new.before + new.after", befores + afters)
      case .pasted:
        ("new.after = old.after, new.before ends with the pasteboard", afters + [befores[1]] + clip)
      case .anythingElse: ("anything else", [])
      }
    return Explanation.Line(
      number: rule.rawValue, condition: condition, kind: rule.kind, holds: holds(rule),
      decides: decides, compared: compared)
  }
}
