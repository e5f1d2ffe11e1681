/// What a client knows of a pair besides its text.
struct PairEvidence {
  var key: Key?
  /// Whether several acts may lie between the two snapshots.
  var isMerged = false
  /// Whether the host reset its input method between the two.
  var isReset = false
  /// Whether the input method changed what it composes.
  var isComposing = false
  /// How much of the old text was being composed, in scalars.
  var composition: Composition?
  /// Whether the host never says what is selected.
  var hidesSelection = false
  /// Whether the host says that its field is empty now.
  var isEmptied = false
  /// Whether what is on the pasteboard is known.
  var knowsPasteboard = false
  /// Whether the pasteboard held before, too, what it holds now; `nil` where one of the two is not known.
  var keepsPasteboard: Bool?
  /// Whether a shortcut went to the host, and all that is seen is selected.
  var selectsAll = false
  /// How many scalars the caret went on, by its place in the document.
  var caretOffset: Int?
  /// What a session did last, where it was an undo or a redo.
  var retracing: Kind?
  /// Whether it may have undone something lately, or done it again.
  var mayBeRetracing = false
  /// Whether the caret has jumped away from where something was edited lately.
  var hasLeftEdit = false
  /// What brings back the state that is seen, where a session saw it lately: an undo or a redo.
  var returning: Trail.Return?
  /// Whether the state that is seen was left by a tap that may have been an edit.
  var returnsFromDoubt = false
  /// Whether the host says that the input method made the change, and is known to tell its own from others.
  var isInputMethods = false

  init() {}

  init(_ observation: borrowing LentObservation) {
    key = observation.evidence.key
    knowsPasteboard = observation.pasteboard.isShown
    selectsAll =
      key == .shortcut && observation.new.before.isEmpty && observation.new.after.isEmpty
      && !observation.new.selected.isEmpty
    isMerged = observation.evidence.merged
    isReset = observation.evidence.reset
    composition = observation.evidence.composition.map {
      Composition(before: max(0, $0.before), after: max(0, $0.after))
    }
    isComposing =
      observation.evidence.composition != nil && observation.evidence.cause == .inputMethod
    hidesSelection =
      observation.new.selectionShown == false || observation.old.selectionShown == false
    isEmptied = observation.new.hasText == false && observation.new.isBlank
    if let old = observation.old.caret, let new = observation.new.caret {
      let (offset, overflows) = new.subtractingReportingOverflow(old)
      caretOffset = overflows ? nil : offset
    }
  }

  /// What it says of `hypothesis`, in bits.
  func bits(for hypothesis: Hypothesis, in known: borrowing Known) -> Double {
    let kind = hypothesis.kind
    let action = hypothesis.action
    var bits = 0.0
    if let key, !selectsAll || kind != .selection {
      var said = key.bits(for: Act(kind, action), mayPaste: !knowsPasteboard)
      // What went may have been selected, out of sight: either eraser takes that, and a character replaces it.
      if hidesSelection, said < 0, action.takesMoreThanAKey(in: known) {
        var unseen = action
        unseen.removesSelection = true
        if key.bits(for: Act(kind, unseen), mayPaste: !knowsPasteboard) == 0 { said = 0 }
      }
      bits += said
    }
    if isReset, kind == .insertion || kind == .replacement { bits += Measured.typedAtReset }
    // Of what needs other text in sight, or another cut, the composition says nothing.
    if isComposing, hypothesis.agreement == .exact, !hypothesis.showsUnknown,
      !hypothesis.isPartial, isWithinComposition(action, of: known)
    {
      bits += Measured.editsComposition
    }
    if exchangesComposition(by: action, of: known) { bits += Measured.exchangesComposition }
    if isEmptied, hypothesis.leavesText(of: known) { bits += Measured.misplaced }
    if misplaces(hypothesis, in: known) { bits += Measured.misplaced }
    return bits
  }

