// The conditions under which a pair has a look-alike.

extension Pair {
  /// Whether `condition` is met by the pair, of which `winner` is the likeliest hypothesis.
  func shows(_ condition: LookAlike.Condition, _ winner: Hypothesis) -> Bool {
    switch condition {
    case .always: return true
    // Several acts may lie between the snapshots, the key hardly ever does what the winner says, or the host
    // reports another caret position.
    case .isDoubtedByEvidence:
      return evidence.isMerged || evidence.keyHardlyDoes(winner.act)
        || evidence.misplaces(winner, in: known)
    // Another undo of a series, or one by a shortcut, may select any text.
    case .mayBeRetracedSelection:
      return known.isRemembered && keyMayRetrace
        && (evidence.last.retracing != nil || evidence.mayRetrace)
    // An undo or redo by a shortcut may show any text.
    case .mayBeShortcut: return known.isRemembered && evidence.mayRetrace
    // Several acts at once, or an unknown undo, may remove any text.
    case .mayBeUnknownRemoval:
      // One character may have been typed over a selection.
      return known.isRemembered && !winner.action.inserted.isOneGrapheme
        && (winner.action.removedLeft > 0 && winner.action.removedRight > 0
          || Measured.unpredicted > winner.weight + Measured.coincidence)
    // Another undo of a series may show any text.
    case .mayGoOnRetracing:
      // After a certain undo the history tells what the next one shows.
      return evidence.last.mayBeRetraced && known.isRemembered && !isOneKey
        && (winner.way == nil || evidence.last.retracing == nil)
        && evidence.mayHaveRetraced
    // The undo of an edit that the caret has left shows another place, as a tap does: of 20 such taps in
    // toolkits that were certain, 3 were undos; of 67 through a sentence's window, none.
    case .mayUndoElsewhere:
      return evidence.hasLeftEdit && evidence.mayHaveRetraced && window != .sentence
    // Erased text is back: of 35 states that came back after one character was erased 19 came by undo.
    case .mayUndoErasure:
      guard let back = evidence.returning, !back.reverses, evidence.mayHaveRetraced else {
        return false
      }
      return evidence.last.kind == .deletion || evidence.last.isDoubted
    // One more character of what was typed is gone, after a deletion that may have been the undo of a single edit.
    case .mayGoOnUndoing:
      return known.mayBeUndoing && evidence.last.kind == .deletion && evidence.last.namesRetraced
        && come.isEmpty && gone.isOneGrapheme && keepsAfter && keyMayRetrace
    // The last act was a tap, or else an edit, and the snapshot before it is back: 21 times in editors' own tests,
    // where all of them took an edit back, and all were certain taps.
    case .mayUndoDoubted:
      return evidence.takesLastBack && evidence.last.kind == .outOfRangeTap
        && evidence.last.isDoubted && keyMayRetrace && evidence.key != .caret
    // The last act, which may have been an undo, is reversed: of 13 times, 5 were redos.
    case .mayRedo:
      guard let back = evidence.returning, !back.reverses else { return false }
      return evidence.last.namesRetraced && evidence.mayHaveRetraced && evidence.key != .undo
    // This redo may reverse an edit rather than an undo: then it is that edit's undo.
    case .mayUndo:
      return evidence.returning?.isDoubted ?? false && keyMayRetrace
    // A host may show an undo as two states: first the text, then the caret.
    case .mayBeHalfRetraced:
      return window == .line
        && (evidence.mayRetrace
          || evidence.last.retracing != nil && evidence.key.mayBeNone)
    // The two snapshots share text, which an edit away from the caret, or two acts at once, would explain, and a tap
    // or selection elsewhere does not.
    case .mayHideEdit: return mayHideEdit(behind: winner)
    // Both snapshots show the same end of the document, or the same place by the host's caret positions, with other
    // text.
    case .contradictsAnEnd:
      if winner.action.isPlaced { return false }
      return contradictsAnEnd || contradictsCarets
    // Both windows may show the whole document, of which the winner explains nothing.
    case .mayBeEditedAnywhere:
      return !winner.action.isPlaced && window == .full && mayShowAll && isShort
    // The snapshots differ in nothing but null and `""`.
    case .differsInNullAlone: return differsInNullAlone
    // The old snapshot showed nothing at all, and no text was known at the caret: the text may have been put in, not
    // gone to, or brought back.
    case .comesFromNothing:
      return shownOld.isEmpty && !new.isEmpty && !evidence.keyRetraces
        && (!winner.action.isPlaced && winner.way == nil || known.text.isEmpty)
    // The deletion joins a line below of which the old `after`, null, said nothing.
    case .joinsUnseen: return winner.action.joinsNextLine && !shownOld.after.isShown
    // The deleted text may have been selected unseen.
    case .mayHaveBeenSelected:
      return evidence.hidesSelection && !evidence.knowsPasteboard
        && !evidence.keyHardlyDoes(.cut) && winner.action.takesMoreThanAKey(in: known)
    // The text where the caret seems to be may be selected unseen.
    case .mayBeSelected:
      return evidence.hidesSelection && !evidence.keyRulesOut(.selected)
    // A selection at a line's start is gone: Return over it shows the same, `[ab]c` → `|c`.
    case .mayBreakLine:
      return known.isRemembered && (window == .line || window == .full) && old.before.isEmpty
        && new.before.isEmpty && winner.action.removesSelection && evidence.key == nil
        && !evidence.isEmptied
    // The pasted text is one character, as may be typed.
    case .mayBeTyped:
      return winner.action.inserted.isOneGrapheme && old.selected.isEmpty
        && !(evidence.key?.mayPaste ?? false)
    // Text came at a line's start: joining the line above shows the same, `|c` → `ab|c`.
    case .mayJoinUnseen:
      // Text that comes to an empty line untyped may be another line's anyway.
      return (window == .line || evidence.mayBeLineWindow) && old.before.isEmpty
        && evidence.key == nil && winner.action.inserted.isLongerThanAGrapheme
        && (winner.kind != .paste || !old.after.isEmpty)
    // The caret went from an empty line to an end of another line: joining the two shows the same.
    case .mayJoinLineBeside:
      guard window != .sentence, window != .paragraph, old.isEmpty, !known.isAllEmpty
      else { return false }
      let side = new.after.isEmpty ? new.before.bytes : new.after.bytes
      let act: Act = new.after.isEmpty ? .erasedLeft : .erasedRight
      return (new.after.isEmpty || new.before.isEmpty) && !side.holdsLineBreak
        && !evidence.keyRulesOut(act)
    // The deletion took only a newline beside an empty line, and the caret is at an end of the other line: a caret
    // that went there shows the same.
    case .mayLeaveEmptyLine:
      return window == .line && old.isEmpty && !known.isAllEmpty
        && winner.action.takesLineBreak(of: known)
        && !evidence.keyRulesOut(.moved)
    // The inserted text is selected and begins with a newline, as a selection over the line's end does.
    case .selectsLineBreak: return winner.action.insertedSelected.first == .newline
    // One character was all that was shown, or text on both sides of the caret: it may have been erased, the latter by
    // a command that takes a whole line, or what is in brackets.
    case .mayBeErased:
      return showedOneGrapheme
        || known.isAlone && old.selected.isEmpty && !old.before.isEmpty && !old.after.isEmpty
          && !evidence.keyRulesOut(.erasedAround)
    // One character was all that was shown: it may have been sent.
    case .mayBeSent:
      return showedOneGrapheme && shownNew.isEmpty && new.hasText != true && evidence.key == nil
    // Nothing is shown now, as in a field that was sent; null and `""` say nothing of a line beside.
    case .mayBeCleared:
      return shownNew.isEmpty && !old.isEmpty && new.hasText != true && !winner.action.isPlaced
        && !evidence.keyRulesOut(.sent)
    // `before` is empty now, no key is known, and the host's window, neither told nor learnt, may show one line: then
    // Return shows the same.
    case .mayBeLineBroken:
      return evidence.mayBeLineWindow && evidence.key == nil && old.selected.isEmpty
        && !old.before.isEmpty && new.before.isEmpty && old.after.bytes == new.after.bytes
    // The old window began at a line's start, and one of the two shows more at the far end, but no newline there:
    // text may have come or gone.
    case .mayBeEditedFarOff: return mayBeEditedFarOff
    // The new window begins later in the text and shows less left of the caret: no host that shows so many characters
    // cuts like this, so the text's beginning may be gone.
    case .mayLoseBeginning:
      guard window == .full, let start = overlaidStart, !evidence.keyRulesOut(.erasedAround)
      else { return false }
      return start > known.visible.lowerBound
        && new.before.bytes.scalarCount < old.before.bytes.scalarCount
    // A shortcut went to the host, nothing says which, and no history leads to the new state.
    case .isUnknownShortcut: return winner.way == nil && evidence.key == .shortcut
    // `before` is the same in both snapshots, and not blank: if the caret went elsewhere, this is a coincidence.
    //
    // Of 51 certain taps through a sentence's or a line's window that were edits, in other editors' own tests, eleven
    // are not certain for it; of the pairs of typed and recorded texts at most 9 in 10,000.
    case .keepsBefore:
      return keepsBefore && !winner.action.isPlaced && !old.before.bytes.isBlank
        && !evidence.keyRulesOut(.exchanged)
    // A shortcut went to the host, nothing says which, and all that it undoes is text next to the caret, on one side:
    // hosts have shortcuts that erase a word, or up to the line's start or end.
    case .mayEraseByShortcut:
      return winner.way != nil && evidence.key == .shortcut
        && (erasesOneSide || erasesOverLineStart)
    // An undo takes text away left of the caret, as the one before it did, which may have been an erasure: words may be
    // erased one after the other.
    case .mayGoOnErasing:
      return evidence.last.retracing == .undo && evidence.last.namesDeletion && !gone.isEmpty
        && come.isEmpty && keepsAfter && old.selected.isEmpty && new.selected.isEmpty
        && !evidence.keyRulesOut(.erasedLeft)
    // A word, which may have been selected, is exchanged for its spelling, or the spelling for the word, as it was
    // lately: an input method takes a conversion back, and an undo in the host does.
    case .takesConversionBack:
      let gone = old.selected.isEmpty ? gone : old.selected.bytes
      return evidence.key.mayBeNone && evidence.returning != nil && keepsAfter
        && new.selected.isEmpty && !editsComposition
        && (come.converts(to: gone) || gone.converts(to: come))
    // One character came, and behind it text that is selected, as an inline completion does: it may be known text, for
    // what is completed was mostly typed before.
    case .mayBeCompleted:
      return old.selected.isEmpty && !new.selected.isEmpty && !keepsText && keepsAfter
        && gone.isEmpty && come.isOneGrapheme && !evidence.keyRulesOut(.textPut)
    // A key that edits text, or a shortcut, which may, went to the host, and the text at the caret is as it was: the
    // edit is elsewhere, or more than one.
    case .mayHideKeysEdit:
      if evidence.wasOtherShortcut { return true }
      return !evidence.keyRulesOut(.exchanged)
        && (evidence.key == .shortcut || evidence.keyBits(for: .nothing) < 0)
    // The old selection's text is selected at another place: it may have been dropped there.
    case .mayBeDropped:
      return !winner.action.isPlaced && old.selected.bytes == new.selected.bytes
        && !evidence.keyRulesOut(.textPut)
    // Nothing is shown now, and a newline was next to the caret: the empty line beside it shows the same.
    case .mayBeEmptyLineBeside:
      return window == .full && new.isEmpty && old.selected.isEmpty && !winner.action.isPlaced
        && (old.before.bytes.last == .newline || old.after.bytes.first == .newline)
    // The host shows nothing of what is composed, no key went to it, and only `after` changed: Firefox leaves the
    // preedit out of its text by the length of an earlier preedit, and soon puts that right. Of 31 such pairs while
    // letters came fast, 31.
    case .mayBePassing:
      return evidence.composition == Composition(before: 0, after: 0)
        && evidence.key.mayBeNone && keepsBefore && !keepsAfter
    // A tap to other text may show the same.
    case .mayBeElsewhere: return mayBeElsewhere(despite: winner)
    // One insertion or deletion, anywhere, leads from the old text to the new one.
    case .mayHideOneEdit:
      return !winner.action.isPlaced && !keepsText && !evidence.keyRulesOut(.exchanged)
        && isOneEdit
    // Both windows may show the whole document, and the edit does not lead from the one text to the other: text at the
    // far end went or came as well.
    case .mayBeEditedWhole: return mayBeEditedWhole(unlike: winner)
    // The text next to the caret is as it was, and some farther left is gone, or came: an indentation, one end of a
    // pair.
    case .mayBeErasedFartherLeft:
      return winner.action.editsFartherLeft(in: self, isDeletion: true)
    case .mayBeInsertedFartherLeft:
      return winner.action.editsFartherLeft(in: self, isDeletion: false)
    }
  }

