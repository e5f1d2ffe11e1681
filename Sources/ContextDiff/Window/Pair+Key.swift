// What the input method, or one key, may have done, so that no undo need explain it.

extension Pair {
  /// Whether the input method edits what it composes, which is no undo, unless by a key for that: within it, where the
  /// host says whose edit it is, or else, unless by another shortcut, all of it, for other text or none.
  var editsComposition: Bool {
    guard let composition = evidence.composition, !evidence.keyRetraces else { return false }
    if !keepsAfter { return !evidence.mayRetrace && takesAway(composition) }
    let gone = gone.scalarCount
    // What is composed may begin with this edit, in place of a selection: a reconversion.
    if evidence.isByInputMethod { return gone <= composition.before && (gone > 0 || !come.isEmpty) }
    return gone > 0 && !evidence.mayRetrace && gone == composition.before && composition.after == 0
      && old.selected.isEmpty
  }

  /// Whether all that was composed is gone, on both sides of the caret, and nothing else.
  private func takesAway(_ composition: Composition) -> Bool {
    guard selectsNothing else { return false }
    let (left, right) = (old.before.bytes, old.after.bytes)
    return left.dropLast(left.length(ofLastScalars: composition.before)) == new.before.bytes
      && right.dropFirst(right.byteOffset(ofScalar: composition.after)) == new.after.bytes
  }

  /// Whether one key may have done it: one character typed, also over a selection, or erased, or a selection erased.
  var isOneKey: Bool {
    guard new.selected.isEmpty else { return false }
    if !keepsAfter {
      let gone = old.after.bytes.count - new.after.bytes.count
      return keepsBefore && old.selected.isEmpty
        && old.after.bytes.hasSuffix(new.after.bytes) && old.after.bytes.prefix(gone).isOneGrapheme
    }
    let come = come
    let gone = gone
    if !old.selected.isEmpty { return gone.isEmpty && (come.isEmpty || come.isOneGrapheme) }
    if gone.isEmpty { return come.isOneGrapheme || isIndentedBreak(come) }
    if come.isEmpty { return gone.isOneGrapheme }
    // The window may have begun anew, before a typed character or before an erased one.
    let shown = old.before.bytes
    return shown.isOneGrapheme && known.left.dropLast(shown.count).hasSuffix(new.before.bytes)
      || startsAnew && (new.before.bytes.isOneGrapheme || isIndentedBreak(new.before.bytes))
  }

  /// Whether Return may have inserted `text`, with indentation, as the session has seen before.
  private func isIndentedBreak(_ text: Bytes) -> Bool {
    known.isIndented && text.isLineBreak
  }
}
