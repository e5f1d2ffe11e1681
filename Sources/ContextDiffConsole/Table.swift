/// A table of texts: a heading and rows.
package struct Table: Sendable {
  /// The heading's cells; each row must have as many.
  package var heading: [String]
  /// The rows' cells, top to bottom.
  package var rows: [[String]] = []
  /// The indices of the columns whose cells are aligned right.
  package var numeric: Set<Int>

  /// A table without rows.
  package init(heading: [String], numeric: Set<Int> = []) {
    self.heading = heading
    self.numeric = numeric
  }

  /// The heading and the rows for people: columns aligned, two spaces between them, a line feed after each line.
  package func aligned(_ palette: Palette) -> String {
    let cells = ([heading] + rows).map { row in row.map { VisibleText($0) } }
    let widths = heading.indices.map { column in cells.map { $0[column].columns }.max() ?? 0 }
    var text = ""
    for (place, row) in cells.enumerated() {
      var line = ""
      for (column, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[column] - cell.columns)
        let isLast = column == row.count - 1
        line += numeric.contains(column) ? space + cell.text : cell.text + (isLast ? "" : space)
        if !isLast { line += "  " }
      }
      while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
      text += (place == 0 ? palette.mark(line, as: .heading) : line) + "\n"
    }
    return text
  }

  /// The rows for programs: without the heading, a tab between two cells, a line feed after each row.
  ///
  /// A tab or a line feed in a cell is written as its picture (``VisibleText``).
  package func separated() -> String {
    rows.map { row in row.map { VisibleText($0).text }.joined(separator: "\t") + "\n" }.joined()
  }
}
