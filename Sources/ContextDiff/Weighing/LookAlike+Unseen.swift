// When a pair may be another act at the caret, for what the snapshots do not show.

extension LookAlike.Condition {
  /// Whatever the pair shows.
  static var always: Self {
    Self { _, _ in true }
  }

  /// Several acts may lie between the snapshots, the key hardly ever does what the winner says, or the host
  /// reports another caret position.
  static var isDoubtedByEvidence: Self {
    Self { pair, winner in
      pair.evidence.isMerged || pair.evidence.keyHardlyDoes(winner.act)
        || pair.evidence.misplaces(winner, in: pair.known)
    }
  }

  /// The snapshots differ in nothing but null and `""`.
  static var differsInNullAlone: Self {
    Self { pair, _ in pair.differsInNullAlone }
  }

  /// The old snapshot showed nothing at all, and no text was known at the caret: the text may have been put in, not
  /// gone to, or brought back; and what is selected may have come so, unless a caret key selected it.
  static var comesFromNothing: Self {
    Self { pair, winner in
      pair.shownOld.isEmpty && !pair.new.isEmpty && !pair.evidence.keyRetraces
        && (pair.new.selected.isEmpty || pair.evidence.key != .caret)
        && (!winner.action.isPlaced && winner.way == nil || pair.known.text.isEmpty)
    }
  }

  /// The deletion joins a line below of which the old `after`, null, said nothing.
  static var joinsUnseen: Self {
    Self { pair, winner in winner.action.joinsNextLine && !pair.shownOld.after.isShown }
  }

  /// The deleted text may have been selected unseen.
  static var mayHaveBeenSelected: Self {
    Self { pair, winner in
      pair.evidence.hidesSelection && !pair.evidence.knowsPasteboard
        && !pair.evidence.keyHardlyDoes(.cut) && winner.action.takesMoreThanAKey(in: pair.known)
    }
  }

  /// A long text right of the caret is gone, and what is behind it is still there, as no key does: it may be selected, and
  /// the host tell nothing of a long selection.
  static var mayBeSelectedRight: Self {
    Self { pair, winner in
      let action = winner.action
      return pair.old.selected.isEmpty && !pair.new.selected.isShown && !pair.new.after.isEmpty
        && action.removedLeft == 0 && action.allInserted.isEmpty
        && pair.shownNew.selectionShown != true
        && pair.known.right.prefix(action.removedRight).isLonger(thanScalars: Measured.longText)
        && !pair.evidence.keyRulesOut(.selected)
    }
  }

  /// The text where the caret seems to be may be selected unseen.
  static var mayBeSelected: Self {
    Self { pair, _ in pair.evidence.hidesSelection && !pair.evidence.keyRulesOut(.selected) }
  }

  /// A selection at a line's start is gone: Return over it shows the same, `[ab]c` → `|c`.
  static var mayBreakLine: Self {
    Self { pair, winner in
      pair.known.isRemembered && (pair.window == .line || pair.window == .full)
        && pair.old.before.isEmpty
        && pair.new.before.isEmpty && winner.action.removesSelection && pair.evidence.key == nil
        && !pair.evidence.isEmptied
    }
  }

  /// The pasted text is one character, as may be typed.
  static var mayBeTyped: Self {
    Self { pair, winner in
      winner.action.inserted.isOneGrapheme && pair.old.selected.isEmpty
        && !pair.evidence.mayPaste
    }
  }

  /// Text came at a line's start: joining the line above shows the same, `|c` → `ab|c`.
  static var mayJoinUnseen: Self {
    Self { pair, winner in
      // Text that comes to an empty line untyped may be another line's anyway.
      (pair.window == .line || pair.evidence.mayBeLineWindow) && pair.old.before.isEmpty
        && pair.evidence.key == nil && winner.action.inserted.isLongerThanAGrapheme
        && (winner.kind != .paste || !pair.old.after.isEmpty)
    }
  }

