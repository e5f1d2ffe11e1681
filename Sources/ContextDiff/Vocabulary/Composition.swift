/// How much of the old snapshot's text is still being composed: what is selected, and this much beside it.
public struct Composition: Sendable, Hashable {
  /// The length left of the caret, or of the selection's left end, in scalars.
  public var before: Int
  /// The length right of the caret, or of the selection's right end, in scalars.
  public var after: Int

  /// A composition that reaches `before` scalars left and `after` scalars right of the caret.
  ///
  /// A negative length counts as 0; contextdiffd and `LocalSessions` take 0 or more alone.
  public init(before: Int, after: Int) {
    self.before = before
    self.after = after
  }
}
