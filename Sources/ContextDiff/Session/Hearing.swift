/// Takes what a session remembers and went through into account, once a pair is read without its
/// history.
///
/// What it is asked about is borrowed, never copied: it is large.
struct Hearing: ~Copyable {
  let history: History
  let origin: Int
  /// What was done last, where it was an undo or a redo.
  let retracing: Kind?
  private var isRetracing: Bool { retracing != nil }

  /// What `ruling` makes of `pair` here.
  ///
  /// `known` is what is known, its ends as they are: the pair's own may have come to be doubted.
  func outcome(
    of ruling: consuming Ruling, for pair: borrowing Pair, known: Known, composition: Composition?
  ) -> Session.Outcome {
    let recollection = recollection(of: ruling, for: pair, known: known)
    if case .better(let found) = recollection {
      return Session.Outcome(
        transition: found.transition(from: ruling, for: pair, composition: composition),
        change: .retraced(found))
    }
    let effort = ruling.effort(for: pair)
    let isOpen = effort != .none && (effort != .key && effort != .lineBreak || isRetracing)
    locate(&ruling, for: pair)
    var isDoubtful = false
    if case .asWell(let kind) = recollection {
      ruling.alternatives.append(kind)
      isDoubtful = effort != .key && effort != .lineBreak || history.done.last?.isSingle ?? false
    }
    return Session.Outcome(
      transition: ruling.transition(for: pair, composition: composition),
      change: change(of: ruling, for: pair),
      isOpenToRecall: isOpen && !isLocated(ruling), mayBeRetraced: isDoubtful,
      weight: isConfirmed(ruling, effort) ? nil : ruling.candidate.weight,
      isAmbiguous: ruling.isAmbiguous)
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

  /// What the history makes of a pair.
  private enum Recollection {
    case nothing
    /// It explains the pair better than the readings do.
    case better(Retracing.Found)
    /// It explains the pair as well.
    case asWell(Kind)
  }

  private func recollection(
    of ruling: borrowing Ruling, for pair: borrowing Pair, known: Known
  ) -> Recollection {
    guard pair.known.isRemembered, !history.isBlank else { return .nothing }
    let effort = ruling.effort(for: pair)
    var evidence = isRetracing ? 0 : 1
    switch effort {
    case .none: return .nothing
    case .key where !isRetracing && !history.isDoubtful:
      return lastStepLooksAlike(ruling, for: pair) ? .asWell(.undo) : .nothing
    case .jump:
      // A place in the text as it is explains the pair better.
      let place = Locating(pair)
      if place.caret != nil, place.length >= Evidence.enough { return .nothing }
      if !isRetracing { evidence = Evidence.enough }
    default: break
    }
    guard let found = found(for: pair, known: known, evidence: evidence) else { return .nothing }
    let isBetter =
      switch effort {
      // One key does what one step alone may undo.
      case .lineBreak: isRetracing && found.cost <= 2
      case .key:
        isRetracing
          ? found.cost <= 2 : found.cost == 0 && found.tail + found.head == 0 && found.steps > 2
      // Erasing a word goes no farther back than what may be undone at once.
      case .erasure: isRetracing || found.cost <= 1 || pair.new.isBlank
      default: isRetracing || found.cost <= 6
      }
    return isBetter ? .better(found) : .asWell(found.kind)
  }

  private func found(
    for pair: borrowing Pair, known: Known, evidence: Int
  ) -> Retracing.Found? {
    let retracing = Retracing(history: history, origin: origin, last: retracing)
    if pair.admitsRecut {
      let strict = Pair(
        old: pair.old, new: pair.new, window: pair.window,
        terminators: pair.terminators, pasteboard: pair.pasteboard,
        cause: pair.cause, known: known)
      if let found = retracing.found(for: strict, evidence: evidence) { return found }
    }
    return retracing.found(for: pair, evidence: evidence)
  }

  /// Whether the last edit being taken back looks the same as what one key did.
  private func lastStepLooksAlike(
    _ ruling: borrowing Ruling, for pair: borrowing Pair
  ) -> Bool {
    let action = ruling.candidate.action
    guard let last = history.done.last, last.lastEdit != 0, action.removedRight == 0 else {
      return false
    }
    guard last.position + last.inserted.count == origin + pair.known.left.count
    else { return false }
    switch ruling.candidate.kind {
    case .deletion: return last.lastEdit == action.removedLeft
    case .insertion:
      return -last.lastEdit == action.inserted.count
        && last.removed.prefix(action.inserted.count).elementsEqual(action.inserted.raw)
    default: return false
    }
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

/// What a person does at least for a pair read without the history.
enum Effort {
  /// Moves the caret within sight, or nothing.
  case none
  /// Presses one key.
  case key
  /// Presses the return key, which indents.
  case lineBreak
  /// Erases more than a character that stood at the caret.
  case erasure
  /// Puts text in, or exchanges it.
  case change
  /// Goes elsewhere.
  case jump
}

extension Ruling {
  /// What the reading takes to be done.
  func effort(for pair: borrowing Pair) -> Effort {
    let action = candidate.action
    switch candidate.kind {
    case .outOfRangeTap: return .jump
    case .replacement:
      return action.removesSelection && action.inserted.isOneGrapheme ? .key : .change
    case .submission, .windowShift: return .change
    case .insertion:
      if candidate.isPartial { return .change }
      if action.inserted.isOneGrapheme { return .key }
      return pair.known.isIndented && action.inserted.isLineBreak ? .lineBreak : .change
    case .paste, .cut: return .key
    case .selection, .lineSelection: return action.isPlaced ? .none : .jump
    case .deletion:
      if action.removesSelection || action.joinsNextLine { return .key }
      let gone =
        action.removedLeft > 0
        ? pair.known.left.suffix(action.removedLeft)
        : pair.known.right.prefix(action.removedRight)
      return gone.isOneGrapheme ? .key : .erasure
    case .cursorMove where alternatives.contains(.deletion): return .erasure
    default: return candidate.agreement == .exact ? .none : .change
    }
  }
}