  /// The caret went from an empty line to an end of another line: joining the two shows the same.
  static var mayJoinLineBeside: Self {
    Self { pair, _ in
      guard pair.window != .sentence, pair.window != .paragraph, pair.old.isEmpty,
        !pair.known.isAllEmpty
      else { return false }
      let side = pair.new.after.isEmpty ? pair.new.before.bytes : pair.new.after.bytes
      let act: Act = pair.new.after.isEmpty ? .erasedLeft : .erasedRight
      return (pair.new.after.isEmpty || pair.new.before.isEmpty) && !side.holdsLineBreak
        && !pair.evidence.keyRulesOut(act)
    }
  }

  /// The deletion took only a newline beside an empty line, and the caret is at an end of the other line: a caret
  /// that went there shows the same.
  static var mayLeaveEmptyLine: Self {
    Self { pair, winner in
      pair.window == .line && pair.old.isEmpty && !pair.known.isAllEmpty
        && winner.action.takesLineBreak(of: pair.known)
        && !pair.evidence.keyRulesOut(.moved)
    }
  }

  /// The inserted text is selected and begins with a newline, as a selection over the line's end does.
  static var selectsLineBreak: Self {
    Self { _, winner in winner.action.insertedSelected.first == .newline }
  }

  /// One character was all that was shown, or text on both sides of the caret, or a key went to the host by which editors
  /// erase, and seldom send: it may have been erased, text on both sides by a command that takes a whole line, or what is in
  /// brackets.
  static var mayBeErased: Self {
    Self { pair, _ in
      let key = pair.evidence.key
      // By a character: editors make a list of a line that a blank follows, and take its mark away.
      return key == .character || key == .shortcut || key.erases || pair.showedOneGrapheme
        || pair.known.isAlone && pair.old.selected.isEmpty && !pair.old.before.isEmpty
          && !pair.old.after.isEmpty
          && !pair.evidence.keyRulesOut(.erasedAround)
    }
  }

  /// One character was all that was shown: it may have been sent.
  static var mayBeSent: Self {
    Self { pair, _ in
      pair.showedOneGrapheme && pair.shownNew.isEmpty && pair.new.hasText != true
        && pair.evidence.key == nil
    }
  }

  /// Nothing is shown now, as in a field that was sent; null and `""` say nothing of a line beside.
  static var mayBeCleared: Self {
    Self { pair, winner in
      pair.shownNew.isEmpty && !pair.old.isEmpty && pair.new.hasText != true
        && !winner.action.isPlaced
        && !pair.evidence.keyRulesOut(.sent)
    }
  }

  /// The same is shown right of the caret as before, behind one newline more, as some commands of editors insert it; in a window
  /// of lines, all of the line's rest may have been erased as well, and the next line be the same.
  static var breaksLineBehind: Self {
    Self { pair, _ in
      let (old, new) = (pair.shownOld, pair.shownNew)
      return pair.keepsBefore && pair.selectsNothing
        && new.after.bytes.count == old.after.bytes.count + 1
        && new.after.bytes.hasPrefix(.newline) && new.after.bytes.hasSuffix(old.after.bytes)
        && !pair.evidence.keyRulesOut(.exchanged)
    }
  }

  /// All that is shown now is a mark without width or, after Return, a newline right of the caret, as some hosts show in a
  /// field without text.
  static var mayBeClearedToMark: Self {
    Self { pair, _ in
      let (new, key) = (pair.shownNew, pair.evidence.key)
      guard
        new.isMarkWithoutWidth && key ?? .return == .return
          || new.isNewline && new.before.isEmpty && key == .return,
        new.selected.isEmpty
      else { return false }
      return pair.old.all.contiguous.withBytes(\.isLongerThanAGrapheme)
    }
  }

  /// `before` is empty now, no key but Return is known, and the host's window, neither told nor learnt, may show one line:
  /// then Return shows the same.
  static var mayBeLineBroken: Self {
    Self { pair, _ in
      pair.evidence.mayBeLineWindow && pair.evidence.key ?? .return == .return
        && pair.old.selected.isEmpty
        && !pair.old.before.isEmpty && pair.new.before.isEmpty
        && pair.old.after.bytes == pair.new.after.bytes
    }
  }

