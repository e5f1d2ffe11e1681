/// The selection changed and still selected, `[ab]` → `[AB]`, or text changed around it, `[ab]` → `"[ab]"`.
enum KeptSelectionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    if pair.old.selected.isEmpty { return }
    if pair.old.selected.bytes != pair.new.selected.bytes {
      return proposeChanged(pair, &contest)
    }
    if pair.keepsText { return }
    let (left, right) = (pair.leftChange, pair.rightChange)
    if left.gone == 0, !left.come.isEmpty, right.gone == 0, !right.come.isEmpty {
      proposeEnclosed(by: left.come, right.come, pair, &contest)
    } else {
      proposeEdit(beside: right, pair, &contest)
      // As much text as was erased may have come into view at the window's end.
      let slid = pair.mayShowAll ? 0 : pair.goneRightOfCut
      if slid > 0, slid != right.gone {
        proposeEdit(beside: SideChange(gone: slid), pair, &contest)
      }
    }
    let last = pair.lastShown
    let first = pair.firstShown
    if !last.isEmpty, !first.isEmpty { proposeEnclosed(by: last, first, pair, &contest) }
  }

  /// Proposes that `left` and `right` were put around the selection.
  private static func proposeEnclosed(
    by left: Bytes, _ right: Bytes, _ pair: Pair, _ contest: inout Contest
  ) {
    let scalars = left.scalarCount(upTo: Measured.mostUnknown)
    // Once the opening bracket or quotation mark is known, the closing one is no news.
    let isPair = right.scalarCount(upTo: Measured.mostUnknown) == scalars
    contest.propose(
      .replacement,
      pair.exchanging(
        left: SideChange(come: left), right: SideChange(come: right),
        selecting: pair.new.selected.bytes),
      prior: Measured.keptSelection + Double(scalars) * Measured.scalar
        + (isPair ? 0 : Measured.scalar),
      for: pair)
  }

  /// Proposes that text beside the selection was removed, inserted or exchanged, by an input method or a command.
  private static func proposeEdit(
    beside right: SideChange, _ pair: Pair, _ contest: inout Contest
  ) {
    let left = pair.leftChange
    // The text next to the selection may have stayed.
    let kept = pair.gone.commonSuffix(left.come)
    let kind: Kind =
      left.come.count == kept && right.come.isEmpty
      ? .deletion : left.gone == kept && right.gone == 0 ? .insertion : .replacement
    var action = pair.exchanging(left: left, right: right)
    // The kept selection costs nothing.
    let cost = action.cost(in: pair)
    action.insertedSelected = pair.new.selected.bytes
    contest.propose(
      kind, action,
      prior: Measured.keptSelection + Model.exchangedOver + cost, for: pair)
  }

  /// Proposes that the selected text was changed.
  private static func proposeChanged(_ pair: Pair, _ contest: inout Contest) {
    let old = Joined(pair.old.selected.bytes)
    let new = Joined(pair.new.selected.bytes)
    let (start, end) = old.commonEnds(new)
    let changed = pair.new.selected.bytes.dropFirst(start).dropLast(end)
    let scalars = changed.newScalars
    let isAsLong = new.scalarCount == old.scalarCount
    contest.propose(
      changed.isEmpty ? .deletion : .replacement,
      Action(removesSelection: true, insertedSelected: pair.new.selected.bytes),
      prior: Measured.keptSelection + Double(scalars) * Measured.scalar
        + Model.place(among: pair.old.selected.bytes.scalarCount(upTo: Measured.mostUnknown) - 1)
        + (isAsLong ? 0 : Measured.changedLength)
        // A selection that grows over a line's end was extended, not edited.
        + (new.count > old.count && changed.holdsLineBreak ? Measured.completedBreak : 0),
      for: pair)
  }
}
