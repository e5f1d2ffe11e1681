// The comparison of a snapshot with what an announced edit leads to.

extension AnnouncedText {
  /// How the announced and the shown text agree.
  enum Nearness: CaseIterable {
    /// Each field has the same text.
    case equal
    /// The windows are cut otherwise, and their common text next to the caret is more than a coincidence.
    case aligned
  }

  /// Whether `fields` shows this.
  ///
  /// - Complexity: Constant: at most some `sideLimit` bytes are compared.
  func isShown(by fields: Fields, _ nearness: Nearness) -> Bool {
    // A host that says that there is no text has not put any in.
    if fields.isEmpty, fields.hasText == false, holdsText { return false }
    guard fields.selected.bytes.count == selectedCount,
      selected.isSame(as: AnnouncedText.ends(of: fields.selected.bytes))
    else { return false }
    return lend { known in
      let before = fields.before.bytes
      let after = fields.after.bytes
      let (ownBefore, ownAfter) = (known.before.bytes, known.after.bytes)
      let overlapLeft = before.suffix(atMost: ownBefore.count)
      let overlapRight = after.prefix(atMost: ownAfter.count)
      guard ownBefore.hasSuffix(overlapLeft), ownAfter.hasPrefix(overlapRight) else { return false }
      let evidenceLeft = KeptScalars.count(endOf: overlapLeft)
      let evidenceRight = KeptScalars.count(startOf: overlapRight)
      let isOpenLeft =
        left.isExceeded && evidenceRight >= Measured.evident && !keepsLostLeft(in: before)
      let isOpenRight =
        right.isExceeded && evidenceLeft >= Measured.evident && !keepsLostRight(in: after)
      switch nearness {
      case .equal:
        return (isOpenLeft || before.count == ownBefore.count + left.unknown)
          && (isOpenRight || after.count == ownAfter.count + right.unknown)
      case .aligned:
        return evidenceLeft + evidenceRight >= Measured.evident
          && agreesBeyond(before: before, after: after)
          && (!left.isExceeded || isOpenLeft || before.count == ownBefore.count)
          && (!right.isExceeded || isOpenRight || after.count == ownAfter.count)
      }
    }
  }

  /// Whether a window that shows `before` and `after`, more than this should show, shows the known text there.
  private func agreesBeyond(before: Bytes, after: Bytes) -> Bool {
    left.text.withBytes { $0.hasSuffix(before.suffix(atMost: $0.count)) }
      && right.text.withBytes { $0.hasPrefix(after.prefix(atMost: $0.count)) }
  }

  /// Whether `fields` shows this with unseen text on a side where edits of `start` removed all the known text, and
  /// inserted no more than `inserted`; the other side must be as announced, and may have too little text to be
  /// evidence.
  func mayBeShown(
    by fields: Fields, removing start: AnnouncedText, inserting inserted: String
  ) -> Bool {
    guard fields.selected.isEmpty, selectedCount == 0 else { return false }
    let isBared =
      !start.left.text.isEmpty && left.beyond == 0
      && inserted.withBytes { inserted in left.text.withBytes { inserted.hasSuffix($0) } }
    return lend { known in
      let before = fields.before.bytes
      let after = fields.after.bytes
      // Where all the known text went, text comes into view that was out of sight.
      if left.isExceeded || isBared {
        return after == known.after.bytes && right.unknown == 0
          && !keepsLostLeft(in: before)
          && before.hasSuffix(known.before.bytes)
      }
      return right.isExceeded && before == known.before.bytes && left.unknown == 0
        && !keepsLostRight(in: after) && after.hasPrefix(known.after.bytes)
    }
  }

  /// Whether `before` still begins with the text that the edit should have removed there.
  private func keepsLostLeft(in before: Bytes) -> Bool {
    left.lost.withBytes { !$0.isEmpty && before.hasPrefix($0) }
  }

  /// Whether `after` still ends with the text that the edit should have removed there.
  private func keepsLostRight(in after: Bytes) -> Bool {
    right.lost.withBytes { !$0.isEmpty && after.hasSuffix($0) }
  }