  /// Whether the caret would stand elsewhere in the document than it does, as far as that is told.
  func misplaces(_ hypothesis: Hypothesis, in known: borrowing Known) -> Bool {
    guard let caretOffset else { return false }
    if let offset = hypothesis.scalarOffset(in: known) { return offset != caretOffset }
    // Of what went, or came, unseen it is known to which side the caret goes; and a tap goes somewhere.
    return switch hypothesis.kind.facts.text {
    case .goes: caretOffset > 0
    case .comes: caretOffset < 0
    case .none, .isExchanged, .isElsewhere: hypothesis.kind == .outOfRangeTap && caretOffset == 0
    }
  }

  /// Whether the caret stands where it stood, as far as that is told.
  var keepsCaret: Bool { caretOffset ?? 0 == 0 }

  /// Whether a pointer, or a key, went to the host that does nothing but move.
  var keyMoves: Bool { key.map { $0 == .caret || $0 == .none } ?? false }

  var isEmpty: Bool {
    key == nil && !isReset && composition == nil && caretOffset == nil && !isEmptied
  }

  /// Whether `action` puts text in the place of all that is composed.
  func exchangesComposition(by action: Action, of known: borrowing Known) -> Bool {
    guard let composition, composition.before > 0 || composition.after > 0,
      !action.allInserted.isEmpty, let removed = action.removedScalars(in: known)
    else { return false }
    return removed.left == composition.before && removed.right == composition.after
  }

  private func isWithinComposition(_ action: Action, of known: borrowing Known) -> Bool {
    guard let composition, !action.removesSelection, !action.joinsLine,
      let removed = action.removedScalars(in: known)
    else { return false }
    return removed.left <= composition.before && removed.right <= composition.after
  }
}

extension Hypothesis {
  /// How many scalars the caret, or the selection's left end, goes on; `nil` where that is not known, as it
  /// is not from one stretch of text to another, nor where more came, or went, than is seen.
  func scalarOffset(in known: borrowing Known) -> Int? {
    ground == .known && !isPartial ? action.scalarOffset(in: known) : nil
  }

  /// Whether the field holds text afterwards, whatever goes out of sight.
  fileprivate func leavesText(of known: borrowing Known) -> Bool {
    switch kind.facts.text {
    case .none: !known.text.isEmpty
    case .comes, .isElsewhere: true
    case .isExchanged: kind == .replacement
    case .goes: false
    }
  }
}

extension Action {
  /// Whether more goes than one grapheme beside the caret; it may be more than `known` holds, where that is
  /// not the text it goes from.
  func takesMoreThanAKey(in known: borrowing Known) -> Bool {
    guard removedLeft <= known.left.count, removedRight <= known.right.count else { return true }
    if known.left.suffix(removedLeft).isLongerThanAGrapheme { return true }
    return known.right.prefix(removedRight).isLongerThanAGrapheme
  }

  /// How many scalars an edit takes away on each side of the caret; `nil` where it is none, or takes more than
  /// `known` holds.
  fileprivate func removedScalars(in known: borrowing Known) -> (left: Int, right: Int)? {
    guard isPlaced, caret == nil, removedLeft <= known.left.count, removedRight <= known.right.count
    else { return nil }
    return (
      known.left.suffix(removedLeft).scalarCount, known.right.prefix(removedRight).scalarCount
    )
  }

  fileprivate func scalarOffset(in known: borrowing Known) -> Int? {
    guard isPlaced else { return nil }
    let old = known.left.count
    guard let caret else {
      return inserted.scalarCount - known.left.suffix(removedLeft).scalarCount
        - (joinsPreviousLine ? 1 : 0)
    }
    return caret < old
      ? -known.left.dropFirst(caret).scalarCount
      : known.text.dropFirst(old).prefix(caret - old).scalarCount
  }
}

extension LentObservation {
  /// Whether the pasteboard holds what was selected, and that was not taken away.
  var copies: Bool {
    if old.selected.isEmpty || pasteboard.bytes != old.selected.bytes { return false }
    return !new.selected.isEmpty
      || !(Joined(old.before.bytes, old.after.bytes) == Joined(new.before.bytes, new.after.bytes))
  }
}

extension Field {
  /// A number that stands for the text, so that the text need not be kept; `nil` where none is shown.
  var digest: UInt64? { isShown ? bytes.digest : nil }
}
