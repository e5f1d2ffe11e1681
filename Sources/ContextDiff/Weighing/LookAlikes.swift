/// What a pair may be beside what was found, and where no engine can tell.
///
/// It is no coincidence, however little it weighs: the snapshots say nothing of it.
struct LookAlike: Sendable {
  /// What it may be.
  enum Other {
    case kind(Kind)
    /// An undo, or a redo, of what is not known; a tap where the key rules that out, or that was found.
    case retraced
    /// The likeliest edit by keys that agrees.
    case edit
  }

  /// Where it may be that.
  enum Condition {
    case always
    /// Several acts may lie between, the key hardly ever does what was found, or the caret would stand elsewhere.
    case isDoubtedByEvidence
    /// One more undo may select what it likes.
    case mayBeRetracedSelection
    /// A shortcut may show any text.
    case mayBeShortcut
    /// Several acts at once, or an undo of what is not known, may take any text away.
    case mayBeUnknownRemoval
    /// Undoing may go on, which shows any text.
    case mayGoOnRetracing
    /// To take back an edit that the caret has left shows another place, as a tap does: of 20 such taps in
    /// toolkits that were certain, 3 were undos; of 67 through a sentence's window none.
    case mayTakeBackElsewhere
    /// What was erased comes back: of 35 times that a state came back after one character was, 19 were undos.
    case mayTakeErasureBack
    /// What was done last, and may have been an undo, is taken back: of 13 times, 5 were redos.
    case mayDoAgain
    /// What is done again may never have been undone: then an edit is taken back.
    case mayTakeBack
    /// The state comes back that was left by what may have been an edit.
    case mayTakeBackDoubted
    /// Other text is shown where the caret stood at the document's end, or where all there is may be in view.
    case contradictsAnEnd
    /// A host may show an undo as two states: the text, and then the caret.
    case mayBeHalfRetraced
    /// Text in common need not have been there: somebody else's edit, or two acts at once, leave it, too.
    case mayHideEdit
    /// The same text is shown, but null for an empty one, or the other way round.
    case differsInNullAlone
    /// It leads into a field of which nothing was seen.
    case comesFromNothing
    /// It joins a line of which null was shown.
    case joinsUnseen
    /// What went may have been selected, out of sight.
    case mayHaveBeenSelected
    /// What was gone to may be selected, out of sight.
    case mayBeSelected
    /// A selection goes between a line's start and the rest, as it does where Return takes its place.
    case mayBreakLine
    /// Text comes at a line's start, as it does where the line above is joined.
    case mayJoinUnseen
    /// The caret stood on an empty line, and stands at an end of one: the break between the two erased joins them.
    case mayJoinLineBeside
    /// It begins with a line break that is selected as it comes.
    case selectsLineBreak
    /// All that was shown is one character, which may have been erased.
    case mayBeErased
    /// A window that began with a line begins elsewhere in it: text may have come there, or gone.
    case mayBeEditedFarOff
    /// No history leads there, and of the shortcut nobody says which it was.
    case isUnknownShortcut
    /// What was selected is selected in another place: it may have been dropped there.
    case mayBeDropped
    /// Other text may read alike.
    case mayBeElsewhere
  }

  /// What was found.
  let found: KindSet
  let other: Other
  let condition: Condition
  /// Whether it is named only where nothing else is, for what was found is not certain.
  let isLast: Bool

  /// All of them; those that are named last come first, for what is named behind them says more.
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

  /// For each kind, by its slot, those that it was found for.
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
  /// `named`, and what no engine can tell from `winner`.
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
      let kind = pair.told.retracedKind
      if !pair.mayBeRetraced { return .outOfRangeTap }
      return kind != winner.kind ? kind : kind == .undo ? .redo : .undo
    case .edit:
      let edits = Kind.allCases.filter { $0.isPlainEdit && agreed.contains(KindSet($0)) }
      return edits.max { weights[$0.slot] < weights[$1.slot] }
    }
  }
}

// MARK: - The conditions