  /// Whether `fields` shows this with selected text added behind the caret.
  func isCompleted(in fields: Fields) -> Bool {
    if fields.selected.isEmpty { return false }
    var fields = fields
    fields.selected = .hidden
    return isShown(by: fields, .equal)
  }

  /// How many bytes the caret of `fields`, which must show the same text, stands behind this one's; `nil` where they show
  /// other text, or one of them a selection.
  func distance(toCaretOf fields: Fields) -> Int? {
    lend { known in
      let seen = fields.trimmed(left: left.unknown, right: right.unknown)
      guard selectedCount == 0, seen.selected.isEmpty, seen.all == known.all else { return nil }
      return seen.before.bytes.count - known.before.bytes.count
    }
  }

  /// How many bytes differ between this and `fields`, as far as both are known.
  func distance(to fields: Fields) -> Int {
    lend { known in
      AnnouncedText.distance(
        known, fields.trimmed(left: left.unknown, right: right.unknown))
    }
  }

  /// `distance(to:)` or, if that is less, one more than how many bytes of the text differ wherever the caret and the
  /// selection are: a move of the caret behind the edits changes no text.
  func unlikeness(to fields: Fields) -> Int {
    let text = lend { known in
      let (mine, seen) = (known.all, fields.trimmed(left: left.unknown, right: right.unknown).all)
      let ends = mine.commonEnds(seen)
      return mine.count + seen.count - 2 * (ends.start + ends.end)
    }
    return min(distance(to: fields), text + 1)
  }

  /// How many bytes the edits from `start` to this remove and insert.
  func changedLength(from start: AnnouncedText) -> Int {
    start.lend { start in lend { AnnouncedText.distance(start, $0) } }
  }

  /// How many bytes of the two are in no common start, end or selection.
  private static func distance(_ old: Fields, _ new: Fields) -> Int {
    let left = old.before.bytes.commonPrefix(new.before.bytes)
    let right = old.after.bytes.commonSuffix(new.after.bytes)
    let shared =
      old.selected.bytes == new.selected.bytes ? old.selected.bytes.count : 0
    return old.all.count + new.all.count - 2 * (left + right + shared)
  }
}

extension Fields {
  /// The fields without `left` bytes at the left end and `right` bytes at the right end, or as many as there are, in
  /// whole scalars.
  func trimmed(left: Int, right: Int) -> Fields {
    if left == 0, right == 0 { return self }
    var fields = self
    let before = self.before.bytes
    let after = self.after.bytes
    fields.before = Field(
      before.dropFirst(before.scalarStart(atOrAfter: min(left, before.count))),
      isShown: self.before.isShown)
    fields.after = Field(
      after.prefix(after.scalarStart(atOrBefore: max(0, after.count - right))),
      isShown: self.after.isShown)
    return fields
  }
}

extension AnnouncedText {
  /// The mate of the bracket or quotation mark inserted left of the caret, if `fields` is this with the mate behind the
  /// caret.
  func mate(in fields: Fields) -> Bytes? {
    let after = fields.after.bytes
    guard shift.scalars > 0, let opening = Unicode.Scalar(lend { $0.before.bytes.lastScalar }),
      let closing = Unicode.Scalar(after.firstScalar), closing.mayClose(opening)
    else { return nil }
    let mate = after.prefix(after.firstScalarLength)
    var fields = fields
    fields.after = Field(after.dropFirst(mate.count), isShown: true)
    return isShown(by: fields) ? mate : nil
  }
}

extension Unicode.Scalar {
  /// Whether it is a bracket or a quotation mark that may be the mate of `opening` (Unicode's General_Category and
  /// Quotation_Mark).
  fileprivate func mayClose(_ opening: Unicode.Scalar) -> Bool {
    if opening.properties.isQuotationMark { return properties.isQuotationMark }
    return opening.properties.generalCategory == .openPunctuation
      && properties.generalCategory == .closePunctuation
  }
}
