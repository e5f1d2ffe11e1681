// When a pair may be an undo or a redo, or what was taken for one may be another edit.

extension LookAlike.Condition {
  /// Another undo of a series, or one by a shortcut, may select any text.
  static var mayBeRetracedSelection: Self {
    Self { pair, _ in
      pair.known.isRemembered && pair.admitsUndo
        && (pair.evidence.last.retracing != nil || pair.evidence.mayRetrace)
    }
  }

  /// An undo or redo by a shortcut may show any text.
  static var mayBeShortcut: Self {
    Self { pair, _ in pair.known.isRemembered && pair.evidence.mayRetrace }
  }

  /// Several acts at once, or an unknown undo, may remove any text.
  static var mayBeUnknownRemoval: Self {
    Self { pair, winner in
      // One character may have been typed over a selection.
      pair.known.isRemembered && !winner.action.inserted.isOneGrapheme
        && (winner.action.removedLeft > 0 && winner.action.removedRight > 0
          || Measured.unpredicted > winner.weight + Measured.coincidence)
    }
  }

  /// Another undo of a series may show any text.
  static var mayGoOnRetracing: Self {
    Self { pair, winner in
      // After a certain undo the history tells what the next one shows.
      pair.evidence.last.mayBeRetraced && pair.known.isRemembered && !pair.isOneKey
        && (winner.way == nil || pair.evidence.last.retracing == nil)
        && pair.admitsUndo
    }
  }

  /// The undo of an edit that the caret has left shows another place, as a tap does: of 20 such taps in
  /// toolkits that were certain, 3 were undos; of 67 through a sentence's window, none.
  static var mayUndoElsewhere: Self {
    Self { pair, _ in pair.evidence.hasLeftEdit && pair.admitsUndo && pair.window != .sentence }
  }

  /// Erased text is back: of 35 states that came back after one character was erased 19 came by undo.
  static var mayUndoErasure: Self {
    Self { pair, _ in
      pair.evidence.returnsBeforeEdit && pair.admitsUndo
        && (pair.evidence.last.kind == .deletion || pair.evidence.last.isDoubted)
    }
  }

  /// One more character of what was typed is gone, after a deletion that may have been the undo of a single edit.
  static var mayGoOnUndoing: Self {
    Self { pair, winner in
      let (before, erased) = (pair.old.before.bytes, winner.action.removedLeft)
      return pair.known.mayBeUndoing && pair.evidence.last.kind == .deletion
        && pair.evidence.last.namesRetraced && pair.admitsUndo
        && winner.action.inserted.isEmpty && winner.action.removedRight == 0
        && erased <= before.count && before.suffix(erased).isOneGrapheme
    }
  }

  /// The last act was a tap, or else an edit, and the snapshot before it is back: 21 times in editors' own tests,
  /// where all of them took an edit back, and all were certain taps.
  static var mayUndoDoubted: Self {
    Self { pair, _ in
      let last = pair.evidence.last
      return pair.evidence.takesLastBack && last.isDoubted
        && (last.kind == .outOfRangeTap || last.kind.changesText)
        && pair.admitsUndo && pair.evidence.key != .caret
    }
  }

  /// The last edit, which may have been an undo, is reversed: of 13 times, 5 were redos.
  static var mayRedo: Self {
    Self { pair, _ in
      pair.evidence.returning?.mayBeRedo ?? false && pair.admitsUndo
        && pair.evidence.key != .undo
    }
  }

  /// This redo may reverse an edit rather than an undo: then it is that edit's undo.
  static var mayUndo: Self {
    Self { pair, _ in pair.evidence.returning?.isDoubted ?? false && pair.admitsUndo }
  }

  /// The undo, or redo, before this redo may have been an edit: then this may be another that repeats an old one.
  static var followsDoubtedUndo: Self {
    Self { pair, _ in
      pair.evidence.last.retracing != nil && pair.evidence.last.isDoubted
        && !pair.evidence.keyRetraces
    }
  }

  /// Right after text came, more comes behind it, and no snapshot that was seen is back, as where a selection does not
  /// come back that was typed over: the word may have been completed.
  static var mayBeCompletedOn: Self {
    Self { pair, _ in
      (pair.evidence.last.kind == .insertion || pair.evidence.last.kind == .replacement)
        && pair.evidence.returning == nil && pair.gone.isEmpty && pair.come.isLongerThanAGrapheme
        && pair.keepsAfter && pair.selectsNothing
        && !pair.evidence.keyRetraces
    }
  }

