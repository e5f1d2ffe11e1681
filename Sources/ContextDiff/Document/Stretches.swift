/// Stretches of the document's text, each with its history, that the session left by taps to unseen text; the one that
/// was left last comes first.
struct Stretches: Sendable {
  struct Stretch: Sendable {
    var memory: Memory
    var history: History
  }

  /// How many are kept at most; all together hold no more text than one memory may.
  static let capacity = 8

  private(set) var stretches: [Stretch] = []
  /// Whether an edit was ever made in one of them.
  private(set) var hasEdits = false

  mutating func keep(_ memory: Memory, _ history: History) {
    if memory.limit == 0 { return }
    hasEdits = hasEdits || !history.isEmpty
    stretches.insert(Stretch(memory: memory, history: history), at: 0)
    trim(to: memory.limit)
  }

  /// Drops those that were left first, down to `capacity` and to `limit` bytes of text.
  mutating func trim(to limit: Int) {
    while stretches.count > Stretches.capacity || byteCount > limit { stretches.removeLast() }
  }

  /// Exchanges the given memory and history for those of the stretch at `index`.
  mutating func exchange(_ index: Int, _ memory: inout Memory, _ history: inout History) {
    let stretch = stretches.remove(at: index)
    keep(memory, history)
    memory = stretch.memory
    history = stretch.history
  }

  /// Joins `memory`, which has just learnt `left` and `right` bytes at its ends, with a stretch that it has grown into.
  ///
  /// - Complexity: Linear in the text of all the stretches.
  mutating func join(
    _ memory: inout Memory, _ history: inout History, grownLeft left: Int, grownRight right: Int
  ) {
    if stretches.isEmpty { return }
    let text = memory.text
    text.withBytes { all in
      let next = all.dropFirst(left).byteOffset(ofScalar: Measured.joined)
      let last = all.dropLast(right).length(ofLastScalars: Measured.joined)
      let from = left > 0 ? 0 : all.count - right - last
      let pattern = left > 0 ? all.prefix(left + next) : all.dropFirst(from)
      if !pattern.isOverlap { return }
      for index in stretches.indices {
        let other = stretches[index].memory
        let known = other.text
        let isJoined = known.withBytes { buffer in
          var places = Occurrences(of: pattern, in: Joined(buffer))
          guard let place = places.next(), places.next() == nil else { return false }
          let distance = memory.origin + from - (other.origin + place)
          let before = buffer.prefix(place)
          let after = buffer.dropFirst(place + pattern.count)
          let mine = all.dropFirst(from + pattern.count)
          if before.hasSuffix(all.prefix(from)), before.count > from {
            memory.extend(left: before.dropLast(from), edge: other.leftEdge)
          }
          if after.hasPrefix(mine), after.count > mine.count {
            memory.extend(right: after.dropFirst(mine.count), edge: other.rightEdge)
          }
          history.prepend(stretches[index].history, shiftedBy: distance)
          return true
        }
        if isJoined {
          stretches.remove(at: index)
          memory.trim()
          return
        }
      }
    }
  }

  /// The bytes of text in all of them.
  private var byteCount: Int { stretches.reduce(0) { $0 + $1.memory.count } }

  /// The memory in use, in bytes.
  var heldBytes: Int {
    stretches.indices.reduce(0) {
      $0 + stretches[$1].memory.heldBytes + stretches[$1].history.heldBytes
    }
  }
}