  /// Whether one of the two windows shows more at the far end than the other, but no newline there, and the old window
  /// began at a line's start, as far as that is known: a host seldom cuts within a line, so text may have come or gone.
  private var mayBeEditedFarOff: Bool {
    if window == .sentence || evidence.keyRulesOut(.exchanged) { return false }
    let (old, new) = (shownOld.before.bytes, shownNew.before.bytes)
    let start = known.left.count - min(old.count, known.left.count)
    let isLineStart =
      start == 0
      ? window == .full || known.leftEdge == .document || known.leftEdge == .line
      : known.left[start - 1] == .newline
    let beyond = (old.count < new.count ? new : old).prefix(abs(old.count - new.count))
    return isLineStart && !beyond.isEmpty && !beyond.holdsLineBreak
  }

  /// Whether both windows may show the whole document, and the new one shows more or less at an end than the edit of
  /// `winner` leaves there.
  ///
  /// Words that come or go there are no sign of that, for some hosts cut between words, unless they are as long as what
  /// the edit puts in or takes: then it may have moved them.
  private func mayBeEditedWhole(unlike winner: Hypothesis) -> Bool {
    guard mayShowAll, isShort, winner.action.isPlaced, !winner.action.joinsLine,
      !evidence.keyRulesOut(.exchanged)
    else { return false }
    // A paragraph's window shows nothing below the caret's line: with a newline in sight it is not the whole document.
    if window != .full, shownOld.holdsLineBreak || shownNew.holdsLineBreak { return false }
    let (left, right) = (winner.action.left(in: known), winner.action.right(in: known))
    let (newLeft, newRight) = (Joined(new.before.bytes), Joined(new.after.bytes))
    let come = winner.action.allInserted.count
    let gone = winner.action.removed(from: known).count
    // Whether `more`, at an end of the window, is no words alone; `edge` is its byte next to the rest.
    func isMore(_ more: Joined, _ edge: UInt8?) -> Bool {
      guard !more.isEmpty, let edge else { return false }
      return !edge.isBlankOrNewline || more.count == come || more.count == gone
    }
    let beyondLeft =
      left.count > newLeft.count
      ? left.prefix(left.count - newLeft.count) : newLeft.prefix(newLeft.count - left.count)
    let beyondRight =
      right.count > newRight.count
      ? right.dropFirst(newRight.count) : newRight.dropFirst(right.count)
    return isMore(beyondLeft, beyondLeft.last) || isMore(beyondRight, beyondRight.first)
  }

