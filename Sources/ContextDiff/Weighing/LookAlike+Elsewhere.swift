// When a pair may be a tap to other text, or what looks like one an edit, at the caret or elsewhere.

extension LookAlike.Condition {
  /// The two snapshots share text, which an edit away from the caret, or two acts at once, would explain, and a tap
  /// or selection elsewhere, the winner, does not.
  static var mayHideEdit: Self {
    Self { pair, winner in
      if winner.action.isPlaced { return false }
      if pair.evidence.keyRulesOut(.exchanged) { return false }
      if pair.old.all.isOneEdit(from: pair.new.all) || pair.isOneEditButForBlanks { return true }
      if pair.known.isAlone, pair.old.all.resembles(pair.new.all) { return true }
      if !pair.known.isAlone, pair.old.all.differsLittle(from: pair.new.all) { return true }
      // A selection that takes in the old line and more shows it in its middle anyway.
      if pair.known.isAlone, pair.isShort, pair.new.selected.isEmpty,
        pair.old.all.sharesMiddle(with: pair.new.all)
      {
        return true
      }
      if pair.selectsMoreOrLess { return true }
      let (left, newLeft) = (pair.old.before.bytes, pair.new.before.bytes)
      let (right, newRight) = (pair.old.after.bytes, pair.new.after.bytes)
      return KeptScalars.areEnough(
        endOf: left.suffix(left.commonSuffix(newLeft)),
        startOf: right.prefix(right.commonPrefix(newRight)))
        || KeptScalars.areEnough(
          endOf: right.suffix(right.commonSuffix(newRight)),
          startOf: left.prefix(left.commonPrefix(newLeft)))
    }
  }

  /// Both snapshots show the same end of the document, or the same place by the host's caret positions, with other
  /// text.
  static var contradictsAnEnd: Self {
    Self { pair, winner in
      !winner.action.isPlaced && (pair.contradictsAnEnd || pair.contradictsCarets)
    }
  }

  /// A key that moves the caret went to the host, and the caret's line is shown on the other side of a line beside it:
  /// with a modifier, in editors, it moves the line up or down.
  static var mayMoveLines: Self {
    Self { pair, winner in
      !(winner.action.isPlaced && winner.kind != .windowShift) && pair.evidence.key == .caret
        && pair.shownOld.movesLine(in: pair.shownNew)
    }
  }

  /// A key that moves the caret went to the host, from a line's end to the end of another: in a shell and in a chat it
  /// exchanges the line for one sent before, and in other fields a value for the next.
  static var mayRecallLine: Self {
    Self { pair, winner in
      let (old, new) = (pair.old, pair.new)
      return !winner.action.isPlaced && pair.evidence.key == .caret && old.after.isEmpty
        && new.after.isEmpty && !old.before.isEmpty && !new.before.isEmpty
    }
  }

  /// The inserted text begins or, but for a newline, ends with all that stood right of the caret: the caret may have gone
  /// behind it before, or after less was put in.
  static var mayFollowMove: Self {
    Self { pair, winner in
      let (after, inserted) = (pair.old.after.bytes, winner.action.inserted)
      guard KeptScalars.areEnough(startOf: after), inserted.count > after.count
      else { return false }
      return inserted.hasPrefix(after)
        || winner.kind == .insertion
          && inserted.dropLast(inserted.last == .newline ? 1 : 0).hasSuffix(after)
    }
  }

  /// The key Paste went to the host: text may have been pasted over text of which as much is shown.
  static var mayHidePaste: Self { Self { pair, _ in pair.evidence.key == .paste } }

  /// A shortcut went to the host that is none of those the session is told by name: it may edit, as one that deletes the
  /// line does, and the next line is shown.
  static var wasOtherShortcut: Self {
    Self { pair, _ in pair.evidence.wasOtherShortcut }
  }

  /// Both windows may show the whole document, of which the winner explains nothing.
  static var mayBeEditedAnywhere: Self {
    Self { pair, winner in
      !winner.action.isPlaced && pair.window == .full && pair.mayShowAll && pair.isShort
    }
  }

  /// One of the two windows shows more at the far end than the other, but no newline there unless all may be shown, and the
  /// old window began at a line's start, or nothing is known before it: a host seldom cuts within a line, so text may have
  /// come or gone.
  static var mayBeEditedFarOff: Self {
    Self { pair, _ in
      if pair.window == .sentence || pair.evidence.keyRulesOut(.exchanged) { return false }
      let (old, new) = (pair.shownOld.before.bytes, pair.shownNew.before.bytes)
      let start = pair.shownRange.lowerBound
      let isLineStart = start == 0 || pair.known.left[start - 1] == .newline
      let beyond = (old.count < new.count ? new : old).prefix(abs(old.count - new.count))
      return isLineStart && !beyond.isEmpty && (pair.window == .full || !beyond.holdsLineBreak)
    }
  }

