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

  func applied(to field: Field) -> Field {
    switch self {
    case .move(let caret): field.selecting(caret, caret)
    case .select(let start, let end): field.selecting(start, end)
    case .cut, .eraseSelection: field.exchanging(field.start..<field.end, for: [])
    case .erase(let range): field.exchanging(range, for: [])
    case .type(let text), .paste(let text):
      field.exchanging(field.start..<field.end, for: text)
    case .submit: Field([], 0, 0)
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
