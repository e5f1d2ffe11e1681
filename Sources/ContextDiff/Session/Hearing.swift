/// Reads a pair with what a session remembers and went through.
struct Hearing: ~Copyable {
  private var judge: Judge
  private let history: History
  private let origin: Int

  init(_ pair: consuming Pair, history: History, origin: Int) {
    judge = Judge(pair)
    self.history = history
    self.origin = origin
  }

  mutating func outcome(composition: Composition?) -> Session.Outcome {
    var ruling = judge.ruling()
    if let found = retraced(from: ruling) {
      return Session.Outcome(
        transition: found.transition(from: ruling, for: judge.pair, composition: composition),
        change: .retraced(found))
    }
    let isOpen = ruling.changesMuch(in: judge.pair.known, afterUndo: !history.undone.isEmpty)
    locate(&ruling)
    nameRetracing(in: &ruling)
    return Session.Outcome(
      transition: ruling.transition(for: judge.pair, composition: composition),
      change: change(of: ruling),
      isOpenToRecall: isOpen && !isLocated(ruling))
  }

  /// Finds the remembered place that the caret went to, and drops a tap from the alternatives where
  /// the memory holds the whole document and shows no such place.
  private func locate(_ ruling: inout Ruling) {
    let known = judge.pair.known
    guard known.isRemembered else { return }
    let isElsewhere = ruling.candidate.kind == .outOfRangeTap
    let isUnplaced = isElsewhere || !ruling.candidate.action.isPlaced
    if isUnplaced, ruling.candidate.kind != .submission {
      let place = Locating(judge.pair)
      guard let caret = place.caret else { return }
      ruling.candidate.action = .move(to: caret, selecting: judge.pair.new.selected.bytes.count)
      ruling.candidate.isAmbiguous = !place.isUnique
      if place.isUnique && isElsewhere && place.length >= Evidence.enough {
        ruling.alternatives = []
      }
    } else if ruling.alternatives == [.outOfRangeTap], known.leftEdge == .document,
      known.rightEdge == .document, Locating(judge.pair).caret == nil
    {
      ruling.alternatives = []
    }
  }

  /// Whether the caret went to a place that the memory shows, and only there.
  private func isLocated(_ ruling: Ruling) -> Bool {
    ruling.candidate.kind == .outOfRangeTap && ruling.candidate.action.isPlaced
      && !ruling.candidate.isAmbiguous
  }

  /// The way back or forth through the history that explains the pair better than `ruling`.
  private func retraced(from ruling: Ruling) -> Retracing.Found? {
    guard judge.pair.known.isRemembered, !history.isBlank,
      ruling.yieldsToHistory(in: judge.pair.known, afterUndo: !history.undone.isEmpty)
    else { return nil }
    if ruling.candidate.kind == .outOfRangeTap || !ruling.candidate.action.isPlaced {
      let place = Locating(judge.pair)
      if place.isUnique && place.length >= Evidence.enough { return nil }
    }
    let found = Retracing(history: history, origin: origin).found(
      for: judge.pair, isErasure: ruling.candidate.kind == .deletion)
    // Erasing a word or two goes no farther back than one step.
    if ruling.candidate.kind == .deletion, let found, found.steps > 1 { return nil }
    return found
  }

  /// Names undo or redo where the last edit being taken back, or made again, looks the same.
  private func nameRetracing(in ruling: inout Ruling) {
    let candidate = ruling.candidate
    guard judge.pair.known.isRemembered, candidate.kind == .deletion || candidate.kind == .insertion
    else { return }
    let caret = origin + judge.pair.known.left.count
    if let last = history.done.last, last.lastEdit != 0 {
      let isBack =
        candidate.kind == .deletion
        ? last.position + last.inserted.count == caret
          && last.lastEdit == candidate.action.removedLeft
        : last.position + last.inserted.count == caret
          && -last.lastEdit == candidate.action.inserted.count
          && last.removed.prefix(candidate.action.inserted.count).elementsEqual(
            candidate.action.inserted.raw)
      if isBack { ruling.alternatives.append(.undo) }
    }
  }

  private func change(of ruling: Ruling) -> Session.Change {
    let action = ruling.candidate.action
    if ruling.candidate.kind == .unchanged { return .nothing }
    if ruling.candidate.kind == .submission {
      return .cleared
    }
    if !action.isPlaced || action.joinsNextLine { return .unknown }
    if let caret = action.caret {
      return .move(
        by: caret - judge.pair.known.left.count, selecting: action.selected,
        isDoubtful: ruling.candidate.isAmbiguous)
    }
    if ruling.candidate.isPartial { return .unknown }
    return .edit(
      left: action.removedLeft, selection: action.removesSelection, right: action.removedRight,
      selects: action.selectsInsertion)
  }
}

extension History {
  var isBlank: Bool { done.isEmpty && undone.isEmpty }
}

extension Ruling {
  /// Whether a way through the history that agrees explains the pair better.
  ///
  /// That is where text comes back, a run goes at once, or nothing else was found. After an undo a whole selection that
  /// goes, or the pasteboard's text that comes, is as well the undone step again.
  func yieldsToHistory(in known: Known, afterUndo: Bool) -> Bool {
    candidate.agreement != .exact || changesMuch(in: known, afterUndo: afterUndo)
  }

  /// Whether more was done than one key does.
  func changesMuch(in known: Known, afterUndo: Bool) -> Bool {
    let action = candidate.action
    switch candidate.kind {
    case .outOfRangeTap, .replacement, .submission, .windowShift: return true
    case .insertion: return candidate.isPartial || !action.inserted.isOneGrapheme
    case .paste: return afterUndo && !action.inserted.isOneGrapheme
    case .selection, .lineSelection: return !action.isPlaced
    case .deletion:
      let gone =
        action.removesSelection
        ? known.selected
        : action.removedLeft > 0
          ? known.left.suffix(action.removedLeft) : known.right.prefix(action.removedRight)
      return action.removesSelection ? afterUndo : !gone.isOneGrapheme
    default: return false
    }
  }
}
