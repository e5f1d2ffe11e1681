package import ContextDiff

/// What `contextdiffctl try` shows: the field, with what the window hides greyed out, and for each
/// act the keyhole before, the keyhole after and the reading.
package struct TryScreen: Sendable {
  /// An act, and what an input method saw of it.
  package struct Entry: Sendable {
    /// What the person did.
    package var act: EditableField.Act
    /// The keyhole before.
    package var old: Snapshot
    /// The keyhole after.
    package var new: Snapshot
    /// How that was read; `nil` for a baseline.
    package var transition: Transition?

    /// The entry of the parts given.
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
    /// The lines, top to bottom, none wider than the screen.
    package var lines: [String]
    /// The caret's row and column, from 0.
    package var caret: (row: Int, column: Int)
  }

  private static let keys =
    "^D end  ^W window  shift+arrows select  ^X cut  Alt-C copy  ^V paste  ^Z undo  ^Y redo"

  private let palette: Palette
  private let columns: Int
  private let rows: Int

  /// A screen of that size.
  package init(palette: Palette, columns: Int, rows: Int) {
    self.palette = palette
    self.columns = max(20, columns)
    self.rows = max(8, rows)
  }

  /// Draws the field and the acts, the latest first, as far as there is room.
  package func draw(
    _ field: EditableField, through window: Window, entries: [Entry], note: String
  ) -> Frame {
    var lines = [fit(palette.mark("window: \(window.rawValue)", as: .heading) + "  " + note)]
    if rows >= 16 { lines += [fit(palette.mark(Self.keys, as: .quiet)), ""] }
    let top = lines.count
    var (fieldLines, caret) = draw(field, through: window)
    // The part of a long field that holds the caret.
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
