/// Takes what a session remembers and went through into account, once a pair is read without its
/// history.
///
/// What it is asked about is borrowed, never copied: it is large.
struct Hearing: ~Copyable {
  let history: History
  let origin: Int
  /// What was done last, where it was an undo or a redo.
  let retracing: Kind?
  var isRetracing: Bool { retracing != nil }
  /// What else may have happened.
  let rivals: [Session.Past]
  /// What is known, its ends as they are: the pair's own may have come to be doubted.
  let known: Known

  func outcome(
    of ruling: consuming Ruling, for pair: borrowing Pair, composition: Composition?
  ) -> Session.Outcome {
    var effort = ruling.effort(for: pair)
    // No key does what needs another cut.
    if pair.admitsRecut, effort != .jump { effort = .change }
    let recollection = recollection(of: ruling, effort, for: pair)
    if let ways = recollection.better {
      return Session.Outcome(
        transition: ways.best.transition(from: ruling, for: pair, composition: composition),
        change: .retraced(ways.best), taken: recollection.taken,
        rivalWays: recollection.rivalWays,
        rival: ways.other.map { .retraced($0) } ?? edit(of: ruling, effort, for: pair))
    }
    let isOpen = effort != .none && (effort != .key && effort != .lineBreak || isRetracing)
    locate(&ruling, for: pair)
    var isDoubtful = false
    if let kind = recollection.asWell {
      if !ruling.alternatives.contains(kind) { ruling.alternatives.append(kind) }
      isDoubtful = effort != .key && effort != .lineBreak || history.done.last?.isSingle ?? false
    }
    return Session.Outcome(
      transition: ruling.transition(for: pair, composition: composition),
      change: change(of: ruling, for: pair),
      isOpenToRecall: isOpen && !isLocated(ruling), isKey: effort == .key,
      mayBeRetraced: isDoubtful,
      weight: isConfirmed(ruling, effort) ? nil : ruling.candidate.weight,
      isAmbiguous: ruling.isAmbiguous, taken: recollection.taken,
      rivalWays: recollection.rivalWays, rival: recollection.way.map { .retraced($0) } ?? .none)
  }

  /// Whether what is known beyond the snapshot leads to `ruling`.
  private func isConfirmed(_ ruling: borrowing Ruling, _ effort: Effort) -> Bool {
    switch effort {
    case .none, .key, .lineBreak, .erasure: true
    case .jump: ruling.candidate.action.isPlaced
    case .change: ruling.candidate.kind == .windowShift
    }
  }

  /// Finds the remembered place that the caret went to, and drops a tap from the alternatives where
  /// the memory holds the whole document and shows no such place.
  private func locate(_ ruling: inout Ruling, for pair: borrowing Pair) {
    guard pair.known.isRemembered else { return }
    let isElsewhere = ruling.candidate.kind == .outOfRangeTap
    let isUnplaced = isElsewhere || !ruling.candidate.action.isPlaced
    if isUnplaced, ruling.candidate.kind != .submission {
      let place = Locating(pair)
      guard let caret = place.caret else { return }
      ruling.candidate.action = .move(to: caret, selecting: pair.new.selected.bytes.count)
      ruling.candidate.isAmbiguous = !place.isUnique
      if place.isUnique && isElsewhere && place.length >= Evidence.enough {
        ruling.alternatives.removeAll { $0 != .cursorMove }
      }
    } else if ruling.alternatives == [.outOfRangeTap], pair.known.leftEdge == .document,
      pair.known.rightEdge == .document, Locating(pair).caret == nil
    {
      ruling.alternatives = []
    }
  }

  /// Whether the caret went to a place that the memory shows, and only there.
  private func isLocated(_ ruling: borrowing Ruling) -> Bool {
    ruling.candidate.kind == .outOfRangeTap && ruling.candidate.action.isPlaced
      && !ruling.candidate.isAmbiguous
  }

  private func change(
    of ruling: borrowing Ruling, for pair: borrowing Pair
  ) -> Session.Change {
    let action = ruling.candidate.action
    if ruling.candidate.kind == .unchanged { return .nothing }
    if ruling.candidate.kind == .submission {
      return .cleared
    }
    if !action.isPlaced || action.joinsNextLine { return .unknown }
    if let caret = action.caret {
      return .move(
        by: caret - pair.known.left.count, selecting: action.selected,
        isDoubtful: ruling.candidate.isAmbiguous)
    }
    if ruling.candidate.isPartial { return .unknown }
    return .edit(
      left: action.removedLeft, selection: action.removesSelection, right: action.removedRight,
      selects: action.selectsInsertion)
  }
}

extension Ruling {
  /// Whether another edit would show the same, after which the text is another.
  var isAmbiguous: Bool {
    switch candidate.kind {
    case .insertion, .deletion, .replacement, .paste:
      alternatives.contains { $0 == .insertion || $0 == .deletion || $0 == .replacement }
    default: false
    }
  }
}
