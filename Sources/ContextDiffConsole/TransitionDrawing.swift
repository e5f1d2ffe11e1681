package import ContextDiff

/// Draws a transition as one line: its kind, how certain that is, then the texts, the caret's movement and the rest.
package struct TransitionDrawing: Sendable {
  /// Marks the parts of the line.
  package var palette: Palette
  private var fields: SnapshotDrawing

  /// A drawing with that palette; of each text at most `fieldColumns` columns are drawn.
  package init(palette: Palette = .plain, fieldColumns: Int = 40) {
    self.palette = palette
    fields = SnapshotDrawing(palette: palette, fieldColumns: fieldColumns)
  }

  /// The line for `transition`, as in `paste, certain  +"ab"  list: outOfRangeTap`.
  package func draw(_ transition: Transition) -> String {
    var parts = [reading(of: transition)]
    if let removed = transition.removed {
      parts.append(palette.mark("-", as: .taken) + fields.quote(removed))
    }
    if let inserted = transition.inserted {
      parts.append(palette.mark("+", as: .added) + fields.quote(inserted))
    }
    if transition.isPartial { parts.append(palette.mark("(in part)", as: .quiet)) }
    if let offset = transition.cursorOffset {
      parts.append("caret \(Self.signed(offset.scalars))")
    }
    if transition.expectedEdits > 0 {
      parts.append("announced edits: \(transition.expectedEdits)")
    }
    if !transition.unfulfilled.isEmpty {
      parts.append(
        palette.mark("not done: \(transition.unfulfilled.asEditNumbers)", as: .failure))
    }
    if let leaves = transition.leavesComposition {
      parts.append(leaves ? "leaves the composition" : "stays in the composition")
    }
    if transition.basicKind != transition.kind {
      parts.append(palette.mark("list: \(transition.basicKind.rawValue)", as: .quiet))
    }
    return parts.joined(separator: "  ")
  }

  /// The kind, its certainty, and the other kinds that the pair could be.
  private func reading(of transition: Transition) -> String {
    let role: Palette.Role = transition.certainty == .certain ? .certain : .likely
    let kind = palette.mark(transition.kind.rawValue, as: role)
    guard !transition.alternatives.isEmpty else {
      return "\(kind), \(transition.certainty.rawValue)"
    }
    let others = transition.alternatives.map(\.rawValue).joined(separator: ", ")
    return "\(kind), \(transition.certainty.rawValue) (or \(others))"
  }

  private static func signed(_ count: Int) -> String {
    count > 0 ? "+\(count)" : "\(count)"
  }
}
