/// A way through a history, back or again, that shows what was seen.
struct Way {
  /// Undo, or redo.
  var kind: Kind
  /// How many steps it takes whole.
  var steps = 0
  /// How many bytes of the end of what the next run put in it takes back besides.
  var tail = 0
  /// How many bytes of the beginning of what the next run erased it brings back besides.
  var head = 0
  /// What it does to the known text.
  var change: TextChange
  /// What went and what came, where it is one step.
  var step: (removed: [UInt8], inserted: [UInt8])?
  /// Where the caret, or the selection's left end, is afterwards, from the known text's start.
  var caret: Int
  var selected: Int
  /// How likely it is beside the plainest way of its kind, as a binary logarithm.
  var weight: Double
  /// How likely it is that people go that way, and that the history is the right one.
  var prior = 0.0
  /// What of the last run it takes back, where that tells how the host groups edits.
  var part: GroupingBelief.Part?
  /// Whether it goes through a step that may never have been one.
  var isDoubted = false
  /// By which of the beam's histories it goes; `nil` for that of another stretch.
  var past: Int?
}

extension Way {
  /// The text between the caret in `known` and where it is afterwards: what came before the new one, less
  /// what went before the old one, from where the text differs on.
  func cursorOffset(from known: borrowing Known) -> Extent {
    let all = known.text
    let start = min(change.start, known.left.count, caret)
    let gone = Extent(of: Joined(known.left.dropFirst(start)))
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
    return before.withBytes { Extent(of: Joined($0)) } - gone
  }
}
