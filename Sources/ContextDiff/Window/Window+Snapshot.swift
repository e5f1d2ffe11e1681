extension Window {
  /// What a host with this window shows of `document`, the caret or selection reaching from scalar
  /// `from` to scalar `to`.
  ///
  /// - Parameters:
  ///   - document: The whole text.
  ///   - from: Where the caret, or one end of the selection, stands, in scalars; an end outside of the
  ///     document stands for the document's nearer end.
  ///   - to: Where the selection's other end stands, in scalars; equal to `from` for a caret.
  ///   - terminators: The scalars that end a sentence; only `sentence` needs them.
  ///   - limit: How many scalars `before` and `after` hold at most; a negative one counts as 0.
  ///     `sentence` knows no limit, `paragraph` has one of 1,000 by default, `line` and `full` none.
  /// - Returns: The snapshot, `selected` being `nil` for a caret.
  /// - Complexity: Linear in the document's length.
  public func snapshot(
    of document: String, from: Int, to: Int, terminators: Terminators = .standard,
    limit: Int? = nil
  ) -> Snapshot {
    document.withBytes { text in
      let low = text.byteOffset(ofScalar: max(0, min(from, to)))
      let high = text.byteOffset(ofScalar: max(0, max(from, to)))
      var before = shownLeft(of: text.prefix(low), terminators: terminators)
      var after = shownRight(of: text.dropFirst(high), terminators: terminators)
      if let limit = limit ?? (self == .paragraph ? 1_000 : nil), self != .sentence {
        let left = before.bytes.suffix(before.bytes.length(ofLastScalars: limit))
        let right = after.bytes.prefix(after.bytes.byteOffset(ofScalar: max(0, limit)))
        before = Field(left, isShown: !left.isEmpty)
        after = Field(right, isShown: !right.isEmpty)
      }
      let selected = text.dropFirst(low).prefix(high - low)
      return Snapshot(
        before: before.string, selected: selected.isEmpty ? nil : selected.string,
        after: after.string)
    }
  }
}
