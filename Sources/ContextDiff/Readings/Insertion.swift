/// Text put in at the caret, or over the selection.
enum InsertionReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    if pair.window.left == .line || pair.mayShowLine(at: .return) {
      proposeLine(pair, in: &contest)
    }
    let seen = pair.new.before.bytes
    if seen.isEmpty { return }
    // A window that begins anew shows nothing but the inserted text.
    let isWhole = pair.gone.isEmpty
    var text = isWhole ? pair.come : seen
    // Return at a line's start leaves `before` a newline, as it was.
    let mayBreak = !pair.old.selected.isEmpty || pair.evidence.caretOffset == 1
    if text.isEmpty, mayBreak, seen == .newline { text = .newline }
    if text.isEmpty { return }
    // On the key Paste, the pasteboard's text was pasted and not typed.
    if pair.evidence.key == .paste, text == pair.pasteboard.bytes { return }
    // A sentence's window begins anew only behind a terminator or a newline, any other anywhere.
    if isWhole || pair.startsAnew { proposeSeen(text, isWhole: isWhole, pair, in: &contest) }
    if !isWhole {
      proposeIndented(pair, in: &contest)
      proposeSlid(pair, in: &contest)
    }
    let isMore = pair.evidence.caretOffset.map { $0 > seen.scalarCount } ?? false
    if !isWhole || isMore, pair.keepsAfter {
      // Several sentences or lines may have come, the last of which is shown.
      proposePart(pair, in: &contest)
    }
    if !pair.known.clips.isEmpty { proposeClips(pair, in: &contest) }
    if pair.old.before.isEmpty, !pair.known.left.isEmpty, pair.window.left == .all {
      proposeBehindUnshown(pair, in: &contest)
    }
  }

  /// Proposes that text came behind remembered text that is shown again: at a line's start some hosts show nothing left
  /// of the caret until an edit goes past it.
  private static func proposeBehindUnshown(_ pair: Pair, in contest: inout Contest) {
    let seen = pair.new.before.bytes
    let left = pair.known.left
    let shown =
      seen.hasPrefix(left) ? left : seen.prefix(Overlap.longestEnd(of: left, thatBegins: seen))
    let text = seen.dropFirst(shown.count)
    if text.isEmpty || shown.count < left.count && !shown.isOverlap { return }
    contest.propose(pair.insertionKind, pair.inserting(text), prior: prior(of: text), for: pair)
  }

  /// Proposes that `text` came, all of which is seen: with `isWhole` behind the old `before`, else alone.
  private static func proposeSeen(
    _ text: Bytes, isWhole: Bool, _ pair: Pair, in contest: inout Contest
  ) {
    let action = pair.inserting(text)
    var prior = prior(ofSeen: text, isWhole: isWhole, pair)
    let isTheSame = isWhole && text == pair.old.selected.bytes
    if isTheSame, pair.alignment.isCut { prior += Measured.sameText }
    // What pushes all of a window out of sight that was cut by its length is longer than that window.
    let isLonger = !isWhole && pair.isCutByLength && text != .newline || pair.isFilled(by: text)
    contest.propose(
      pair.insertionKind, action, prior: prior, news: text, isPartial: isLonger, for: pair)
    if isTheSame { proposeRestored(action, pair, in: &contest) }
  }

  /// The prior of inserting `text`, by what else the pair shows.
  private static func prior(ofSeen text: Bytes, isWhole: Bool, _ pair: Pair) -> Double {
    var prior = prior(of: text)
    // A long text is mostly pasted, and the pasteboard is known to hold another.
    if pair.pasteboard.isShown, text.isLonger(thanScalars: Measured.longText) {
      prior += Measured.longUnpasted
    }
    if pair.known.composesByLetters, text.isKana { prior += Measured.kanaAtOnce }
    // A host that cuts anywhere shows more than just the inserted word; but one that shows the line above only from a
    // line's start (Firefox) begins anew behind the newline.
    let beginsLine = pair.old.before.bytes.last == .newline && pair.old.selected.isEmpty
    if !isWhole, !beginsLine, pair.window.left == .all, text.isWord { prior += Measured.recut }
    if text == .newline {
      prior += bonus(ofBreakBehind: pair.old.before.bytes)
      if pair.known.hasErasedBreak { prior -= Measured.lineBreak }
    }
    if isWhole, text.first == .newline {
      prior = max(prior, self.prior(ofLineBeginningWith: text.dropFirst(1), pair))
    }
    // A whole sentence at once comes, if at all, from an unknown pasteboard.
    if isWhole, pair.window == .sentence, pair.terminators.contains(text.lastScalar),
      text.isLongerThanAGrapheme, pair.old.before.bytes.isOneGrapheme
    {
      prior += pair.pasteboard.isShown ? Measured.wholeSentenceUnpasted : Measured.wholeSentence
    }
    return prior
  }

  /// Proposes Return, with the indentation that is all that is seen of the new line.
  private static func proposeIndented(_ pair: Pair, in contest: inout Contest) {
    let seen = pair.new.before.bytes
    guard pair.keepsAfter, pair.window.left != .line, let line = Bytes.indentedLine(showing: seen),
      !pair.mayBeginSentence(seen)
    else { return }
    contest.propose(
      pair.insertionKind, pair.inserting(line),
      prior: indented(by: seen, pair) + bonus(ofBreakBehind: pair.old.before.bytes), for: pair)
  }

  /// Proposes that one character was typed, and text went out of sight at the window's start: where the text repeats
  /// itself, that looks like an exchange, `aaa|` → `aab|`.
  private static func proposeSlid(_ pair: Pair, in contest: inout Contest) {
    let seen = pair.new.before.bytes
    let typed = seen.suffix(seen.lastScalarLength)
    let kept = seen.dropLast(typed.count)
    guard pair.mayHaveSlid(keeping: kept, at: pair.old.before.bytes) else { return }
    contest.propose(
      pair.insertionKind, pair.inserting(typed), prior: prior(of: typed), for: pair)
  }

  /// Proposes Return where the window shows the caret's line alone: nothing, or the indentation, `  ab|cd` → `  |cd`.
  private static func proposeLine(_ pair: Pair, in contest: inout Contest) {
    let seen = pair.new.before.bytes
    guard pair.keepsAfter, seen.isWhitespace, let line = Bytes.indentedLine(showing: seen)
    else { return }
    let before = pair.old.before.bytes
    // Return at the start of a line with text leaves all that is shown below as it was.
    if pair.showsMoreBelow, before.isEmpty, seen.isEmpty, pair.evidence.key != .return { return }
    // Behind a line's indentation Return leaves no more blanks than these: more were put in.
    if !before.isEmpty, before.isWhitespace, before.count < seen.count, seen.hasPrefix(before) {
      return
    }
    var bonus = 0.0
    if pair.window == .line, let above = pair.shownNew.lineAbove {
      // What stood left of the caret is the line above then, and no news; some hosts show only its end.
      if !before.hasSuffix(above) || above.isEmpty && !before.isEmpty { return }
      bonus = Double(1 + above.scalarCount(upTo: Measured.evident)) * -Measured.scalar
    }
    let more =
      (pair.old.selected.isEmpty ? Measured.lineBroken : 0)
      + (pair.old.before.bytes.isOneGrapheme ? Measured.lineBrokenShort : 0) + bonus
    contest.propose(
      pair.insertionKind, pair.inserting(line),
      prior: (seen.isEmpty ? Model.typed + Measured.scalar : indented(by: seen, pair)) + more,
      // Of text that was pasted, other lines may have come before this one.
      isPartial: pair.evidence.key == .paste && !pair.pasteboard.isShown, for: pair)
    // One character that the pasteboard holds is called a paste; on the key Paste, `PasteReading` proposes it.
    if line == pair.pasteboard.bytes, !pair.evidence.mayPaste {
      contest.propose(.paste, pair.inserting(line), prior: Model.pasted + more, for: pair)
    }
  }

  /// The prior of a new line that begins with `text` as an editor makes it for Return: by the indentation, or by the
  /// item mark of the caret's line; -∞ for any other text.
  private static func prior(ofLineBeginningWith text: Bytes, _ pair: Pair) -> Double {
    if !text.isEmpty, Bytes.indentedLine(showing: text) != nil {
      return indented(by: text, isWhole: true, pair)
    }
    let line = pair.old.before.bytes.lastLine
    guard text.isItemMark(of: line) else { return -.infinity }
    return text.last?.isBlank ?? false ? Measured.indented : Measured.continued
  }

  /// The prior of a new line that comes with `blanks`; `isWhole` says that the window shows the line above, too.
  ///
  /// In a session that never saw its editor indent, something else is likelier to show the same: the blanks remain from
  /// the old line's beginning or, with `isWhole`, belong to the next line.
  private static func indented(
    by blanks: Bytes, isWhole: Bool = false, _ pair: Pair
  ) -> Double {
    let isDoubtful =
      pair.known.isRemembered && !pair.known.isIndented
      && (isWhole || pair.old.before.bytes.hasPrefix(blanks))
    return isDoubtful || !pair.mayIndent(blanks) ? Measured.indentedUnseen : Measured.indented
  }

  /// Proposes that the selection was copied and pasted over itself, the pasteboard not being known.
  private static func proposeRestored(
    _ action: Action, _ pair: Pair, in contest: inout Contest
  ) {
    guard !pair.pasteboard.isShown, pair.keepsText else { return }
    contest.accept(
      Hypothesis(
        kind: .replacement, action: action, weight: Measured.restored,
        keptLeft: pair.old.before.bytes.count, keptRight: pair.new.after.bytes.count))
  }

  /// Proposes that a text that was selected before was pasted, the pasteboard not being known.
  private static func proposeClips(_ pair: Pair, in contest: inout Contest) {
    guard !pair.pasteboard.isShown, pair.keepsAfter, !pair.come.isOneGrapheme else { return }
    let last = pair.new.before.bytes.last
    var clips = pair.known.clips
    while let clip = clips.popClip() {
      if clip.last != last || clip.isOneGrapheme || clip == pair.old.selected.bytes { continue }
      contest.propose(
        pair.insertionKind, pair.inserting(clip), prior: Measured.clip, for: pair)
    }
  }

  /// What is added to the prior of a newline behind `text`: it often follows a line of a closing bracket alone, and
  /// seldom a line of blanks alone.
  private static func bonus(ofBreakBehind text: Bytes) -> Double {
    let line = text.lastLine
    guard let last = line.last else { return 0 }
    let blanks = line.leadingBlanks
    if blanks == line.count { return Measured.blankLine }
    return last.isClosingBracket && blanks &+ 1 == line.count ? Measured.closedBlock : 0
  }

  /// The prior of inserting `text`, with the cost of its scalars; `isPhrase` says that no single key did it.
  static func prior(of text: Bytes, isPhrase: Bool = false) -> Double {
    let scalars = text.scalarCount(upTo: Measured.mostUnknown)
    if text == .newline, !isPhrase { return Model.typed + Measured.scalar + Measured.lineBreak }
    let cost = Double(scalars) * Measured.scalar
    if !isPhrase, scalars == 1 || text.isOneGrapheme { return cost + Model.typed }
    // An input method commits a composed word at once.
    if scalars <= Measured.longText, text.isComposed { return cost + Measured.phrase }
    return cost + Measured.phrase + Double(min(scalars, Measured.phraseScalars))
      * Measured.phraseScalar
  }

  /// Proposes that more text came than the window shows: `before` is its last sentence or line.
  private static func proposePart(_ pair: Pair, in contest: inout Contest) {
    let seen = pair.new.before.bytes
    // An editor begins the next item of a list, or line of a comment, like the last one.
    let isItem = seen.isItemMark(of: pair.old.before.bytes)
    guard pair.window.left != .all || isItem && pair.mayShowLine(at: .return) else { return }
    let weight =
      isItem
      ? Measured.continued : prior(of: seen, isPhrase: true) + Measured.part
    contest.accept(
      Hypothesis(
        kind: pair.insertionKind, action: pair.inserting(seen), weight: weight,
        keptRight: pair.new.after.bytes.count, isPartial: seen != .newline))
    // Or text was erased, back into unseen text.
    if pair.old.selected.isEmpty, pair.known.isOpenLeft {
      contest.accept(
        Hypothesis(
          kind: .deletion, action: .none, weight: weight + Measured.erasedUnseen,
          keptRight: pair.new.after.bytes.count, isPartial: true))
    }
  }
}

