import ContextDiff

/// One thing that a person does in a field (the model's part 3).
enum Deed: Hashable {
  case move(Int)
  case select(Int, Int)
  case cut
  case eraseSelection
  case erase(Range<Int>)
  case type([Unicode.Scalar])
  case paste([Unicode.Scalar])
  case submit
  // The model's 3b: one stretch that touches the caret or the selection.
  case exchange(Range<Int>, [Unicode.Scalar])
  case eraseBothSides
  /// Typed at once, the caret before the last of it.
  case typeAround([Unicode.Scalar])
  /// Typed at once, the last of it selected.
  case typeProposal([Unicode.Scalar])
  /// One scalar of the selection exchanged, the selection kept.
  case retouch(Int, Unicode.Scalar)
  /// Put before and behind the kept selection.
  case enclose(Unicode.Scalar)

  func applied(to field: Field) -> Field {
    switch self {
    case .move(let caret): field.selecting(caret, caret)
    case .select(let start, let end): field.selecting(start, end)
    case .cut, .eraseSelection: field.exchanging(field.start..<field.end, for: [])
    case .erase(let range): field.exchanging(range, for: [])
    case .type(let text), .paste(let text):
      field.exchanging(field.start..<field.end, for: text)
    case .submit: Field([], 0, 0)
    case .exchange(let range, let text): field.exchanging(range, for: text)
    case .eraseBothSides: field.exchanging(field.start - 1..<field.end + 1, for: [])
    case .typeAround(let text), .typeProposal(let text):
      field.exchanging(field.start..<field.end, for: text)
        .selecting(
          field.start + text.count - 1,
          self == .typeAround(text) ? field.start + text.count - 1 : field.start + text.count)
    case .retouch(let place, let scalar):
      field.exchanging(place..<place + 1, for: [scalar]).selecting(field.start, field.end)
    case .enclose(let scalar):
      field.exchanging(field.end..<field.end, for: [scalar])
        .exchanging(field.start..<field.start, for: [scalar])
        .selecting(field.start + 1, field.end + 1)
    }
  }
}

/// Where the model's text leaves a choice to whoever counts.
struct Convention: Hashable {
  /// Whether the place before the newline that a line's left edge shows is within the visible text.
  var newlineIsVisible = true
  /// Whether `paragraph` counts as visible all that it shows, or the line alone.
  var paragraphSeesLine = false
  /// Whether an empty line selected with its newline is a line selected.
  var emptyLineCounts = false
  /// Whether carets stand, and one erasing takes, between graphemes instead of scalars.
  var carets = Unit.scalar
  var erases = Unit.scalar

  enum Unit: String, Hashable { case scalar, grapheme }

  /// The name of `deed`, by what a person did and under the names agreed for what cannot be told
  /// apart (the model's part 4).
  func name(
    _ deed: Deed, from old: Field, shown oldShown: Shown, to newShown: Shown, window: Window,
    pasteboard: [Unicode.Scalar]?
  ) -> Kind {
    if oldShown == newShown { return .unchanged }
    switch deed {
    case .move(let caret):
      guard sees(old, oldShown, caret, window) else { return .outOfRangeTap }
      guard old.hasSelection else { return .cursorMove }
      return isLineGivenUp(oldShown, newShown, window) ? .lineDeselection : .deselection
    case .select:
      return isLineMade(oldShown, newShown, window) ? .lineSelection : .selection
    case .cut: return .cut
    case .eraseSelection:
      guard let pasteboard else { return .cut }
      return pasteboard.elementsEqual(old.selected) ? .cut : .deletion
    case .erase: return .deletion
    case .type(let text):
      if text == pasteboard { return .paste }
      return old.hasSelection ? .replacement : .insertion
    case .paste:
      if pasteboard != nil { return .paste }
      return old.hasSelection ? .replacement : .insertion
    case .submit: return .submission
    case .exchange(let range, let text): return nameExchange(Array(old.text[range]), text)
    case .eraseBothSides: return .deletion
    case .typeAround, .typeProposal: return old.hasSelection ? .replacement : .insertion
    case .retouch, .enclose: return .replacement
    }
  }

  /// With nothing selected, text exchanged for text that begins or ends alike is what remains when
  /// the common part is taken off.
  private func nameExchange(_ gone: [Unicode.Scalar], _ put: [Unicode.Scalar]) -> Kind {
    let delta = Delta(gone, put)
    switch (delta.removed.isEmpty, delta.put.isEmpty) {
    case (true, true): return .cursorMove
    case (true, false): return .insertion
    case (false, true): return .deletion
    case (false, false): return .replacement
    }
  }

  private func sees(_ field: Field, _ shown: Shown, _ caret: Int, _ window: Window) -> Bool {
    let shown = paragraphSeesLine ? PublishedList.line(shown, window) : shown
    let before = shown.before ?? []
    let isLeftEdge = window != .full && before == [Host.newline]
    let first = isLeftEdge && !newlineIsVisible ? field.start : field.start - before.count
    return (first...field.end + (shown.after ?? []).count).contains(caret)
  }

  private func isLineMade(_ old: Shown, _ new: Shown, _ window: Window) -> Bool {
    guard window != .full,
      PublishedList.kind(old, new, window: window, pasteboard: nil) != .selection
    else { return false }
    let new = PublishedList.line(new, window)
    guard new.before == [Host.newline], var line = new.selected else { return false }
    if line.last == Host.newline {
      line.removeLast()
      if line.isEmpty, !emptyLineCounts { return false }
    } else if !(new.after ?? []).isEmpty {
      return false
    }
    return !line.contains(Host.newline)
  }

  private func isLineGivenUp(_ old: Shown, _ new: Shown, _ window: Window) -> Bool {
    guard window != .full,
      PublishedList.kind(old, new, window: window, pasteboard: nil) == .lineDeselection
    else { return false }
    return (PublishedList.line(old, window).after ?? []).isEmpty
  }
}
