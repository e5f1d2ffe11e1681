extension History {
  /// One step back or forth: at `position`, on the scale of the memory's `origin`, `removed` gave
  /// way to `inserted`.
  struct Step: Sendable, Equatable {
    var position: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    /// Where the caret, or the selection, was before: on the same scale.
    var caret: Int
    var selected = 0
    /// Whether it may grow: a run of typing, or of erasing, goes in one step.
    var end: End
    /// Whether it is undone together with the step before it.
    var bond = Bond.none
    /// What its last edit did.
    var lastEditType: EditType
    /// How many bytes the last edit of a run put in; or took, less than nothing.
    var lastEditLength: Int
    /// Where in `inserted` the text begins that an input method composes: letters come, and are
    /// exchanged.
    var composed: Int?
    /// Where in `inserted` another composition may have begun: nothing shows that one is over.
    var breaks: [Int] = []
    /// Whether it was taken back, or again, so that nobody doubts where it begins and ends.
    var isWhole = false
    /// Whether something else may as well have been done, which leaves another text.
    var isDoubted = false
    /// How many bytes at its end are selected when it is done again.
    var endSelected = 0

    /// What its texts take besides their bytes: an array each, of which most steps have one.
    static let textRoom = 64

    /// How many bytes of text it holds.
    var count: Int { removed.count + inserted.count }
  }

  /// Whether typing goes on with a step.
  enum End: UInt8, Sendable {
    case open, doubtful, closed
  }

  /// How a step hangs together with the one before it.
  enum Bond: UInt8, Sendable {
    /// Each is undone by itself.
    case none
    /// Nobody can tell.
    case loose
    /// Browsers undo both at once.
    case firm
  }

  enum EditType: UInt8, Sendable {
    case typed, erasedLeft, erasedRight, other
  }
}

extension History.Step {
  /// Takes the end of what was put in, from `offset` on, off as a step of its own.
  mutating func split(at offset: Int) -> History.Step {
    var rest = History.Step(
      position: position + offset, removed: [], inserted: Array(inserted[offset...]),
      caret: position + offset, end: end, lastEditType: lastEditType, lastEditLength: lastEditLength
    )
    if let composed { rest.composed = max(0, composed - offset) }
    rest.breaks = breaks.filter { $0 > offset }.map { $0 - offset }
    rest.endSelected = min(endSelected, rest.inserted.count)
    endSelected = 0
    if let composed, composed >= offset { self.composed = nil }
    breaks.removeAll { $0 >= offset }
    inserted.removeLast(inserted.count - offset)
    end = .closed
    return rest
  }

  /// Whether letters of a composition wait to become kana.
  var hasPendingLetters: Bool {
    guard composed != nil, let last = inserted.last else { return false }
    return last < 0x80
  }
}