extension Pair {
  /// Whether `text` is all that is shown left of the caret, where the host cut it by its length: it is as long as a side was
  /// before.
  fileprivate func isFilled(by text: Bytes) -> Bool {
    let seen = new.before.bytes
    if window.left != .all || !keepsAfter || text.count < seen.count { return false }
    if seen.count < Measured.leastCut { return false }
    let length = seen.scalarCount
    return old.before.bytes.scalarCount == length || old.after.bytes.scalarCount == length
  }

  /// Whether the two snapshots differ only in what a host of lines shows below the caret's line, and that has text behind
  /// the caret.
  fileprivate var showsMoreBelow: Bool {
    window == .line && !new.after.isEmpty && keepsAfter && evidence.keepsCaret
      && selectsNothing
      && shownOld.before.bytes == shownNew.before.bytes
  }

  /// Whether `blanks` is one space, as it stands between sentences, and no line here is known to be indented by it.
  fileprivate func mayBeginSentence(_ blanks: Bytes) -> Bool {
    guard window == .sentence, blanks.count == 1, blanks.first == .space, evidence.key != .return
    else { return false }
    return lineStart == nil || !mayIndent(blanks)
  }

  /// The offset of the caret's line in the known text; `nil` where the line may begin farther left.
  private var lineStart: Int? {
    let start = known.left.lastLineStart
    return start > 0 || known.leftEdge == .line || known.leftEdge == .document ? start : nil
  }

  /// Whether Return at the caret may indent by `blanks`: the caret's line begins with them, as far as its start is
  /// known, or it ends with a bracket or colon that opens a block.
  fileprivate func mayIndent(_ blanks: Bytes) -> Bool {
    guard let lineStart else { return true }
    let line = known.left.dropFirst(lineStart)
    // On an empty line, one blank was typed; several may be copied from a line above.
    guard let last = line.last else { return blanks.isLongerThanAGrapheme }
    return line.hasPrefix(blanks) || last.isOpeningBracket || last == UInt8(ascii: ":")
  }
}
