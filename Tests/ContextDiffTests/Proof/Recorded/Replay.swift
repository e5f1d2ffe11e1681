import ContextDiff
import Testing

/// How an engine read a recording.
struct Replay {
  struct Miss {
    var step: Int
    var old: Shown
    var new: Shown
    var truth: Kind
    var said: Transition
    var pasteboard: [Unicode.Scalar]?

    var drawing: String {
      "#\(step) \(drawn(old.snapshot)) → \(drawn(new.snapshot))"
        + (pasteboard.map { " (pasteboard \(drawn($0)))" } ?? "")
        + "  is \(truth.rawValue), says \(drawn(said))"
    }
  }

  /// Counts of one kind of step.
  struct Tally {
    var count = 0
    var right = 0
    var named = 0
    var certain = 0
    var certainWrong = 0

    var accuracy: Double { count == 0 ? 1 : Double(right) / Double(count) }
    var coverage: Double { count == 0 ? 1 : Double(named) / Double(count) }
    var wrongOfCertain: Double { certain == 0 ? 0 : Double(certainWrong) / Double(certain) }
    var certainShare: Double { count == 0 ? 1 : Double(certain) / Double(count) }

    mutating func add(_ other: Tally) {
      count += other.count
      right += other.right
      named += other.named
      certain += other.certain
      certainWrong += other.certainWrong
    }
  }

  var byKind: [Kind: Tally] = [:]
  /// The same by the kind that was said, not by the true one.
  var bySaid: [Kind: Tally] = [:]
  /// Ordinary typing and caret moves.
  var ordinary = Tally()
  var misses: [Miss] = []
  /// The undos and redos that no single key would have shown: the model calls the others by what
  /// that key does.
  var byNoKey: [Kind: Tally] = [:]

  var all: Tally { byKind.values.reduce(into: Tally()) { $0.add($1) } }

  /// All but undo and redo.
  var besidesUndo: Tally {
    byKind.reduce(into: Tally()) { sum, entry in
      if entry.key != .undo, entry.key != .redo { sum.add(entry.value) }
    }
  }

  func tally(_ kind: Kind) -> Tally { byKind[kind] ?? Tally() }

  /// How no recording was read.
  init() {}

  /// Takes in how another recording was read.
  mutating func add(_ other: Replay) {
    func sum(_ mine: Tally, _ others: Tally) -> Tally {
      var sum = mine
      sum.add(others)
      return sum
    }
    byKind.merge(other.byKind, uniquingKeysWith: sum)
    bySaid.merge(other.bySaid, uniquingKeysWith: sum)
    ordinary.add(other.ordinary)
    misses += other.misses
    byNoKey.merge(other.byNoKey, uniquingKeysWith: sum)
  }

  /// Replays `recording` as `host` shows it; without memory, what only history can tell is left
  /// out.
  init(
    _ recording: Recording, host: Host, tellsPasteboard: Bool, withMemory: Bool,
    tellsWindow: Bool = true, convention: Convention = Convention()
  ) {
    let classifier = Classifier()
    let evidence = Evidence(window: tellsWindow ? host.window : nil)
    var session = Session()
    var old = recording.start
    var oldShown = host.shows(old)
    if withMemory {
      _ = session.post(
        new: oldShown.snapshot, evidence: evidence, with: classifier)
    }
    for (number, step) in recording.steps.enumerated() {
      let newShown = host.shows(step.field)
      let pasteboard = tellsPasteboard ? step.pasteboard : nil
      let told = pasteboard.map { String($0) }
      let truth = convention.name(
        step, from: old, shown: oldShown, to: newShown, window: host.window,
        pasteboard: pasteboard)
      let said: Transition? =
        withMemory
        ? session.post(
          new: newShown.snapshot, pasteboard: told, evidence: evidence, with: classifier)
        : classifier.classify(
          Observation(
            old: oldShown.snapshot, new: newShown.snapshot, pasteboard: told, evidence: evidence))
      #expect(said != nil)
      if let said, withMemory || (truth != .undo && truth != .redo) {
        add(
          Miss(
            step: number, old: oldShown, new: newShown, truth: truth, said: said,
            pasteboard: pasteboard), did: step.did,
          byAKey: step.looksLikeAKey(from: old, shown: newShown, host: host))
      }
      old = step.field
      oldShown = newShown
    }
  }

  private mutating func add(_ reading: Miss, did: Did, byAKey: @autoclosure () -> Bool) {
    let isRight = reading.said.kind == reading.truth
    let isCertain = reading.said.certainty == .certain
    let isNamed = isRight || reading.said.alternatives.contains(reading.truth)
    let tally = Tally(
      count: 1, right: isRight ? 1 : 0, named: isNamed ? 1 : 0, certain: isCertain ? 1 : 0,
      certainWrong: isCertain && !isRight ? 1 : 0)
    byKind[reading.truth, default: Tally()].add(tally)
    bySaid[reading.said.kind, default: Tally()].add(tally)
    if reading.truth == .undo || reading.truth == .redo, !byAKey() {
      byNoKey[reading.truth, default: Tally()].add(tally)
    }
    if did == .type || did == .compose || did == .move, reading.truth != .unchanged {
      ordinary.add(tally)
    }
    if !isRight || !isNamed { misses.append(reading) }
  }

  func line(_ title: String) -> String {
    let all = self.all
    func percent(_ share: Double) -> String { (rounded(100 * share, 2) + "%").padded(9) }
    return title.padded(44) + "\(all.count)".padded(7) + "right " + percent(all.accuracy) + "named "
      + percent(all.coverage) + "certain " + percent(all.certainShare) + "wrong of certain "
      + percent(all.wrongOfCertain) + "ordinary certain " + percent(ordinary.certainShare)
      + "besides undo " + percent(besidesUndo.accuracy)
      + retraced { tally($0) } + ", by no key " + retraced { byNoKey[$0] ?? Tally() }
  }

  private func retraced(_ tally: (Kind) -> Tally) -> String {
    [Kind.undo, .redo].map { "\($0.rawValue) \(tally($0).right)/\(tally($0).count)" }
      .joined(separator: " ")
  }

  func kinds() -> [String] {
    Kind.allCases.compactMap { kind in
      guard let tally = byKind[kind] else { return nil }
      var said: [Kind: Int] = [:]
      for miss in misses where miss.truth == kind && miss.said.kind != kind {
        said[miss.said.kind, default: 0] += 1
      }
      let others = said.sorted { $0.value > $1.value }
        .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
      return
        "  \(kind.rawValue.padded(16)) \(tally.count): right \(tally.right), named \(tally.named), "
        + "certain \(tally.certain), certain wrong \(tally.certainWrong); \(others)"
    }
  }
}
