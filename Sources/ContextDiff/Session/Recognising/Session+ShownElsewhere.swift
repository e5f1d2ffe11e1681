// Recognisers of announced edits that the host made otherwise than announced: at another caret, or for other text.

extension Session {
  /// Announced text that was inserted at the announced place in exchange for other text, or only the removal of the
  /// other text: an input method may remove text unannounced (fcitx5 tells of a commit alone), with no key to the host.
  func inExchange(beside plain: Unannounced) -> Recognition? {
    guard plain.evidence.key == .unpressed, let first = plain.start,
      let edit = expected.announcements[first].edit, edit.isInsertion
    else { return nil }
    let transition = plain.transition
    // The announced text is still to come; `atNewCaret` finds it then.
    if transition.kind == .deletion { return Recognition(transition: transition, event: .move) }
    guard transition.kind == .replacement, transition.inserted.isSame(as: edit.insert)
    else { return nil }
    return perhaps(first..<first + 1, beside: plain)
  }

  /// Announced text in exchange for a selection that the host does not show: text next to the caret is gone.
  ///
  /// A host that says nothing of that, and has shown no selection, hides it right of the caret: more than a key takes is
  /// gone there.
  func overUnseenSelection(beside plain: Unannounced) -> Recognition? {
    let (old, new) = (plain.old, plain.new)
    guard !plain.isByKey, let first = plain.start, old.after.bytes.hasSuffix(new.after.bytes)
    else { return nil }
    if old.selectionShown == false {
      return perhapsInsertions(from: first, beside: plain) { old.before.bytes.hasPrefix($0) }
    }
    let gone = old.after.bytes.dropLast(new.after.bytes.count)
    guard old.selectionShown == nil, clips.texts.isEmpty, plain.evidence.key.mayBeNone,
      gone.isLongerThanAGrapheme
    else { return nil }
    return perhapsInsertions(from: first, beside: plain) { old.before.bytes == $0 }?
      .doubting(.replacement)
  }

  /// Announced insertions in exchange for a selection that the host cannot show, which reached out of the caret's line or was
  /// made by a shortcut: all left of the caret is other text, and what stands right of it is the same, or gone as well.
  func overSelectionBeyond(beside plain: Unannounced) -> Recognition? {
    let (old, new) = (plain.old, plain.new)
    guard plain.evidence.key.mayBeNone, old.selected.isEmpty, new.selected.isEmpty,
      [.outOfRangeTap, .insertion, .replacement].contains(plain.transition.kind),
      let first = plain.start,
      let (shown, _) = insertions(
        from: first, shownBy: new,
        where: { before in
          if new.after.isEmpty { return before.isEmpty }
          let announced = new.before.bytes.dropFirst(before.count)
          return old.after == new.after
            && KeptScalars.areEnough(endOf: announced, startOf: new.after.bytes)
        })
    else { return nil }
    var recognition = perhaps(shown, and: .otherText, beside: plain)
    recognition.transition.inserted = expected.inserted(by: shown)
    recognition.transition.removed = nil
    recognition.transition.cursorOffset = nil
    recognition.transition.isPartial = true
    return recognition
  }

  /// Announced insertions in a field that held a newline or a mark without width in place of no text, as editors in web
  /// pages do: where text comes, the mark goes.
  func inPlaceOfMark(beside plain: Unannounced) -> Recognition? {
    let (old, new) = (plain.old, plain.new)
    guard !plain.isByKey, let first = plain.start, new.selected.isEmpty, new.after.isEmpty,
      old.isNewline || old.isMarkWithoutWidth, !new.isNewline, !new.isMarkWithoutWidth
    else { return nil }
    return perhapsInsertions(from: first, beside: plain) { $0.isEmpty }
  }

