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
    case mayTakeBackElsewhere
    /// Erased text is back: of 35 states that came back after one character was erased 19 came by undo.
    case mayTakeErasureBack
    /// The last act, which may have been an undo, is reversed: of 13 times, 5 were redos.
    case mayDoAgain
    /// What this redo reverses may have been no undo but an edit: then this is its undo.
    case mayTakeBack
    /// The state is back that was left by a tap which may have been an edit: then this is its undo.
    case mayTakeBackDoubted
    /// Both snapshots show the same end of the document with other text, or the window may show the whole document.
    case contradictsAnEnd
    /// A host may show an undo as two states: first the text, then the caret.
    case mayBeHalfRetraced
    /// The two snapshots share text, which a tap or selection elsewhere does not explain: an edit away from the
    /// caret, or two acts at once, do.
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
    /// A selection at a line's start is gone: Return over it shows the same, `[ab]c` → `|c`.
    case mayBreakLine
    /// Text came at a line's start: joining the line above shows the same, `|c` → `ab|c`.
    case mayJoinUnseen
    /// The caret went from an empty line to an end of another line: joining the two shows the same.
    case mayJoinLineBeside
    /// The inserted text is selected and begins with a newline, as a selection over the line's end does.
    case selectsLineBreak
    /// One character was all that was shown: it may have been erased.
    case mayBeErased
    /// The old window began at a line's start, and the new one does not, or begins earlier: text may have come or
    /// gone there.
    case mayBeEditedFarOff
    /// A shortcut went to the host, nothing says which, and no history leads to the new state.
    case isUnknownShortcut
    /// The old selection's text is selected at another place: it may have been dropped there.
    case mayBeDropped
    /// A tap to other text may show the same.
    case mayBeElsewhere
  }

  /// The kinds of winner that it looks like.
  let found: KindSet
  let other: Other
  let condition: Condition
  /// Whether it is named only where no other alternative is, to say that the winner is not certain.
  let isLast: Bool

  /// All of them, those with `isLast` before the others, which would keep them from being named.
  static let table = [
    LookAlike([.selection, .lineSelection], .retraced, .mayBeRetracedSelection, isLast: true),
    LookAlike(
      [.deselection, .lineDeselection, .outOfRangeTap], .retraced, .mayBeShortcut, isLast: true),
    LookAlike([.cut, .deletion, .replacement], .retraced, .mayBeUnknownRemoval, isLast: true),
    LookAlike(
      [.outOfRangeTap, .insertion, .deletion, .replacement, .paste, .cut, .undo, .redo], .retraced,
      .mayGoOnRetracing, isLast: true),
    LookAlike([.outOfRangeTap], .retraced, .mayTakeBackElsewhere, isLast: true),
    LookAlike([.insertion], .kind(.undo), .mayTakeErasureBack, isLast: true),
    LookAlike([.undo], .kind(.redo), .mayDoAgain, isLast: true),
    LookAlike([.redo], .kind(.undo), .mayTakeBack, isLast: true),
    LookAlike([.outOfRangeTap], .retraced, .mayTakeBackDoubted, isLast: true),
    LookAlike([.cursorMove, .deselection], .retraced, .mayBeHalfRetraced, isLast: true),
    LookAlike(
      [.outOfRangeTap, .selection, .lineSelection], .kind(.replacement), .mayHideEdit, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.replacement), .contradictsAnEnd, isLast: true),
    LookAlike(.except(.outOfRangeTap), .kind(.outOfRangeTap), .isDoubtedByEvidence, isLast: true),
    LookAlike([.outOfRangeTap], .kind(.replacement), .isDoubtedByEvidence, isLast: true),
    LookAlike([.windowShift], .kind(.replacement), .mayBeEditedFarOff, isLast: true),
    LookAlike([.undo, .redo], .kind(.outOfRangeTap), .isUnknownShortcut, isLast: true),
    LookAlike([.selection], .kind(.insertion), .mayBeDropped, isLast: true),
    LookAlike(.except(.windowShift), .kind(.windowShift), .differsInNullAlone),
    LookAlike([.windowShift], .edit, .always),
    LookAlike([.outOfRangeTap], .kind(.insertion), .comesFromNothing),
    LookAlike([.deletion], .kind(.insertion), .joinsUnseen),
    LookAlike([.deletion], .kind(.cut), .mayHaveBeenSelected),
    LookAlike([.outOfRangeTap], .kind(.selection), .mayBeSelected),
    LookAlike([.cut, .deletion], .kind(.replacement), .mayBreakLine),
    LookAlike([.insertion], .kind(.deletion), .mayJoinUnseen),
    LookAlike([.outOfRangeTap], .kind(.deletion), .mayJoinLineBeside),
    LookAlike([.insertion], .kind(.selection), .selectsLineBreak),
    LookAlike([.submission], .kind(.deletion), .mayBeErased),
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
    of winner: Hypothesis, for pair: borrowing Pair, _ named: KindSet
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
    _ other: LookAlike.Other, than winner: Hypothesis, for pair: borrowing Pair
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

