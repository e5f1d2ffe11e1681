/// An edit at the caret that an input method announces: grapheme clusters taken away on its two
/// sides, text put in, or the caret moved.
public struct Edit: Sendable {
  /// The text put in; empty for none.
  public var insert: String
  /// How many grapheme clusters are taken away left of the caret.
  public var deleteBackward: Int
  /// How many grapheme clusters are taken away right of the caret.
  public var deleteForward: Int
  /// How many grapheme clusters the caret moves, positive towards the end of the text.
  public var moveCaret: Int

  /// An edit of the parts given.
  public init(
    insert: String = "", deleteBackward: Int = 0, deleteForward: Int = 0, moveCaret: Int = 0
  ) {
    self.insert = insert
    self.deleteBackward = deleteBackward
    self.deleteForward = deleteForward
    self.moveCaret = moveCaret
  }
}
