package import ContextDiff

/// Draws a snapshot as one line.
///
/// `|` stands for the caret or each end of the selection, `⏎` for a line feed, `∅` for text before or after the caret
/// that is `nil`. Nothing stands for an empty field.
package struct SnapshotDrawing: Sendable {
  /// Marks the caret, the selection, and the signs `∅` and `⋯`.
  package var palette: Palette
  /// The most columns of text that are drawn of a field.
  ///
  /// `⋯`, in one column more, stands for the rest: what is further from the caret, or the middle of the selection.
  package var fieldColumns: Int

  /// A drawing with that palette, and at most `fieldColumns` columns of text for each field.
  package init(palette: Palette = .plain, fieldColumns: Int = 60) {
    self.palette = palette
    self.fieldColumns = fieldColumns
  }

  /// The line for a snapshot.
  ///
  /// - Complexity: O(`fieldColumns`), but for the selection, whose cost grows with its length.
  package func draw(_ snapshot: Snapshot) -> VisibleText {
    var line = VisibleText()
    if let before = snapshot.before {
      line.append(end(of: before))
    } else {
      line.append(mark: palette.mark("∅", as: .absent), columns: 1)
    }
    line.append(mark: palette.mark("|", as: .caret), columns: 1)
    if let selected = snapshot.selected, !selected.isEmpty {
      let shown = middle(of: selected)
      line.append(mark: palette.mark(shown.text, as: .selection), columns: shown.columns)
      line.append(mark: palette.mark("|", as: .caret), columns: 1)
    }
    if let after = snapshot.after {
      line.append(start(of: after))
    } else {
      line.append(mark: palette.mark("∅", as: .absent), columns: 1)
    }
    return line
  }

  /// The column, from 0, of the caret or of the selection's left end in what `draw` draws.
  func caretColumn(of snapshot: Snapshot) -> Int {
    snapshot.before.map { end(of: $0).columns } ?? 1
  }

  /// One text in quotes, `⋯` in its middle where it takes more than `fieldColumns`; `null` where it is `nil`.
  package func quote(_ field: String?) -> String {
    guard let field else { return palette.mark("null", as: .absent) }
    return "\"\(middle(of: field).text)\""
  }

  /// The sign for text that is left out.
  private var gap: VisibleText {
    var gap = VisibleText()
    gap.append(mark: palette.mark("⋯", as: .quiet), columns: 1)
    return gap
  }

  /// The start of a field, and `⋯` where there is more.
  private func start(of field: String) -> VisibleText {
    let kept = fitting(field, in: fieldColumns)
    var shown = VisibleText(field[..<kept])
    if kept < field.endIndex { shown.append(gap) }
    return shown
  }

  /// The end of a field, after `⋯` where there is more.
  private func end(of field: String) -> VisibleText {
    let kept = fitting(fromEndOf: field, in: fieldColumns)
    guard kept > field.startIndex else { return VisibleText(field) }
    var shown = gap
    shown.append(VisibleText(field[kept...]))
    return shown
  }

  /// A field, or its start and its end with `⋯` between them.
  private func middle(of field: String) -> VisibleText {
    let head = fitting(field, in: fieldColumns)
    guard head < field.endIndex else { return VisibleText(field) }
    let rest = field[fitting(field, in: fieldColumns / 2)...]
    var shown = VisibleText(field[..<rest.startIndex])
    shown.append(gap)
    shown.append(VisibleText(rest[fitting(fromEndOf: rest, in: fieldColumns / 2)...]))
    return shown
  }

  /// The end of the longest prefix of `field` that takes at most `columns`.
  private func fitting<Text: StringProtocol>(_ field: Text, in columns: Int) -> Text.Index {
    var room = columns
    for index in field.indices {
      room -= VisibleText(String(field[index])).columns
      if room < 0 { return index }
    }
    return field.endIndex
  }

  /// The start of the longest suffix of `field` that takes at most `columns`.
  private func fitting<Text: StringProtocol>(fromEndOf field: Text, in columns: Int) -> Text.Index {
    var room = columns
    var start = field.endIndex
    while start > field.startIndex {
      let index = field.index(before: start)
      room -= VisibleText(String(field[index])).columns
      if room < 0 { break }
      start = index
    }
    return start
  }
}
