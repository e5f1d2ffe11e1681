// The conditions under which a pair has a look-alike.

extension Pair {
  /// Whether `condition` is met by the pair, of which `winner` is the likeliest hypothesis.
  func shows(_ condition: LookAlike.Condition, _ winner: Hypothesis) -> Bool {
    switch condition {
    case .always: return true
    case .isDoubtedByEvidence:
      return evidence.isMerged || evidence.hardlyDoes(winner)
        || evidence.misplaces(winner, in: known)
    case .mayBeRetracedSelection:
      return known.isRemembered && keyMayRetrace
        && (evidence.last.retracing != nil || evidence.mayRetrace)
    case .mayBeShortcut: return known.isRemembered && evidence.mayRetrace
    case .mayBeUnknownRemoval:
      // One character may have been typed over a selection.
      return known.isRemembered && !winner.action.inserted.isOneGrapheme
        && (winner.action.removedLeft > 0 && winner.action.removedRight > 0
          || Measured.unpredicted > winner.weight + Measured.coincidence)
    case .mayGoOnRetracing:
      // After a certain undo the history tells what the next one shows.
      return evidence.last.mayBeRetraced && known.isRemembered && !isOneKey
        && (winner.way == nil || evidence.last.retracing == nil)
        && evidence.mayHaveRetraced
    case .mayUndoElsewhere:
      return evidence.hasLeftEdit && evidence.mayHaveRetraced && window != .sentence
    case .mayUndoErasure:
      guard let back = evidence.returning, !back.reverses, evidence.mayHaveRetraced else {
        return false
      }
      return evidence.last.kind == .deletion || evidence.last.isDoubted
    case .mayGoOnUndoing:
      return known.mayBeUndoing && evidence.last.kind == .deletion && evidence.last.namesRetraced
        && come.isEmpty && gone.isOneGrapheme && keepsAfter && keyMayRetrace
    case .mayRedo:
      guard let back = evidence.returning, !back.reverses else { return false }
      return evidence.last.namesRetraced && evidence.mayHaveRetraced && evidence.key != .undo
    case .mayUndo:
      return evidence.returning?.isDoubted ?? false && keyMayRetrace
    case .mayBeHalfRetraced:
      return window == .line
        && (evidence.mayRetrace
          || evidence.last.retracing != nil && evidence.key.mayBeNone)
    case .mayHideEdit: return mayHideEdit(behind: winner)
    case .contradictsAnEnd:
      if winner.action.isPlaced { return false }
      return contradictsAnEnd || contradictsCarets
        || mayShowAll && window == .full
          && max(old.all.count, new.all.count) < Measured.leastCut
    case .differsInNullAlone: return differsInNullAlone
    case .comesFromNothing: return shownOld.isBlank && !winner.action.isPlaced && !new.isBlank
    case .joinsUnseen: return winner.action.joinsNextLine && !shownOld.after.isShown
    case .mayHaveBeenSelected:
      return evidence.hidesSelection && !evidence.knowsPasteboard
        && !(evidence.key?.hardlyCuts ?? false) && winner.action.takesMoreThanAKey(in: known)
    case .mayBeSelected:
      return evidence.hidesSelection && !evidence.keyRulesOut(.selected)
    case .mayBreakLine:
      return known.isRemembered && (window == .line || window == .full) && old.before.isEmpty
        && new.before.isEmpty && winner.action.removesSelection && evidence.key == nil
        && !evidence.isEmptied
    case .mayBeTyped:
      return winner.action.inserted.isOneGrapheme && old.selected.isEmpty
        && !(evidence.key?.mayPaste ?? false)
    case .mayJoinUnseen:
      // Text that comes to an empty line untyped may be another line's anyway.
      return (window == .line || evidence.mayShowLine) && old.before.isEmpty
        && evidence.key == nil && winner.action.inserted.isLongerThanAGrapheme
        && (winner.kind != .paste || !old.after.isEmpty)
    case .mayJoinLineBeside:
      guard window != .sentence, window != .paragraph, old.isBlank, !known.isAllEmpty
      else { return false }
      let side = new.after.isEmpty ? new.before.bytes : new.after.bytes
      let act: Act = new.after.isEmpty ? .erasedLeft : .erasedRight
      return (new.after.isEmpty || new.before.isEmpty) && !side.holdsLineBreak
        && !evidence.keyRulesOut(act)
    case .mayLeaveEmptyLine:
      return window == .line && old.isBlank && !known.isAllEmpty
        && winner.action.takesLineBreak(of: known)
        && !evidence.keyRulesOut(.moved)
    case .selectsLineBreak: return winner.action.insertedSelected.first == .newline
    case .mayBeErased: return showedOneGrapheme
    case .mayBeSent:
      return showedOneGrapheme && new.isBlank && new.hasText != true && evidence.key == nil
    case .mayBeCleared:
      return new.isBlank && !old.isBlank && new.hasText != true && !winner.action.isPlaced
        && !evidence.keyRulesOut(.sent)
    case .mayBeLineBroken:
      return evidence.mayShowLine && evidence.key == nil && old.selected.isEmpty
        && !old.before.isEmpty && new.before.isEmpty && old.after.bytes == new.after.bytes
    case .mayBeEditedFarOff: return mayBeEditedFarOff
    case .mayLoseBeginning:
      guard window == .full, let start = overlaidStart, !evidence.keyRulesOut(.erasedAround)
      else { return false }
      return start > known.visible.lowerBound
        && new.before.bytes.scalarCount < old.before.bytes.scalarCount
    case .isUnknownShortcut: return winner.way == nil && evidence.key == .shortcut
    case .keepsBefore:
      return keepsBefore && !winner.action.isPlaced && !old.before.bytes.isBlank
        && !evidence.keyRulesOut(.exchanged)
    case .mayEraseLine:
      return winner.way != nil && evidence.key == .shortcut && erasesLine
    case .mayGoOnErasing:
      return evidence.last.retracing == .undo && evidence.last.namesDeletion && !gone.isEmpty
        && come.isEmpty && keepsAfter && old.selected.isEmpty && new.selected.isEmpty
        && !evidence.keyRulesOut(.erasedLeft)
    case .takesConversionBack:
      return evidence.key.mayBeNone && evidence.returning != nil && keepsAfter
        && old.selected.isEmpty && new.selected.isEmpty && !editsComposition
        && (come.converts(to: gone) || gone.converts(to: come))
    case .mayBeCompleted:
      return old.selected.isEmpty && !new.selected.isEmpty && !keepsText && keepsAfter
        && gone.isEmpty && come.isOneGrapheme && !evidence.keyRulesOut(.textPut)
    case .mayHideKeysEdit:
      if evidence.wasOtherShortcut { return true }
      guard let key = evidence.key, !key.rulesOut(.exchanged) else { return false }
      return key == .shortcut || key.bits(for: .nothing) < 0
    case .mayBeDropped:
      return !winner.action.isPlaced && old.selected.bytes == new.selected.bytes
        && !evidence.keyRulesOut(.textPut)
    case .mayBeEmptyLineBeside:
      return window == .full && new.isBlank && old.selected.isEmpty && !winner.action.isPlaced
        && (old.before.bytes.last == .newline || old.after.bytes.first == .newline)
    case .mayBePassing:
      return evidence.composition == Composition(before: 0, after: 0)
        && evidence.key.mayBeNone && keepsBefore && !keepsAfter
    case .mayBeElsewhere: return mayBeElsewhere(despite: winner)
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

  /// Whether the old window showed one grapheme left of the caret, and nothing else.
  private var showedOneGrapheme: Bool {
    old.selected.isEmpty && old.after.isEmpty && old.before.bytes.isOneGrapheme
  }

  /// Whether all text between the line's start and the caret is gone, and nothing else.
  private var erasesLine: Bool {
    guard old.selected.isEmpty, new.selected.isEmpty, keepsAfter, !gone.isEmpty,
      !gone.holdsLineBreak
    else { return false }
    return new.before.isEmpty || new.before.bytes.last == .newline
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
    // One insertion or deletion, anywhere, leads from the old text to the new one.
    let shorter = old.all.count < new.all.count ? old.all : new.all
    let ends = old.all.commonEnds(new.all)
    if ends.start + ends.end == shorter.count, shorter.scalarCount > 1 { return true }
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
    guard part.count < whole.count, KeptScalars.count(endOf: part) >= KeptScalars.enough
    else { return false }
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

extension Action {
  /// Whether it removes one newline, and nothing else is done.
  fileprivate func takesLineBreak(of known: borrowing Known) -> Bool {
    guard caret == nil, isPlaced, !removesSelection, allInserted.isEmpty else { return false }
    let gone = removed(from: known)
    return joinsLine ? gone.isEmpty : gone == Joined(.newline)
  }
}