  /// Whether one insertion or deletion at most, anywhere, leads from the old window's text to the new one's, and both
  /// have more than one scalar.
  private var isOneEdit: Bool {
    let (old, new) = (old.all, new.all)
    return old.edit(to: new) != .replacement && (old.count < new.count ? old : new).scalarCount > 1
  }

  /// The edit that, made anywhere, makes of the text that was shown the text that is: an insertion, a deletion or a
  /// replacement; `nil` where the two are the same.
  var editAnywhere: Kind? { shownOld.all.edit(to: shownNew.all) }

  /// Whether the old window showed one grapheme left of the caret, and nothing else.
  private var showedOneGrapheme: Bool {
    old.selected.isEmpty && old.after.isEmpty && old.before.bytes.isOneGrapheme
  }

  /// Whether text next to the caret on one side is gone, no line break with it, and nothing else.
  private var erasesOneSide: Bool {
    guard old.selected.isEmpty, new.selected.isEmpty else { return false }
    if keepsAfter { return come.isEmpty && !gone.isEmpty && !gone.holdsLineBreak }
    let erased = old.after.bytes.dropLast(min(new.after.bytes.count, old.after.bytes.count))
    return keepsBefore && !erased.isEmpty && !erased.holdsLineBreak
      && old.after.bytes.hasSuffix(new.after.bytes)
  }

