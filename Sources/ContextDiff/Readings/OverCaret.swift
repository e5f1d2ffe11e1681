/// Text on both sides of the caret removed or exchanged, nothing being selected: a deletion to both sides, a
/// correction of the word around the caret, overwriting.
enum OverCaretReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    guard pair.old.selected.isEmpty, !pair.keepsText else { return }
    // Where the window begins anew, it does not show what was removed left of the caret.
    let isAnew = pair.window.left != .all && !pair.goesOn
    if pair.keepsAfter, !isAnew { return }
    let left = pair.known.left
    let right = pair.known.right
    let last = pair.lastShown
    let near = left.lastScalarLength
    let far = near + left.dropLast(near).lastScalarLength
    let next = right.firstScalarLength
    let over = next + right.dropFirst(next).firstScalarLength
    let slid = pair.goneRight
    func propose(_ change: SideChange, removingRight removed: Int, _ contest: inout Contest) {
      guard removed > 0 || isAnew && change.gone > 0, !change.isNone else { return }
      let come = change.come
      // A newline that stood unseen right of the caret was not inserted: the caret moved over it.
      if come == .newline, removed > pair.old.after.bytes.count,
        right.prefix(removed).last == .newline
      {
        return
      }
      // No correction joins the line below: rather the caret went there, on a host that cuts anywhere.
      let isJoining =
        (pair.window == .line || pair.window == .full) && pair.known.isRemembered && removed > 0
        && !come.isEmpty && right.first == .newline
      let isRun = come.isEmpty && (change.gone > near || removed > next)
      let action = pair.exchanging(left: change, right: SideChange(gone: removed))
      action.propose(
        prior: (come.isEmpty
          ? Model.erasedBothSides : action.exchange(in: pair) ?? Model.exchangedOver)
          + (isRun ? Measured.erasedRunOver : 0)
          + (isJoining ? Measured.exchangedJoining : 0), for: pair, in: &contest)
    }
    func proposeEachRight(_ change: SideChange, _ contest: inout Contest) {
      propose(change, removingRight: slid, &contest)
      if next != slid { propose(change, removingRight: next, &contest) }
      if over != slid, over != next { propose(change, removingRight: over, &contest) }
      if isAnew { propose(change, removingRight: 0, &contest) }
    }
    proposeEachRight(pair.leftChange, &contest)
    proposeEachRight(SideChange(gone: near), &contest)
    proposeLines(pair, &contest)
    if !isAnew || last == .newline && pair.evidence.keyRulesOut(.lineBroken) { return }
    proposeEachRight(SideChange(come: last), &contest)
    proposeEachRight(SideChange(gone: near, come: last), &contest)
    proposeEachRight(SideChange(gone: far, come: last), &contest)
  }

  /// Proposes that the removed text reaches over an end of the line, beyond which the window shows nothing.
  private static func proposeLines(_ pair: Pair, _ contest: inout Contest) {
    let known = pair.known
    let isLeft = known.leftEdge == .line && known.left.dropLast(known.left.lastScalarLength).isEmpty
    let next = known.right.firstScalarLength
    let isRight = known.rightEdge == .line && known.right.dropFirst(next).isEmpty
    if !isLeft, !isRight { return }
    let last = pair.lastShown
    func put(_ action: Action, _ contest: inout Contest) {
      action.propose(
        prior: action.inserted.isEmpty
          ? Model.erasedBothSides + Measured.joinedLine : Model.exchangedOver, for: pair,
        in: &contest)
    }
    for come in [last, .empty] {
      if isLeft {
        let gone = known.left.count
        put(
          Action(
            joinsPreviousLine: true, removedLeft: gone, removedRight: next, inserted: come),
          &contest)
        if !come.isEmpty {
          put(Action(joinsPreviousLine: true, removedLeft: gone, inserted: come), &contest)
        }
      }
      if isRight, come.isEmpty || !pair.come.isEmpty {
        let gone = come.isEmpty ? known.left.lastScalarLength : pair.gone.count
        put(
          Action(
            joinsNextLine: true, removedLeft: gone, removedRight: next,
            inserted: come.isEmpty ? come : pair.come), &contest)
      }
    }
  }
}
