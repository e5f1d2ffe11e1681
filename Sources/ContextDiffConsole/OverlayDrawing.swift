internal import ContextDiff

/// Draws two snapshots as two lines, one under the other; what both snapshots show stands in the same columns.
///
/// ```
/// old  今日は    |良い天気
/// new  今日は良い|    天気
/// ```
struct OverlayDrawing {
  let palette: Palette
  /// The most columns that one stretch of text takes; of a longer one the part nearest to the caret is drawn, and `⋯`.
  let stretchColumns: Int

  /// The line of the old snapshot and that of the new one.
  ///
  /// - Parameters:
  ///   - old: The snapshot before.
  ///   - new: The snapshot after.
  ///   - left: How the two overlap left of the caret.
  ///   - right: How they overlap right of the caret.
  /// - Returns: The lines, without line feeds, of one width.
  func draw(
    old: Snapshot, new: Snapshot, left: Explanation.Overlay, right: Explanation.Overlay
  ) -> (old: String, new: String) {
    let oldStretches = stretches(of: old, left, right, changed: .taken) { ($0.oldCut, $0.removed) }
    let newStretches = stretches(of: new, left, right, changed: .added) { ($0.newCut, $0.added) }
    var lines = (old: "", new: "")
    for (old, new) in zip(oldStretches, newStretches) {
      let width = max(old.columns, new.columns)
      lines.old += old.text + String(repeating: " ", count: width - old.columns)
      lines.new += new.text + String(repeating: " ", count: width - new.columns)
    }
    return lines
  }

  /// Cuts a snapshot into seven stretches.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - left: The overlay left of the caret.
  ///   - right: The overlay right of the caret.
  ///   - role: How the changed text is marked.
  ///   - lengths: Of an overlay, how many of the snapshot's scalars only its own window reaches (`cut`), and how many
  ///     changed.
  /// - Returns: Left to right: text outside of the other window, kept text, changed text, caret and selection, changed
  ///   text, kept text, text outside of the other window.
  private func stretches(
    of snapshot: Snapshot, _ left: Explanation.Overlay, _ right: Explanation.Overlay,
    changed role: Palette.Role, _ lengths: (Explanation.Overlay) -> (cut: Int, changed: Int)
  ) -> [VisibleText] {
    let before = Array((snapshot.before ?? "").unicodeScalars)
    let after = Array((snapshot.after ?? "").unicodeScalars)
    let (leftCut, leftChanged) = lengths(left)
    let (rightCut, rightChanged) = lengths(right)
    return [
      stretch(before.prefix(leftCut), as: .quiet, nearEnd: true),
      stretch(before.dropFirst(leftCut).dropLast(leftChanged), as: nil, nearEnd: true),
      stretch(before.suffix(leftChanged), as: role, nearEnd: true),
      caret(snapshot.selected),
      stretch(after.prefix(rightChanged), as: role, nearEnd: false),
      stretch(after.dropFirst(rightChanged).dropLast(rightCut), as: nil, nearEnd: false),
      stretch(after.suffix(rightCut), as: .quiet, nearEnd: false),
    ]
  }

  /// A `|`, or the selection between two.
  private func caret(_ selected: String?) -> VisibleText {
    var shown = VisibleText()
    shown.append(mark: palette.mark("|", as: .caret), columns: 1)
    guard let selected, !selected.isEmpty else { return shown }
    let text = cut(VisibleText(selected), of: Array(selected), nearEnd: false)
    shown.append(mark: palette.mark(text.text, as: .selection), columns: text.columns)
    shown.append(mark: palette.mark("|", as: .caret), columns: 1)
    return shown
  }

  /// A stretch of text on one side of the caret; `nearEnd` where it is the left side, its end nearest to the caret.
  private func stretch(
    _ scalars: ArraySlice<Unicode.Scalar>, as role: Palette.Role?, nearEnd: Bool
  ) -> VisibleText {
    let text = String(String.UnicodeScalarView(scalars))
    let shown = cut(VisibleText(text), of: Array(text), nearEnd: nearEnd)
    guard let role else { return shown }
    var marked = VisibleText()
    marked.append(mark: palette.mark(shown.text, as: role), columns: shown.columns)
    return marked
  }

  /// A stretch, shortened to `stretchColumns` from the end that is further from the caret.
  ///
  /// - Parameters:
  ///   - whole: The visible form of the stretch.
  ///   - text: The stretch.
  ///   - nearEnd: Whether the end of the stretch is nearest to the caret; else its start is.
  /// - Returns: `whole` where there is room for it; else a part of it, and `⋯`.
  private func cut(_ whole: VisibleText, of text: [Character], nearEnd: Bool) -> VisibleText {
    guard whole.columns > stretchColumns else { return whole }
    var room = stretchColumns - 1
    let near = nearEnd ? Array(text.reversed()) : text
    let kept = near.prefix { character in
      room -= VisibleText(String(character)).columns
      return room >= 0
    }
    var shown = VisibleText()
    if nearEnd { shown.append(mark: "⋯", columns: 1) }
    for character in nearEnd ? kept.reversed() : Array(kept) { shown.append(character) }
    if !nearEnd { shown.append(mark: "⋯", columns: 1) }
    return shown
  }
}