// MARK: - The conditions

extension Pair {
  /// Whether `condition` is met by the pair, of which `winner` is the likeliest hypothesis.
  fileprivate func shows(_ condition: LookAlike.Condition, _ winner: Hypothesis) -> Bool {
    switch condition {
    case .always: return true
    case .isDoubtedByEvidence:
      return evidence.isMerged || evidence.hardlyDoes(winner)
        || evidence.misplaces(winner, in: known)
    case .mayBeRetracedSelection:
      return mayBeUnknown(beside: winner) && keyMayRetrace
        && (evidence.lastRetracing != nil || evidence.mayRetrace)
    case .mayBeShortcut: return mayBeUnknown(beside: winner) && evidence.mayRetrace
    case .mayBeUnknownRemoval:
      // One character may have been typed over a selection.
      return mayBeUnknown(beside: winner) && !winner.action.inserted.isOneGrapheme
        && (winner.action.removedLeft > 0 && winner.action.removedRight > 0
          || Measured.unpredicted > winner.weight + Measured.coincidence)
    case .mayGoOnRetracing:
      // After a certain undo the history tells what the next one shows.
      return evidence.mayBeRetracing && known.isRemembered && !isOneKey
        && (winner.way == nil || evidence.lastRetracing == nil)
        && evidence.mayHaveRetraced
    case .mayTakeBackElsewhere:
      return evidence.hasLeftEdit && evidence.mayHaveRetraced && window != .sentence
    case .mayTakeErasureBack:
      guard let back = evidence.returning, !back.reverses, evidence.mayHaveRetraced else {
        return false
      }
      return back.last.kind == .deletion || back.last.isDoubted
    case .mayDoAgain:
      guard let back = evidence.returning, !back.reverses else { return false }
      return back.last.namesRetraced && evidence.mayHaveRetraced && evidence.key != .undo
    case .mayTakeBack:
      return evidence.returning?.isDoubted ?? false && keyMayRetrace
    case .mayTakeBackDoubted: return evidence.returnsFromDoubt && evidence.mayHaveRetraced
    case .mayBeHalfRetraced:
      return window == .line
        && (evidence.mayRetrace
          || evidence.lastRetracing != nil && (evidence.key == nil || evidence.key == Key.none))
    case .mayHideEdit: return mayHideEdit(behind: winner)
    case .contradictsAnEnd:
      if winner.action.isPlaced { return false }
      return contradictsAnEnd
        || mayShowAll && window == .full
          && max(old.all.count, new.all.count) < WindowBelief.leastCut
    case .differsInNullAlone: return differsInNullAlone
    case .comesFromNothing: return shownOld.isBlank && !winner.action.isPlaced && !new.isBlank
    case .joinsUnseen: return joinsUnseen(winner.action)
    case .mayHaveBeenSelected:
      return evidence.hidesSelection && !evidence.knowsPasteboard && winner.action.isPlaced
        && !joinsUnseen(winner.action) && !(evidence.key?.hardlyCuts ?? false)
        && winner.action.takesMoreThanAKey(in: known)
    case .mayBeSelected:
      return evidence.hidesSelection && !(evidence.key?.rulesOut(.selected) ?? false)
    case .mayBreakLine:
      return known.isRemembered && (window == .line || window == .full) && old.before.isEmpty
        && new.before.isEmpty && winner.action.removesSelection && evidence.key == nil
        && !evidence.isEmptied
    case .mayJoinUnseen:
      return window == .line && old.before.isEmpty && evidence.key == nil
        && winner.action.inserted.isLongerThanAGrapheme
    case .mayJoinLineBeside:
      guard window != .sentence, window != .paragraph, old.isBlank, new.selected.isEmpty,
        !known.isAllEmpty
      else { return false }
      let side = new.after.isEmpty ? new.before.bytes : new.after.bytes
      let act: Act = new.after.isEmpty ? .erasedLeft : .erasedRight
      return (new.after.isEmpty || new.before.isEmpty) && !side.holdsLineBreak
        && !(evidence.key?.rulesOut(act) ?? false)
    case .selectsLineBreak: return winner.action.insertedSelected.first == .newline
    case .mayBeErased:
      return old.selected.isEmpty && old.after.isEmpty && old.before.bytes.isOneGrapheme
    case .mayBeEditedFarOff: return mayBeEditedFarOff
    case .isUnknownShortcut: return winner.way == nil && evidence.key == .shortcut
    case .mayBeDropped:
      return !winner.action.isPlaced && !old.selected.isEmpty
        && old.selected.bytes == new.selected.bytes && !(evidence.key?.rulesOut(.textPut) ?? false)
    case .mayBeElsewhere: return mayBeElsewhere(despite: winner)
    }
  }

