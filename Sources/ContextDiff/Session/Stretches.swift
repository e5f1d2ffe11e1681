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
  /// Takes what `stretch` explains of the pair, where it does.
  mutating func recall(
    _ pair: borrowing Pair, in stretch: Stretches.Stretch, at index: Int, evidence: Int
  ) {
    let retracing = Retracing(history: stretch.history, origin: stretch.memory.origin)
    if let found = retracing.found(for: pair, evidence: evidence),
      transition.kind != .deletion || found.isOneStep
    {
      become(found)
      change = .retracedElsewhere(index, found)
      isOpenToRecall = false
    } else if index >= 0, transition.kind == .outOfRangeTap {
      let place = Locating(pair)
      guard let caret = place.caret, place.isUnique, place.length >= Evidence.enough else { return }
      transition.certainty = .certain
      transition.alternatives = []
      change = .revisited(index, caret: caret, selecting: pair.new.selected.bytes.count)
      isOpenToRecall = false
    }
  }

  private mutating func become(_ found: Retracing.Found) {
    let other = transition.kind
    transition.kind = found.kind
    transition.alternatives = other == .outOfRangeTap || other.family == .selection ? [] : [other]
    transition.certainty = transition.alternatives.isEmpty ? .certain : .likely
    transition.cursorOffset = nil
    transition.isPartial = false
    transition.inserted =
      found.inserted.isEmpty ? nil : String(decoding: found.inserted, as: UTF8.self)
    transition.removed =
      found.removed.isEmpty ? nil : String(decoding: found.removed, as: UTF8.self)
    transition.leavesComposition = transition.leavesComposition.map { _ in true }
  }

  /// Names undo among what else the pair could be.
  mutating func nameUndo() {
    if transition.alternatives.contains(.undo) { return }
    transition.alternatives.append(.undo)
    transition.certainty = .likely
  }
}
