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

  func transition(
    of verdict: consuming Verdict, _ effort: Effort, for pair: borrowing Pair,
    composition: Composition?, with outcome: inout Session.Outcome
  ) -> Transition {
    let isComposing = isComposing(verdict, for: pair)
    let recollection =
      isComposing ? Recollection() : recollection(of: verdict, effort, for: pair)
    if let ways = recollection.better {
      outcome.change = .retraced(ways.best)
      outcome.taken = recollection.taken
      outcome.rivalWays = recollection.rivalWays
      outcome.rival = ways.other.map { .retraced($0) } ?? edit(of: verdict, effort, for: pair)
      return ways.best.transition(from: verdict, for: pair, composition: composition)
    }
    if recollection.asWell != nil {
      outcome.mayBeRetraced =
        effort != .key && effort != .lineBreak || history.done.last?.isSingle ?? false
    }
    // Looked at first: to unwrap it is to copy it.
    if recollection.way != nil, let way = recollection.way { outcome.rival = .retraced(way) }
    outcome.taken = recollection.taken
    outcome.rivalWays = recollection.rivalWays
    let transition = outcome.transition(
      of: verdict, effort, for: pair, isRetracing: isRetracing, asWell: recollection.asWell,
      composition: composition)
    if isComposing { outcome.isOpenToRecall = false }
    return transition
  }

  /// What the history makes of a pair.
  private struct Recollection: ~Copyable {
    /// How it explains the pair better than the readings do.
    var better: Retracing.Ways?
    /// What else the pair may be by it.
    var asWell: Kind?
    /// How that comes, where it is as plain.
    var way: Retracing.Found?
    /// The rival history that explains the pair.
    var taken: Int?
    /// How each rival history explains it.
    var rivalWays: [Retracing.Found?] = []
  }

  private func recollection(
    of verdict: borrowing Verdict, _ effort: Effort, for pair: borrowing Pair
  ) -> Recollection {
    guard pair.known.isRemembered, effort != .none else { return Recollection() }
    if rivals.isEmpty {
      return recollection(of: verdict, effort, for: pair, by: history, last: retracing)
    }
    var mine = recollection(of: verdict, effort, for: pair, by: history, last: retracing)
    var theirs: (ways: Retracing.Ways, cost: Int, index: Int)?
    for (index, rival) in rivals.enumerated() {
      let other = recollection(
        of: verdict, effort, for: pair, by: rival.history, last: rival.retracing)
      mine.rivalWays.append(other.better?.best ?? other.way)
      if mine.better == nil { mine.asWell = mine.asWell ?? other.asWell }
      if let ways = other.better, ways.best.cost + rival.cost < theirs?.cost ?? .max {
        theirs = (ways, ways.best.cost + rival.cost, index)
      }
    }
    // A key that erases is pressed again rather than two different ones.
    if effort == .key, let better = mine.better, better.best.cost > 0,
      verdict.winner.kind == .deletion, let index = rivals.firstIndex(where: { $0.isKey })
    {
      mine = Recollection(
        asWell: better.best.kind, way: better.best, taken: index, rivalWays: mine.rivalWays)
      return mine
    }
    guard let theirs else { return mine }
    let limit = mine.better?.best.cost ?? (effort == .change || effort == .jump ? 4 : 2)
    // What was composed, went and is back at once was undone and done again.
    let isBackAtOnce =
      theirs.cost == 0 && theirs.ways.best.kind == .redo && verdict.winner.kind == .insertion
      && rivals[theirs.index].retracing == .undo
      && rivals[theirs.index].history.undone.last?.composed != nil
    if theirs.cost < limit, mine.better != nil || effort != .key || isRetracing || isBackAtOnce {
      var ways = theirs.ways
      if mine.better == nil, mine.asWell != ways.best.kind {
        ways.best.rival = ways.best.rival ?? mine.asWell
      }
      return Recollection(better: ways, taken: theirs.index, rivalWays: mine.rivalWays)
    }
    if mine.better == nil { mine.asWell = mine.asWell ?? theirs.ways.best.kind }
    return mine
  }

  /// Whether what was typed last becomes kana, or a word: nothing is undone meanwhile.
  private func isComposing(_ verdict: borrowing Verdict, for pair: borrowing Pair) -> Bool {
    let action = verdict.winner.action
    guard verdict.winner.kind == .replacement, retracing == nil,
      let run = history.done.indices.last, history.done[run].end != .closed
    else { return false }
    let caret = origin + pair.known.left.count
    return history.done[run].position + history.done[run].inserted.count == caret
      && history.done[run].inserted.count >= action.removedLeft && pair.converts(action)
  }

  private func recollection(
    of verdict: borrowing Verdict, _ effort: Effort, for pair: borrowing Pair, by history: History,
    last: Kind?
  ) -> Recollection {
    if history.isBlank { return Recollection() }
    var evidence = isRetracing ? 0 : 1
    switch effort {
    case .none: return Recollection()
    case .key where last == nil:
      guard history.lastStepLooksLike(verdict, for: pair, from: origin) else {
        return Recollection()
      }
      let way = ways(for: pair, by: history, last: last, evidence: evidence, limit: 3)?.best
      return Recollection(asWell: .undo, way: way.flatMap { $0.cost <= 3 ? $0 : nil })
    case .jump:
      // A place in the text as it is explains the pair better.
      let place = Locating(pair)
      if place.caret != nil, place.length >= Evidence.enough { return Recollection() }
      if !isRetracing { evidence = place.caret == nil ? 1 : Evidence.enough }
    default: break
    }
    let limit = isRetracing ? 20 : effort == .change || effort == .jump ? 12 : 4
    guard let ways = ways(for: pair, by: history, last: last, evidence: evidence, limit: limit)
    else { return Recollection() }
    let found = ways.best
    let isBetter =
      switch effort {
      // One key does what one step alone may undo.
      case .lineBreak: last != nil && found.cost <= 2
      case .key: found.cost <= 2
      // Erasing a word goes no farther back than what may be undone at once.
      case .erasure: isRetracing || found.cost <= 2 || pair.new.isBlank
      // What was done last is likelier than any one place elsewhere.
      case .jump:
        isRetracing
          || found.cost
            <= (found.shown < Evidence.enough || pair.goesToNextLine
              ? 0 : verdict.winner.kind == .selection ? 4 : 6)
      default: isRetracing || found.cost <= changeLimit(of: verdict, for: pair)
      }
    if isBetter { return Recollection(better: ways) }
    if effort == .key, !isRetracing { return Recollection() }
    return Recollection(asWell: found.kind, way: found.cost <= 3 ? found : nil)
  }

  /// How much may speak against a way that explains better what `verdict` takes for text put in, or
  /// exchanged.
  private func changeLimit(of verdict: borrowing Verdict, for pair: borrowing Pair) -> Int {
    switch verdict.winner.kind {
    // Text that comes without the selection that went with it was pasted.
    case .insertion where !verdict.winner.isPartial: 4
    case .replacement where pair.converts(verdict.winner.action): 0
    default: 6
    }
  }

  private func ways(
    for pair: borrowing Pair, by history: History, last: Kind?, evidence: Int, limit: Int
  ) -> Retracing.Ways? {
    let retracing = Retracing(history: history, origin: origin, last: last, limit: limit)
    if pair.admitsRecut {
      let strict = Pair(
        old: pair.old, new: pair.new, window: pair.window,
        terminators: pair.terminators, pasteboard: pair.pasteboard,
        cause: pair.cause, known: known)
      if let ways = retracing.ways(for: strict, evidence: evidence) { return ways }
    }
    return retracing.ways(for: pair, evidence: evidence)
  }

  /// What `verdict` would have put into the history.
  private func edit(
    of verdict: borrowing Verdict, _ effort: Effort, for pair: borrowing Pair
  ) -> Session.Rival {
    switch effort {
    case .key, .lineBreak, .erasure: break
    case .none, .change, .jump: return .none
    }
    let action = verdict.winner.action
    guard action.isPlaced, action.caret == nil, !action.joinsNextLine else { return .none }
    let removed = Joined(
      pair.known.left.suffix(action.removedLeft),
      action.removesSelection ? pair.known.selected : .empty,
      pair.known.right.prefix(action.removedRight))
    return .edited(
      left: action.removedLeft, removed: removed.contiguous,
      inserted: Array(action.inserted.raw),
      isKey: effort == .key && verdict.winner.kind == .deletion,
      end: verdict.winner.kind == .cut ? .closed : .open)
  }
}

