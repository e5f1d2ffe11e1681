/// What a session's document went through, for undo and redo.
struct History: Sendable {
  /// One step back or forth: at `position`, on the scale of the memory's `origin`, `removed` gave
  /// way to `inserted`.
  struct Step: Sendable, Equatable {
    var position: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    /// Where the caret, or the selection, was before: on the same scale.
    var caret: Int
    var selected = 0
    /// Whether it may grow: a run of typing, or of erasing, goes in one step.
    var isOpen: Bool
    /// How many bytes the last edit of a run put in; or took, less than nothing.
    var lastEdit: Int
    /// Whether it is text composed by an input method: letters come, and are exchanged.
    var isComposed = false
    /// Whether it may itself have been an undo.
    var isDoubtful = false

    /// How many bytes of text it holds.
    var count: Int { removed.count + inserted.count }

    /// Whether one key does it.
    var isKey: Bool {
      (removed + inserted).withUnsafeBufferPointer { Bytes($0).isOneGrapheme }
    }

    /// Whether it is one edit, and no run of several.
    var isSingle: Bool { lastEdit == inserted.count - removed.count }
  }

  /// How many steps and how many bytes of text are kept.
  static let stepLimit = 100
  static let byteLimit = 16_384

  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []
  /// Whether the last edit may have been an undo.
  var isDoubtful: Bool { done.last?.isDoubtful ?? false }
  private var byteCount = 0

  init() {}

  init(done: [Step], undone: [Step]) {
    self.done = done
    self.undone = undone
    for step in done + undone { byteCount += step.count }
  }

  /// Whether a run of erasing is under way that has come to `caret`.
  func isErasing(at caret: Int) -> Bool {
    guard let run = done.last, run.isOpen else { return false }
    return run.inserted.isEmpty && run.position == caret
  }

  var isBlank: Bool { done.isEmpty && undone.isEmpty }

  mutating func forget() {
    // One by one: they are few, and `removeAll` keeps the room by replacing a range.
    while !done.isEmpty { done.removeLast() }
    forgetUndone()
    byteCount = 0
  }

  private mutating func forgetUndone() {
    while let step = undone.popLast() { byteCount -= step.count }
  }

  /// Takes what went on before in text that is `distance` farther on now.
  mutating func prepend(_ earlier: History, shiftedBy distance: Int) {
    var steps = earlier.done
    for index in steps.indices {
      steps[index].position += distance
      steps[index].caret += distance
      steps[index].isOpen = false
    }
    done.insert(contentsOf: steps, at: 0)
    byteCount += earlier.byteCount
    trim()
  }

  /// The caret went elsewhere: a run of typing ends.
  mutating func endRun() {
    if !done.isEmpty { done[done.count - 1].isOpen = false }
  }

  /// Notes an edit; what was undone before is lost with it.
  mutating func record(
    position: Int, removed: Bytes, inserted: Bytes, caret: Int, selected: Int,
    isDoubtful: Bool = false
  ) {
    forgetUndone()
    byteCount += removed.count + inserted.count
    let isTyping = selected == 0 && (removed.isEmpty ? inserted : removed).isOneGrapheme
    if selected == 0, extendRun(position, removed, inserted, isTyping: isTyping) {
      return
    }
    endRun()
    done.append(
      Step(
        position: position, removed: Array(removed.raw), inserted: Array(inserted.raw),
        caret: caret, selected: selected, isOpen: isTyping || removed.converts(to: inserted),
        lastEdit: inserted.count - removed.count, isComposed: removed.converts(to: inserted),
        isDoubtful: isDoubtful))
    trim()
  }

  private mutating func trim() {
    while done.count > History.stepLimit || byteCount > History.byteLimit, !done.isEmpty {
      let first = done.removeFirst()
      byteCount -= first.count
    }
  }

  /// Takes the way that was found.
  mutating func retrace(_ found: Retracing.Found) {
    switch found.direction {
    case .back:
      for _ in 0..<found.steps {
        guard let step = done.popLast() else { break }
        undone.append(step)
      }
      if found.tail > 0 { undo(tail: found.tail) }
      if found.head > 0 { undo(head: found.head) }
    case .forth:
      for _ in 0..<found.steps {
        guard var step = undone.popLast() else { break }
        step.isDoubtful = false
        done.append(step)
      }
    }
    endRun()
  }
}

// MARK: - Parts of a run

extension History {
  /// Brings the first `length` bytes of what the last run erased back.
  private mutating func undo(head length: Int) {
    guard var run = done.popLast() else { return }
    let head = Array(run.removed.prefix(length))
    run.removed.removeFirst(length)
    undone.append(
      Step(
        position: run.position, removed: head, inserted: [], caret: run.position + length,
        isOpen: false, lastEdit: -length))
    run.position += length
    done.append(run)
  }

  /// Takes the last `length` bytes of the last run back.
  private mutating func undo(tail length: Int) {
    guard var run = done.popLast() else { return }
    let tail = Array(run.inserted.suffix(length))
    run.inserted.removeLast(length)
    let position = run.position + run.inserted.count
    undone.append(
      Step(
        position: position, removed: [], inserted: tail, caret: position, isOpen: false,
        lastEdit: length, isComposed: run.isComposed))
    done.append(run)
  }
}

// MARK: - Runs

extension History {
  /// Adds an edit to the run under way: typing joins typing, erasing joins erasing, and a conversion
  /// exchanges what the run itself put in.
  private mutating func extendRun(
    _ position: Int, _ removed: Bytes, _ inserted: Bytes, isTyping: Bool
  ) -> Bool {
    guard let last = done.indices.last, done[last].isOpen else { return false }
    let start = done[last].position
    let end = start + done[last].inserted.count
    let isErasing = done[last].inserted.isEmpty
    if inserted.isEmpty {
      guard isTyping, isErasing else { return false }
      if position + removed.count == start {
        done[last].removed.insert(contentsOf: removed.raw, at: 0)
        done[last].position = position
      } else if position == start {
        done[last].removed.append(contentsOf: removed.raw)
      } else {
        return false
      }
    } else if removed.isEmpty {
      // What is composed and what is typed outright go in steps of their own.
      guard isTyping, !isErasing, position == end,
        !done[last].isComposed || inserted.isASCII || inserted.isKana
      else { return false }
      done[last].inserted.append(contentsOf: inserted.raw)
    } else {
      guard !isErasing, position + removed.count == end, position >= start,
        done[last].isComposed || removed.converts(to: inserted)
      else { return false }
      if !done[last].isComposed, position > start { splitRun(last, at: position) }
      let run = done.count - 1
      done[run].isComposed = true
      done[run].inserted.removeLast(removed.count)
      done[run].inserted.append(contentsOf: inserted.raw)
      byteCount -= 2 * removed.count
      // A conversion ends what was being composed.
      done[run].isOpen = removed.isASCII
    }
    done[done.count - 1].lastEdit = inserted.count - removed.count
    done[done.count - 1].isDoubtful = false
    return true
  }

  /// Makes what the run put in from `position` on a step of its own: the letters that a conversion
  /// exchanges had joined what was typed before.
  private mutating func splitRun(_ index: Int, at position: Int) {
    let length = done[index].position + done[index].inserted.count - position
    let letters = Array(done[index].inserted.suffix(length))
    done[index].inserted.removeLast(length)
    done[index].isOpen = false
    done.append(
      Step(
        position: position, removed: [], inserted: letters, caret: position, isOpen: true,
        lastEdit: length))
    trim()
  }
}
