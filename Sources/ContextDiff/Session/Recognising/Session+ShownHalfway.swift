// Recognisers of an announced edit that a host makes in several pairs, of which this is not the last.

extension Session {
  /// A state on the way to an announced edit, which still waits: the new caret in the old text (Firefox), the selection
  /// gone (Qt), or the text to be deleted gone, all or in part (hosts that are told of the deletion first, or of one
  /// character after the other).
  func halfway(beside plain: Unannounced) -> Recognition? {
    guard let first = plain.start else { return nil }
    let whole = plain.transition
    var transition = whole.perhapsExpected([])
    if whole.kind == .cursorMove, let offset = whole.cursorOffset {
      // A caret key may have moved it as far.
      guard plain.evidence.key != .caret,
        expected.lastMoving(from: first, by: offset, isAtEnd: plain.new.after.isEmpty) != nil
      else { return nil }
      return Recognition(transition: transition, event: .halfway(first, isDeleted: false))
    }
    // A key that edits may have made the change.
    if plain.evidence.key.isHostsEdit { return nil }
    if whole.kind == .cut, whole.certainty == .certain { return nil }
    if expected.isDeselecting(by: first, from: plain.old, to: plain.new) {
      return Recognition(transition: transition, event: .halfway(first, isDeleted: false))
    }
    guard whole.kind.changesText || whole.alternatives.contains(.deletion),
      let (deletion, isWhole) = deletion(by: first, in: plain)
    else { return nil }
    transition.take(deletion)
    return Recognition(
      transition: transition, event: .halfway(first, isDeleted: isWhole), exchange: deletion)
  }

  /// The text that the edit at `index` deletes, or a part of it, where the new snapshot shows that gone and nothing inserted
  /// yet, and whether it is all of it.
  private func deletion(
    by index: Int, in plain: Unannounced
  ) -> (exchange: AnnouncedExchange, isWhole: Bool)? {
    guard let edit = expected.announcements[index].edit,
      edit.deleteBackward > 0 || edit.deleteForward > 0
    else { return nil }
    let remaining = expected.remainingDeletions(of: index, at: plain.old, counted: plain.counted)
    // Where the edit begins, its deletion is whole, and may reach beyond what is shown.
    let isAtStart = expected.announcements[index].old.first?.isShown(by: plain.old) ?? false
    let wholes = isAtStart ? [edit.deletion] : remaining
    func made(as nearness: AnnouncedText.Nearness) -> AnnouncedExchange? {
      wholes.lazy.compactMap {
        exchange(making: [$0], atLeast: 1, shownBy: plain, as: nearness)?.exchange
      }.first
    }
    if remaining.contains(where: { plain.new.shows(plain.old, withoutPartOf: $0) }) {
      let whole = made(as: .equal)
      let kept = (plain.new.before.bytes.count, plain.new.after.bytes.count)
      // Nothing would be left of a deletion alone.
      return (
        whole ?? AnnouncedExchange(from: plain.old, to: plain.new, keeping: kept),
        whole != nil && !edit.insert.isEmpty
      )
    }
    // In a window cut otherwise, a deletion alone may have been made in part. Where the window shows less than is left
    // of the old text, something else may be gone, unless it is known that no key went to the host.
    let key = plain.evidence.key
    if edit.insert.isEmpty || !key.mayBeNone { return nil }
    guard let whole = made(as: .aligned) else { return nil }
    let removed = whole.removed.count
    // All that was shown left of the caret is exchanged: the announced text begins the line now, with more behind it. Or
    // nothing of it is, and a key put text behind it, or took some.
    if removed >= plain.old.before.bytes.count,
      plain.keepsTextLeft
        || edit.insert.withBytes({ plain.new.before.bytes.hasPrefix($0) })
    {
      return nil
    }
    return key != nil || plain.new.all.count >= plain.old.all.count - removed ? (whole, true) : nil
  }

  /// The announced text with the caret where the edit began, which the host shows behind the text in its next pair
  /// (Firefox on Wayland).
  func beforeCaret(beside plain: Unannounced) -> Recognition? {
    let (old, new, key) = (plain.old, plain.new, plain.evidence.key)
    guard !key.isHostsEdit, key != .caret, old.selected.isEmpty,
      new.selected.isEmpty, old.before == new.before, let first = plain.start
    else { return nil }
    for (shown, announced) in expected.insertions(from: first) {
      let isShown = announced.withBytes {
        new.after.bytes.hasPrefix($0) && new.after.bytes.dropFirst($0.count) == old.after.bytes
      }
      guard isShown else { continue }
      let exchange = AnnouncedExchange(
        start: 0, removed: [], inserted: announced, caret: 0, cursorOffset: .zero)
      return perhaps(shown, making: exchange, and: .caret, beside: plain)
    }
    return nil
  }

  /// The beginning of an announced text, inserted or in exchange where the edit exchanges text: the user's, unless the
  /// host made only that much of the edit, or the user erased the rest at once.
  func begun(beside plain: Unannounced) -> Recognition? {
    guard plain.evidence.key == nil, let inserted = plain.transition.inserted,
      let first = plain.start, let edit = expected.announcements[first].edit,
      edit.insert.utf8.starts(with: inserted.utf8),
      plain.transition.kind == .insertion
        || plain.transition.kind == .replacement && !edit.isInsertion
    else { return nil }
    var transition = plain.transition
    transition.doubt(.expected)
    return Recognition(transition: transition, event: .edit)
  }
}

extension Fields {
  /// Whether it shows `old` without a part, or all, of what `deletion`, in bytes, deletes next to the caret.
  fileprivate func shows(_ old: Fields, withoutPartOf deletion: Edit) -> Bool {
    let (goneLeft, goneRight) = (
      old.before.bytes.count - before.bytes.count, old.after.bytes.count - after.bytes.count
    )
    return selected.isEmpty && goneLeft + goneRight > 0
      && (0...deletion.deleteBackward).contains(goneLeft)
      && (0...deletion.deleteForward).contains(goneRight)
      && old.before.bytes.hasPrefix(before.bytes) && old.after.bytes.hasSuffix(after.bytes)
  }
}
