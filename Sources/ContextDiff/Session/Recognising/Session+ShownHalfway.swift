// Recognisers of an announced edit that a host makes in several pairs, of which this is not the last.

extension Session {
  /// A state on the way to an announced edit, which still waits: the new caret in the old text (Firefox), the selection
  /// gone (Qt), or the text to be deleted gone, all or in part (hosts that are told of the deletion first, or of one
  /// character after the other).
  func halfway(beside plain: Unannounced) -> Recognition? {
    halfwayPlace(beside: plain).map {
      Recognition(transition: plain.transition.perhapsExpected([]), event: .halfway($0))
    }
  }

  /// The index in `expected` of the edit to which the state leads; `nil` also where the user pressed a key that may
  /// have made the change.
  private func halfwayPlace(beside plain: Unannounced) -> Int? {
    guard let first = plain.start else { return nil }
    let whole = plain.transition
    if whole.kind == .cursorMove, let offset = whole.cursorOffset {
      if plain.evidence.key == .caret { return nil }
      return expected.lastMoving(
        from: first, by: offset, isAtEnd: plain.new.after.isEmpty
      ).map { _ in first }
    }
    if plain.evidence.key?.isHostsEdit ?? false { return nil }
    if whole.kind == .cut, whole.certainty == .certain { return nil }
    if expected.isDeselecting(by: first, from: plain.old, to: plain.new) {
      return first
    }
    guard whole.kind.changesText || whole.alternatives.contains(.deletion) else { return nil }
    return isDeleting(by: first, in: plain) ? first : nil
  }

  /// Whether the new snapshot shows the deletions of the edit at `index`, or a part of them, and not its insertion.
  private func isDeleting(by index: Int, in plain: Unannounced) -> Bool {
    guard var edit = expected.announcements[index].edit,
      edit.deleteBackward > 0 || edit.deleteForward > 0
    else { return false }
    if expected.isDeleting(by: index, from: plain.old, to: plain.new) { return true }
    // In a window cut otherwise, a deletion alone may have been made in part. Where the window shows less than is left
    // of the old text, something else may be gone, unless it is known that no key went to the host.
    let key = plain.evidence.key
    if edit.insert.isEmpty || !key.mayBeNone { return false }
    // From a state on the way, what the edit deletes is gone already, or a part of it.
    guard expected.announcements[index].old.first?.isShown(by: plain.old) ?? false else {
      return false
    }
    let insert = edit.insert
    edit.insert = ""
    edit.moveCaret = 0
    guard let made = exchange(making: [edit], atLeast: 1, shownBy: plain) else { return false }
    let removed = made.exchange.removed.count
    // All that was shown left of the caret is exchanged: the announced text begins the line now, with more behind it. Or
    // nothing of it is, and a key put text behind it, or took some.
    if removed >= plain.old.before.bytes.count,
      plain.keepsTextLeft || insert.withBytes({ plain.new.before.bytes.hasPrefix($0) })
    {
      return false
    }
    return key != nil || plain.new.all.count >= plain.old.all.count - removed
  }

  /// An insertion of the beginning of an announced text: the user's, unless the host made only that much of the edit.
  func begun(beside plain: Unannounced) -> Recognition? {
    guard plain.evidence.key == nil, plain.transition.kind == .insertion,
      let inserted = plain.transition.inserted, let first = plain.start,
      expected.announcements[first].edit?.insert.utf8.starts(with: inserted.utf8) ?? false
    else { return nil }
    var transition = plain.transition
    transition.doubt(.expected)
    return Recognition(transition: transition, event: .edit)
  }
}
