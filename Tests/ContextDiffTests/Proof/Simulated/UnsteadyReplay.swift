import ContextDiff
import Testing

/// What goes wrong between a person and an engine, and how often for each step.
struct Troubles {
  var announced = 0.15
  var late = 0.2
  var lost = 0.01
  var repeated = 0.03
  var recut = 0.03
  /// A side shows nothing although there is text.
  var hidden = 0.005
}

/// How an engine with memory read a recording that an unsteady host reported.
struct UnsteadyReplay {
  struct Miss {
    var drawing: String
    var isCertain: Bool
  }

  /// Steps reported each by itself, or rightly together with announced ones.
  var plain = Replay.Tally()
  /// Steps of which some were never reported: no kind is right, but `certain` is wrong.
  var lost = Replay.Tally()
  /// Steps before or after which the host hid a side.
  var hidden = Replay.Tally()
  var byKind: [Kind: Replay.Tally] = [:]
  var misses: [Miss] = []
  var wrongCounts = 0
  /// Posts that count other announced edits than they show, and certain but wrong ones where a
  /// side was hidden, drawn.
  var oddities: [String] = []

  init(
    _ recording: Recording, host: UnsteadyHost, troubles: Troubles = Troubles(), seed: UInt64,
    convention: Convention = Convention()
  ) throws {
    let classifier = Classifier()
    var session = Session()
    var host = host
    var random = SeededGenerator(seed: seed)
    var field = recording.start
    host.cut(field)
    /// The last snapshot posted, and what the host would have shown of each step since.
    var posted = host.shows(field)
    var shown = posted
    _ = session.post(
      new: posted.snapshot, evidence: Evidence(window: host.window), with: classifier)
    var waiting = 0
    var lostKinds: [Kind] = []
    var wasHidden = false

    for step in recording.steps {
      let old = field
      field = step.field
      if host.window != .sentence, random.chance(troubles.recut), lostKinds.isEmpty, waiting == 0 {
        host.cut(old)
        let cut = host.shows(old)
        let said = session.post(
          new: cut.snapshot, evidence: Evidence(window: host.window), with: classifier)
        add(said, cut == posted ? .unchanged : .windowShift, posted, cut)
        posted = cut
        shown = cut
      }
      host.follow(field, from: old)
      let full = host.shows(field)
      let next = host.showsOrHides(field, hiding: troubles.hidden)
      let isHidden = next != full
      let pasteboard = step.pasteboard.map { String($0) }
      var kind = convention.name(
        step, from: old, shown: shown, to: next, window: host.window, pasteboard: step.pasteboard)
      var isAnnounced = false
      if step.did == .type, lostKinds.isEmpty, random.chance(troubles.announced) {
        let put = String(step.put(over: old))
        if random.chance(0.5) {
          try session.expect(edit: Edit(insert: put), with: classifier)
        } else {
          try session.expect(old: shown.snapshot, new: next.snapshot)
        }
        isAnnounced = true
        kind = .expected
        waiting += 1
      }
      shown = next
      if isAnnounced, random.chance(troubles.late) { continue }
      if !isAnnounced, waiting == 0, random.chance(troubles.lost) {
        lostKinds.append(kind)
        continue
      }
      let said = session.post(
        new: next.snapshot, pasteboard: pasteboard, evidence: Evidence(window: host.window),
        with: classifier)
      if isHidden || wasHidden {
        let truth = next == posted ? .unchanged : kind
        let tally = tally(said, truth)
        hidden.add(tally)
        if tally.certainWrong > 0, let said {
          oddities.append("hidden: " + drawing(posted, next, truth, said))
        }
      } else if lostKinds.isEmpty {
        add(said, next == posted ? .unchanged : kind, posted, next)
        if let said, said.expectedEdits != waiting {
          wrongCounts += 1
          oddities.append(
            "\(said.expectedEdits) of \(waiting) announced: " + drawing(posted, next, kind, said))
        }
      } else {
        addLost(said, lostKinds + [kind], posted, next)
      }
      lostKinds = []
      waiting = 0
      wasHidden = isHidden
      posted = next
      if random.chance(troubles.repeated) {
        let again = session.post(
          new: next.snapshot, pasteboard: pasteboard, evidence: Evidence(window: host.window),
          with: classifier)
        add(again, .unchanged, next, next)
      }
    }
  }

  private func tally(_ said: Transition?, _ truth: Kind) -> Replay.Tally {
    guard let said else {
      Issue.record("a pair was not read")
      return Replay.Tally()
    }
    let isRight = said.kind == truth
    let isCertain = said.certainty == .certain
    return Replay.Tally(
      count: 1, right: isRight ? 1 : 0,
      named: isRight || said.alternatives.contains(truth) ? 1 : 0, certain: isCertain ? 1 : 0,
      certainWrong: isCertain && !isRight ? 1 : 0)
  }

  private mutating func add(_ said: Transition?, _ truth: Kind, _ old: Shown, _ new: Shown) {
    let tally = tally(said, truth)
    plain.add(tally)
    guard let said else { return }
    byKind[truth, default: Replay.Tally()].add(tally)
    if tally.right == 0 {
      misses.append(
        Miss(
          drawing: drawing(old, new, truth, said), isCertain: said.certainty == .certain))
    }
  }

  private func drawing(
    _ old: Shown, _ new: Shown, _ truth: Kind, _ said: Transition
  ) -> String {
    "\(drawn(old.snapshot)) → \(drawn(new.snapshot))  is \(truth.rawValue), says \(drawn(said))"
  }

  /// Of two deeds in one pair either's kind will do, and what they come to together.
  private mutating func addLost(_ said: Transition?, _ kinds: [Kind], _ old: Shown, _ new: Shown) {
    guard let said else {
      Issue.record("a pair was not read")
      return
    }
    let together: [Kind] = [.insertion, .deletion, .replacement, .outOfRangeTap, .undo, .redo]
    let isRight = kinds.contains(said.kind) || together.contains(said.kind)
    lost.add(
      Replay.Tally(
        count: 1, right: isRight ? 1 : 0, named: isRight ? 1 : 0,
        certain: said.certainty == .certain ? 1 : 0,
        certainWrong: said.certainty == .certain && !isRight ? 1 : 0))
  }

  /// The first misses that were certain, then others, drawn.
  var worst: String {
    let ordered = misses.filter(\.isCertain) + misses.filter { !$0.isCertain }
    return ordered.prefix(4).map(\.drawing).joined(separator: "\n")
  }

  func line(_ title: String) -> String {
    func percent(_ share: Double) -> String { (rounded(100 * share, 2) + "%").padded(9) }
    return title.padded(44) + "\(plain.count)".padded(7) + "right " + percent(plain.accuracy)
      + "named " + percent(plain.coverage) + "certain " + percent(plain.certainShare)
      + "wrong of certain " + percent(plain.wrongOfCertain) + "lost: \(lost.right)/\(lost.count) "
      + "certain wrong \(lost.certainWrong); hidden: \(hidden.right)/\(hidden.count) certain wrong "
      + "\(hidden.certainWrong); wrong expectedEdits \(wrongCounts)"
  }

  func kinds() -> [String] {
    Kind.allCases.compactMap { kind in
      byKind[kind].map {
        "  \(kind.rawValue.padded(16)) \($0.count): right \($0.right), named \($0.named), certain "
          + "\($0.certain), certain wrong \($0.certainWrong)"
      }
    }
  }
}
