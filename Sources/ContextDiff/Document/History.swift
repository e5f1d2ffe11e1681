/// The undo steps of a document, as its host may have coalesced the edits seen.
struct History: Sendable, Equatable {
  /// How many steps, and how many bytes of their texts, are kept at most.
  static let stepLimit = 100
  static let byteLimit = 16_384
  /// The capacity, in bytes, of the largest text whose room is kept as `spareRoom`.
  private static let mostSpareRoom = 64

  /// The steps that can be undone, the latest last.
  var done: [Step] = []
  /// The steps that can be redone, the next one last.
  private(set) var undone: [Step] = []
  /// The bytes of text in `done` and `undone`.
  private(set) var byteCount = 0
  /// An empty array whose room, that of a forgotten step's text, the next step's text takes.
  private var spareRoom: [UInt8] = []

  /// The memory in use, in bytes: the texts, and the arrays that hold them and the steps.
  var heldBytes: Int {
    byteCount + (done.capacity + undone.capacity) * MemoryLayout<Step>.stride
      + (done.count + undone.count) * Step.besideText + spareRoom.capacity
  }

  init() {}

  init(done: [Step], undone: [Step]) {
    self.done = done
    self.undone = undone
    for step in done + undone { byteCount += step.count }
  }

  /// Whether the last step is an erasure that ended at `caret` and may grow.
  func isErasing(at caret: Int) -> Bool {
    // By index: a copy of a step would retain its three arrays.
    guard let run = done.indices.last, done[run].end != .closed else { return false }
    return done[run].inserted.isEmpty && done[run].position == caret
  }

  /// Whether the last step is an erasure to the left whose last edit took a newline.
  var hasErasedBreak: Bool {
    guard let run = done.indices.last, done[run].lastEditType == .erasedLeft else { return false }
    return done[run].removed.first == .newline
  }

  /// Whether the last step is an insertion that ends at `caret` and may grow.
  func isComposing(at caret: Int) -> Bool {
    guard let run = done.indices.last, done[run].end != .closed else { return false }
    return !done[run].inserted.isEmpty && done[run].insertedEnd == caret
  }

  /// The length of the composed text, in bytes, with which the last step ends at `caret`; 0 where it does not.
  func composedLength(at caret: Int) -> Int {
    guard let last = done.indices.last, let composed = done[last].composed,
      done[last].insertedEnd == caret
    else { return 0 }
    return done[last].inserted.count - composed
  }

  /// Whether one of the last steps, or the one undone last, composed text from letters.
  var composesByLetters: Bool {
    done.indices.suffix(Measured.composingSteps).contains { done[$0].composed != nil }
      || undone.indices.last.map { undone[$0].composed != nil } ?? false
  }

  /// The last byte of the character left of what the last step erased, if both were inserted by steps that are kept, and
  /// that character by itself; else `nil`.
  var lastByteLeft: UInt8? {
    guard let run = done.indices.last, done[run].inserted.isEmpty, done[run].selected == 0,
      origin(of: done[run].position, before: run) != nil,
      let left = origin(of: done[run].position - 1, before: run),
      done[left.step].wasTypedByCharacter
    else { return nil }
    return done[left.step].inserted[left.offset]
  }

  /// Which step inserted the byte at `position` of the text that `step` was done to, and where in its text; `nil` where no
  /// step that is kept did.
  private func origin(of position: Int, before step: Int) -> (step: Int, offset: Int)? {
    var position = position
    for index in done.indices.prefix(step).reversed() where done[index].position <= position {
      let offset = position - done[index].position
      if offset < done[index].inserted.count { return (index, offset) }
      position += done[index].removed.count - done[index].inserted.count
    }
    return nil
  }

  var isEmpty: Bool { done.isEmpty && undone.isEmpty }

  mutating func forget() {
    if let last = done.indices.last, done[last].inserted.capacity <= History.mostSpareRoom {
      swap(&spareRoom, &done[last].inserted)
      spareRoom.removeAll(keepingCapacity: true)
    }
    // One by one, which is cheaper for the few there are than `removeAll(keepingCapacity:)`.
    while !done.isEmpty { done.removeLast() }
    forgetUndone()
    byteCount = 0
  }

  /// Forgets the steps that can be redone, because of a new edit.
  mutating func forgetUndone() {
    while let step = undone.popLast() { byteCount -= step.count }
  }

  /// Puts the steps of `earlier` before its own, their positions moved by `distance` bytes.
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

  /// A copy of `text`, in the spare room where there is one.
  mutating func copy(of text: Bytes) -> [UInt8] {
    var room: [UInt8] = []
    swap(&room, &spareRoom)
    room.append(contentsOf: text)
    return room
  }

  /// Closes the last step: no further edit is coalesced with it.
  mutating func endRun() {
    if !done.isEmpty { done[done.count - 1].end = .closed }
  }

  /// Adds `bytes` to `byteCount`, and drops the oldest steps beyond the limits.
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
  /// Moves the steps that `way` undid from `done` to `undone`, or those that it redid back.
  mutating func retrace(_ way: Way) {
    if way.kind == .undo {
      endRun()
      for index in 0..<way.steps {
        guard var step = done.popLast() else { break }
        // Steps undone together are redone together.
        step.bond =
          index == way.steps - 1 && way.rest == 0 ? .none : step.bond == .none ? .loose : .firm
        undone.append(step)
      }
      if way.rest > 0 { undo(last: way.rest) }
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

  /// Undoes the last `length` bytes of the last step.
  private mutating func undo(last length: Int) {
    guard var run = done.popLast() else { return }
    if run.inserted.isEmpty {
      undone.append(run.split(erased: length))
    } else {
      var rest = run.split(at: run.inserted.count - length)
      // What is left brings back what was replaced: at once, and both may be redone together.
      if run.inserted.isEmpty {
        rest.bond = .loose
        run.isWhole = true
      }
      undone.append(rest)
    }
    done.append(run)
  }
}