  /// Whether an act that nothing predicts may explain the pair: in a session, without a way through a history.
  private func mayBeUnknown(beside winner: Hypothesis) -> Bool {
    winner.way == nil && known.isRemembered
  }

  /// Whether the old window began at a line's start and the new one begins elsewhere in that line: a host seldom
  /// cuts there twice, so text may have come or gone.
  private var mayBeEditedFarOff: Bool {
    if window == .sentence || evidence.key?.rulesOut(.exchanged) ?? false { return false }
    let (old, new) = (shownOld.before.bytes, shownNew.before.bytes)
    let start = known.left.count - min(old.count, known.left.count)
    let isLineStart =
      start == 0
      ? known.leftEdge == .document || known.leftEdge == .line
      : known.left[start - 1] == .newline
    let beyond = (old.count < new.count ? new : old).prefix(abs(old.count - new.count))
    return isLineStart && !beyond.isEmpty && !beyond.holdsLineBreak
  }

  /// Whether the key, if one is known, may undo or redo.
  fileprivate var keyMayRetrace: Bool { evidence.key.map { !$0.rulesOut(.undone) } ?? true }

  /// Whether `action` joins the line below, of which the old `after`, null, said nothing.
  private func joinsUnseen(_ action: Action) -> Bool {
    action.joinsNextLine && !shownOld.after.isShown
  }

  /// Whether a tap to other text may show the same as `winner`.
  private func mayBeElsewhere(despite winner: Hypothesis) -> Bool {
    if evidence.isEmptied || evidence.key?.rulesOut(.moved) ?? false { return false }
    // An edit far over the caret, or one for which both sides are cut anew, may be a tap elsewhere.
    if winner.action.isWide(in: known) || winner.isRecutLeft && winner.isRecutRight { return true }
    // So may a change of the selection seen through another cut.
    if winner.action.selectsInsertion, winner.isRecutLeft || winner.isRecutRight { return true }
    // An edit that leaves the text next to the caret as it was does not touch the caret.
    if winner.action.leavesCaretText(in: known) { return true }
    // No key leaves the caret before all inserted text.
    if winner.action.inserted.isEmpty, !winner.action.insertedBehind.isEmpty { return true }
    // No single key inserts text and joins an unseen line; another line may begin the same.
    if winner.action.joinsLine, !winner.action.allInserted.isEmpty { return true }
    // A `line` window shows the whole line: what is cut elsewhere may be another line.
    if window == .line, winner.isRecutLeft || winner.isRecutRight { return true }
    return admitsRecut || winner.isDoubted || winner.keptScalars(in: self) < KeptScalars.enough
      || showsNextLine(with: winner)
  }

  /// Whether `winner`, a caret or selection elsewhere, does not explain why the two snapshots share text: an edit
  /// away from the caret, or two acts at once, do.
  private func mayHideEdit(behind winner: Hypothesis) -> Bool {
    if winner.action.isPlaced || winner.way != nil { return false }
    if let key = evidence.key, key.rulesOut(.exchanged) { return false }
    // One insertion or deletion anywhere leads from one to the other.
    let shorter = old.all.count < new.all.count ? old.all : new.all
    let ends = old.all.commonEnds(new.all)
    if ends.start + ends.end == shorter.count, shorter.scalarCount > 1 { return true }
    let (left, newLeft) = (old.before.bytes, new.before.bytes)
    let (right, newRight) = (old.after.bytes, new.after.bytes)
    let atCaret =
      KeptScalars.count(endOf: left.suffix(left.commonSuffix(newLeft)))
      + KeptScalars.count(startOf: right.prefix(right.commonPrefix(newRight)))
    let atEnds =
      KeptScalars.count(startOf: left.prefix(left.commonPrefix(newLeft)))
      + KeptScalars.count(endOf: right.suffix(right.commonSuffix(newRight)))
    return atCaret >= KeptScalars.enough || atEnds >= KeptScalars.enough
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
