/// A kind that looks the same as the winner's, so that the snapshots cannot tell the two apart.
///
/// It is named as an alternative however little it weighs: it is no coincidence.
struct LookAlike: Sendable {
  /// Which kind it is.
  enum Other {
    case kind(Kind)
    /// A tap to other text, unless the contest rules it out.
    case elsewhere
    /// An undo or redo of an edit that is not remembered, unlike the winner; where the key rules both out, a tap, unless
    /// that is ruled out as well.
    case retraced
    /// The likeliest insertion, deletion or replacement that agrees.
    case edit
    /// The same, unless it were a coincidence beside a tap to text that is not remembered.
    case editBesideUnseen
    /// The insertion, deletion or replacement that, made anywhere, makes of the text that was shown the text that is.
    case editAnywhere
  }

  /// When the pair may be that kind.
  struct Condition: Sendable {
    /// The name of the static member that makes it.
    let name: String
    /// Whether it is met by a pair, of which a hypothesis is the likeliest.
    let isMet: @Sendable (Pair, Hypothesis) -> Bool

    init(name: String = #function, isMet: @escaping @Sendable (Pair, Hypothesis) -> Bool) {
      self.name = name
      self.isMet = isMet
    }
  }

  /// The kinds of winner that it looks like.
  let found: KindSet
  let other: Other
  let condition: Condition
  /// Whether it is named only where nothing else is likely enough to be an alternative, to say that the winner is not
  /// certain.
  let isLast: Bool