  /// Whether, from a line's start, the newline and text before it are gone, and nothing else.
  private var erasesOverLineStart: Bool {
    guard old.selected.isEmpty, new.selected.isEmpty, keepsAfter else { return false }
    return window == .line
      ? old.before.isEmpty && !new.before.isEmpty : come.isEmpty && gone.last == .newline
  }

  /// Whether the key, if one is known, may undo or redo.
  var keyMayRetrace: Bool { !evidence.keyRulesOut(.undone) }

  /// Whether a tap to other text may show the same as `winner`.
  private func mayBeElsewhere(despite winner: Hypothesis) -> Bool {
    if evidence.wasEmpty || evidence.isEmptied || evidence.keyRulesOut(.moved) { return false }
    // An edit far over the caret may be a tap elsewhere.
    if winner.action.isWide(in: known) { return true }
    // So may a change of the selection that is seen through another cut.
    if winner.action.selectsInsertion, winner.isRecutLeft || winner.isRecutRight { return true }
    // An edit that leaves the text next to the caret as it was does not touch the caret.
    if winner.action.leavesCaretText(in: known) { return true }
    // No key leaves the caret before all inserted text.
    if winner.action.inserted.isEmpty, !winner.action.insertedBehind.isEmpty { return true }
    // No single key inserts text and joins an unseen line; another line may begin the same.
    if winner.action.joinsLine, !winner.action.allInserted.isEmpty { return true }
    // A `line` window shows the whole line: what is cut elsewhere may be another line.
    if window == .line, winner.isRecutLeft || winner.isRecutRight { return true }
    return admitsRecut || winner.isDoubted || !winner.keepsEnough(in: self)
      || showsNextLine(with: winner)
  }

