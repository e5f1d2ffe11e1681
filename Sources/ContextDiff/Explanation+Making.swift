extension Explanation {
  init(of judge: borrowing Judge, ruling: Ruling, composition: Composition?) {
    transition = ruling.transition(for: judge.pair, composition: composition)
    left = Overlay(left: judge.pair)
    right = Overlay(right: judge.pair)
    self.list = []
    let list = DecisionList(judge.pair)
    for rule in DecisionList.Rule.allCases {
      self.list.append(list.line(rule, decides: rule == judge.rule))
    }
    let trials = judge.contest.trials ?? []
    var readings: [Reading] = []
    for trial in trials { readings.append(judge.pair.explained(trial)) }
    let kind = ruling.candidate.kind
    let chosen = readings.indices
      .filter { readings[$0].kind.family == kind.family && readings[$0].weight != nil }
      .max { (readings[$0].weight ?? 0) < (readings[$1].weight ?? 0) }
    if let chosen {
      readings[chosen].isChosen = true
      readings[chosen].kind = kind
    } else {
      readings.append(
        Reading(
          kind: kind, prediction: nil, reachesUnknownLeft: false, reachesUnknownRight: false,
          agreement: .exact, parting: nil, weight: nil, isChosen: true, reason: ""))
    }
    let best = readings.first { $0.isChosen }?.weight
    for index in readings.indices {
      readings[index].reason = Explanation.reason(
        for: readings[index], best: best, rule: judge.rule, alternatives: ruling.alternatives)
    }
    readings.sort { first, second in
      if first.isChosen != second.isChosen { return first.isChosen }
      return first.weight ?? -.infinity > second.weight ?? -.infinity
    }
    self.readings = readings
  }
}

extension Explanation.Overlay {
  fileprivate init(left pair: borrowing Pair) {
    let old = pair.old.before.bytes
    let new = pair.new.before.bytes
    let alignment = pair.alignment
    self.init(
      oldCut: old.prefix(alignment.oldCut).scalarCount,
      newCut: new.prefix(alignment.newCut).scalarCount,
      kept: old.dropFirst(alignment.oldCut).prefix(alignment.kept).scalarCount,
      removed: pair.gone.scalarCount, added: pair.come.scalarCount)
  }

  fileprivate init(right pair: borrowing Pair) {
    let old = pair.old.after.bytes
    let new = pair.new.after.bytes
    let fromCaret = old.scalarStart(atOrBefore: old.commonPrefix(new))
    if fromCaret == min(old.count, new.count) {
      self.init(
        oldCut: old.dropFirst(fromCaret).scalarCount, newCut: new.dropFirst(fromCaret).scalarCount,
        kept: old.prefix(fromCaret).scalarCount, removed: 0, added: 0)
      return
    }
    let kept = old.count - old.scalarStart(atOrAfter: old.count - old.commonSuffix(new))
    self.init(
      oldCut: 0, newCut: 0, kept: old.suffix(kept).scalarCount,
      removed: old.dropLast(kept).scalarCount, added: new.dropLast(kept).scalarCount)
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
    let condition: String
    let compared: [Explanation.Line.Value]
    switch rule {
    case .selected:
      (condition, compared) = ("new.all = old.all, new.selected ≠ \"\"", alls + [newSelected])
    case .deselected:
      (condition, compared) = ("new.all = old.all, old.selected ≠ \"\"", alls + [oldSelected])
    case .moved:
      (condition, compared) = ("new.all = old.all, new.before ≠ old.before", alls + befores)
    case .same: (condition, compared) = ("new.all = old.all", alls)
    case .lineSelected:
      (condition, compared) = (
        "new.before = \"⏎\", old.all = new.selected", [befores[1], alls[0], newSelected]
      )
    case .lineDeselected:
      (condition, compared) = (
        "old.before = \"⏎\", old.selected = new.all", [befores[0], oldSelected, alls[1]]
      )
    case .cut:
      (condition, compared) = ("old.before + old.after = new.before + new.after", befores + afters)
    case .pasted:
      (condition, compared) = (
        "new.after = old.after, new.before ends with the pasteboard",
        afters + [befores[1]]
          + (pasteboard.isShown ? [value("pasteboard", pasteboard.bytes.string)] : [])
      )
    case .anythingElse: (condition, compared) = ("anything else", [])
    }
    return Explanation.Line(
      number: rule.rawValue, condition: condition, kind: rule.kind, holds: holds(rule),
      decides: decides, compared: compared)
  }
}

