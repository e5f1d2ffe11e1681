import ContextDiff

/// How right an engine was over a scope, by weight.
struct Scorecard {
  var total = 0.0
  var best = 0.0
  /// The best for an engine that says what the published list decides, to the letter or only where
  /// that can have been done at all.
  var literal = 0.0
  var faithful = 0.0
  var right = 0.0
  var named = 0.0
  var certain = 0.0
  var certainWrong = 0.0
  var likely = 0.0
  var likelyWithoutNeed = 0.0
  /// How many distinct pairs there are, and how many of them are certain though the scope holds
  /// another kind for them.
  var pairs = 0
  var basicWrong: [String] = []
  var confusion: [[Double]] = Array(
    repeating: Array(repeating: 0, count: Kind.allCases.count), count: Kind.allCases.count)
  /// Another kind weighs more.
  var wrong: [Reading] = []
  /// Likely, though the scope holds no other kind for the pair.
  var needless: [Reading] = []
  /// Certain, though the scope holds another kind for the pair.
  var overconfident: [Reading] = []
  /// The kind that weighs most is neither the kind nor an alternative.
  var unnamed: [Reading] = []

  /// A pair, what was said of it and how much weight that costs.
  struct Reading {
    var weight: Double
    var pair: WeighedPair
    var transition: Transition
  }

  /// Accuracy over the best possible.
  var ratio: Double { best == 0 ? 1 : right / best }

  /// The share of the distinct pairs that are certain and not so.
  var falselyCertain: Double { pairs == 0 ? 0 : Double(overconfident.count) / Double(pairs) }

  /// The share, by weight, of which the true kind is not named at all.
  var unnamedShare: Double { total == 0 ? 0 : 1 - named / total }

  init(
    _ pairs: [WeighedPair], host: Host, readBy classify: (Observation) -> Transition
  ) {
    let window = host.window
    for pair in pairs {
      let bound = PublishedList.binding(
        pair.old, pair.new, host: host, pasteboard: pair.pasteboard)
      let bounded = bound.map { pair.weights[$0.index] } ?? pair.best
      literal += bounded
      faithful += bounded == 0 ? pair.best : bounded
      let transition = classify(
        Observation(
          old: pair.old.snapshot, new: pair.new.snapshot,
          pasteboard: pair.pasteboard.map { String($0) }, evidence: Evidence(window: window)))
      add(pair, transition)
      let basic = PublishedList.kind(
        pair.old, pair.new, window: window, pasteboard: pair.pasteboard)
      if basic != transition.basicKind {
        basicWrong.append(
          "\(pair.drawing): \(transition.basicKind.rawValue), the list says \(basic.rawValue)")
      }
    }
  }

  private mutating func add(_ pair: WeighedPair, _ transition: Transition) {
    let weights = pair.weights
    let pairTotal = pair.total
    let pairBest = pair.best
    let mine = weights[transition.kind.index]
    pairs += 1
    total += pairTotal
    best += pairBest
    right += mine
    let named = Set(transition.alternatives + [transition.kind])
      .reduce(0) { $0 + weights[$1.index] }
    self.named += named
    for kind in Kind.allCases {
      confusion[kind.index][transition.kind.index] += weights[kind.index]
    }
    func reading(_ weight: Double) -> Reading {
      Reading(weight: weight, pair: pair, transition: transition)
    }
    if mine < pairBest * 0.999_999 { wrong.append(reading(pairBest - mine)) }
    if named < pairTotal * 0.999_999 { unnamed.append(reading(pairTotal - named)) }
    if transition.certainty == .certain {
      certain += pairTotal
      certainWrong += pairTotal - mine
      if mine < pairTotal * 0.999_999 { overconfident.append(reading(pairTotal - mine)) }
    } else {
      likely += pairTotal
      if mine > pairTotal * 0.999_999 {
        likelyWithoutNeed += pairTotal
        needless.append(reading(pairTotal))
      }
    }
  }

  /// One line of a table.
  func line(_ title: String) -> String {
    func percent(_ part: Double, _ whole: Double) -> String {
      (whole == 0 ? "–" : rounded(100 * part / whole, 2) + "%").padded(8)
    }
    return title.padded(34) + rounded(ratio, 4) + "  acc " + percent(right, total)
      + "best " + percent(best, total)
      + "faithful " + rounded(literal / best, 4) + " "
      + rounded(faithful / best, 4) + "  named " + percent(named, total)
      + "certain " + percent(certain, total) + "wrong of certain " + percent(certainWrong, certain)
      + "needless of likely " + percent(likelyWithoutNeed, likely) + "falsely certain pairs "
      + percent(falselyCertain, 1)
      + (basicWrong.isEmpty ? "" : "basicKind wrong: \(basicWrong.count)")
  }

  /// The heaviest of `readings`, drawn.
  func heaviest(_ readings: [Reading], _ count: Int) -> [String] {
    readings.sorted { $0.weight > $1.weight }.prefix(count).map { reading in
      "  \(rounded(100 * reading.weight / total, 4))%  \(reading.pair.drawing)  says "
        + "\(drawn(reading.transition)); is \(reading.pair.kinds)"
    }
  }

  /// What each kind was taken for, where it was not itself.
  func confusions() -> [String] {
    Kind.allCases.compactMap { truth in
      let row = confusion[truth.index]
      let sum = row.reduce(0, +)
      guard sum > 0 else { return nil }
      let others = Kind.allCases.filter { $0 != truth && row[$0.index] > 0 }
        .sorted { row[$0.index] > row[$1.index] }
        .map { "\($0.rawValue) \(rounded(100 * row[$0.index] / sum, 2))%" }
      return "  \(truth.rawValue.padded(16)) of \(rounded(100 * sum / total, 2))%: right "
        + "\(rounded(100 * row[truth.index] / sum, 2))%; \(others.joined(separator: ", "))"
    }
  }
}

extension WeighedPair {
  /// `a|b → ab|`, and the pasteboard.
  var drawing: String {
    "\(drawn(old.snapshot)) → \(drawn(new.snapshot))"
      + (pasteboard.map { " (pasteboard \(drawn($0)))" } ?? "")
  }

  /// The kinds that it may be, heaviest first.
  var kinds: String {
    Kind.allCases.filter { weights[$0.index] > 0 }
      .sorted { weights[$0.index] > weights[$1.index] }
      .map { "\($0.rawValue) \(rounded(100 * weights[$0.index] / total, 1))%" }
      .joined(separator: ", ")
  }
}
