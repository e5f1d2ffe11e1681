extension Hearing {
  /// What the history makes of a pair.
  struct Recollection {
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

  func recollection(
    of ruling: borrowing Ruling, _ effort: Effort, for pair: borrowing Pair
  ) -> Recollection {
    guard pair.known.isRemembered, effort != .none else { return Recollection() }
    var mine = recollection(of: ruling, effort, for: pair, by: history, last: retracing)
    if rivals.isEmpty { return mine }
    var theirs: (ways: Retracing.Ways, cost: Int, index: Int)?
    for (index, rival) in rivals.enumerated() {
      let other = recollection(
        of: ruling, effort, for: pair, by: rival.history, last: rival.retracing)
      mine.rivalWays.append(other.better?.best ?? other.way)
      if mine.better == nil { mine.asWell = mine.asWell ?? other.asWell }
      if let ways = other.better, ways.best.cost + rival.cost < theirs?.cost ?? .max {
        theirs = (ways, ways.best.cost + rival.cost, index)
      }
    }
    // A key that erases is pressed again rather than two different ones.
    if effort == .key, let better = mine.better, ruling.candidate.kind == .deletion,
      let index = rivals.firstIndex(where: { $0.isKey })
    {
      mine = Recollection(
        asWell: better.best.kind, way: better.best, taken: index, rivalWays: mine.rivalWays)
      return mine
    }
    guard let theirs else { return mine }
    let limit = mine.better?.best.cost ?? (effort == .change || effort == .jump ? 4 : 2)
    if theirs.cost < limit, mine.better != nil || effort != .key || isRetracing {
      var ways = theirs.ways
      if mine.better == nil { ways.best.rival = ways.best.rival ?? mine.asWell }
      return Recollection(better: ways, taken: theirs.index, rivalWays: mine.rivalWays)
    }
    if mine.better == nil { mine.asWell = mine.asWell ?? theirs.ways.best.kind }
    return mine
  }

  private func recollection(
    of ruling: borrowing Ruling, _ effort: Effort, for pair: borrowing Pair, by history: History,
    last: Kind?
  ) -> Recollection {
    if history.isBlank { return Recollection() }
    var evidence = isRetracing ? 0 : 1
    switch effort {
    case .none: return Recollection()
    case .key where last == nil:
      guard lastStepLooksAlike(ruling, in: history, for: pair) else { return Recollection() }
      let way = ways(for: pair, by: history, last: last, evidence: evidence, limit: 3)?.best
      return Recollection(asWell: .undo, way: way.flatMap { $0.cost <= 3 ? $0 : nil })
    case .jump:
      // A place in the text as it is explains the pair better.
      let place = Locating(pair)
      if place.caret != nil, place.length >= Evidence.enough { return Recollection() }
      if !isRetracing { evidence = place.caret == nil ? 2 : Evidence.enough }
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
      case .erasure: isRetracing || found.cost <= 1 || pair.new.isBlank
      // What was done last is likelier than any one place elsewhere.
      case .jump:
        isRetracing || found.cost <= (found.shown < Evidence.enough ? 0 : 6)
      default: isRetracing || found.cost <= 6
      }
    if isBetter { return Recollection(better: ways) }
    if effort == .key, !isRetracing { return Recollection() }
    return Recollection(asWell: found.kind, way: found.cost <= 3 ? found : nil)
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

  /// What `ruling` would have put into the history.
  func edit(
    of ruling: borrowing Ruling, _ effort: Effort, for pair: borrowing Pair
  ) -> Session.Rival {
    switch effort {
    case .key, .lineBreak, .erasure: break
    case .none, .change, .jump: return .none
    }
    let action = ruling.candidate.action
    guard action.isPlaced, action.caret == nil, !action.joinsNextLine else { return .none }
    let removed = Joined(
      pair.known.left.suffix(action.removedLeft),
      action.removesSelection ? pair.known.selected : .empty,
      pair.known.right.prefix(action.removedRight))
    return .edited(
      left: action.removedLeft, removed: removed.contiguous,
      inserted: Array(action.inserted.raw),
      isKey: effort == .key && ruling.candidate.kind == .deletion,
      end: ruling.candidate.kind == .cut ? .closed : .open)
  }

  /// Whether the last edit being taken back looks the same as what one key did.
  private func lastStepLooksAlike(
    _ ruling: borrowing Ruling, in history: History, for pair: borrowing Pair
  ) -> Bool {
    let action = ruling.candidate.action
    guard let last = history.done.last, action.removedRight == 0,
      last.position + last.inserted.count == origin + pair.known.left.count
    else { return false }
    switch ruling.candidate.kind {
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