extension Explanation {
  /// What decided for or against a reading, in a few words.
  fileprivate static func reason(
    for reading: Reading, best: Double?, rule: DecisionList.Rule, alternatives: [Kind]
  ) -> String {
    if reading.isChosen {
      if rule != .anythingElse, reading.kind == rule.kind {
        return "line \(rule.rawValue) of the list decides, and nothing contradicts it"
      }
      return alternatives.isEmpty ? "nothing else agrees" : "the likeliest of those that agree"
    }
    if let parting = reading.parting {
      return "parts in \(parting.field.rawValue), \(parting.offset) scalars from the caret"
    }
    if reading.agreement == .recut { return "needs another cut of the window" }
    if reading.agreement == .hidden { return "needs a side that shows nothing where there is text" }
    if alternatives.contains(reading.kind) { return "agrees, but is less likely" }
    return "agrees, but only by coincidence, or as well as another of its kind"
  }
}

extension Pair {
  /// What a trial predicted, and how what was seen agrees with it.
  fileprivate func explained(_ trial: Trial) -> Explanation.Reading {
    let action = trial.action
    let agreement =
      switch trial.agreement {
      case .exact: Explanation.Agreement.exact
      case .recut: Explanation.Agreement.recut
      case .hidden: Explanation.Agreement.hidden
      case .none: Explanation.Agreement.none
      }
    let prediction = action.isPlaced ? predicted(action) : nil
    return Explanation.Reading(
      kind: trial.kind, prediction: prediction,
      reachesUnknownLeft: action.left(in: known).isEmpty && known.leftEdge != .document,
      reachesUnknownRight: action.right(in: known).isEmpty && known.rightEdge != .document,
      agreement: agreement,
      parting: trial.weight == nil ? prediction.flatMap { parting(from: $0, trial) } : nil,
      weight: trial.weight, isChosen: false, reason: "")
  }

  /// What the window would show after `action`, as far as the text is known.
  private func predicted(_ action: Action) -> Snapshot {
    let selected = action.selection(in: known).string
    return Snapshot(
      before: action.left(in: known).string.withBytes {
        window.shownLeft(of: $0, terminators: terminators).string
      },
      selected: selected.isEmpty ? nil : selected,
      after: action.right(in: known).string.withBytes {
        window.shownRight(of: $0, terminators: terminators).string
      })
  }

  /// Where `prediction` and what was seen first part, looking outwards from the caret.
  private func parting(from prediction: Snapshot, _ trial: Trial) -> Explanation.Parting? {
    prediction.withFields { predicted in
      if trial.right != .exact, predicted.after.bytes != new.after.bytes {
        let kept = predicted.after.bytes.prefix(
          predicted.after.bytes.scalarStart(
            atOrBefore: predicted.after.bytes.commonPrefix(new.after.bytes)))
        return Explanation.Parting(field: .after, offset: kept.scalarCount)
      }
      if trial.left != .exact, predicted.before.bytes != new.before.bytes {
        let text = predicted.before.bytes
        let length =
          text.count - text.scalarStart(atOrAfter: text.count - text.commonSuffix(new.before.bytes))
        return Explanation.Parting(field: .before, offset: text.suffix(length).scalarCount)
      }
      if trial.selected != .exact {
        let text = predicted.selected.bytes
        let kept = text.prefix(
          text.scalarStart(atOrBefore: text.commonPrefix(new.selected.bytes)))
        return Explanation.Parting(field: .selected, offset: kept.scalarCount)
      }
      if trial.right != .exact { return Explanation.Parting(field: .after, offset: 0) }
      return trial.left != .exact ? Explanation.Parting(field: .before, offset: 0) : nil
    }
  }
}
