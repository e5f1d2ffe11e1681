/// Stretches of a document's text that a session left by a tap out of sight, the latest first.
struct Stretches: Sendable {
  struct Stretch: Sendable {
    var memory: Memory
    var history: History
  }

  /// How many are kept at most; together they hold no more text than one memory may.
  static let capacity = 8

  private(set) var stretches: [Stretch] = []
  /// Whether an edit was ever made in any of them.
  private(set) var hasEdits = false

  mutating func keep(_ memory: Memory, _ history: History) {
    if memory.isEmpty || memory.limit == 0 { return }
    hasEdits = hasEdits || !history.isBlank
    stretches.insert(Stretch(memory: memory, history: history), at: 0)
    while stretches.count > Stretches.capacity || byteCount > memory.limit {
      stretches.removeLast()
    }
  }

  /// Takes the stretch at `index` out, and the given one in.
  mutating func exchange(_ index: Int, _ memory: inout Memory, _ history: inout History) {
    let stretch = stretches.remove(at: index)
    keep(memory, history)
    memory = stretch.memory
    history = stretch.history
  }

  private var byteCount: Int { stretches.reduce(0) { $0 + $1.memory.count } }
}

extension Session.Outcome {
  /// Takes the place in a stretch that the caret went to, where the pair shows one.
  mutating func revisit(_ pair: borrowing Pair, at index: Int) {
    guard transition.kind == .outOfRangeTap || transition.kind.family == .selection else { return }
    let place = Locating(pair, admittingOldPlace: index >= 0)
    guard let caret = place.caret, place.length >= Evidence.enough else { return }
    isOpenToRecall = false
    guard index >= 0, place.isUnique, transition.kind == .outOfRangeTap else { return }
    transition.certainty = .certain
    transition.alternatives = []
    change = .revisited(index, caret: caret, selecting: pair.new.selected.bytes.count)
  }

  /// Takes the way through the history of `stretch` that explains the pair, where one does.
  mutating func recall(
    _ pair: borrowing Pair, in stretch: Stretches.Stretch, at index: Int, evidence: Int
  ) {
    let retracing = Retracing(history: stretch.history, origin: stretch.memory.origin)
    guard let found = retracing.found(for: pair, evidence: evidence),
      transition.kind != .deletion || found.isOneStep
    else { return }
    become(found)
    change = .retracedElsewhere(index, found)
    isOpenToRecall = false
  }

  private mutating func become(_ found: Retracing.Found) {
    let other = transition.kind
    transition.kind = found.kind
    transition.alternatives = [other] + (found.rival.map { [$0] } ?? [])
    transition.certainty = .likely
    transition.cursorOffset = nil
    transition.isPartial = false
    transition.inserted =
      found.inserted.isEmpty ? nil : String(decoding: found.inserted, as: UTF8.self)
    transition.removed =
      found.removed.isEmpty ? nil : String(decoding: found.removed, as: UTF8.self)
    transition.leavesComposition = transition.leavesComposition.map { _ in true }
  }

  /// Names `kind` among what else the pair could be.
  mutating func name(_ kind: Kind) {
    if transition.kind == kind || transition.alternatives.contains(kind) { return }
    transition.alternatives.append(kind)
    transition.certainty = .likely
  }
}
