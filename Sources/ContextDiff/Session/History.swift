/// What a session's document went through, for undo and redo.
struct History: Sendable {
  /// One step back or forth: at `position`, on the scale of the memory's `origin`, `removed` gave
  /// way to `inserted`.
  struct Step: Sendable, Equatable {
    var position: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    /// Whether it may grow: a run of typing goes in one step.
    var isTyping: Bool
    /// How many bytes the last edit of a run put in; or took, less than nothing.
    var lastEdit: Int
  }

  /// How many steps and how many bytes of text are kept.
  static let stepLimit = 64
  static let byteLimit = 16_384

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  private var byteCount = 0

  init() {}

  init(done: [Step], undone: [Step]) {
    self.done = done
    self.undone = undone
    for step in done { byteCount += step.removed.count + step.inserted.count }
  }

  mutating func forget() {
    done.removeAll()
    undone.removeAll()
    byteCount = 0
  }

  /// The caret went elsewhere: a run of typing ends.
  mutating func endRun() {
    if !done.isEmpty { done[done.count - 1].isTyping = false }
  }

  /// Notes an edit; what was undone before is lost with it.
  mutating func record(position: Int, removed: Bytes, inserted: Bytes, isTyping: Bool) {
    undone.removeAll()
    if isTyping, extendRun(position: position, removed: removed, inserted: inserted) { return }
    endRun()
    done.append(
      Step(
        position: position, removed: Array(removed.raw), inserted: Array(inserted.raw),
        isTyping: isTyping, lastEdit: inserted.count - removed.count))
    byteCount += removed.count + inserted.count
    while done.count > History.stepLimit || byteCount > History.byteLimit {
      let first = done.removeFirst()
      byteCount -= first.removed.count + first.inserted.count
    }
  }

  /// Adds an edit to the run under way, where it touches the run's end.
  private mutating func extendRun(position: Int, removed: Bytes, inserted: Bytes) -> Bool {
    guard var run = done.last, run.isTyping else { return false }
    let end = run.position + run.inserted.count
    if position + removed.count == end {
      // Backspace may reach back beyond where the run began.
      let own = min(removed.count, run.inserted.count)
      run.inserted.removeLast(own)
      run.removed.insert(contentsOf: removed.dropLast(own).raw, at: 0)
      run.position -= removed.count - own
    } else if position == end {
      run.removed.append(contentsOf: removed.raw)
    } else {
      return false
    }
    run.inserted.append(contentsOf: inserted.raw)
    run.lastEdit = inserted.count - removed.count
    byteCount += inserted.count + removed.count
    done[done.count - 1] = run
    return true
  }

  /// Takes `count` steps back.
  mutating func undo(_ count: Int) {
    for _ in 0..<count {
      guard let step = done.popLast() else { return }
      undone.append(step)
    }
    endRun()
  }

  /// Takes `count` undone steps again.
  mutating func redo(_ count: Int) {
    for _ in 0..<count {
      guard let step = undone.popLast() else { return }
      done.append(step)
    }
    endRun()
  }
}