extension History {
  /// Whether it cannot have a say in what `verdict` found.
  func isSilent(
    on verdict: borrowing Verdict, _ effort: Effort, after last: Kind?, for pair: borrowing Pair,
    from origin: Int
  ) -> Bool {
    if isBlank || effort == .none { return true }
    return effort == .key && last == nil && !lastStepLooksLike(verdict, for: pair, from: origin)
  }

  /// Whether the last edit being taken back looks the same as what one key did.
  fileprivate func lastStepLooksLike(
    _ verdict: borrowing Verdict, for pair: borrowing Pair, from origin: Int
  ) -> Bool {
    let action = verdict.winner.action
    guard let last = done.last, action.removedRight == 0,
      last.position + last.inserted.count == origin + pair.known.left.count
    else { return false }
    switch verdict.winner.kind {
    case .deletion:
      let rest = last.inserted.count - action.removedLeft
      return rest == 0 && last.removed.isEmpty || last.lastEdit == action.removedLeft
        || last.breaks.contains(rest)
    case .insertion:
      return -last.lastEdit == action.inserted.count
        && last.removed.prefix(action.inserted.count).elementsEqual(action.inserted.raw)
    default: return false
    }
  }
}

extension Session.Outcome {
  /// What `verdict` says, and `asWell` as another thing that the pair may be.
  mutating func transition(
    of verdict: consuming Verdict, _ effort: Effort, for pair: borrowing Pair, isRetracing: Bool,
    asWell: Kind? = nil, composition: Composition?
  ) -> Transition {
    let isOpen = effort != .none && (effort != .key && effort != .lineBreak || isRetracing)
    verdict.locate(for: pair)
    if let asWell, !verdict.alternatives.contains(asWell) { verdict.alternatives.append(asWell) }
    change = verdict.change(for: pair)
    isOpenToRecall = isOpen && !verdict.isLocated
    isKey = effort == .key
    weight = verdict.isConfirmed(effort) ? nil : verdict.winner.weight
    isProven = verdict.winner.isProven
    isAmbiguous = verdict.isAmbiguous
    return verdict.transition(for: pair, composition: composition)
  }
}

