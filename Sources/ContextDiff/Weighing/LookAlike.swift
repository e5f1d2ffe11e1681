/// A kind that looks the same as the winner's, so that the snapshots cannot tell the two apart.
///
/// It is named as an alternative however little it weighs: it is no coincidence.
struct LookAlike: Sendable {
  /// Which kind it is.
  enum Other {
    case kind(Kind)
    /// An undo or redo of an edit that is not remembered, unlike the winner; a tap where the key rules both out.
    case retraced
    /// The likeliest insertion, deletion or replacement that agrees.
    case edit
  }

  /// When the pair may be that kind.
  enum Condition {
    case always
    /// Several acts may lie between the snapshots, the key hardly ever does what the winner says, or the host
    /// reports another caret position.
    case isDoubtedByEvidence
    /// Another undo of a series, or one by a shortcut, may select any text.
    case mayBeRetracedSelection
    /// An undo or redo by a shortcut may show any text.
    case mayBeShortcut
    /// Several acts at once, or an unknown undo, may remove any text.
    case mayBeUnknownRemoval
    /// Another undo of a series may show any text.
    case mayGoOnRetracing
    /// The undo of an edit that the caret has left shows another place, as a tap does: of 20 such taps in
    /// toolkits that were certain, 3 were undos; of 67 through a sentence's window, none.
    case mayUndoElsewhere
    /// Erased text is back: of 35 states that came back after one character was erased 19 came by undo.
    case mayUndoErasure
    /// One more character of what was typed is gone, after a deletion that may have been the undo of a single edit.
    case mayGoOnUndoing
    /// The last act, which may have been an undo, is reversed: of 13 times, 5 were redos.
    case mayRedo
    /// This redo may reverse an edit rather than an undo: then it is that edit's undo.
    case mayUndo
    /// Both snapshots show the same end of the document, or the same place by the host's caret positions, with other
    /// text, or the window may show the whole document.
    case contradictsAnEnd
    /// A host may show an undo as two states: first the text, then the caret.
    case mayBeHalfRetraced
    /// The two snapshots share text, which an edit away from the caret, or two acts at once, would explain, and a tap
    /// or selection elsewhere does not.
    case mayHideEdit
    /// The snapshots differ in nothing but null and `""`.
    case differsInNullAlone
    /// The old snapshot showed nothing at all: the text may have been put in, not gone to.
    case comesFromNothing
    /// The deletion joins a line below of which the old `after`, null, said nothing.
    case joinsUnseen
    /// The deleted text may have been selected unseen.
    case mayHaveBeenSelected
    /// The text where the caret seems to be may be selected unseen.
    case mayBeSelected
    /// The deletion took only a newline beside an empty line, and the caret is at an end of the other line: a caret
    /// that went there shows the same.
    case mayLeaveEmptyLine
    /// A selection at a line's start is gone: Return over it shows the same, `[ab]c` → `|c`.
    case mayBreakLine
    /// The pasted text is one character, as may be typed.
    case mayBeTyped
    /// Text came at a line's start: joining the line above shows the same, `|c` → `ab|c`.
    case mayJoinUnseen
    /// The caret went from an empty line to an end of another line: joining the two shows the same.
    case mayJoinLineBeside
    /// The inserted text is selected and begins with a newline, as a selection over the line's end does.
    case selectsLineBreak
    /// One character was all that was shown: it may have been erased.
    case mayBeErased
    /// The same: it may have been sent.
    case mayBeSent
    /// Nothing is shown now, as in a field that was sent; null and `""` say nothing of a line beside.
    case mayBeCleared
    /// `before` is empty now, no key is known, and the host's window, neither told nor learnt, may show one line: then
    /// Return shows the same.
    case mayBeLineBroken
    /// A shortcut went to the host, nothing says which, and all that was typed in the caret's line is undone: some
    /// hosts have a shortcut that erases up to the line's start.
    case mayEraseLine
    /// The old window began at a line's start, and one of the two shows more at the far end, but no newline there:
    /// text may have come or gone.
    case mayBeEditedFarOff
    /// The new window begins later in the text and shows less left of the caret: no host that shows so many characters
    /// cuts like this, so the text's beginning may be gone.
    case mayLoseBeginning
    /// A shortcut went to the host, nothing says which, and no history leads to the new state.
    case isUnknownShortcut
    /// `before` is the same in both snapshots, and not blank: if the caret went elsewhere, this is a coincidence.
    ///
    /// Of 51 certain taps through a sentence's or a line's window that were edits, in other editors' own tests, eleven
    /// are not certain for it; of the pairs of typed and recorded texts at most 9 in 10,000.
    case keepsBefore
    /// An undo takes text away left of the caret, as the one before it did, which may have been an erasure: words may be
    /// erased one after the other.
    case mayGoOnErasing
    /// A word is exchanged for its spelling, or the spelling for the word, as it was lately: an input method takes a
    /// conversion back, and an undo in the host does.
    case takesConversionBack
    /// One character came, and behind it text that is selected, as an inline completion does: it may be known text, for
    /// what is completed was mostly typed before.
    case mayBeCompleted
    /// A key that edits text, or a shortcut, which may, went to the host, and the text at the caret is as it was: the
    /// edit is elsewhere, or more than one.
    case mayHideKeysEdit
    /// The old selection's text is selected at another place: it may have been dropped there.
    case mayBeDropped
    /// Nothing is shown now, and a newline was next to the caret: the empty line beside it shows the same.
    case mayBeEmptyLineBeside
    /// The host shows nothing of what is composed, no key went to it, and only `after` changed: Firefox leaves the
    /// preedit out of its text by the length of an earlier preedit, and soon puts that right. Of 31 such pairs while
    /// letters came fast, 31.
    case mayBePassing
    /// A tap to other text may show the same.
    case mayBeElsewhere
  }