  /// Edits that were announced at one caret and made at another, to which the user moved it in between: a commit goes
  /// to where the caret is when the host makes it.
  func atNewCaret(beside plain: Unannounced) -> Recognition? {
    if plain.isByKey || !plain.transition.kind.changesText { return nil }
    for first in expected.chainsBegun(elsewhereThan: plain.old) {
      let edits = expected.edits(from: first)
      if let found = madeWhole(edits, from: first, atLeast: 1, beside: plain) { return found }
    }
    return nil
  }

  /// The recognition that `edits`, announced from the index `first` on, were made at the old caret, at least the first
  /// `atLeast` of them; `nil` in another cut, or where unseen text goes with them, for there it could be any edit.
  private func madeWhole(
    _ edits: [Edit], from first: Int, atLeast: Int, beside plain: Unannounced
  ) -> Recognition? {
    guard let made = exchange(making: edits, atLeast: atLeast, shownBy: plain, as: .equal),
      !made.exchange.isPartial
    else { return nil }
    return perhaps(first..<first + made.count, making: made.exchange, beside: plain)
  }

  /// Announced edits of a chain, made at the old snapshot's caret: behind others that the host did not make, as a full
  /// field does not, or one that takes digits alone; or, once such others were passed over, from the first on.
  ///
  /// Of more than one edit that was not made, only the whole rest of the chain counts: nearly any edit of the user's looks
  /// like one of many.
  func behindRefused(beside plain: Unannounced) -> Recognition? {
    guard !plain.isByKey, plain.transition.kind.changesText, let first = plain.start
    else { return nil }
    let edits = expected.edits(from: first)
    for refused in edits.indices.prefix(ExpectedEdits.mostRefused + 1) {
      let rest = Array(edits[refused...])
      let least = refused > 1 ? rest.count : 1
      if let found = madeWhole(rest, from: first + refused, atLeast: least, beside: plain) {
        return found
      }
    }
    return nil
  }

  /// An announced edit that takes away characters which the user typed meanwhile, and of which the host told nothing.
  ///
  /// `ti|`, an `e` typed and turned into `ê`, is `tiê|`. Where no such key is known, the host made a part of the edit.
  func overUnseenKeys(beside plain: Unannounced) -> Recognition? {
    let mayHaveTyped = plain.evidence.key == .character || plain.evidence.merged
    guard mayHaveTyped, plain.transition.kind.changesText, let first = plain.start,
      var edit = expected.announcements[first].edit, !edit.insert.isEmpty, edit.moveCaret == 0
    else { return nil }
    for _ in 0..<min(edit.deleteBackward, Measured.unseenKeys) {
      edit.deleteBackward -= 1
      if let made = exchange(making: [edit], atLeast: 1, shownBy: plain, as: .equal) {
        return perhaps(first..<first + 1, making: made.exchange, beside: plain)
      }
    }
    return nil
  }

  /// Announced insertions at another caret, of which the host told nothing before: the old text with them, and nothing
  /// else, is shown.
  func behindTap(beside plain: Unannounced) -> Recognition? {
    let (old, new) = (plain.old, plain.new)
    guard !plain.isByKey, old.selected.isEmpty, new.selected.isEmpty, let first = plain.start
    else { return nil }
    return perhapsInsertions(from: first, beside: plain) {
      Joined($0, new.after.bytes) == old.all
    }
  }

  /// Announced text that was inserted, by no key of the user's, in a pair that begins at the announced place.
  ///
  /// A host may report a click only with the commit after it, and of several commits at once only the last: then the
  /// text comes at another place, or without what was announced before it.
  func inserted(beside plain: Unannounced) -> Recognition? {
    guard !plain.isByKey, plain.transition.kind == .insertion, let first = plain.start
    else { return nil }
    let edits = expected.edits(from: first)
    // The first or the last edit of the chain: one between them would have come with others.
    for place in [0, edits.count - 1] where edits.indices.contains(place) {
      let edit = edits[place]
      guard edit.isInsertion, plain.transition.inserted.isSame(as: edit.insert) else { continue }
      return perhaps(first + place..<first + place + 1, beside: plain)
    }
    return nil
  }
}
