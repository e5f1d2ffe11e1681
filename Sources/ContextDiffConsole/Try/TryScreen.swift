package import ContextDiff

/// Draws the screen of `contextdiffctl try`: the field and the latest acts.
///
/// Text of the field that the window hides is dimmed. Each act is drawn as the snapshots before and after it, and the
/// reading.
package struct TryScreen: Sendable {
  /// An act, and what an input method saw of it.
  package struct Entry: Sendable {
    /// What the person did.
    package var act: EditableField.Act
    /// The snapshot before the act.
    package var old: Snapshot
    /// The snapshot after the act.
    package var new: Snapshot
    /// What the two were read as; `nil` where the second only set a baseline.
    package var transition: Transition?

    /// Makes an entry of its parts.
    package init(
      act: EditableField.Act, old: Snapshot, new: Snapshot, transition: Transition?
    ) {
      self.act = act
      self.old = old
      self.new = new
      self.transition = transition
    }
  }

  /// A screen's lines, and where the terminal's cursor belongs.
  package struct Frame: Sendable {
    /// The lines, top to bottom, without line feeds; none is wider than the screen.
    package var lines: [String]
    /// The caret's row and column, from 0.
    package var caret: (row: Int, column: Int)
  }

  private static let keys = [
    "^D end  ^W window  shift+arrows select  ^X cut", "Alt-C copy  ^V paste  ^Z undo  ^Y redo",
  ]

  private let palette: Palette
  private let columns: Int
  private let rows: Int

  /// A screen of that size, in characters; fewer than 20 columns or 8 rows are taken for that many.
  package init(palette: Palette, columns: Int, rows: Int) {
    self.palette = palette
    self.columns = max(20, columns)
    self.rows = max(8, rows)
  }

  /// Draws the window's name, `note`, the field, and as many of `entries` as there is room for, the latest first.
  package func draw(
    _ field: EditableField, through window: Window, entries: [Entry], note: String
  ) -> Frame {
    var lines = [fit(palette.mark("window: \(window.rawValue)", as: .heading) + "  " + note)]
    if rows >= 16 {
      let inOneLine = Self.keys.joined(separator: "  ")
      let keys = inOneLine.count <= columns ? [inOneLine] : Self.keys
      lines += keys.map { fit(palette.mark($0, as: .quiet)) } + [""]
    }
    let top = lines.count
    var (fieldLines, caret) = draw(field, through: window)
    // A third of the screen's rows at most: those around the caret.
    let room = max(1, rows / 3)
    let first = max(0, min(caret.row - room / 2, fieldLines.count - room))
    fieldLines = Array(fieldLines[first..<min(fieldLines.count, first + room)])
    lines += fieldLines
    lines.append("")
    for entry in entries.reversed() {
      let block = draw(entry)
      // The last line of a block is blank.
      guard lines.count + block.count - 1 <= rows else { break }
      lines += block
    }
    return Frame(lines: lines, caret: (top + caret.row - first, caret.column))
  }

  /// The field's lines, wrapped at the screen's width, and the caret's row and column in them, from 0.
  private func draw(
    _ field: EditableField, through window: Window
  ) -> (lines: [String], caret: (row: Int, column: Int)) {
    let shown = field.shown(through: window)
    var lines = [""]
    var column = 0
    var caret = (row: 0, column: 0)
    for (place, character) in field.characters.enumerated() {
      var visible = VisibleText()
      visible.append(character)
      if column + visible.columns >= columns {
        lines.append("")
        column = 0
      }
      if place == field.caret { caret = (lines.count - 1, column) }
      let role: Palette.Role =
        field.selection.contains(place) ? .selection : shown.contains(place) ? .plain : .quiet
      lines[lines.count - 1] += palette.mark(visible.text, as: role)
      column += visible.columns
      if character == "\n" {
        lines.append("")
        column = 0
      }
    }
    if field.caret == field.characters.count { caret = (lines.count - 1, column) }
    return (lines, caret)
  }

  /// The lines of an act, of which the last is blank.
  private func draw(_ entry: Entry) -> [String] {
    let snapshots = SnapshotDrawing(palette: palette, fieldColumns: max(4, (columns - 14) / 3))
    let drawing = TransitionDrawing(palette: palette, fieldColumns: max(8, columns / 4))
    let reading = entry.transition.map(drawing.draw) ?? "a baseline"
    return [
      fit(palette.mark("before   ", as: .quiet) + snapshots.draw(entry.old).text),
      fit(palette.mark("after    ", as: .quiet) + snapshots.draw(entry.new).text),
      fit(palette.mark("you \(entry.act.words); read: ", as: .quiet) + reading), "",
    ]
  }

  private func fit(_ line: String) -> String { Palette.fit(line, columns: columns) }
}
