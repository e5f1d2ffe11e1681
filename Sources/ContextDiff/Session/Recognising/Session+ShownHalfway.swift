// Recognisers of an announced edit that a host makes in several pairs, of which this is not the last.

extension Session {
  /// A state on the way to an announced edit, which still waits: the new caret in the old text (Firefox), the selection
  /// gone (Qt), or the text to be deleted gone, all or in part (hosts that are told of the deletion first, or of one
  /// character after the other).
  func halfway(
    beside plain: Unannounced, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Recognition? {
    halfwayPlace(plain.transition, of: observation, with: classifier).map {
      Recognition(transition: plain.transition.perhapsExpected([]), event: .halfway($0))
    }
  }

  /// The index in `expected` of the edit to which the state leads; `nil` also where the user pressed a key that may
  /// have made the change.
  private func halfwayPlace(
    _ plain: Transition, of observation: borrowing LentObservation, with classifier: Classifier
  ) -> Int? {
    if plain.kind == .cursorMove, let offset = plain.cursorOffset {
      if observation.evidence.key == .caret { return nil }
      return expected.caretFirst(
        from: observation.old, by: offset, isAtEnd: observation.new.after.isEmpty)
    }
    if observation.evidence.key?.isHostsEdit ?? false { return nil }
    if plain.kind == .cut, plain.certainty == .certain { return nil }
    if let first = expected.selectionFirst(from: observation.old, to: observation.new) {
      return first
    }
    guard plain.kind.changesText || plain.alternatives.contains(.deletion) else { return nil }
    return deletionFirst(of: observation, with: classifier)
  }

  /// The index of the edit that begins at the old snapshot, where the new one shows its deletions, or a part of them,
  /// and not its insertion.
  private func deletionFirst(
    of observation: borrowing LentObservation, with classifier: Classifier
  ) -> Int? {
    guard let first = expected.start(at: observation.old),
      var edit = expected.announcements[first].edit,
      edit.deleteBackward > 0 || edit.deleteForward > 0
    else { return nil }
    if expected.isDeleting(by: first, from: observation.old, to: observation.new) { return first }
    // In a window cut otherwise, a deletion alone may have been made in part. Where the window shows less than is left
    // of the old text, something else may be gone, unless it is known that no key went to the host.
    let key = observation.evidence.key
    if edit.insert.isEmpty || !key.mayBeNone { return nil }
    edit.insert = ""
    edit.moveCaret = 0
    guard
      let made = exchange(making: [edit], atLeast: 1, shownBy: observation, with: classifier)?
        .exchange
    else { return nil }
    let removed = made.rewrite.removed.count
    return key != nil || observation.new.all.count >= observation.old.all.count - removed
      ? first : nil
  }

  /// An insertion of the beginning of an announced text: the user's, unless the host made only that much of the edit.
  func begun(
    beside plain: Unannounced, of observation: borrowing LentObservation
  ) -> Recognition? {
    guard observation.evidence.key == nil, plain.transition.kind == .insertion,
      let inserted = plain.transition.inserted,
      let first = expected.start(at: observation.old),
      expected.announcements[first].edit?.insert.utf8.starts(with: inserted.utf8) ?? false
    else { return nil }
    var transition = plain.transition
    transition.doubt(.expected)
    return Recognition(transition: transition, event: .edit)
  }
}