  /// The kinds of winner that it looks like.
  let found: KindSet
  let other: Other
  let condition: Condition
  /// Whether it is named only where no other alternative is, to say that the winner is not certain.
  let isLast: Bool

  /// All of them; those with `isLast` come first, for the others are named in any case.
  static let table = [
    LookAlike([.selection, .lineSelection], .retraced, .mayBeRetracedSelection, isLast: true),
    LookAlike(
      [.deselection, .lineDeselection, .outOfRangeTap], .retraced, .mayBeShortcut, isLast: true),
    LookAlike([.cut, .deletion, .replacement], .retraced, .mayBeUnknownRemoval, isLast: true),
    LookAlike(
      [.outOfRangeTap, .insertion, .deletion, .replacement, .paste, .cut, .undo, .redo], .retraced,
      .mayGoOnRetracing, isLast: true),
    LookAlike([.outOfRangeTap], .retraced, .mayUndoElsewhere, isLast: true),
    LookAlike([.insertion], .kind(.undo), .mayUndoErasure, isLast: true),
    LookAlike([.deletion], .kind(.undo), .mayGoOnUndoing, isLast: true),
    LookAlike([.undo], .kind(.redo), .mayRedo, isLast: true),
    LookAlike([.redo], .kind(.undo), .mayUndo, isLast: true),
    LookAlike([.cursorMove, .deselection], .retraced, .mayBeHalfRetraced, isLast: true),
    LookAlike(
      [.outOfRangeTap, .selection, .lineSelection], .kind(.replacement), .mayHideEdit, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.replacement), .contradictsAnEnd, isLast: true),
    LookAlike(.except(.outOfRangeTap), .kind(.outOfRangeTap), .isDoubtedByEvidence, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.replacement), .isDoubtedByEvidence, isLast: true),
    LookAlike([.windowShift], .kind(.replacement), .mayBeEditedFarOff, isLast: true),
    LookAlike([.cursorMove, .deselection], .kind(.deletion), .mayLoseBeginning, isLast: true),
    LookAlike([.undo, .redo], .kind(.outOfRangeTap), .isUnknownShortcut, isLast: true),
    LookAlike([.windowShift], .kind(.replacement), .mayHideKeysEdit, isLast: true),
    LookAlike([.selection], .kind(.insertion), .mayBeDropped, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.cursorMove), .mayBeEmptyLineBeside, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.submission), .mayBeCleared, isLast: true),
    LookAlike(.except(.windowShift), .kind(.windowShift), .mayBePassing, isLast: true),
    LookAlike(.except(.windowShift), .kind(.windowShift), .differsInNullAlone),
    LookAlike([.windowShift], .edit, .always),
    LookAlike([.undo, .redo], .edit, .isUnknownShortcut),
    LookAlike([.outOfRangeTap], .edit, .keepsBefore),
    LookAlike([.outOfRangeTap], .kind(.insertion), .comesFromNothing),
    LookAlike([.deletion], .kind(.insertion), .joinsUnseen),
    LookAlike([.deletion], .kind(.cut), .mayHaveBeenSelected),
    LookAlike([.outOfRangeTap], .kind(.selection), .mayBeSelected),
    LookAlike([.cut, .deletion], .kind(.replacement), .mayBreakLine),
    LookAlike([.insertion, .paste], .kind(.deletion), .mayJoinUnseen),
    LookAlike([.paste], .kind(.insertion), .mayBeTyped),
    LookAlike([.outOfRangeTap], .kind(.deletion), .mayJoinLineBeside),
    LookAlike([.deletion], .kind(.cursorMove), .mayLeaveEmptyLine),
    LookAlike([.insertion], .kind(.selection), .selectsLineBreak),
    LookAlike([.submission], .kind(.deletion), .mayBeErased),
    LookAlike([.deletion], .kind(.submission), .mayBeSent),
    LookAlike([.deletion, .submission], .kind(.insertion), .mayBeLineBroken),
    LookAlike([.undo], .kind(.deletion), .mayEraseLine),
    LookAlike([.undo], .kind(.deletion), .mayGoOnErasing),
    LookAlike([.undo, .redo], .kind(.replacement), .takesConversionBack),
    LookAlike([.replacement], .retraced, .takesConversionBack),
    LookAlike([.selection, .undo, .redo], .kind(.insertion), .mayBeCompleted),
    // A selection made elsewhere is a selection, too.
    LookAlike(
      .except(.outOfRangeTap, .selection, .lineSelection), .kind(.outOfRangeTap), .mayBeElsewhere),
  ]

  /// The rows for each kind of winner, by the kind's slot.
  fileprivate static let rows = Kind.allCases.map { kind in
    table.filter { $0.found.contains(KindSet(kind)) }
  }

  private init(_ found: [Kind], _ other: Other, _ condition: Condition, isLast: Bool = false) {
    self.found = KindSet(found.map { KindSet($0) })
    self.other = other
    self.condition = condition
    self.isLast = isLast
  }
}

