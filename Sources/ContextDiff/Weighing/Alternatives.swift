/// What else a pair could be, and whether that is no coincidence.
extension Contest {
  /// What else the pair could be than `winner`, likeliest first; nothing where all of it together
  /// weighs no more than a coincidence.
  ///
  /// A tap elsewhere can show any text. That it shows the text which `winner` keeps weighs `scalar` for
  /// each scalar of that: a coincidence where there is enough of it.
  func alternatives(
    to winner: Hypothesis, for pair: borrowing Pair
  ) -> [Kind] {
    var others = agreed.subtracting(KindSet(familyOf: winner.kind))
    others.remove(KindSet(.outOfRangeTap))
    var named: KindSet = []
    // What is too light by itself to be named, beside the winner, and the heaviest of it.
    var unnamed = 0.0
    var heaviest = -Double.infinity
    var next: KindSet = []
    // Of the array itself each look would be a copy.
    let weights = weights.span
    while let slot = others.popFirstSlot() {
      let behind = weights[slot] - winner.weight
      let kind = KindSet(rawValue: 1 &<< UInt32(slot))
      if behind > Measured.coincidence {
        named.insert(kind)
      } else {
        unnamed += share(ofBits: behind)
        if behind > heaviest { (heaviest, next) = (behind, kind) }
      }
    }
    if named.isEmpty, unnamed > share(ofBits: Measured.coincidence) { named = next }
    // Of several acts at once, nothing is certain, nor of one that the key hardly ever does.
    if named.isEmpty, pair.told.isMerged || pair.told.hardlyDoes(winner) {
      named.insert(KindSet(winner.kind == .outOfRangeTap ? .replacement : .outOfRangeTap))
    }
    if named.isEmpty, let kind = pair.unpredicted(beside: winner) { named.insert(KindSet(kind)) }
    if named.isEmpty, pair.mayHideEdit(behind: winner) { named.insert(KindSet(.replacement)) }
    if pair.differsInNullAlone, winner.kind != .windowShift { named.insert(KindSet(.windowShift)) }
    if let kind = unseen(beside: winner, for: pair) { named.insert(KindSet(kind)) }
    let isNearTap =
      winner.kind != .outOfRangeTap
      && weights[Kind.outOfRangeTap.slot] > winner.weight + Measured.coincidence
    if !excludesElsewhere, isNearTap || pair.mayBeElsewhere(despite: winner) {
      named.insert(KindSet(.outOfRangeTap))
    }
    return ordered(named)
  }

  /// What shows the pair as well as `winner`, and is never a coincidence beside it: it needs text that
  /// null, or a hidden selection, says nothing of.
  private func unseen(beside winner: Hypothesis, for pair: borrowing Pair) -> Kind? {
    switch winner.kind {
    case .windowShift:
      // An edit explains it as well.
      var edit: Kind?
      var others = agreed
      while let slot = others.popFirstSlot() {
        let kind = Kind.allCases[slot]
        if kind.isPlainEdit, weights[slot] > edit.map({ weights[$0.slot] }) ?? -.infinity {
          edit = kind
        }
      }
      return edit
    case .outOfRangeTap:
      // Into a field of which nothing was seen: its text may have come.
      return pair.shownOld.isBlank && !winner.action.isPlaced && !pair.new.isBlank
        ? .insertion : nil
    case .deletion:
      // What stands behind the caret where null stood may have come, as well as been joined.
      if winner.action.joinsNextLine, !pair.shownOld.after.isShown { return .insertion }
      if pair.told.hidesSelection, !pair.told.knowsPasteboard, winner.action.isPlaced,
        !(pair.told.key?.hardlyCuts ?? false), winner.action.takesMoreThanAKey(in: pair.known)
      {
        return .cut
      }
      return nil
    case .insertion:
      // A line break that is selected as it comes was more likely there.
      return winner.action.insertedSelected == .newline && winner.action.inserted.isEmpty
        ? .selection : nil
    case .unchanged, .cursorMove, .selection, .deselection, .lineSelection, .lineDeselection, .cut,
      .paste, .replacement, .undo, .redo, .submission, .expected:
      return nil
    }
  }