  /// All that came, or went, is several blanks left of the caret: editors indent a line, and take that back, by themselves.
  static var mayBeIndented: Self {
    Self { pair, _ in
      let (gone, come) = (pair.gone, pair.come)
      let blanks = gone.isEmpty ? come : gone
      return (gone.isEmpty || come.isEmpty) && blanks.isLongerThanAGrapheme
        && blanks.leadingBlanks == blanks.count && pair.keepsAfter && pair.selectsNothing
        && !pair.evidence.keyRetraces
    }
  }

  /// The snapshot before the last edit is back, and text left of the caret is gone: a host that puts more than what was
  /// typed, as a form does that groups digits, takes it back for one Backspace.
  static var mayBeErasedBack: Self {
    Self { pair, _ in
      pair.evidence.returnsBeforeEdit && pair.evidence.last.kind.changesText
        && !pair.keepsAfter && pair.come.isEmpty && !pair.gone.isEmpty && pair.selectsNothing
        && !pair.evidence.keyRulesOut(.erasedLeft)
    }
  }

  /// A snapshot seen lately is back, and the same text is still selected: with one and the same key editors put a mark of a
  /// comment, or indentation, before the selected lines and take it away.
  static var mayToggleAround: Self {
    Self { pair, _ in
      pair.evidence.returning != nil && !pair.evidence.keyRetraces && !pair.old.selected.isEmpty
        && pair.old.selected.bytes == pair.new.selected.bytes
    }
  }

  /// A host may show an undo as two states: first the text, then the caret.
  static var mayBeHalfRetraced: Self {
    Self { pair, _ in
      pair.window == .line
        && (pair.evidence.mayRetrace
          || pair.evidence.last.retracing != nil && pair.evidence.key.mayBeNone)
    }
  }

  /// No history leads to the new state, and a shortcut went to the host, of which nothing says which, or a key for a redo: in
  /// Emacs, in shells and in macOS the same key inserts what was cut last.
  static var isUnknownShortcut: Self {
    Self { pair, winner in
      winner.way == nil
        && (pair.evidence.key == .shortcut || winner.kind == .redo && pair.evidence.key == .redo)
    }
  }

  /// A shortcut went to the host, nothing says which, and all that it undoes is text next to the caret, on one side:
  /// hosts have shortcuts that erase a word, or up to the line's start or end.
  static var mayEraseByShortcut: Self {
    Self { pair, winner in
      winner.way != nil && pair.evidence.key == .shortcut
        && (pair.erasesOneSide || pair.erasesOverLineStart)
    }
  }

  /// An undo takes text away left of the caret, as the one before it did, which may have been an erasure: words may be
  /// erased one after the other.
  static var mayGoOnErasing: Self {
    Self { pair, _ in
      pair.evidence.last.retracing == .undo && pair.evidence.last.namesDeletion
        && !pair.gone.isEmpty && pair.come.isEmpty && pair.keepsAfter && pair.selectsNothing
        && !pair.evidence.keyRulesOut(.erasedLeft)
    }
  }

  /// Text, which may have been selected, is exchanged for other text, as it was lately, by an input method that takes a
  /// conversion back or goes on to its next candidate, or by an undo in the host: where no key is known a word for its
  /// spelling, or the other way round; where none went to the host any text.
  static var takesConversionBack: Self {
    Self { pair, _ in
      let gone = pair.old.selected.isEmpty ? pair.gone : pair.old.selected.bytes
      let come = pair.new.selected.isEmpty ? pair.come : pair.new.selected.bytes
      guard pair.evidence.key.mayBeNone, pair.evidence.returning != nil, pair.keepsAfter,
        !pair.editsComposition, !gone.isEmpty, !come.isEmpty
      else { return false }
      return pair.evidence.key == .unpressed
        || pair.new.selected.isEmpty && (come.converts(to: gone) || gone.converts(to: come))
    }
  }
}

extension Pair {
  /// Whether text next to the caret on one side is gone, no line break with it, and nothing else.
  fileprivate var erasesOneSide: Bool {
    guard selectsNothing else { return false }
    if keepsAfter { return come.isEmpty && !gone.isEmpty && !gone.holdsLineBreak }
    let erased = old.after.bytes.dropLast(atMost: new.after.bytes.count)
    return keepsBefore && !erased.isEmpty && !erased.holdsLineBreak
      && old.after.bytes.hasSuffix(new.after.bytes)
  }

  /// Whether, from a line's start, the newline and text before it are gone, and nothing else.
  fileprivate var erasesOverLineStart: Bool {
    guard selectsNothing, keepsAfter else { return false }
    return window == .line
      ? old.before.isEmpty && !new.before.isEmpty : come.isEmpty && gone.last == .newline
  }

  /// Whether the key, if one is known, may undo or redo.
  var admitsUndo: Bool { !evidence.keyRulesOut(.undone) }
}
