/// Text inserted, or exchanged, with the caret before its end: a pair of brackets typed at once, a template.
enum CaretInsideReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    if pair.keepsAfter || pair.keepsText && pair.old.selected.isEmpty { return }
    proposeBlock(pair, &contest)
    let (whole, next) = (pair.rightChange, SideChange(come: pair.firstShown))
    propose(whole, pair, &contest)
    if let slid = pair.slidRightChange { propose(slid, pair, &contest) }
    if whole.gone > 0 || whole.come.count != next.come.count { propose(next, pair, &contest) }
  }

  /// Proposes Return between two brackets, which opens an indented line: `{|}` → `{⏎  |⏎}`.
  private static func proposeBlock(_ pair: Pair, _ contest: inout Contest) {
    let seen = pair.new.before.bytes
    guard pair.window.left != .all, pair.new.after.isEmpty,
      pair.known.left.endsWithOpeningBracket, pair.known.right.beginsWithClosingBracket,
      let line = seen == .newline ? seen : Bytes.indentedLine(showing: seen)
    else { return }
    contest.propose(
      pair.insertionKind, pair.inserting(line, behind: .newline), prior: Measured.indented,
      for: pair)
  }

  /// Proposes `right`, if text came there, with each change left of the caret.
  private static func propose(_ right: SideChange, _ pair: Pair, _ contest: inout Contest) {
    if right.come.isEmpty { return }
    // A key that types breaks no line behind the caret, where none is seen.
    if pair.new.after.isEmpty, right.come == .newline, pair.evidence.keyRulesOut(.lineBroken) {
      return
    }
    pair.eachLeftChange { propose($0, right, pair, &contest) }
  }

  private static func propose(
    _ left: SideChange, _ right: SideChange, _ pair: Pair, _ contest: inout Contest
  ) {
    let action = pair.exchanging(left: left, right: right)
    let insertsOnly = left.gone == 0 && right.gone == 0
    // What replaces a selection, or composed text, may be of any length, with the caret anywhere in it.
    let isComposed = pair.evidence.exchangesComposition(by: action, of: pair.known)
    var prior = Measured.caretInside
    if !insertsOnly { prior += Model.exchangedOver }
    if left.come.isEmpty {
      prior +=
        isComposed || !pair.old.selected.isEmpty ? Measured.caretBeforeOver : Measured.caretBefore
    }
    if !isComposed, !insertsOnly || pair.old.selected.isEmpty {
      let (before, behind) = (left.come.newScalars, right.come.newScalars)
      if behind > Measured.pair { prior += Measured.template }
      if !insertsOnly, before + behind > Measured.wide { prior += Measured.exchangedWide }
    }
    // What stands behind a selection that is shown up to its line's end is the rest of the line in which it ended.
    if pair.window == .line, pair.selectionMayGoOn.right, !right.come.beginsWithClosingBracket {
      prior += Measured.template
    }
    action.propose(prior: prior, for: pair, in: &contest)
  }
}