  /// What weighs `bits` more than another beside that, as a number; between powers of two by a line.
  private func share(ofBits bits: Double) -> Double {
    if bits < -64 { return 0 }
    let whole = bits.rounded(.down)
    return Double(sign: .plus, exponent: Int(whole), significand: 1 + bits - whole)
  }

  /// `kinds`, the likeliest first.
  private func ordered(_ kinds: KindSet) -> [Kind] {
    if kinds.isEmpty { return [] }
    if kinds.rawValue.nonzeroBitCount == 1 {
      return Kind.alone[kinds.rawValue.trailingZeroBitCount]
    }
    return Kind.allCases.filter { kinds.contains(KindSet($0)) }
      .sorted { weights[$0.slot] > weights[$1.slot] }
  }
}

extension Pair {
  /// Whether a tap to other text may show what `winner` shows.
  fileprivate func mayBeElsewhere(despite winner: Hypothesis) -> Bool {
    // A selection made elsewhere is a selection, too.
    if winner.kind == .outOfRangeTap || winner.kind.family == .selection { return false }
    if let key = told.key, key.rulesOut(.moved) { return false }
    // What reaches far over the caret, or needs both sides cut elsewhere, may be something done elsewhere.
    if winner.action.isWide(in: known) || winner.isRecutLeft && winner.isRecutRight { return true }
    // A host of lines shows all of the line: what is cut elsewhere may be another that reads alike.
    if window == .line, winner.isRecutLeft || winner.isRecutRight { return true }
    return admitsRecut || winner.isDoubted || winner.keptScalars(in: self) < KeptScalars.enough
      || showsNextLine(with: winner)
  }

  /// What may have shown a session the pair though nothing predicts it, where that is no coincidence
  /// beside `winner`: several acts at once, or an undo of what is not known, may take any text away; one
  /// more undo may select what it likes; and a shortcut may do so, or show any other text.
  fileprivate func unpredicted(beside winner: Hypothesis) -> Kind? {
    if winner.way != nil || !known.isRemembered { return nil }
    let mayRetrace = told.key.map { !$0.rulesOut(.undone) } ?? true
    switch winner.kind.family {
    case .selection:
      if !mayRetrace || told.retracing == nil && !told.mayRetrace { return nil }
    case .deselection, .outOfRangeTap:
      if !told.mayRetrace { return nil }
    case .cut, .deletion, .replacement:
      // A key may type over what is selected.
      if winner.action.inserted.isOneGrapheme { return nil }
      let isOverCaret = winner.action.removedLeft > 0 && winner.action.removedRight > 0
      if !isOverCaret, Measured.unpredicted <= winner.weight + Measured.coincidence { return nil }
    case .unchanged, .cursorMove, .windowShift, .expected, .lineSelection, .lineDeselection, .paste,
      .insertion, .submission, .undo, .redo:
      return nil
    }
    return mayRetrace && told.retracedKind != winner.kind ? told.retracedKind : .outOfRangeTap
  }

  /// Whether `winner`, the caret or a selection out of sight, leaves text in common that need not have been
  /// there: somebody else's edit, or two acts at once, may show the pair as well.
  fileprivate func mayHideEdit(behind winner: Hypothesis) -> Bool {
    if winner.action.isPlaced || winner.way != nil { return false }
    switch winner.kind {
    case .outOfRangeTap, .selection, .lineSelection: break
    case .unchanged, .cursorMove, .deselection, .lineDeselection, .cut, .paste, .insertion,
      .deletion, .replacement, .undo, .redo, .submission, .windowShift, .expected:
      return false
    }
    if let key = told.key, key.rulesOut(.exchanged) { return false }
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
    return right.first == 0x0A && (right.count == 1 || right[1] == 0x0A)
  }
}

extension Kind {
  /// For each kind an array of it alone, made once: most pairs have one alternative at most.
  fileprivate static let alone: [[Kind]] = allCases.map { [$0] }
}

extension Action {
  /// Whether more goes than one grapheme beside the caret.
  fileprivate func takesMoreThanAKey(in known: borrowing Known) -> Bool {
    if known.left.suffix(removedLeft).isLongerThanAGrapheme { return true }
    return known.right.prefix(removedRight).isLongerThanAGrapheme
  }
}