  /// Whether the two snapshots share text, which `winner`, a caret or selection elsewhere, does not explain.
  private func mayHideEdit(behind winner: Hypothesis) -> Bool {
    if winner.action.isPlaced { return false }
    if evidence.keyRulesOut(.exchanged) { return false }
    if isOneEdit { return true }
    if known.isAlone, old.all.resembles(new.all) { return true }
    // A selection that takes in the old line and more shows it in its middle anyway.
    if known.isAlone, isShort, new.selected.isEmpty, old.all.sharesMiddle(with: new.all) {
      return true
    }
    if selectsMoreOrLess { return true }
    let (left, newLeft) = (old.before.bytes, new.before.bytes)
    let (right, newRight) = (old.after.bytes, new.after.bytes)
    return KeptScalars.areEnough(
      endOf: left.suffix(left.commonSuffix(newLeft)),
      startOf: right.prefix(right.commonPrefix(newRight)))
      || KeptScalars.areEnough(
        endOf: right.suffix(right.commonSuffix(newRight)),
        startOf: left.prefix(left.commonPrefix(newLeft)))
  }

  /// Whether one of the two selections holds the other, and more.
  private var selectsMoreOrLess: Bool {
    let (old, new) = (old.selected.bytes, new.selected.bytes)
    let (part, whole) = old.count < new.count ? (old, new) : (new, old)
    guard part.count < whole.count, KeptScalars.areEnough(endOf: part) else { return false }
    var places = Occurrences(of: part, in: Joined(whole))
    return places.next() != nil
  }

  /// Whether the new line of `winner` may be an empty line that stood below: `a|⏎⏎b` → `a⏎|⏎b`.
  private func showsNextLine(with winner: Hypothesis) -> Bool {
    guard window == .paragraph, winner.action.inserted == .newline, new.after.isEmpty
    else { return false }
    let right = known.right
    if right.isEmpty { return known.rightEdge != .document }
    return right.first == .newline && (right.count == 1 || right[1] == .newline)
  }
}