  /// The new window begins later in the text and shows less left of the caret, or as much from a line's beginning on: no host
  /// that shows so many characters cuts like this, but by chance, so the text's beginning may be gone.
  static var mayLoseBeginning: Self {
    Self { pair, _ in
      guard pair.window == .full, let start = pair.overlaidStart,
        start > pair.known.visible.lowerBound, !pair.evidence.keyRulesOut(.erasedAround)
      else { return false }
      let (old, new) = (pair.old.before.bytes.scalarCount, pair.new.before.bytes.scalarCount)
      return new < old || new == old && pair.known.text.prefix(start).last == .newline
    }
  }

  /// The caret may have gone to a sentence that is remembered, but the same one may come into view by an edit: of 420 such taps
  /// beside which the pair alone names an edit, in five recordings of people's editing, 65 were edits; of 319 to a line, 4.
  static var showsRememberedSentence: Self {
    Self { pair, winner in
      winner.action.isPlaced && pair.window == .sentence && !pair.evidence.keyRulesOut(.exchanged)
    }
  }

  /// `before` is the same in both snapshots, and not blank: if the caret went elsewhere, this is a coincidence.
  ///
  /// Of 51 certain taps through a sentence's or a line's window that were edits, in other editors' own tests, eleven
  /// are not certain for it; of the pairs of typed and recorded texts at most 9 in 10,000.
  static var keepsBefore: Self {
    Self { pair, winner in
      pair.keepsBefore && !winner.action.isPlaced && !pair.old.before.bytes.isWhitespace
        && !pair.evidence.keyRulesOut(.exchanged)
    }
  }

  /// A key that edits text, or a shortcut, which may, went to the host, and the text at the caret is as it was: the
  /// edit is elsewhere, or more than one.
  static var mayHideKeysEdit: Self {
    Self { pair, _ in
      if pair.evidence.wasOtherShortcut { return true }
      return !pair.evidence.keyRulesOut(.exchanged)
        && (pair.evidence.key == .shortcut || pair.evidence.keyBits(for: .nothing) < 0)
    }
  }

  /// A tap to other text may show the same.
  static var mayBeElsewhere: Self {
    Self { pair, winner in
      if pair.evidence.wasEmpty || pair.evidence.isEmptied || pair.evidence.keyRulesOut(.moved) {
        return false
      }
      // An edit far over the caret may be a tap elsewhere.
      if winner.action.isWide(in: pair.known) { return true }
      // So may a change of the selection that is seen through another cut.
      if winner.action.selectsInsertion, winner.isRecutLeft || winner.isRecutRight { return true }
      // An edit that leaves the text next to the caret as it was does not touch the caret.
      if winner.action.leavesCaretText(in: pair.known) { return true }
      // No key leaves the caret before all inserted text.
      if winner.action.inserted.isEmpty, !winner.action.insertedBehind.isEmpty { return true }
      // No single key inserts text and joins an unseen line; another line may begin the same.
      if winner.action.joinsLine, !winner.action.allInserted.isEmpty { return true }
      // A `line` window shows the whole line: what is cut elsewhere may be another line.
      if pair.window == .line, winner.isRecutLeft || winner.isRecutRight { return true }
      return pair.admitsRecut || winner.isDoubted || !winner.keepsEnough(in: pair)
        || pair.showsNextLine(with: winner)
    }
  }

  /// One insertion or deletion, anywhere, leads from the old text to the new one.
  static var mayHideOneEdit: Self {
    Self { pair, winner in
      !winner.action.isPlaced && !pair.keepsText && !pair.evidence.keyRulesOut(.exchanged)
        && pair.old.all.isOneEdit(from: pair.new.all)
    }
  }

