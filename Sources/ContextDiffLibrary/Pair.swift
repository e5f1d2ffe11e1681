internal import CContextDiff
internal import ContextDiff
internal import ContextDiffWire

extension Snapshot {
  /// A copy of a caller's snapshot; `name` is the argument's name, for the error, and `limit` the most bytes that each
  /// of its texts may have.
  init(
    _ pointer: UnsafePointer<contextdiff_snapshot>, _ name: String, limit: Int
  ) throws(Failure) {
    // Unsafe: the caller's struct and texts are copied at once.
    let given = unsafe try contextdiff_snapshot(pointer, name)
    var caret: Int?
    if try given.caret_told.bool("\(name).caret_told") == true {
      caret = try given.caret.checked(in: 0...countLimit, "\(name).caret")
    }
    self.init(
      before: try given.before.string("\(name).before", limit: limit),
      selected: try given.selected.string("\(name).selected", limit: limit),
      after: try given.after.string("\(name).after", limit: limit),
      hasText: try given.has_text.bool("\(name).has_text"), caret: caret,
      selectionShown: try given.selection_shown.bool("\(name).selection_shown"))
  }

  /// A copy of a caller's snapshot, as `init` makes it; `nil` for NULL.
  static func told(
    _ pointer: UnsafePointer<contextdiff_snapshot>?, _ name: String,
    limit: Int = textLimit
  ) throws(Failure) -> Snapshot? {
    // Unsafe: as `init` says.
    guard let pointer = unsafe pointer else { return nil }
    return unsafe try Snapshot(pointer, name, limit: limit)
  }
}

/// A copy of a caller's observation.
struct Pair {
  /// The snapshot before the change; `nil` where the caller leaves it to the session.
  var old: Snapshot?
  var new: Snapshot
  var pasteboard: String?
  var evidence = Evidence()
  /// Whether a shortcut that undoes, redoes, cuts or pastes is told by its own key.
  var namesShortcuts = false

  /// A copy of what `pointer` points to, each text of which may have `limit` bytes.
  init(
    _ pointer: UnsafePointer<contextdiff_observation>?, limit: Int = textLimit
  ) throws(Failure) {
    // Unsafe: the caller's struct, and all that it points to, is copied at once.
    guard let given = unsafe try contextdiff_observation.told(pointer, "observation") else {
      throw .invalid("observation: NULL")
    }
    guard let to = unsafe given.to else { throw .invalid("observation.to: NULL") }
    old = unsafe try Snapshot.told(given.from, "from", limit: limit)
    new = unsafe try Snapshot(to, "to", limit: limit)
    evidence.window = try Window.told(given.window)
    pasteboard = try given.pasteboard.string("pasteboard", limit: limit)
    if try given.composing.bool("composing") == true {
      evidence.composition = Composition(
        before: try given.composing_before.checked(in: 0...countLimit, "composing_before"),
        after: try given.composing_after.checked(in: 0...countLimit, "composing_after"))
    } else if given.composing_before != 0 || given.composing_after != 0 {
      throw .invalid("composing: not YES, but something is being composed")
    }
    evidence.cause = try Cause.told(given.cause)
    evidence.key = try Key.told(given.key)
    evidence.merged = try given.merged.bool("merged") ?? false
    evidence.reset = try given.reset.bool("reset") ?? false
    namesShortcuts = try given.names_shortcuts.bool("names_shortcuts") ?? false
  }

  /// The pair for the engine without a session; `nil` where it has no snapshot before the change.
  var observation: Observation? {
    guard let old else { return nil }
    return Observation(old: old, new: new, pasteboard: pasteboard, evidence: evidence)
  }
}

extension Edit {
  /// A copy of a caller's edit, in a text of at most `limit` bytes.
  init(
    _ pointer: UnsafePointer<contextdiff_edit>?, limit: Int = textLimit
  ) throws(Failure) {
    // Unsafe: copied at once.
    guard let given = unsafe try contextdiff_edit.told(pointer, "edit") else {
      throw .invalid("edit: NULL")
    }
    let most = Int64(Edit.countLimit)
    self.init(
      insert: try given.insert.string("edit.insert", limit: limit) ?? "",
      deleteBackward: try given.delete_backward.checked(in: 0...most, "edit.delete_backward"),
      deleteForward: try given.delete_forward.checked(in: 0...most, "edit.delete_forward"),
      moveCaret: try given.move_caret.checked(in: -most...most, "edit.move_caret"),
      unit: try Edit.Unit.told(given.unit))
  }
}
