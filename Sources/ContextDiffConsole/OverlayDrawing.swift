internal import ContextDiff

/// How two snapshots are drawn over each other: what both show stands in the same columns.
///
/// ```
/// old  今日は    |良い天気
/// new  今日は良い|    天気
/// ```
struct OverlayDrawing {
  let palette: Palette
  /// The most columns that one stretch takes; what is further from the caret gives way to `⋯`.
  let stretchColumns: Int

  /// The line of the old snapshot and that of the new one.
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

  /// A snapshot cut where its overlays say: far end, kept, changed, caret, changed, kept, far end.
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

  private func caret(_ selected: String?) -> VisibleText {
    var shown = VisibleText()
    shown.append(mark: palette.mark("|", as: .caret), columns: 1)
    guard let selected, !selected.isEmpty else { return shown }
    let text = cut(VisibleText(selected), of: Array(selected), nearEnd: false)
    shown.append(mark: palette.mark(text.text, as: .selection), columns: text.columns)
    shown.append(mark: palette.mark("|", as: .caret), columns: 1)
    return shown
  }

  private func stretch(
    _ scalars: ArraySlice<Unicode.Scalar>, as role: Palette.Role?, nearEnd: Bool
  ) -> VisibleText {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    let text = String(view)
    let shown = cut(VisibleText(text), of: Array(text), nearEnd: nearEnd)
    guard let role else { return shown }
    var marked = VisibleText()
    marked.append(mark: palette.mark(shown.text, as: role), columns: shown.columns)
    return marked
  }

  /// The part of a stretch that is nearest to the caret, where all of it takes too much room.
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