  /// One character came, and behind it text that is selected, as an inline completion does: it may be known text, for
  /// what is completed was mostly typed before.
  static var mayBeCompleted: Self {
    Self { pair, _ in
      pair.old.selected.isEmpty && !pair.new.selected.isEmpty && !pair.keepsText && pair.keepsAfter
        && pair.gone.isEmpty && pair.come.isOneGrapheme && !pair.evidence.keyRulesOut(.textPut)
    }
  }

  /// The caret is at the end of an earlier line that was shown, where erasing the lines below shows the same: of 76 such pairs
  /// in five recordings of people's editing, 7 erased them; of 50 in which but a newline would be gone, 38.
  static var mayEraseLines: Self {
    Self { pair, _ in
      pair.showsLineEnds && pair.come.isEmpty && pair.gone.first == .newline
        && !pair.evidence.keyRulesOut(.erasedLeft)
    }
  }

  /// Lines came behind a line's end, where a caret that went down to the end of a later line shows the same: of 56 such pairs
  /// in five recordings of people's editing, 39 were moves; of 74 in which but a newline and blanks came, none.
  static var mayGoDown: Self {
    Self { pair, _ in
      pair.showsLineEnds && pair.gone.isEmpty && pair.come.first == .newline
        && !pair.come.isLineBreak && !pair.evidence.keyRulesOut(.moved)
    }
  }

  /// The caret is in a later line, like the one it was in up to it: editors put in a line's copy, which shows the same.
  ///
  /// Of 26 such pairs in six recordings of people's editing, 18 were insertions.
  static var mayRepeatLine: Self {
    Self { pair, _ in
      let line = pair.new.before.bytes.lastLine
      return pair.isFartherDown && pair.keepsAfter && !line.isWhitespace
        && line == pair.old.before.bytes.lastLine && !pair.evidence.keyRulesOut(.textPut)
    }
  }

  /// Nothing is shown behind the caret, where text was: rather than that a newline was put in behind the caret, all up to the
  /// line's end may be gone.
  static var mayExchangeLineEnd: Self {
    Self { pair, winner in
      winner.action.insertedBehind.first == .newline && !pair.old.after.isEmpty
        && pair.new.after.isEmpty && !pair.evidence.keyRulesOut(.exchanged)
    }
  }

  /// The old selection's text is selected at another place: it may have been dropped there.
  static var mayBeDropped: Self {
    Self { pair, winner in
      !winner.action.isPlaced && pair.old.selected.bytes == pair.new.selected.bytes
        && !pair.evidence.keyRulesOut(.textPut)
    }
  }

  /// Nothing is shown now, and a newline was next to the caret: the empty line beside it shows the same.
  static var mayBeEmptyLineBeside: Self {
    Self { pair, winner in
      pair.window == .full && pair.new.isEmpty && pair.old.selected.isEmpty
        && !winner.action.isPlaced
        && (pair.old.before.bytes.last == .newline || pair.old.after.bytes.first == .newline)
    }
  }

  /// The host shows nothing of what is composed, no key went to it, and only `after` changed.
  ///
  /// Firefox leaves the preedit out of its text by the length of an earlier preedit, and soon puts that right: of 31 such
  /// pairs while letters came fast, 31.
  static var mayBePassing: Self {
    Self { pair, _ in
      pair.evidence.composition == Composition(before: 0, after: 0)
        && pair.evidence.key.mayBeNone && pair.keepsBefore && !pair.keepsAfter
    }
  }
}

extension Pair {
  /// Whether a host that shows the text before the caret up to a length, and the text behind it up to the line's end, shows
  /// the caret at a line's end both times.
  fileprivate var showsLineEnds: Bool {
    window == .paragraph && selectsNothing && old.after.isEmpty && new.after.isEmpty
  }

  /// Whether the old window showed one grapheme left of the caret, and nothing else.
  fileprivate var showedOneGrapheme: Bool {
    old.selected.isEmpty && old.after.isEmpty && old.before.bytes.isOneGrapheme
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
