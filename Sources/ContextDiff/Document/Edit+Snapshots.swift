extension Edit {
  /// The edit at the caret, in scalars, by which a host that shows `old` comes to show `new`.
  ///
  /// `nil` where the two may be cut at different places, as behind a sentence that ended, where `new` selects text, and where
  /// they are equal.
  ///
  /// - Complexity: Linear in the length of the snapshots.
  init?(from old: Fields, to new: Fields, window: Window, terminators: Terminators) {
    guard new.selected.isEmpty else { return nil }
    let (newBefore, newAfter) = (new.before.bytes, new.after.bytes)
    if old.selected.isEmpty, old.all == new.all {
      self.init(moveCaret: newBefore.scalarCount - old.before.bytes.scalarCount, unit: .scalars)
    } else {
      // A sentence's window shows the newline before a line only until there is text behind it.
      let isLineStart =
        window == .sentence && old.before.bytes == .newline && !newBefore.isEmpty
      let (before, after) = (isLineStart ? .empty : old.before.bytes, old.after.bytes)
      let left = before.commonStart(newBefore)
      let right = after.commonEnd(newAfter)
      guard
        left > 0 || before.isEmpty
          || before.mayBeExchanged(for: newBefore, in: window, terminators: terminators),
        right > 0 || window == .full
          || after.isEmpty && (newAfter.isEmpty || left < newBefore.count)
      else { return nil }
      let insertedRight = newAfter.dropLast(right)
      self.init(
        insert: newBefore.dropFirst(left).string + insertedRight.string,
        deleteBackward: before.dropFirst(left).scalarCount,
        deleteForward: after.dropLast(right).scalarCount,
        moveCaret: -insertedRight.scalarCount, unit: .scalars)
    }
    guard isValid else { return nil }
  }
}

extension Bytes {
  /// Whether an edit may exchange this, all that was shown left of the caret, for `new`, which begins otherwise: unless `new`
  /// is shown from another place of the text on.
  fileprivate func mayBeExchanged(
    for new: Bytes, in window: Window, terminators: Terminators
  ) -> Bool {
    if new.isEmpty { return window == .full }
    func endsStretch(_ text: Bytes) -> Bool {
      text.last == .newline || terminators.contains(text.lastScalar)
    }
    if window != .full, new.isWhitespace || endsStretch(self) || endsStretch(new) { return false }
    // A window of so many characters slides.
    return !Joined(self).holds(new.prefix(new.byteOffset(ofScalar: Measured.evident)))
  }
}
