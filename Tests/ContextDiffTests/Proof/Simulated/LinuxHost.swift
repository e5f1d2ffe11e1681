import ContextDiff

/// How toolkits on Linux cut the text that they tell an input method.
enum LinuxHost: String, CaseIterable {
  /// The caret's line and no newline (Qt, GTK 3, Firefox); a selection over lines is not shown.
  case line
  /// The selection's lines, widened by three words either side, newlines included (GTK 4).
  case words

  /// What is told as `Observation.window`.
  var window: Window { self == .line ? .line : .full }

  func canShow(_ field: Field) -> Bool { self == .words || Host(.line).canShow(field.selected) }

  func shows(_ field: Field) -> Shown {
    guard self == .words else {
      if canShow(field) { return Host(.line).shows(field) }
      return Host(.line).shows(field.selecting(field.end, field.end))
    }
    let text = field.text
    var first = text[..<field.start].lastIndex(of: Host.newline).map { $0 + 1 } ?? 0
    var last = text[field.end...].firstIndex(of: Host.newline) ?? text.count
    for _ in 0..<3 {
      while first > 0, Self.isBlank(text[first - 1]) { first -= 1 }
      while first > 0, !Self.isBlank(text[first - 1]) { first -= 1 }
      while last < text.count, Self.isBlank(text[last]) { last += 1 }
      while last < text.count, !Self.isBlank(text[last]) { last += 1 }
    }
    func side(_ range: Range<Int>) -> [Unicode.Scalar]? {
      range.isEmpty ? nil : Array(text[range])
    }
    return Shown(
      before: side(first..<field.start), selected: side(field.start..<field.end),
      after: side(field.end..<last))
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == Host.newline
  }
}

extension Step {
  /// The class of the key that did this, as an input method on Linux sees it.
  func key(from old: Field) -> Key {
    switch did {
    case .type:
      let put = put(over: old)
      // With a new line comes what it is indented by.
      if put.first == Host.newline, put.allSatisfy({ $0 == Host.newline || $0 == " " }) {
        return .return
      }
      return put.count == 1 ? .character : .unpressed
    case .compose: return .unpressed
    case .erase:
      if old.hasSelection { return .backspace }
      return field.start < old.start ? .backspace : .delete
    case .cut, .paste, .undo, .redo: return .shortcut
    case .move, .select: return abs(field.start - old.start) <= 1 ? .caret : .unpressed
    case .submit: return .return
    }
  }
}
