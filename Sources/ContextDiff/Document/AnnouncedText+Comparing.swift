// What a host shows, compared with what an announced edit leads to.

extension AnnouncedText {
  /// How near what is announced and what is shown must be to count as the same.
  enum Nearness: CaseIterable {
    /// The same text in each field.
    case equal
    /// Windows that are cut elsewhere, and agree next to the caret: on as much as is no coincidence.
    case aligned
  }

  /// Whether `fields` shows this.
  ///
  /// - Complexity: Constant.
  func isShown(by fields: Fields, _ nearness: Nearness) -> Bool {
    guard fields.selected.bytes.count == selectedCount,
      selected.isSame(as: AnnouncedText.ends(of: fields.selected.bytes))
    else { return false }
    return lend { known in
      let before = fields.before.bytes
      let after = fields.after.bytes
      let left = known.before.bytes
      let right = known.after.bytes
      let overlapLeft = before.suffix(min(before.count, left.count))
      let overlapRight = after.prefix(min(after.count, right.count))
      guard left.hasSuffix(overlapLeft), right.hasPrefix(overlapRight) else { return false }
      let evidenceLeft = KeptScalars.count(endOf: overlapLeft)
      let evidenceRight = KeptScalars.count(startOf: overlapRight)
      let isOpenLeft = reachesLeft && evidenceRight >= KeptScalars.enough && !keepsLost(before)
      let isOpenRight =
        reachesRight && evidenceLeft >= KeptScalars.enough && !keepsLost(after: after)
      switch nearness {
      case .equal:
        return (isOpenLeft || before.count == left.count + unknownLeft)
          && (isOpenRight || after.count == right.count + unknownRight)
      case .aligned:
        return evidenceLeft + evidenceRight >= KeptScalars.enough
          && (!reachesLeft || isOpenLeft || before.count == left.count)
          && (!reachesRight || isOpenRight || after.count == right.count)
      }
    }
  }

  /// Whether `fields` shows this with text that it reaches, and nobody has seen; on the other side, as it was
  /// announced, may be too little to tell it from other text.
  func mayBeShown(by fields: Fields) -> Bool {
    guard fields.selected.isEmpty, selectedCount == 0 else { return false }
    return lend { known in
      let before = fields.before.bytes
      let after = fields.after.bytes
      // Where all goes that is known, what was out of sight comes into view.
      if reachesLeft || left.isEmpty && shift.scalars < 0 {
        return after == known.after.bytes && unknownRight == 0
          && before.count > known.before.bytes.count && !keepsLost(before)
          && before.hasSuffix(known.before.bytes)
      }
      return reachesRight && before == known.before.bytes && unknownLeft == 0
        && after.count > known.after.bytes.count && !keepsLost(after: after)
        && after.hasPrefix(known.after.bytes)
    }
  }

  private func keepsLost(_ before: Bytes) -> Bool {
    lostLeft.withBytes { !$0.isEmpty && before.hasPrefix($0) }
  }

  private func keepsLost(after: Bytes) -> Bool {
    lostRight.withBytes { !$0.isEmpty && after.hasSuffix($0) }
  }

  /// How many bytes this and what `fields` shows differ in, as far as both are known.
  func distance(to fields: Fields) -> Int {
    lend { known in
      AnnouncedText.distance(
        known, fields.trimmed(left: unknownLeft, right: unknownRight))
    }
  }

  /// How many bytes the edits from `start` to this exchange.
  func changedLength(from start: AnnouncedText) -> Int {
    start.lend { start in lend { AnnouncedText.distance(start, $0) } }
  }

  private static func distance(_ old: Fields, _ new: Fields) -> Int {
    let left = old.before.bytes.commonPrefix(new.before.bytes)
    let right = old.after.bytes.commonSuffix(new.after.bytes)
    let shared =
      old.selected.bytes == new.selected.bytes ? old.selected.bytes.count : 0
    return old.all.count + new.all.count - 2 * (left + right + shared)
  }
}

extension Fields {
  /// Without so many bytes at the two ends, as far as there are so many.
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
  /// The mate of what was put in left of the caret, where `fields` shows that behind the caret and is
  /// else this.
  func mate(in fields: Fields) -> Bytes? {
    let after = fields.after.bytes
    guard shift.scalars > 0, let opening = Unicode.Scalar(lend { $0.before.bytes.lastScalar }),
      let closing = Unicode.Scalar(after.firstScalar), closing.mayClose(opening)
    else { return nil }
    let mate = after.prefix(after.firstScalarLength)
    var fields = fields
    fields.after = Field(after.dropFirst(mate.count), isShown: true)
    return isShown(by: fields, .equal) ? mate : nil
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
