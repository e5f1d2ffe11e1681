/// What a session's document went through, for undo and redo.
struct History: Sendable, Equatable {
  /// How many steps and how many bytes of text are kept.
  static let stepLimit = 100
  static let byteLimit = 16_384

  var done: [Step] = []
  private(set) var undone: [Step] = []
  /// How much text is kept, in bytes.
  private(set) var byteCount = 0

  /// How much it holds, in bytes of text, and of what the steps are kept in.
  var heldBytes: Int {
    byteCount + (done.capacity + undone.capacity) * MemoryLayout<Step>.stride
      + (done.count + undone.count) * Step.textRoom
  }

  init() {}

  init(done: [Step], undone: [Step]) {
    self.done = done
    self.undone = undone
    for step in done + undone { byteCount += step.count }
  }

  /// Whether a run of erasing is under way that has come to `caret`.
  func isErasing(at caret: Int) -> Bool {
    // By its index, and its own fields: a copy of a step takes three texts along.
    guard let run = done.indices.last, done[run].end != .closed else { return false }
    return done[run].inserted.isEmpty && done[run].position == caret
  }

  /// Whether what was put in last ends at `caret`, and typing goes on with it.
  func isComposing(at caret: Int) -> Bool {
    guard let run = done.indices.last, done[run].end != .closed else { return false }
    return !done[run].inserted.isEmpty && done[run].position + done[run].inserted.count == caret
  }

  /// Whether letters were composed in one of the last two steps.
  var composesByLetters: Bool {
    for index in done.indices.suffix(2) where done[index].composed != nil { return true }
    return undone.indices.last.map { undone[$0].composed != nil } ?? false
  }

  var isBlank: Bool { done.isEmpty && undone.isEmpty }

  mutating func forget() {
    // One by one: they are few, and `removeAll` keeps the room by replacing a range.
    while !done.isEmpty { done.removeLast() }
    forgetUndone()
    byteCount = 0
  }

  /// Forgets what was undone: something else was done.
  mutating func forgetUndone() {
    while let step = undone.popLast() { byteCount -= step.count }
  }

  /// Takes what went on before in text that is `distance` farther on now.
  mutating func prepend(_ earlier: History, shiftedBy distance: Int) {
    var steps = earlier.done
    for index in steps.indices {
      steps[index].position += distance
      steps[index].caret += distance
      steps[index].end = .closed
      byteCount += steps[index].count
    }
    done.insert(contentsOf: steps, at: 0)
    trim()
  }

  /// The caret went elsewhere: a run of typing ends.
  mutating func endRun() {
    if !done.isEmpty { done[done.count - 1].end = .closed }
  }

  /// Takes account of text that came, or went.
  mutating func count(_ bytes: Int) {
    byteCount += bytes
    trim()
  }

  private mutating func trim() {
    while done.count > History.stepLimit || byteCount > History.byteLimit, !done.isEmpty {
      let first = done.removeFirst()
      byteCount -= first.count
    }
  }
}

// MARK: - Undo and redo

extension History {
  /// Goes the way that was found.
  mutating func retrace(_ way: Way) {
    if way.kind == .undo {
      endRun()
      let tail = way.tail > 0
      for index in 0..<way.steps {
        guard var step = done.popLast() else { break }
        // What went at once comes again at once.
        step.bond =
          index == way.steps - 1 && !tail ? .none : step.bond == .none ? .none : .firm
        undone.append(step)
      }
      if tail { undo(tail: way.tail) }
      if way.head > 0 { undo(head: way.head) }
    } else {
      for index in 0..<way.steps {
        guard var step = undone.popLast() else { break }
        if index == 0 { step.bond = .none }
        step.isWhole = true
        done.append(step)
      }
      endRun()
    }
  }

  /// Brings the first `length` bytes of what the last run erased back.
  private mutating func undo(head length: Int) {
    guard var run = done.popLast() else { return }
    let head = Array(run.removed.prefix(length))
    run.removed.removeFirst(length)
    undone.append(
      Step(
        position: run.position, removed: head, inserted: [], caret: run.position + length,
        end: .closed, lastEditType: run.lastEditType, lastEditLength: -length))
    run.position += length
    done.append(run)
  }

  /// Takes the last `length` bytes of the last run back.
  private mutating func undo(tail length: Int) {
    guard var run = done.popLast() else { return }
    undone.append(run.split(at: run.inserted.count - length))
    done.append(run)
  }
}
