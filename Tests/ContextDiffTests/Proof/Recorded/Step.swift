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
  /// Whether one key pressed in `old` would have shown the same, `shown`: a character typed, the
  /// return key, one character erased.
  ///
  /// What a session was shown before is the same then too, so that no engine can tell the two apart
  /// unless what came before makes one of them likelier.
  func looksLikeAKey(from old: Field, shown: Shown, host: Host) -> Bool {
    if shown.selected != nil { return false }
    var ways: [Field] = []
    if let typed = shown.before?.last {
      ways.append(old.exchanging(old.start..<old.end, for: [typed]))
    }
    if old.hasSelection {
      ways.append(old.exchanging(old.start..<old.end, for: []))
    } else {
      let left = graphemeBoundaries(Array(old.text[max(0, old.start - 16)..<old.start]))
      if left.count > 1 {
        let length = left[left.count - 1] - left[left.count - 2]
        ways.append(old.exchanging(old.start - length..<old.start, for: []))
      }
      let right = graphemeBoundaries(Array(old.text[old.end...].prefix(16)))
      if right.count > 1 { ways.append(old.exchanging(old.end..<old.end + right[1], for: [])) }
    }
    return ways.contains { host.shows($0) == shown }
  }

  /// Whether text came in at the caret, and nothing else.
  fileprivate func isInsertion(in old: Field) -> Bool {
    old.start <= field.start
      && old.exchanging(old.start..<old.start, for: put(over: old)).text == field.text
  }
}

/// An editing session: where it began and what was done.
struct Recording {
  var name: String
  var start: Field
  var steps: [Step]
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
      // What comes before the last character, too, exchanges that: t becomes っt.
      if delta.removed.isEmpty, !delta.put.isEmpty, !step.isInsertion(in: old) {
        return .replacement
      }
      if delta.removed.isEmpty { return delta.put.isEmpty ? .cursorMove : .insertion }
      return delta.put.isEmpty ? .deletion : .replacement
    }
  }
}
