import ContextDiff

/// What a person did at one step of a recording.
enum Did: String, Decodable {
  case move, select, type, compose, erase, cut, paste, undo, redo, submit
}

/// One step of a recording: what was done, the field afterwards, and the pasteboard where known.
struct Step {
  var did: Did
  var field: Field
  var pasteboard: [Unicode.Scalar]?

  /// The text that came in where `old` had its caret or selection.
  func put(over old: Field) -> [Unicode.Scalar] {
    old.start <= field.start ? Array(field.text[old.start..<field.start]) : []
  }
}

extension Step {
  /// Whether one character typed, or one erased at the caret, would show the same.
  func looksLikeAKey(from old: Field) -> Bool {
    if old.hasSelection || field.hasSelection { return false }
    let delta = Delta(old.text, field.text)
    guard delta.removed.isEmpty != delta.put.isEmpty else { return false }
    let scalars = delta.put + delta.removed
    guard String(scalars).count == 1, abs(field.text.count - old.text.count) == scalars.count
    else { return false }
    return delta.put.isEmpty
      ? field.start == old.start || field.start + scalars.count == old.start
      : field.start == old.start + scalars.count
  }
}

/// An editing session: where it began and what was done.
struct Recording {
  var name: String
  var start: Field
  var steps: [Step]
}

/// What is between two texts: `removed` went and `put` came behind their common start.
struct Delta {
  var at: Int
  var removed: [Unicode.Scalar]
  var put: [Unicode.Scalar]

  init(_ old: [Unicode.Scalar], _ new: [Unicode.Scalar]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    at = start
    removed = Array(old[start..<oldEnd])
    put = Array(new[start..<newEnd])
  }
}

extension Convention {
  /// The name of what was done between two fields, as a recording tells it.
  func name(
    _ step: Step, from old: Field, shown oldShown: Shown, to newShown: Shown, window: Window,
    pasteboard: [Unicode.Scalar]?
  ) -> Kind {
    func named(_ deed: Deed) -> Kind {
      name(deed, from: old, shown: oldShown, to: newShown, window: window, pasteboard: pasteboard)
    }
    if oldShown == newShown { return .unchanged }
    let new = step.field
    switch step.did {
    case .undo: return .undo
    case .redo: return .redo
    case .submit: return .submission
    case .cut: return .cut
    case .move: return named(.move(new.start))
    case .select: return named(.select(new.start, new.end))
    case .erase: return named(old.hasSelection ? .eraseSelection : .erase(0..<0))
    case .paste: return named(.paste([]))
    case .type: return named(.type(step.put(over: old)))
    case .compose:
      let delta = Delta(old.text, new.text)
      if old.hasSelection { return .replacement }
      if delta.removed.isEmpty { return delta.put.isEmpty ? .cursorMove : .insertion }
      return delta.put.isEmpty ? .deletion : .replacement
    }
  }
}
