// The recogniser of an announced edit that a host makes in two pairs, of which this is the first.

extension Session {
  /// The edit, which still waits, in the state between the two pairs: the new caret in the old text (Firefox), or the
  /// selection gone (Qt), or the text that the edit deletes gone (hosts that are told of that first).
  func halfway(
    beside plain: Unannounced, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Recognition? {
    halfwayPlace(plain.transition, of: observation, with: classifier).map {
      Recognition(transition: plain.transition.perhapsExpected([]), event: .halfway($0))
    }
  }

  /// Its index in `expected`; `nil` also where the user pressed a key that may have made the change.
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
    return expected.selectionFirst(from: observation.old, to: observation.new)
      ?? deletionFirst(of: observation, with: classifier)
  }

  /// The index of the edit that begins at the old snapshot, where the new one shows its deletions and not its insertion,
  /// and no key went to the host.
  private func deletionFirst(
    of observation: borrowing LentObservation, with classifier: Classifier
  ) -> Int? {
    // Where it is not known that there was no key, the host may have made just a part of the edit.
    guard observation.evidence.key == Key.none, let first = expected.start(at: observation.old),
      var edit = expected.announcements[first].edit, !edit.insert.isEmpty,
      edit.deleteBackward > 0 || edit.deleteForward > 0
    else { return nil }
    edit.insert = ""
    edit.moveCaret = 0
    return exchange(making: [edit], atLeast: 1, shownBy: observation, with: classifier).map { _ in
      first
    }
  }
}
