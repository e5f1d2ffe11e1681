/// An undo or redo through a history: the steps that it undoes or redoes, and what they lead to.
struct Way {
  /// `undo` or `redo`.
  var kind: Kind
  /// How many steps are undone, or redone, whole.
  var steps = 0
  /// How many bytes of the next step are undone besides: those that it inserted last or, of an erasure, those that it
  /// erased last; for an undo alone.
  var rest = 0
  /// The change of the known text.
  var change: TextChange
  /// The text that undoing, or redoing, a single step removes and inserts; `nil` for several steps, or a part of one.
  var step: (removed: [UInt8], inserted: [UInt8])?
  /// The new caret, or the selection's left end, in bytes from the known text's start.
  var caret: Int
  /// The weight of this way among all of its kind, in bits; 0 for one step with the caret where it belongs.
  var weight: Double
  /// The weight of undoing, or redoing, now, and of its history being the true one, in bits.
  var prior = 0.0
  /// The part of the last run that is undone, where it tells how the host groups edits.
  var part: GroupingBelief.Part?
  /// Whether the window shows by its rule what it leads to.
  var isExact = true
  /// Whether it uses a doubted step (`History.Step.isDoubted`).
  var isDoubted = false
  /// The index of its history in the beam; `nil` for the history of another stretch.
  var past: Int?
}

extension Way {
  /// The length of the text between the old caret and the new one: from where the texts, or the carets, part, what
  /// is left of the new caret less what was left of the old one.
  func cursorOffset(from known: borrowing Known) -> Extent {
    let all = known.text
    let start = min(change.start, known.left.count, caret)
    let gone = Extent(of: known.left.dropFirst(start))
    if caret <= change.start {
      return Extent(of: all.prefix(caret).dropFirst(start)) - gone
    }
    var before = all.prefix(change.start).dropFirst(start).contiguous
    before += change.inserted
    let missing = caret - start - before.count
    if missing > 0 {
      before += all.dropFirst(change.start + change.removed.count).prefix(missing).contiguous
    } else {
      before.removeLast(-missing)
    }
    return before.withBytes { Extent(of: $0) } - gone
  }
}
