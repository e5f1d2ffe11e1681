/// What a person did between two snapshots.
///
/// A later version may have more kinds: a `switch` with a `default` goes on compiling then. A kind that you don't know
/// is to be treated like `outOfRangeTap`.
public enum Kind: String, Sendable, CaseIterable {
  /// Nothing to be seen: the two snapshots are equal.
  case unchanged
  /// The caret went to another place within the visible text.
  case cursorMove
  /// Text was selected, or the selection changed.
  case selection
  /// The selection was given up, the caret staying within the visible text.
  case deselection
  /// Exactly one whole line was selected, a line being above it.
  case lineSelection
  /// The selection of a whole line was given up.
  case lineDeselection
  /// The selection was taken away into the pasteboard; with nothing selected the caret's line, as editors of code do.
  case cut
  /// The pasteboard's text was put in, at the caret or over a selection; where that text is not known, this is an
  /// insertion or a replacement.
  case paste
  /// The caret went to a place outside the visible text.
  case outOfRangeTap
  /// Other text was put in at the caret.
  case insertion
  /// Text was taken away at the caret, or a selection was erased.
  case deletion
  /// Text at the caret, or a selection, was exchanged for other text.
  case replacement
  /// The state before the session's last edit, or last run of typing, is back.
  case undo
  /// What was undone is back again.
  case redo
  /// Everything went at once: a field sent and cleared.
  case submission
  /// The host cut the same text elsewhere; the person did nothing.
  case windowShift
  /// What the keyboard had announced.
  case expected

  /// Whether somebody went elsewhere or sent the field, rather than edited it: the caret's and the selection's kinds,
  /// `outOfRangeTap` and `submission`.
  ///
  /// Where a move leaves the composition, what is being composed is to be committed. Not so at an edit: hosts on Linux
  /// tell the keyboard's own edits late, or in part, which reads as one by somebody else.
  public var isMove: Bool {
    switch self {
    case .cursorMove, .selection, .deselection, .lineSelection, .lineDeselection, .outOfRangeTap,
      .submission:
      true
    case .unchanged, .cut, .paste, .insertion, .deletion, .replacement, .undo, .redo, .windowShift,
      .expected:
      false
    }
  }
}
