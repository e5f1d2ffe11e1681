/// Where a snapshot shows line breaks.
struct LineBreaks {
  /// Whether there are any in `before`, or in `after`, away from the caret.
  let within: (before: Bool, after: Bool)
  /// Whether there is one next to the caret.
  let atCaret: (before: Bool, after: Bool)
  /// Whether `before` is a newline alone.
  let isNewlineAlone: Bool
  /// Whether the host never shows a selection.
  let hidesSelection: Bool

  /// - Complexity: Linear in the fields.
  init(of fields: Fields) {
    let before = fields.before.bytes
    let after = fields.after.bytes
    within = (
      before.dropLast(atMost: 1).holdsLineBreak,
      after.dropFirst(atMost: 1).holdsLineBreak
    )
    atCaret = (before.last == .newline, after.first == .newline)
    isNewlineAlone = before == .newline
    hidesSelection = fields.selectionShown == false
  }
}

extension Window {
  /// Whether a host with this window may show line breaks where `breaks` has them.
  ///
  /// A host of lines shows at most one line besides the caret's (GTK 3 the next one at a line's end, Firefox the one
  /// above at a line's start); one that never reports a selection shows all lines of a selection.
  func mayShow(_ breaks: LineBreaks) -> Bool {
    let isBehind = breaks.within.after || breaks.atCaret.after
    return switch self {
    case .full: true
    case .paragraph: !isBehind
    case .sentence:
      !isBehind && (!breaks.within.before && !breaks.atCaret.before || breaks.isNewlineAlone)
    case .line: !breaks.within.before && (breaks.hidesSelection || !breaks.within.after)
    }
  }
}
