/// What the client, and the session, know of a transition besides its text.
struct PairEvidence {
  /// The key that went to the host.
  var key: Key?
  /// Whether several acts may lie between the two snapshots.
  var isMerged = false
  /// Whether the host reset its input method between the two snapshots.
  var isReset = false
  /// Whether the host says that the input method made the change.
  var isByInputMethod = false
  /// How much of the old text was being composed, in scalars, neither length below 0.
  var composition: Composition?
  /// Whether the host never reports what is selected.
  var hidesSelection = false
  /// Whether the host says that its field was empty.
  var wasEmpty = false
  /// Whether the host says that its field is empty now.
  var isEmptied = false
  /// Whether the pasteboard's text is known.
  var knowsPasteboard = false
  /// Whether the pasteboard holds what it held at the old snapshot; `nil` where one of the two is not known.
  var keepsPasteboard: Bool?
  /// Whether a shortcut went to the host that its client, who names undo, redo, cut and paste, did not name.
  var wasOtherShortcut = false
  /// Whether a shortcut went to the host, and everything visible is selected.
  var selectsAll = false
  /// Whether nobody told the host's window, which may yet turn out to be `line`.
  var mayBeLineWindow = false
  /// How many scalars the caret went towards the text's end, by the positions that the host reports.
  var caretOffset: Int?
  /// The session's last act; one that did nothing where there is none.
  var last = Trail.Step()
  /// Whether the snapshot before the last act is back.
  var takesLastBack = false
  /// Whether the caret has jumped away from where the session edited lately.
  var hasLeftEdit = false
  /// The undo or redo that would lead to the new snapshot, where the session saw that snapshot lately.
  var returning: Trail.Return?
  /// Whether the host says that the input method made the change, and has been seen to tell such changes from
  /// others.
  var isCrediblyByInputMethod = false

  init() {}

  init(_ observation: borrowing LentObservation) {
    key = observation.evidence.key
    if observation.namesShortcuts, key == .shortcut {
      key = nil
      wasOtherShortcut = true
    }
    knowsPasteboard = observation.pasteboard.isShown
    selectsAll =
      observation.evidence.key == .shortcut && observation.new.before.isEmpty
      && observation.new.after.isEmpty
      && !observation.new.selected.isEmpty
    isMerged = observation.evidence.merged
    isReset = observation.evidence.reset
    composition = observation.evidence.composition.map {
      Composition(before: max(0, $0.before), after: max(0, $0.after))
    }
    isByInputMethod = observation.evidence.cause == .inputMethod
    hidesSelection =
      observation.new.selectionShown == false || observation.old.selectionShown == false
    wasEmpty = observation.old.hasText == false && observation.old.isEmpty
    isEmptied = observation.new.hasText == false && observation.new.isEmpty
    if let old = observation.old.caret, let new = observation.new.caret {
      let (offset, overflows) = new.subtractingReportingOverflow(old)
      caretOffset = overflows ? nil : offset
    }
  }

  /// How much the evidence adds to the weight of `hypothesis`, in bits.
  func bits(for hypothesis: Hypothesis, in known: borrowing Known) -> Double {
    let kind = hypothesis.kind
    let action = hypothesis.action
    var bits = 0.0
    if let key, !selectsAll || kind != .selection {
      var said = keyBits(for: hypothesis.act)
      // The removed text may have been selected unseen: then Backspace, Delete or a character removes it.
      if hidesSelection, key != .unpressed, action.takesMoreThanAKey(in: known) {
        var unseen = action
        unseen.removesSelection = true
        if keyBits(for: Act(kind, unseen)) == 0 { said = 0 }
      }
      if isMerged { said = max(said, Measured.byEarlierKey) }
      bits += said
    }
    if wasOtherShortcut, kind.retraces { bits += Measured.hardlyByKey }
    if isReset, kind == .insertion || kind == .replacement { bits += Measured.typedAtReset }
    // The composition favours only what the window shows by its rule, with no text that was not known.
    if isByInputMethod, hypothesis.agreement == .exact, !hypothesis.showsUnknown,
      !hypothesis.isPartial, isWithinComposition(action, of: known)
    {
      bits += Measured.editsComposition
    }
    if exchangesComposition(by: action, of: known) { bits += Measured.exchangesComposition }
    if isEmptied, hypothesis.leavesText(of: known) { bits += Measured.misplaced }
    if misplaces(hypothesis, in: known) { bits += Measured.misplaced }
    return bits
  }

