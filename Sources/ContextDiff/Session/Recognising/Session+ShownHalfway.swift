// Recognisers of an announced edit that a host makes in several pairs, of which this is not the last.

extension Session {
  /// A state on the way to an announced edit, which still waits: the new caret in the old text (Firefox), the selection
  /// gone (Qt), or the text to be deleted gone, all or in part (hosts that are told of the deletion first, or of one
  /// character after the other).
  func halfway(
    beside plain: Unannounced, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Recognition? {
    halfwayPlace(beside: plain, of: observation, with: classifier).map {
      Recognition(transition: plain.transition.perhapsExpected([]), event: .halfway($0))
    }
  }

  /// The index in `expected` of the edit to which the state leads; `nil` also where the user pressed a key that may
  /// have made the change.
  private func halfwayPlace(
    beside plain: Unannounced, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Int? {
    guard let first = plain.start else { return nil }
    let plain = plain.transition
    if plain.kind == .cursorMove, let offset = plain.cursorOffset {
      if observation.evidence.key == .caret { return nil }
      return expected.lastMoving(
        from: first, by: offset, isAtEnd: observation.new.after.isEmpty
      ).map { _ in first }
    }
    if observation.evidence.key?.isHostsEdit ?? false { return nil }
    if plain.kind == .cut, plain.certainty == .certain { return nil }
    if expected.isDeselecting(by: first, from: observation.old, to: observation.new) {
      return first
    }
    guard plain.kind.changesText || plain.alternatives.contains(.deletion) else { return nil }
    return isDeleting(by: first, in: observation, with: classifier) ? first : nil
  }

  /// Whether the new snapshot shows the deletions of the edit at `index`, or a part of them, and not its insertion.
  private func isDeleting(
    by index: Int, in observation: borrowing LentObservation, with classifier: Classifier
  ) -> Bool {
    guard var edit = expected.announcements[index].edit,
      edit.deleteBackward > 0 || edit.deleteForward > 0
    else { return false }
    if expected.isDeleting(by: index, from: observation.old, to: observation.new) { return true }
    // In a window cut otherwise, a deletion alone may have been made in part. Where the window shows less than is left
    // of the old text, something else may be gone, unless it is known that no key went to the host.
    let key = observation.evidence.key
    if edit.insert.isEmpty || !key.mayBeNone { return false }
    edit.insert = ""
    edit.moveCaret = 0
    guard
      let made = exchange(making: [edit], atLeast: 1, shownBy: observation, with: classifier)?
        .exchange
    else { return false }
    let removed = made.rewrite.removed.count
    return key != nil || observation.new.all.count >= observation.old.all.count - removed
  }

  /// An insertion of the beginning of an announced text: the user's, unless the host made only that much of the edit.
  func begun(
    beside plain: Unannounced, of observation: borrowing LentObservation
  ) -> Recognition? {
    guard observation.evidence.key == nil, plain.transition.kind == .insertion,
      let inserted = plain.transition.inserted, let first = plain.start,
      expected.announcements[first].edit?.insert.utf8.starts(with: inserted.utf8) ?? false
    else { return nil }
    var transition = plain.transition
    transition.doubt(.expected)
    return Recognition(transition: transition, event: .edit)
  }
}