extension Fields {
  /// Whether a newline is shown.
  fileprivate var holdsLineBreak: Bool {
    before.bytes.holdsLineBreak || selected.bytes.holdsLineBreak || after.bytes.holdsLineBreak
  }
}

extension Joined {
  /// The one edit that makes `other` of this text; `nil` where the two are the same.
  fileprivate func edit(to other: Joined) -> Kind? {
    if self == other { return nil }
    let ends = commonEnds(other)
    if ends.start + ends.end == other.count { return .deletion }
    return ends.start + ends.end == count ? .insertion : .replacement
  }

  /// Whether of what lies between the ends that this text and `other` have in common more than half is one stretch of
  /// both, of so many scalars that this is no coincidence: `(item)` and `"item"`.
  ///
  /// - Complexity: quadratic.
  fileprivate func sharesMiddle(with other: Joined) -> Bool {
    let ends = commonEnds(other)
    let (mine, others) = (between(ends), other.between(ends))
    let (part, whole) = mine.count < others.count ? (mine, others) : (others, mine)
    // Such a stretch lies across the middle of the longer one.
    let middle = whole.count / 2
    for offset in 0..<part.count where part[offset] == whole[middle] {
      let start = whole.prefix(middle).commonSuffix(part.prefix(offset))
      let shared = start + whole.dropFirst(middle).commonPrefix(part.dropFirst(offset))
      if shared * 2 > whole.count,
        whole.dropFirst(middle - start).prefix(shared).scalarCount >= KeptScalars.enough
      {
        return true
      }
    }
    return false
  }

  /// The text without what it has in common with another one at its ends.
  private func between(_ ends: (start: Int, end: Int)) -> Joined {
    dropFirst(ends.start).dropLast(ends.end)
  }

  /// Whether two edits, or a change of case, may lead from this text to `other`, as chance hardly ever does: they have at
  /// least half of the longer one's bytes in common at both ends; or the longer one, at most twice as long, holds all
  /// scalars of the other in their order, whatever the case of ASCII letters.
  fileprivate func resembles(_ other: Joined) -> Bool {
    let (short, long) = count < other.count ? (self, other) : (other, self)
    guard short.scalarCount >= 3 else { return false }
    let ends = short.commonEnds(long)
    if (ends.start + ends.end) * 2 >= long.count { return true }
    guard long.count <= short.count * 2 else { return false }
    return long.contiguous.withBytes { long in
      var rest = long
      return short.contiguous.withBytes {
        $0.allScalars { scalar in
          while !rest.isEmpty {
            let next = rest.firstScalar
            rest = rest.dropFirst(rest.firstScalarLength)
            if next.lowercased == scalar.lowercased { return true }
          }
          return false
        }
      }
    }
  }
}

extension UInt32 {
  /// The lower case of an ASCII letter; any other scalar as it is.
  fileprivate var lowercased: UInt32 { 0x41...0x5A ~= self ? self + 0x20 : self }
}

extension Action {
  /// Whether it may be one edit farther left of the caret; not where an input method composes like this.
  ///
  /// For a deletion there the text that it removes ends with all that it inserts; for an insertion it is the other way
  /// round.
  fileprivate func editsFartherLeft(in pair: Pair, isDeletion: Bool) -> Bool {
    let known = pair.known
    guard known.isAlone, !removesSelection, removedRight == 0,
      standsBehindInsertion, !joinsLine,
      removedLeft > 0, removedLeft <= known.left.count, !pair.editsComposition
    else { return false }
    let gone = known.left.suffix(removedLeft)
    let (whole, part) = isDeletion ? (gone, inserted) : (inserted, gone)
    return !part.isEmpty && part.count < whole.count && whole.hasSuffix(part)
  }

  /// Whether it removes one newline, and nothing else is done.
  fileprivate func takesLineBreak(of known: borrowing Known) -> Bool {
    guard caret == nil, isPlaced, !removesSelection, allInserted.isEmpty else { return false }
    let gone = removed(from: known)
    return joinsLine ? gone.isEmpty : gone == Joined(.newline)
  }
}