extension Pair {
  /// Whether `condition` is so where `winner` was found.
  fileprivate func shows(_ condition: LookAlike.Condition, _ winner: Hypothesis) -> Bool {
    switch condition {
    case .always: return true
    case .isDoubtedByEvidence:
      return told.isMerged || told.hardlyDoes(winner) || told.misplaces(winner, in: known)
    case .mayBeRetracedSelection:
      return mayBeUnknown(beside: winner) && mayBeRetraced
        && (told.retracing != nil || told.mayRetrace)
    case .mayBeShortcut: return mayBeUnknown(beside: winner) && told.mayRetrace
    case .mayBeUnknownRemoval:
      // A key may type over what is selected.
      return mayBeUnknown(beside: winner) && !winner.action.inserted.isOneGrapheme
        && (winner.action.removedLeft > 0 && winner.action.removedRight > 0
          || Measured.unpredicted > winner.weight + Measured.coincidence)
    case .mayGoOnRetracing:
      // Of what is known to have been undone the history tells.
      return told.mayBeRetracing && known.isRemembered && !isOneKey
        && (winner.way == nil || told.retracing == nil)
        && told.mayHaveRetraced
    case .mayTakeBackElsewhere:
      return told.hasLeftEdit && told.mayHaveRetraced && window != .sentence
    case .mayTakeErasureBack:
      guard let way = told.returning, !way.reverses, told.mayHaveRetraced else { return false }
      return way.last.kind == .deletion || way.last.isDoubted
    case .mayDoAgain:
      guard let way = told.returning, !way.reverses else { return false }
      return way.last.namesRetraced && told.mayHaveRetraced && told.key != .undo
    case .mayTakeBack:
      return told.returning?.isDoubted ?? false && mayBeRetraced
    case .mayTakeBackDoubted: return told.returnsFromDoubt && told.mayHaveRetraced
    case .mayBeHalfRetraced:
      return window == .line
        && (told.mayRetrace || told.retracing != nil && (told.key == nil || told.key == Key.none))
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
      return told.hidesSelection && !told.knowsPasteboard && winner.action.isPlaced
        && !joinsUnseen(winner.action) && !(told.key?.hardlyCuts ?? false)
        && winner.action.takesMoreThanAKey(in: known)
    case .mayBeSelected:
      return told.hidesSelection && !(told.key?.rulesOut(.selected) ?? false)
    case .mayBreakLine:
      return known.isRemembered && (window == .line || window == .full) && old.before.isEmpty
        && new.before.isEmpty && winner.action.removesSelection && told.key == nil
        && !told.isEmptied
    case .mayJoinUnseen:
      return window == .line && old.before.isEmpty && told.key == nil
        && winner.action.inserted.isLongerThanAGrapheme
    case .mayJoinLineBeside:
      guard window != .sentence, window != .paragraph, old.isBlank, new.selected.isEmpty,
        !known.isAllEmpty
      else { return false }
      let side = new.after.isEmpty ? new.before.bytes : new.after.bytes
      let act: Act = new.after.isEmpty ? .erasedLeft : .erasedRight
      return (new.after.isEmpty || new.before.isEmpty) && !side.holdsLineBreak
        && !(told.key?.rulesOut(act) ?? false)
    case .selectsLineBreak: return winner.action.insertedSelected.first == .newline
    case .mayBeErased:
      return old.selected.isEmpty && old.after.isEmpty && old.before.bytes.isOneGrapheme
    case .mayBeEditedFarOff: return mayBeEditedFarOff
    case .isUnknownShortcut: return winner.way == nil && told.key == .shortcut
    case .mayBeDropped:
      return !winner.action.isPlaced && !old.selected.isEmpty
        && old.selected.bytes == new.selected.bytes && !(told.key?.rulesOut(.textPut) ?? false)
    case .mayBeElsewhere: return mayBeElsewhere(despite: winner)
    }
  }

  /// Whether something that nothing predicts may have shown a session the pair.
  private func mayBeUnknown(beside winner: Hypothesis) -> Bool {
    winner.way == nil && known.isRemembered
  }

  /// Whether text has come, or gone, where the line begins that the old window begins with: a host that cuts its
  /// window far off cuts a line anywhere.
  private var mayBeEditedFarOff: Bool {
    if window == .sentence || told.key?.rulesOut(.exchanged) ?? false { return false }
    let (old, new) = (shownOld.before.bytes, shownNew.before.bytes)
    let start = known.left.count - min(old.count, known.left.count)
    let isLineStart =
      start == 0
      ? known.leftEdge == .document || known.leftEdge == .line
      : known.left[start - 1] == .newline
    let beyond = (old.count < new.count ? new : old).prefix(abs(old.count - new.count))
    return isLineStart && !beyond.isEmpty && !beyond.holdsLineBreak
  }

  /// Whether the key, if there was one, may take back, or do again.
  fileprivate var mayBeRetraced: Bool { told.key.map { !$0.rulesOut(.undone) } ?? true }

  /// Whether `action` joins a line of which null was shown.
  private func joinsUnseen(_ action: Action) -> Bool {
    action.joinsNextLine && !shownOld.after.isShown
  }

  /// Whether a tap to other text may show what `winner` shows.
  private func mayBeElsewhere(despite winner: Hypothesis) -> Bool {
    if told.isEmptied || told.key?.rulesOut(.moved) ?? false { return false }
    // What reaches far over the caret, or needs both sides cut elsewhere, may be something done elsewhere.
    if winner.action.isWide(in: known) || winner.isRecutLeft && winner.isRecutRight { return true }
    // Nor is a change within the selection seen through another cut.
    if winner.action.selectsInsertion, winner.isRecutLeft || winner.isRecutRight { return true }
    // What leaves the text next to the caret as it was is somebody else's edit.
    if winner.action.leavesCaretText(in: known) { return true }
    // No key leaves the caret before all that comes.
    if winner.action.inserted.isEmpty, !winner.action.insertedBehind.isEmpty { return true }
    // No single key puts text in, and joins a line that was not shown; another line may begin alike.
    if winner.action.joinsLine, !winner.action.allInserted.isEmpty { return true }
    // A host of lines shows all of the line: what is cut elsewhere may be another that reads alike.
    if window == .line, winner.isRecutLeft || winner.isRecutRight { return true }
    return admitsRecut || winner.isDoubted || winner.keptScalars(in: self) < KeptScalars.enough
      || showsNextLine(with: winner)
  }

  /// Whether `winner`, the caret or a selection out of sight, leaves text in common that need not have been
  /// there: somebody else's edit, or two acts at once, may show the pair as well.
  private func mayHideEdit(behind winner: Hypothesis) -> Bool {
    if winner.action.isPlaced || winner.way != nil { return false }
    if let key = told.key, key.rulesOut(.exchanged) { return false }
    // One edit anywhere leads from one to the other.
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

  /// Whether the line that `winner` takes to begin here may have been there: empty, and below.
  private func showsNextLine(with winner: Hypothesis) -> Bool {
    guard window == .paragraph, winner.action.inserted == .newline, new.after.isEmpty
    else { return false }
    let right = known.right
    if right.isEmpty { return known.rightEdge != .document }
    return right.first == .newline && (right.count == 1 || right[1] == .newline)
  }
}