  /// All of them.
  ///
  /// Rows with `isLast` stand first, so that only what the contest named, or an earlier one of them, silences them; those below
  /// are named in any case.
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
    LookAlike([.redo], .kind(.undo), .mayUndo, isLast: true),
    LookAlike([.cursorMove, .deselection], .retraced, .mayBeHalfRetraced, isLast: true),
    LookAlike(
      [.outOfRangeTap, .selection, .lineSelection], .kind(.replacement), .mayHideEdit, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.replacement), .contradictsAnEnd, isLast: true),
    LookAlike([.outOfRangeTap, .windowShift], .kind(.replacement), .mayMoveLines, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.replacement), .mayRecallLine, isLast: true),
    LookAlike([.insertion, .paste], .kind(.outOfRangeTap), .mayFollowMove, isLast: true),
    LookAlike(
      [.outOfRangeTap, .undo, .redo], .kind(.replacement), .wasOtherShortcut, isLast: true),
    LookAlike(.except(.outOfRangeTap), .kind(.outOfRangeTap), .isDoubtedByEvidence, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.replacement), .isDoubtedByEvidence, isLast: true),
    LookAlike([.cursorMove, .deselection], .kind(.deletion), .mayLoseBeginning, isLast: true),
    LookAlike([.undo, .redo], .kind(.outOfRangeTap), .isUnknownShortcut, isLast: true),
    LookAlike([.windowShift], .kind(.replacement), .mayHideKeysEdit, isLast: true),
    LookAlike([.selection], .kind(.insertion), .mayBeDropped, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.cursorMove), .mayBeEmptyLineBeside, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.submission), .mayBeCleared, isLast: true),
    LookAlike(.except(.windowShift), .kind(.windowShift), .mayBePassing, isLast: true),
    LookAlike(.except(.windowShift), .kind(.windowShift), .differsInNullAlone),
    LookAlike([.insertion, .deletion, .replacement], .editAnywhere, .mayBeEditedWhole),
    LookAlike([.windowShift], .editAnywhere, .mayBeEditedFarOff),
    LookAlike([.replacement], .kind(.deletion), .mayBeErasedFartherLeft),
    LookAlike([.replacement], .kind(.insertion), .mayBeInsertedFartherLeft),
    LookAlike([.windowShift], .edit, .always),
    LookAlike([.undo, .redo], .edit, .isUnknownShortcut),
    LookAlike([.undo, .redo], .editAnywhere, .isUnknownShortcut),
    LookAlike([.outOfRangeTap, .deselection], .kind(.replacement), .mayHidePaste),
    LookAlike([.outOfRangeTap], .edit, .keepsBefore),
    LookAlike([.outOfRangeTap], .editBesideUnseen, .showsRememberedSentence),
    LookAlike([.outOfRangeTap], .editAnywhere, .mayHideOneEdit),
    LookAlike([.outOfRangeTap], .editAnywhere, .mayBeEditedAnywhere),
    LookAlike([.outOfRangeTap], .editAnywhere, .mayUndoDoubted),
    LookAlike([.outOfRangeTap], .retraced, .mayUndoDoubted),
    LookAlike(
      [.outOfRangeTap, .selection, .undo, .redo], .kind(.insertion), .comesFromNothing),
    LookAlike([.deletion], .kind(.insertion), .joinsUnseen),
    LookAlike([.insertion, .undo], .kind(.redo), .mayRedo),
    LookAlike([.redo], .edit, .followsDoubtedUndo),
    LookAlike([.undo], .edit, .mayBeCompletedOn),
    LookAlike([.undo, .redo], .edit, .mayBeIndented),
    LookAlike([.undo], .kind(.deletion), .mayBeErasedBack),
    LookAlike([.undo, .redo], .editAnywhere, .mayToggleAround),
    LookAlike([.deletion], .kind(.selection), .mayBeSelectedRight),
    LookAlike([.deletion], .kind(.cut), .mayHaveBeenSelected),
    LookAlike([.outOfRangeTap], .kind(.selection), .mayBeSelected),
    LookAlike([.cut, .deletion], .kind(.replacement), .mayBreakLine),
    LookAlike([.insertion, .paste], .kind(.deletion), .mayJoinUnseen),
    LookAlike([.paste], .kind(.insertion), .mayBeTyped),
    LookAlike([.outOfRangeTap], .kind(.deletion), .mayJoinLineBeside),
    LookAlike([.outOfRangeTap, .windowShift, .deletion], .kind(.insertion), .breaksLineBehind),
    LookAlike([.deletion], .kind(.cursorMove), .mayLeaveEmptyLine),
    LookAlike([.cursorMove], .kind(.deletion), .mayEraseLines),
    LookAlike([.insertion], .elsewhere, .mayGoDown),
    LookAlike([.outOfRangeTap], .kind(.insertion), .mayRepeatLine),
    LookAlike([.insertion], .kind(.replacement), .mayExchangeLineEnd),
    LookAlike([.insertion], .kind(.selection), .selectsLineBreak),
    LookAlike([.submission], .kind(.deletion), .mayBeErased),
    LookAlike([.deletion], .kind(.submission), .mayBeSent),
    LookAlike(
      [.outOfRangeTap, .insertion, .deletion, .replacement, .undo], .kind(.submission),
      .mayBeClearedToMark),
    LookAlike([.deletion, .submission, .undo], .kind(.insertion), .mayBeLineBroken),
    LookAlike([.undo], .kind(.deletion), .mayEraseByShortcut),
    LookAlike([.undo], .kind(.deletion), .mayGoOnErasing),
    LookAlike([.undo, .redo], .kind(.replacement), .takesConversionBack),
    LookAlike([.replacement], .retraced, .takesConversionBack),
    LookAlike([.selection, .undo, .redo], .kind(.insertion), .mayBeCompleted),
    // A selection made elsewhere is a selection, too.
    LookAlike(
      .except(.outOfRangeTap, .selection, .lineSelection), .elsewhere, .mayBeElsewhere),
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
      if row.condition.isMet(pair, winner), let other = other(row.other, than: winner, for: pair) {
        named.insert(KindSet(other))
      }
    }
    return named
  }

  /// The likeliest insertion, deletion or replacement that agrees.
  private var likeliestEdit: Kind? {
    let edits = Kind.allCases.filter { $0.isPlainEdit && agreed.contains(KindSet($0)) }
    return edits.max { weights[$0.slot] < weights[$1.slot] }
  }

  private mutating func other(
    _ other: LookAlike.Other, than winner: Hypothesis, for pair: Pair
  ) -> Kind? {
    switch other {
    case .kind(let kind): return kind
    case .elsewhere: return excludesElsewhere ? nil : .outOfRangeTap
    case .retraced:
      let kind = pair.evidence.retracedKind
      if !pair.admitsUndo {
        return excludesElsewhere || pair.evidence.keyRulesOut(.moved) ? nil : .outOfRangeTap
      }
      return kind != winner.kind ? kind : kind == .undo ? .redo : .undo
    case .edit: return likeliestEdit
    case .editBesideUnseen:
      let bound = ElsewhereReading.hypothesis(for: pair).weight + Measured.coincidence
      return likeliestEdit.flatMap { weights[$0.slot] < bound ? nil : $0 }
    case .editAnywhere:
      let edit = pair.shownOld.all.edit(to: pair.shownNew.all)
      return edit == winner.kind ? nil : edit
    }
  }
}
