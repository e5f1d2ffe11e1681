/// Inserted text of which a part, or all, is selected: an inline completion, a drop.
enum CompletionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    proposeTypedThrough(pair, in: &contest)
    if pair.new.selected.bytes == pair.old.selected.bytes { return }
    propose(SideChange(), pair, &contest)
    if !pair.keepsAfter { propose(pair.rightChange, pair, &contest) }
  }

  /// Proposes that the completion's next character was typed, and the rest is still selected: `a[bc]` → `ab[c]`.
  private static func proposeTypedThrough(_ pair: Pair, in contest: inout Contest) {
    guard pair.keepsText, pair.keepsAfter, pair.gone.isEmpty, pair.come.isOneGrapheme
    else { return }
    contest.propose(
      .replacement,
      Action(
        removesSelection: true, inserted: pair.come, insertedSelected: pair.new.selected.bytes),
      prior: Measured.completion, for: pair)
  }

  /// Proposes `right` with each change left of the selection, or none.
  private static func propose(_ right: SideChange, _ pair: Pair, _ contest: inout Contest) {
    pair.eachLeftChange { propose($0, right, pair, &contest) }
    if !pair.leftChange.isNone { propose(SideChange(), right, pair, &contest) }
  }

  private static func propose(
    _ left: SideChange, _ right: SideChange, _ pair: Pair, _ contest: inout Contest
  ) {
    let insertsOnly = left.gone == 0 && right.isNone
    // A selection that only changed is left to `KeptSelectionReading`.
    if !pair.old.selected.isEmpty, insertsOnly, left.come.isEmpty { return }
    var prior = Measured.completion
    if !insertsOnly { prior += Model.exchangedOver }
    if left.come.isEmpty { prior += Measured.allSelected }
    if pair.selectsUnseenBreak { prior += Measured.completedBreak }
    if left.come.newScalars + right.come.newScalars > Measured.wide {
      let removes = left.gone > 0 || right.gone > 0
      prior += removes ? Measured.completionWide : Measured.exchangedWide
    }
    pair.exchanging(left: left, right: right, selecting: pair.new.selected.bytes).propose(
      prior: prior, for: pair, in: &contest)
  }
}

extension Pair {
  /// Whether the new selection begins with a newline: Shift and an arrow key select one at a line's end, while a
  /// completion begins in the caret's line.
  fileprivate var selectsUnseenBreak: Bool {
    (window == .line || window == .full) && known.isRemembered
      && new.selected.bytes.first == .newline
  }
}