  /// Both windows may show the whole document, and the new one shows more or less at an end than the winner's edit leaves
  /// there: text at the far end went or came as well.
  ///
  /// Words that come or go there are no sign of that, for some hosts cut between words, unless they are as long as what
  /// the edit puts in or takes: then it may have moved them.
  static var mayBeEditedWhole: Self {
    Self { pair, winner in
      guard pair.mayShowAll, pair.isShort, winner.action.isPlaced, !winner.action.joinsLine,
        !pair.evidence.keyRulesOut(.exchanged)
      else { return false }
      // A paragraph's window shows nothing below the caret's line: with a newline in sight it is not the whole document.
      if pair.window != .full, pair.shownOld.holdsLineBreak || pair.shownNew.holdsLineBreak {
        return false
      }
      let (left, right) = (winner.action.left(in: pair.known), winner.action.right(in: pair.known))
      let (newLeft, newRight) = (Joined(pair.new.before.bytes), Joined(pair.new.after.bytes))
      let come = winner.action.allInserted.count
      let gone = winner.action.removed(from: pair.known).count
      // Whether `more`, which one of the two windows shows at an end beyond the other, is no words alone; `edge` is its
      // byte next to the rest.
      func isNoWord(_ more: Joined, next edge: UInt8?) -> Bool {
        guard let edge else { return false }
        return !edge.isWhitespace || more.count == come || more.count == gone
      }
      let moreLeft =
        left.count > newLeft.count
        ? left.dropLast(newLeft.count) : newLeft.dropLast(left.count)
      let moreRight =
        right.count > newRight.count
        ? right.dropFirst(newRight.count) : newRight.dropFirst(right.count)
      return isNoWord(moreLeft, next: moreLeft.last) || isNoWord(moreRight, next: moreRight.first)
    }
  }

  /// The text next to the caret is as it was, and some farther left is gone: an indentation, one end of a pair.
  static var mayBeErasedFartherLeft: Self {
    Self { pair, winner in winner.action.editsFartherLeft(in: pair, isDeletion: true) }
  }

  /// The text next to the caret is as it was, and some farther left came: an indentation, one end of a pair.
  static var mayBeInsertedFartherLeft: Self {
    Self { pair, winner in winner.action.editsFartherLeft(in: pair, isDeletion: false) }
  }
}

extension Pair {
  /// Whether the texts of the two windows, blanks left out, are one edit apart: a field that groups what it holds, as
  /// the number of a card, moves them.
  fileprivate var isOneEditButForBlanks: Bool {
    guard isShort else { return false }
    return old.all.withoutBlanks.withBytes { old in
      new.all.withoutBlanks.withBytes { Joined(old).isOneEdit(from: Joined($0)) }
    }
  }

  /// Whether one of the two selections holds the other, and more.
  fileprivate var selectsMoreOrLess: Bool {
    let (old, new) = (old.selected.bytes, new.selected.bytes)
    let (part, whole) = old.count < new.count ? (old, new) : (new, old)
    return part.count < whole.count && KeptScalars.areEnough(endOf: part)
      && Joined(whole).holds(part)
  }

  /// Whether the new line of `winner` may be an empty line that stood below: `a|⏎⏎b` → `a⏎|⏎b`.
  fileprivate func showsNextLine(with winner: Hypothesis) -> Bool {
    guard window == .paragraph, winner.action.inserted == .newline, new.after.isEmpty
    else { return false }
    let right = known.right
    if right.isEmpty { return known.rightEdge != .document }
    return right.first == .newline && (right.count == 1 || right[1] == .newline)
  }
}

extension Joined {
  /// Whether one insertion or deletion at most leads from this to `other` or back, and both have more than one scalar.
  fileprivate func isOneEdit(from other: Joined) -> Bool {
    edit(to: other) != .replacement && (count < other.count ? self : other).scalarCount > 1
  }

  /// The text without its blanks.
  fileprivate var withoutBlanks: [UInt8] { contiguous.filter { !$0.isBlank } }
}

extension Fields {
  /// Whether the caret's line is the same in `new`, and a line beside it is on its other side there.
  fileprivate func movesLine(in new: Fields) -> Bool {
    guard selected.isEmpty, new.selected.isEmpty,
      before.bytes.lastLine == new.before.bytes.lastLine,
      after.bytes.firstLine == new.after.bytes.firstLine
    else { return false }
    func isSame(_ line: Bytes?, _ other: Bytes?) -> Bool {
      guard let line, let other else { return false }
      return line == other && !line.isWhitespace
    }
    return isSame(lineBelow, new.lineAbove) || isSame(lineAbove, new.lineBelow)
  }

  /// Whether a newline is shown.
  fileprivate var holdsLineBreak: Bool {
    before.bytes.holdsLineBreak || selected.bytes.holdsLineBreak || after.bytes.holdsLineBreak
  }
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
}