  /// Whether `hypothesis` puts the caret elsewhere than the host reports it.
  func misplaces(_ hypothesis: Hypothesis, in known: borrowing Known) -> Bool {
    guard let caretOffset else { return false }
    if let offset = hypothesis.scalarOffset(in: known) { return offset != caretOffset }
    // Where the distance is not known: a deletion never moves the caret on, an insertion never back, and a tap always
    // moves it.
    return switch hypothesis.kind.facts.text {
    case .goes: caretOffset > 0
    case .comes: caretOffset < 0
    case .none, .isExchanged, .isElsewhere: hypothesis.kind == .outOfRangeTap && caretOffset == 0
    }
  }

  /// Whether a snapshot that was seen lately is back, from before an edit.
  var returnsBeforeEdit: Bool { returning.map { !$0.reverses } ?? false }

  /// Whether the host reports no other caret position than before.
  var keepsCaret: Bool { caretOffset ?? 0 == 0 }

  /// Undo or redo, whichever is likelier where the history does not tell: by the key, by the state that is back,
  /// or else the same again.
  var retracedKind: Kind {
    switch key {
    case .undo: .undo
    case .redo: .redo
    case .unpressed, .character, .return, .backspace, .delete, .caret, .shortcut, .cut, .paste, nil:
      returning?.kind ?? last.retracing ?? .undo
    }
  }

  /// Whether a shortcut went to the host that may undo or redo.
  var mayRetrace: Bool { key?.mayRetrace ?? false }

  /// Whether a shortcut went to the host that may paste.
  var mayPaste: Bool { key?.mayPaste ?? false }

  /// Whether it says nothing of any hypothesis.
  var isEmpty: Bool {
    key == nil && !wasOtherShortcut && !isReset && composition == nil && caretOffset == nil
      && !isEmptied
  }

  /// Whether `action` replaces, or takes away, just the text being composed, and all of it.
  func exchangesComposition(by action: Action, of known: borrowing Known) -> Bool {
    guard let composition, composition.before > 0 || composition.after > 0,
      let removed = action.removedScalars(in: known)
    else { return false }
    return removed.left == composition.before && removed.right == composition.after
  }

  /// Whether `action` edits nothing but text being composed.
  private func isWithinComposition(_ action: Action, of known: borrowing Known) -> Bool {
    guard let composition, !action.removesSelection, !action.joinsLine,
      let removed = action.removedScalars(in: known)
    else { return false }
    return removed.left <= composition.before && removed.right <= composition.after
  }
}

extension Hypothesis {
  /// How many scalars the caret, or the selection's left end, goes towards the text's end; `nil` where that is
  /// not known: into another stretch of text, or where unseen text came or went.
  func scalarOffset(in known: borrowing Known) -> Int? {
    ground == .known && !isPartial ? action.scalarOffset(in: known) : nil
  }

  /// Whether the field holds text afterwards.
  fileprivate func leavesText(of known: borrowing Known) -> Bool {
    switch kind.facts.text {
    case .none: !known.text.isEmpty
    case .comes, .isElsewhere: true
    case .isExchanged: kind == .replacement
    case .goes: false
    }
  }
}

extension LentObservation {
  /// Whether the pasteboard holds the old selection, which was not cut.
  var copies: Bool {
    if old.selected.isEmpty || pasteboard.bytes != old.selected.bytes { return false }
    return !new.selected.isEmpty
      || !(Joined(old.before.bytes, old.after.bytes) == Joined(new.before.bytes, new.after.bytes))
  }
}
