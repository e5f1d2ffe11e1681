/// The edits that a session's input method announced and no post has shown yet.
struct ExpectedEdits: Sendable {
  /// An announced edit, by the snapshots on its two sides.
  struct Entry: Sendable {
    var old: Snapshot
    var new: Snapshot
  }

  /// How many wait at most; the oldest goes first.
  static let capacity = 32

  private(set) var entries: [Entry] = []

  /// Where the edits announced so far lead.
  var end: Snapshot? { entries.last?.new }

  mutating func add(old: Snapshot, new: Snapshot) {
    if entries.count == ExpectedEdits.capacity { entries.removeFirst() }
    entries.append(Entry(old: old, new: new))
  }

  mutating func consume(_ count: Int) { entries.removeFirst(min(count, entries.count)) }

  /// How many edits the step from `old` to `new` shows.
  func shown(from old: Snapshot, to new: Snapshot) -> Int {
    guard let first = entries.firstIndex(where: { $0.old.hasSameText(as: old) }) else { return 0 }
    var state = old
    for index in first..<entries.count {
      guard entries[index].old.hasSameText(as: state) else { return 0 }
      state = entries[index].new
      if state.hasSameText(as: new) { return index + 1 }
    }
    return 0
  }
}

extension Edit {
  /// The snapshot after the edit at `old`'s caret; `nil` where a count is negative or there is no
  /// edit.
  func applied(to old: Snapshot) -> Snapshot? {
    if deleteBackward < 0 || deleteForward < 0 { return nil }
    if insert.isEmpty && deleteBackward == 0 && deleteForward == 0 && moveCaret == 0 { return nil }
    let before = (old.before ?? "").dropLast(deleteBackward) + insert
    let after = (old.after ?? "").dropFirst(deleteForward)
    return Snapshot(
      before: before.isEmpty ? nil : String(before),
      after: after.isEmpty ? old.after.map { _ in "" } : String(after))
  }
}
