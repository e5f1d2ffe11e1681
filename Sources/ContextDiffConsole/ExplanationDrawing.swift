package import ContextDiff

/// Draws an explanation as lines of text: the pair, with what both snapshots show in the same columns, the lines of the
/// published list if they are asked for, and each reading with its prediction.
///
/// Under a prediction that differs from the new snapshot stands that snapshot, and a `^` under the first difference.
package struct ExplanationDrawing: Sendable {
  private let palette: Palette
  /// Draws predictions.
  private let snapshots: SnapshotDrawing
  /// Draws the pasteboard and the values that a line of the published list compared.
  private let values: SnapshotDrawing
  /// The most columns that a stretch of the overlaid pair takes.
  private let stretchColumns: Int
  private let showsList: Bool

  /// A drawing for a terminal.
  ///
  /// - Parameters:
  ///   - palette: Marks the parts of the lines.
  ///   - columns: The terminal's width. Texts are shortened to fit, but to no fewer than 8 columns each, so that in a
  ///     narrow terminal lines are longer than the width.
  ///   - showsList: Whether the lines of the published list are drawn.
  package init(palette: Palette = .plain, columns: Int = 80, showsList: Bool = false) {
    self.palette = palette
    self.showsList = showsList
    snapshots = SnapshotDrawing(palette: palette, fieldColumns: max(8, (columns - 32) / 2))
    values = SnapshotDrawing(palette: palette, fieldColumns: max(8, columns / 5))
    stretchColumns = max(8, (columns - 12) / 4)
  }

  /// The lines for a pair and its explanation, top to bottom, without line feeds.
  package func draw(_ observation: Observation, _ explanation: Explanation) -> [String] {
    var lines = pair(observation, explanation)
    if showsList {
      lines += [
        "", palette.mark("The published list: the first line that holds decides", as: .heading),
      ]
      lines += explanation.list.flatMap(line)
    }
    lines += ["", palette.mark("The readings: what each predicts", as: .heading)]
    // Readings that differ in what they do to the session alone look the same.
    var drawn: Set<[String]> = []
    for reading in explanation.readings.map({ reading($0, seen: observation.new) })
    where drawn.insert(reading).inserted {
      lines += reading
    }
    lines += [palette.mark(Self.signs, as: .quiet)]
    lines += words(in: explanation).map { palette.mark($0, as: .quiet) }
    return lines
  }

  private static let signs =
    "→ chosen  · agrees as well  ✗ parts from what was seen, at ^  ? unknown text  ∅ nothing shown"

  /// A line for each word of agreement that stands beside a reading, which says what the word means.
  private func words(in explanation: Explanation) -> [String] {
    let agreements = explanation.readings.filter { $0.weight != nil || $0.isChosen }
      .map(\.agreement)
    let meanings: [(Explanation.Agreement, String)] = [
      (.exact, "exact   as the window's rule shows it"),
      (.recut, "recut   the same text, cut elsewhere than the rule says"),
      (.hidden, "hidden  nothing is shown where there is text"),
    ]
    return meanings.filter { agreements.contains($0.0) }.map(\.1)
  }

  // MARK: The pair

  private func pair(_ observation: Observation, _ explanation: Explanation) -> [String] {
    let overlay = OverlayDrawing(palette: palette, stretchColumns: stretchColumns).draw(
      old: observation.old, new: observation.new, left: explanation.left, right: explanation.right)
    var lines = [
      row("old", overlay.old), row("new", overlay.new),
      row("left", words(for: explanation.left)), row("right", words(for: explanation.right)),
    ]
    let (old, new) = (observation.old, observation.new)
    if let carets = told(old.caret, new.caret) { lines.append(row("caret", carets)) }
    if let texts = told(old.hasText, new.hasText) { lines.append(row("hasText", texts)) }
    if let shown = told(old.selectionShown, new.selectionShown) {
      lines.append(row("selection", "shown: \(shown)"))
    }
    if let window = observation.evidence.window { lines.append(row("window", window.rawValue)) }
    if let pasteboard = observation.pasteboard {
      lines.append(row("pasteboard", values.quote(pasteboard)))
    }
    if let key = observation.evidence.key { lines.append(row("key", key.rawValue)) }
    if observation.evidence.merged { lines.append(row("merged", "several acts may lie between")) }
    if observation.evidence.reset { lines.append(row("reset", "the host reset its input method")) }
    if let cause = observation.evidence.cause { lines.append(row("cause", cause.rawValue)) }
    if let composition = observation.evidence.composition {
      lines.append(
        row(
          "composed",
          "\(composition.before) scalars left and \(composition.after) right of the old caret"))
    }
    let transition = TransitionDrawing(palette: palette).draw(explanation.transition)
    return lines + [row("reading", transition)]
  }

  /// What the host told besides the text, then and now, with `?` where it told nothing; `nil` where it told neither.
  private func told<Value>(_ old: Value?, _ new: Value?) -> String? {
    if old == nil, new == nil { return nil }
    let words = [old, new].map { $0.map { "\($0)" } ?? "?" }
    return "\(words[0]), now \(words[1])"
  }

  /// A line of the pair: the name, then the text from column 12 on.
  private func row(_ name: String, _ text: String) -> String {
    let space = String(repeating: " ", count: max(1, 12 - name.count))
    return palette.mark(name, as: .heading) + space + text
  }

  /// How many scalars of one side of the caret are kept, gone, new or outside of one of the windows.
  private func words(for overlay: Explanation.Overlay) -> String {
    var parts: [String] = []
    if overlay.kept > 0 { parts.append("\(overlay.kept) kept") }
    if overlay.removed > 0 { parts.append("\(overlay.removed) gone") }
    if overlay.added > 0 { parts.append("\(overlay.added) come") }
    if overlay.oldCut > 0 { parts.append("\(overlay.oldCut) shown before only") }
    if overlay.newCut > 0 { parts.append("\(overlay.newCut) shown now only") }
    let words = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    return palette.mark(words, as: .quiet)
  }

  // MARK: The list

  /// A line of the published list with a mark (`→`: it decides; `·`: it holds, too), and below it what it compared.
  private func line(_ line: Explanation.Line) -> [String] {
    let mark = line.decides ? "→" : line.holds ? "·" : " "
    let number = "\(mark) \(line.number)  "
    let condition = line.decides ? palette.mark(line.condition, as: .heading) : line.condition
    let kind = line.decides ? palette.mark(line.kind.rawValue, as: .certain) : line.kind.rawValue
    let space = String(repeating: " ", count: max(2, 60 - line.condition.count))
    var lines = [number + condition + space + kind]
    if !line.compared.isEmpty {
      let compared = line.compared.map { "\($0.name) \(values.quote($0.text))" }
      lines.append("     " + palette.mark(compared.joined(separator: "  "), as: .quiet))
    }
    return lines
  }

  // MARK: The readings

  /// The column, from 0, in which the drawn snapshots of a reading begin.
  private static let indent = 28

  /// The lines of a reading: one, or three where its prediction differs from the new snapshot `seen`.
  private func reading(_ reading: Explanation.Reading, seen: Snapshot) -> [String] {
    let agrees = reading.weight != nil || reading.isChosen
    let mark = reading.isChosen ? "→" : agrees ? "·" : "✗"
    let kind = reading.kind.rawValue
    let name = palette.mark(kind, as: reading.isChosen ? .certain : agrees ? .plain : .quiet)
    let fit = agrees ? reading.agreement.rawValue : "parts"
    let head =
      "\(mark) \(name)" + String(repeating: " ", count: max(1, 17 - kind.count)) + fit
      + String(repeating: " ", count: max(1, Self.indent - 19 - fit.count))
    guard let prediction = reading.prediction.map({ shown($0, of: reading) }) else {
      return [head + palette.mark("any text", as: .quiet) + reason(reading)]
    }
    guard let parting = reading.parting else {
      return [head + drawn(prediction, of: reading).text + reason(reading)]
    }
    return part(head, reading, prediction, parting, seen)
  }

  private func reason(_ reading: Explanation.Reading) -> String {
    reading.reason.isEmpty ? "" : "  " + palette.mark(reading.reason, as: .quiet)
  }

  /// The prediction, with a `?` at each end where text that the engine does not know would come into view.
  private func drawn(_ prediction: Snapshot, of reading: Explanation.Reading) -> VisibleText {
    var line = VisibleText()
    if reading.reachesUnknownLeft {
      line.append(mark: palette.mark("?", as: .quiet), columns: 1)
    }
    line.append(snapshots.draw(prediction))
    if reading.reachesUnknownRight {
      line.append(mark: palette.mark("?", as: .quiet), columns: 1)
    }
    return line
  }

  /// The prediction with an empty field instead of a `nil` one on a side where unknown text would come into view: the
  /// `?` that `drawn` puts there stands for it, and no `∅`.
  private func shown(_ prediction: Snapshot, of reading: Explanation.Reading) -> Snapshot {
    var shown = prediction
    if reading.reachesUnknownLeft, shown.before == nil { shown.before = "" }
    if reading.reachesUnknownRight, shown.after == nil { shown.after = "" }
    return shown
  }

  /// Three lines for a prediction that differs from the new snapshot `seen`.
  ///
  /// The prediction stands over `seen`, their carets in one column; under them stands a `^` at the character that
  /// differs first, counted from the caret outwards.
  private func part(
    _ head: String, _ reading: Explanation.Reading, _ prediction: Snapshot,
    _ parting: Explanation.Parting, _ seen: Snapshot
  ) -> [String] {
    let predicted = drawn(prediction, of: reading)
    let shown = snapshots.draw(seen)
    let predictedCaret =
      snapshots.caretColumn(of: prediction) + (reading.reachesUnknownLeft ? 1 : 0)
    let shownCaret = snapshots.caretColumn(of: seen)
    let caret = max(predictedCaret, shownCaret)
    let space = String(repeating: " ", count: Self.indent)
    let column = markColumn(parting, in: prediction, caret: caret)
    return [
      head + String(repeating: " ", count: caret - predictedCaret) + predicted.text
        + reason(reading),
      space + String(repeating: " ", count: caret - shownCaret) + shown.text
        + palette.mark("  seen", as: .quiet),
      space + String(repeating: " ", count: column) + palette.mark("^", as: .failure)
        + palette.mark(" \(parting.field.rawValue)", as: .quiet),
    ]
  }

  /// The column, from 0 at `indent`, of the character of the prediction that differs, where the caret is in `caret`.
  private func markColumn(
    _ parting: Explanation.Parting, in prediction: Snapshot, caret: Int
  ) -> Int {
    func columns(_ scalars: Substring.UnicodeScalarView) -> Int {
      VisibleText(Substring(scalars)).columns
    }
    switch parting.field {
    case .before:
      let agreed = (prediction.before ?? "").unicodeScalars.suffix(parting.offset)
      return max(0, caret - 1 - columns(agreed))
    case .selected:
      return caret + 1
        + columns((prediction.selected ?? "").unicodeScalars.prefix(parting.offset))
    case .after:
      let selected = prediction.selected.map { VisibleText($0).columns } ?? 0
      let agreed = (prediction.after ?? "").unicodeScalars.prefix(parting.offset)
      return caret + 1 + (selected > 0 ? selected + 1 : 0) + columns(agreed)
    }
  }
}