extension Verdict {
  /// What the reading takes to be done, in a window that may be cut elsewhere.
  func leastEffort(for pair: borrowing Pair) -> Effort {
    let effort = effort(for: pair)
    // No key does what needs another cut.
    return pair.admitsRecut && effort != .jump ? .change : effort
  }

  /// Whether what is known beyond the snapshot leads to it.
  fileprivate func isConfirmed(_ effort: Effort) -> Bool {
    switch effort {
    case .none, .key, .lineBreak, .erasure: true
    case .jump: winner.action.isPlaced
    case .change: winner.kind == .windowShift
    }
  }

  /// Finds the remembered place that the caret went to, and drops a tap from the alternatives where
  /// the memory holds the whole document and shows no such place.
  fileprivate mutating func locate(for pair: borrowing Pair) {
    guard pair.known.isRemembered else { return }
    let isElsewhere = winner.kind == .outOfRangeTap
    let isUnplaced = isElsewhere || !winner.action.isPlaced
    if isUnplaced, winner.kind != .submission {
      let place = Locating(pair)
      guard let caret = place.caret else { return }
      winner.action = .move(to: caret, selecting: pair.new.selected.bytes.count)
      winner.isAmbiguous = !place.isUnique
      winner.isProven = false
      if place.isUnique && isElsewhere && place.length >= Evidence.enough {
        alternatives.removeAll { $0 != .cursorMove }
      }
    } else if alternatives.count == 1, alternatives[0] == .outOfRangeTap,
      pair.known.leftEdge == .document,
      pair.known.rightEdge == .document, Locating(pair).caret == nil
    {
      alternatives = []
    }
  }

  /// Whether the caret went to a place that the memory shows, and only there.
  fileprivate var isLocated: Bool {
    winner.kind == .outOfRangeTap && winner.action.isPlaced
      && !winner.isAmbiguous
  }

  fileprivate func change(for pair: borrowing Pair) -> Session.Change {
    let action = winner.action
    if winner.kind == .unchanged { return .nothing }
    if winner.kind == .submission {
      return .cleared
    }
    if !action.isPlaced || action.joinsNextLine { return .unknown }
    if let caret = action.caret {
      return .move(
        by: caret - pair.known.left.count, selecting: action.selected,
        isDoubtful: winner.isAmbiguous)
    }
    if winner.isPartial { return .unknown }
    return .edit(
      left: action.removedLeft, selection: action.removesSelection, right: action.removedRight,
      inserted: action.inserted, selects: action.selectsInsertion)
  }
}

extension Pair {
  /// Whether `action` is a step of composing, or may be one.
  fileprivate func converts(_ action: Action) -> Bool {
    !action.removesSelection
      && known.left.suffix(action.removedLeft).converts(to: action.inserted)
  }

  /// Whether the caret, at a line's end, may have gone to the beginning of the next line.
  fileprivate var goesToNextLine: Bool {
    old.selected.isEmpty && known.right.first == 0x0A && new.before.bytes.last == 0x0A
      && new.selected.isEmpty
  }
}

extension Verdict {
  /// Whether another edit would show the same, after which the text is another.
  var isAmbiguous: Bool {
    switch winner.kind {
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

extension Verdict {
  /// What the reading takes to be done.
  func effort(for pair: borrowing Pair) -> Effort {
    let action = winner.action
    switch winner.kind {
    case .outOfRangeTap: return .jump
    case .replacement:
      return action.removesSelection && action.inserted.isOneGrapheme ? .key : .change
    case .submission, .windowShift: return .change
    case .insertion:
      if winner.isPartial || action.selectsInsertion { return .change }
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
    default: return winner.agreement == .exact ? .none : .change
    }
  }
}
