/// Text removed: the selection, into the pasteboard or not, or text beside the caret.
enum ErasureReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    if !pair.old.selected.isEmpty {
      proposeSelection(of: pair, in: &contest)
    } else {
      proposeLeft(of: pair, in: &contest)
      proposeRight(of: pair, in: &contest)
    }
  }

  private static func proposeSelection(of pair: Pair, in contest: inout Contest) {
    let isOnPasteboard = pair.pasteboardHoldsSelection
    let mayBeCut = !pair.pasteboard.isShown || isOnPasteboard
    // If the pasteboard held the text before, or the key hardly ever cuts, the pasteboard proves no cut.
    let mayBeErased =
      !isOnPasteboard || pair.evidence.keepsPasteboard ?? false
      || pair.evidence.keyHardlyDoes(.cut) || pair.evidence.wasOtherShortcut
    // Another shortcut than Cut went to the host, so Copy put the text there.
    let cut = Model.cut + (pair.evidence.wasOtherShortcut ? Measured.seldomByKey : 0)
    let isPart = isOnPasteboard && pair.pasteboard.bytes != pair.old.selected.bytes
    func put(_ action: Action, _ cost: Double, _ contest: inout Contest) {
      if mayBeCut {
        contest.propose(.cut, action, prior: cut + cost, isPartial: isPart, for: pair)
      }
      if mayBeErased {
        contest.propose(.deletion, action, prior: Model.erasedSelection + cost, for: pair)
      }
    }
    put(Action(removesSelection: true), 0, &contest)
    // Some hosts remove one adjacent space as well.
    if pair.known.left.last == .space {
      put(Action(removesSelection: true, removedLeft: 1), Measured.space, &contest)
    }
    if pair.known.right.first == .space {
      put(Action(removesSelection: true, removedRight: 1), Measured.space, &contest)
    }
  }

  private static func proposeLeft(of pair: Pair, in contest: inout Contest) {
    let known = pair.known
    if known.left.isEmpty {
      guard known.leftEdge == .line || pair.mayShowLine(at: .backspace) else { return }
      contest.propose(
        .deletion, Action(joinsPreviousLine: true),
        prior: Model.erased + Measured.joinedLine + (known.isAllEmpty ? Measured.anchored : 0),
        for: pair)
      return
    }
    proposeOverLineStart(pair, in: &contest)
    let hasRight = known.rightEdge != .document || !known.right.isEmpty
    let bonus = hasRight ? 0 : Model.onlySide
    // A person who erases character by character goes on like this.
    let character = Model.erased + bonus + (known.isErasing ? Measured.goingOn : 0)
    if pair.new.before.isEmpty || !pair.come.isEmpty {
      proposeAnew(pair, character: character, bonus: bonus, in: &contest)
    } else if !pair.gone.isEmpty {
      let gone = pair.gone
      // At the end of an earlier line, a caret that only moved there shows the same.
      let isLineEnd =
        pair.window == .paragraph && pair.new.after.isEmpty && gone.first == .newline
        && gone.isLongerThanAGrapheme
      contest.propose(
        .deletion, Action(removedLeft: gone.count),
        prior: (gone.isOneGrapheme ? character : run(gone, pair, bonus))
          + (isLineEnd ? Measured.erasedLines : 0), for: pair)
    }
  }

  /// Proposes erasures after which `before` shows nothing, or text that the old one did not show there; `character` is
  /// the prior of one character erased.
  private static func proposeAnew(
    _ pair: Pair, character: Double, bonus: Double, in contest: inout Contest
  ) {
    let left = pair.known.left
    let shown = pair.old.before.bytes
    let seen = pair.new.before.bytes
    // One character may have gone while text came into view at the window's start: where the text repeats itself, this
    // looks like an exchange, `aab|` → `aaa|`.
    if pair.mayHaveSlid(keeping: shown.dropLast(shown.lastScalarLength), at: seen) {
      contest.propose(
        .deletion, Action(removedLeft: shown.lastScalarLength), prior: character, for: pair)
    }
    if pair.known.isRemembered, !seen.isEmpty, pair.keepsAfter {
      proposeBeyond(pair, bonus: bonus, in: &contest)
    }
    // If `before` still shows all its old text, nothing left of the caret was erased; unless that text was one
    // character, which Backspace erased, and the sentence before it is shown instead.
    let keepsAllShown = pair.gone.isEmpty && !shown.isEmpty
    let mayShowSentenceBefore = shown.isOneGrapheme && pair.terminators.contains(seen.lastScalar)
    if keepsAllShown, !mayShowSentenceBefore {
      return proposeOverSentenceStart(pair, in: &contest)
    }
    if shown.isLongerThanAGrapheme {
      if !pair.keepsAfter { return }
      let erased = contest.propose(
        .deletion, Action(removedLeft: shown.count), prior: run(shown, pair, bonus), for: pair)
      if let erased { proposeHidden(pair, beside: erased, in: &contest) }
      return
    }
    let scalar = left.lastScalarLength
    contest.propose(.deletion, Action(removedLeft: scalar), prior: character, for: pair)
    let grapheme = left.lastGraphemeLength
    if grapheme != scalar {
      contest.propose(.deletion, Action(removedLeft: grapheme), prior: character, for: pair)
    }
  }

  /// Proposes that more than the newline at the line's start was erased: empty lines above, which a `line` window never
  /// shows, or the end of the line above, as the erasure of a word takes it.
  private static func proposeOverLineStart(_ pair: Pair, in contest: inout Contest) {
    let left = pair.known.left
    guard pair.window == .line, pair.old.before.isEmpty, pair.keepsAfter, left.last == .newline
    else { return }
    var end = left.count
    while end > 0, left[end - 1] == .newline { end -= 1 }
    if end == 0, pair.known.leftEdge == .line {
      contest.propose(
        .deletion, Action(joinsPreviousLine: true, removedLeft: left.count),
        prior: Model.erased + Measured.joinedLine + Measured.unseenErasure, for: pair)
    }
    let start = left.prefix(end).lastLineStart
    let seen = pair.new.before.bytes
    guard !seen.isEmpty, left.prefix(end).dropFirst(start).hasPrefix(seen) else { return }
    let gone = left.dropFirst(start + seen.count)
    if gone.count == 1 { return }
    contest.propose(
      .deletion, Action(removedLeft: gone.count),
      prior: start + seen.count == end ? Model.erased + Measured.unseenErasure : run(gone, pair),
      for: pair)
  }

  /// Proposes that the blank between two sentences was erased, and the end of the sentence before it, which begins with
  /// a blank as well: `One. Two.␣|` to `␣Tw|`.
  private static func proposeOverSentenceStart(_ pair: Pair, in contest: inout Contest) {
    let seen = pair.new.before.bytes
    guard pair.window == .sentence, pair.keepsAfter, pair.known.isOpenLeft,
      pair.old.before.bytes.isWhitespace, pair.come.isLongerThanAGrapheme
    else { return }
    let prior = pair.known.isRemembered ? Measured.erasedWord : Measured.erasedRun
    contest.accept(
      Hypothesis(
        kind: .deletion, action: Action(removedLeft: pair.old.before.bytes.count),
        weight: prior + Double(seen.newScalars(upTo: Measured.mostUnknown)) * Measured.scalar,
        keptRight: pair.new.after.bytes.count, isPartial: true))
  }

  /// Proposes that `before` is null although there is text; `erased` is the weight of the hypothesis that all of
  /// the text was erased.
  private static func proposeHidden(
    _ pair: Pair, beside erased: Double, in contest: inout Contest
  ) {
    if pair.new.before.isShown { return }
    contest.accept(
      Hypothesis(
        kind: .windowShift, action: .move(to: pair.known.left.count),
        weight: erased + Measured.hiddenNotErased, agreement: .hidden,
        keptRight: pair.new.after.bytes.count))
  }

  /// Proposes a deletion that reaches back to remembered text which was not shown.
  private static func proposeBeyond(
    _ pair: Pair, bonus: Double, in contest: inout Contest
  ) {
    // Where only blanks were shown of a sentence, or line, the one before it may end with the same.
    let hidesWhatIsGone = !pair.old.before.isEmpty && pair.old.before.bytes.isWhitespace
    if pair.gone.isEmpty, !hidesWhatIsGone { return }
    let left = pair.known.left
    let seen = pair.new.before.bytes
    let shown = pair.known.shownLeft
    var end = left.count - shown
    var hidden = 0
    while end >= seen.count, hidden <= Measured.mostErased {
      if left.prefix(end).hasSuffix(seen) {
        let action = Action(removedLeft: left.count - end)
        if pair.compareLeft(action.left(in: pair.known)).agreement == .exact {
          // A caret that only moved there explains it better.
          let right = pair.known.text.dropFirst(end)
          if pair.compareRight(right).agreement == .exact { return }
          let erased = contest.propose(
            .deletion, action,
            prior: run(left.dropFirst(end), pair, bonus)
              + Model.place(among: left.dropFirst(end).scalarCount),
            for: pair)
          guard let erased else { return }
          // Or the same text was inserted again.
          return contest.accept(
            Hypothesis(
              kind: .insertion, action: Action(inserted: seen),
              weight: erased + Measured.erasedAndTyped, keptRight: pair.new.after.bytes.count,
              isPartial: true))
        }
      }
      end -= 1
      if end >= 0, !Bytes.isContinuation(left[end]) { hidden += 1 }
    }
  }

  private static func proposeRight(of pair: Pair, in contest: inout Contest) {
    let right = pair.known.right
    if right.isEmpty, pair.known.rightEdge == .line || pair.mayShowLine(at: .delete) {
      contest.propose(
        .deletion, Action(joinsNextLine: true),
        prior: Model.erased + (pair.window == .line ? Measured.joinedLine : 0), for: pair)
    }
    guard !right.isEmpty, pair.keepsBefore || pair.admitsRecut || !pair.window.isExact else {
      return
    }
    func put(_ length: Int, _ prior: Double, _ contest: inout Contest) {
      contest.propose(.deletion, Action(removedRight: length), prior: prior, for: pair)
    }
    let shown = pair.old.after.bytes
    let scalar = right.firstScalarLength
    put(scalar, Model.erased, &contest)
    let grapheme = right.firstGraphemeLength
    if grapheme != scalar {
      put(grapheme, Model.erased, &contest)
      proposeParts(of: right.prefix(grapheme), pair, in: &contest)
    }
    // Where all that was shown of the sentence is gone, the next one comes into view.
    if pair.window == .sentence, pair.keepsBefore, right.count > grapheme,
      right.count == shown.count
    {
      put(
        right.count,
        run(right, pair) + Double(right.scalarCount) * Measured.goneScalar
          // A terminator may have been erased alone.
          + (pair.terminators.contains(right.firstScalar) ? 0 : Measured.erasedRunOver), &contest)
    }
    let shorter = shown.count - pair.new.after.bytes.count
    if shorter > grapheme { put(shorter, run(shown.prefix(shorter), pair), &contest) }
    // All that was known may be gone: what follows comes into view.
    if pair.window == .full, pair.evidence.key == .delete, pair.keepsBefore,
      right.count == shown.count
    {
      put(right.count, run(right, pair), &contest)
    }
    // As much text as was erased may have come into view at the window's end.
    let slid = pair.goneRightOfCut
    if slid > grapheme, slid != shorter { put(slid, run(right.prefix(slid), pair), &contest) }
  }

  /// Proposes the deletion of parts of a cluster that end before a scalar which is no mark: hosts before Unicode 15.1
  /// take each consonant of a conjunct, with its marks, for a cluster (UAX #29, GB9c).
  private static func proposeParts(
    of cluster: Bytes, _ pair: Pair, in contest: inout Contest
  ) {
    var length = cluster.firstScalarLength
    while length < cluster.count {
      let next = cluster.dropFirst(length)
      if length > cluster.firstScalarLength, !Bytes.isMark(next.firstScalar) {
        contest.propose(.deletion, Action(removedRight: length), prior: Model.erased, for: pair)
      }
      length += next.firstScalarLength
    }
  }

  /// The prior of erasing `text`, more than one character, at once.
  private static func run(
    _ text: Bytes, _ pair: Pair, _ bonus: Double = 0
  ) -> Double {
    if !pair.known.isRemembered { return Measured.erasedRun + bonus }
    return bonus + (text.isWord ? Measured.erasedWord : Measured.erasedWords)
  }
}
