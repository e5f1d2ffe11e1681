/// What a session's document went through, for undo and redo.
struct History: Sendable {
  /// One step back or forth: at `position`, on the scale of the memory's `origin`, `removed` gave
  /// way to `inserted`.
  struct Step: Sendable, Equatable {
    var position: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    /// Whether it may grow: a run of typing goes in one step.
    var isOpen: Bool
    /// How many bytes the last edit of a run put in; or took, less than nothing.
    var lastEdit: Int
    /// Whether it is text composed by an input method: letters come, and are exchanged.
    var isComposed = false
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
    if !done.isEmpty { done[done.count - 1].isOpen = false }
  }

  /// Notes an edit; what was undone before is lost with it.
  mutating func record(position: Int, removed: Bytes, inserted: Bytes, isTyping: Bool) {
    undone.removeAll()
    if isTyping, extendRun(position: position, removed: removed, inserted: inserted) { return }
    endRun()
    done.append(
      Step(
        position: position, removed: Array(removed.raw), inserted: Array(inserted.raw),
        isOpen: isTyping, lastEdit: inserted.count - removed.count))
    byteCount += removed.count + inserted.count
    while done.count > History.stepLimit || byteCount > History.byteLimit {
      let first = done.removeFirst()
      byteCount -= first.removed.count + first.inserted.count
    }
  }

  /// Adds an edit to the run under way, as browsers group them: erasing joins erasing, and new text
  /// joins either; erasing after new text begins a run of its own.
  private mutating func extendRun(position: Int, removed: Bytes, inserted: Bytes) -> Bool {
    guard var run = done.last, run.isOpen else { return false }
    let end = run.position + run.inserted.count
    if inserted.isEmpty {
      guard run.inserted.isEmpty else { return false }
      if position + removed.count == run.position {
        run.removed.insert(contentsOf: removed.raw, at: 0)
        run.position = position
      } else if position == run.position {
        run.removed.append(contentsOf: removed.raw)
      } else {
        return false
      }
    } else {
      // A conversion exchanges what the run itself put in.
      guard position + removed.count == end, position >= run.position else { return false }
      if removed.isEmpty {
        // What is composed and what is typed outright go in steps of their own.
        if run.isComposed && !inserted.isASCII { return false }
      } else if !run.isComposed, position > run.position {
        return splitRun(&run, at: position, inserted: inserted)
      }
      run.isComposed = run.isComposed || !removed.isEmpty
      run.inserted.removeLast(removed.count)
      run.inserted.append(contentsOf: inserted.raw)
      // A conversion ends what was being composed.
      if !removed.isEmpty && !removed.isASCII { run.isOpen = false }
    }
    run.lastEdit = inserted.count - removed.count
    byteCount += inserted.count + removed.count
    done[done.count - 1] = run
    return true
  }

  /// Begins a step of composed text with the letters that `inserted` takes the place of, which had
  /// joined the run before.
  private mutating func splitRun(_ run: inout Step, at position: Int, inserted: Bytes) -> Bool {
    run.inserted.removeLast(run.position + run.inserted.count - position)
    run.isOpen = false
    done[done.count - 1] = run
    done.append(
      Step(
        position: position, removed: [], inserted: Array(inserted.raw), isOpen: true,
        lastEdit: inserted.count, isComposed: true))
    byteCount += inserted.count
    return true
  }

  /// Whether `transition` exchanges some of what the run under way put in, as an input method does.
  func converts(_ transition: Transition) -> Bool {
    guard transition.kind == .replacement, let run = done.last, run.isOpen else { return false }
    let isOne = transition.inserted?.withBytes { $0.isOneGrapheme } ?? false
    return isOne || (transition.removed?.utf8.count ?? 0) < run.inserted.count
  }

  /// Takes the way that was found.
  mutating func retrace(_ found: Retracing.Found) {
    switch (found.kind, found.tail) {
    case (.undo, let tail?): undo(tail: tail)
    case (.undo, nil): undo(found.steps)
    default: redo(found.steps)
    }
  }

  /// Takes `count` steps back.
  mutating func undo(_ count: Int) {
    for _ in 0..<count {
      guard let step = done.popLast() else { return }
      undone.append(step)
    }
    endRun()
  }

  /// Takes the last `length` bytes of the last run back.
  mutating func undo(tail length: Int) {
    guard var run = done.popLast() else { return }
    let tail = Array(run.inserted.suffix(length))
    run.inserted.removeLast(length)
    undone.append(
      Step(
        position: run.position + run.inserted.count, removed: [], inserted: tail, isOpen: false,
        lastEdit: length, isComposed: run.isComposed))
    done.append(run)
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