extension [Kind] {
  fileprivate static func except(_ others: Kind...) -> [Kind] {
    Kind.allCases.filter { !others.contains($0) }
  }
}

extension Contest {
  /// `named`, and the look-alikes of `winner`.
  mutating func withLookAlikes(
    of winner: Hypothesis, for pair: Pair, _ named: KindSet
  ) -> KindSet {
    var named = named
    for row in LookAlike.rows[winner.kind.slot] where !row.isLast || named.isEmpty {
      if row.condition == .mayBeElsewhere, excludesElsewhere { continue }
      if pair.shows(row.condition, winner), let other = other(row.other, than: winner, for: pair) {
        named.insert(KindSet(other))
      }
    }
    return named
  }

  private mutating func other(
    _ other: LookAlike.Other, than winner: Hypothesis, for pair: Pair
  ) -> Kind? {
    switch other {
    case .kind(let kind): return kind
    case .retraced:
      let kind = pair.evidence.retracedKind
      if !pair.keyMayRetrace { return .outOfRangeTap }
      return kind != winner.kind ? kind : kind == .undo ? .redo : .undo
    case .edit:
      let edits = Kind.allCases.filter { $0.isPlainEdit && agreed.contains(KindSet($0)) }
      return edits.max { weights[$0.slot] < weights[$1.slot] }
    }
  }
}
