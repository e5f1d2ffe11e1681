/// What is known of the text that lies beyond a known stretch of it.
enum Edge: UInt8, Sendable {
  /// Nothing: the document ends here.
  case document
  /// The line ends here: a newline follows, or the document ends.
  case line
  /// A sentence ends here: left of the edge lies the document's start, a newline or a terminator;
  /// right of it anything but a terminator.
  case sentence
  /// Anything.
  case open
}

/// The text that is known around the old caret: what the old snapshot shows, with the newlines that
/// it implies, and what a session remembers beyond.
struct Known {
  /// What is known left of the old caret, or of the old selection's left end.
  var left: Bytes
  /// The old selection.
  var selected: Bytes
  /// What is known right of the old caret, or of the old selection's right end.
  var right: Bytes
  var leftEdge: Edge
  var rightEdge: Edge

  /// What `old` alone shows.
  init(_ old: Fields, window: Window, terminators: borrowing Terminators) {
    left = old.before.bytes
    selected = old.selected.bytes
    right = old.after.bytes
    leftEdge = .open
    rightEdge = .open
    let shown = old.read(by: window)
    shownLeft = shown.before.bytes.count
    shownRight = shown.after.bytes.count
    if left.isEmpty && window != .line { leftEdge = .document }
    if window == .paragraph || window == .line { rightEdge = .line }
    if window == .line { leftEdge = .line }
    if window == .full && right.isEmpty { rightEdge = .document }
    guard window == .sentence else { return }
    if !left.isEmpty, left != .newline {
      // A run of terminators goes with the text that it ends, if there is some.
      leftEdge = terminators.contains(left.firstScalar) ? .line : .sentence
    }
    if shown.after.isShown && right.isEmpty {
      right = .newline
    } else if right.isEmpty {
      rightEdge = .document
    } else {
      rightEdge = terminators.contains(right.lastScalar) ? .sentence : .line
    }
  }

  /// What is remembered around the caret of `old`, as it is read, the ends being those of the memory.
  init(
    rememberedAround old: Fields, left: Bytes, selected: Bytes, right: Bytes, leftEdge: Edge,
    rightEdge: Edge, isPlain: Bool
  ) {
    self.left = left
    self.selected = selected
    self.right = right
    self.leftEdge = leftEdge
    self.rightEdge = rightEdge
    shownLeft = min(old.before.bytes.count, left.count)
    shownRight = min(old.after.bytes.count, right.count)
    self.isPlain = isPlain
    isRemembered = true
  }

  /// Whether nobody has seen more of it: the pair is read by itself.
  var isAlone = false
  /// Whether a session's memory knows it.
  var isRemembered = false
  /// Whether the session has seen nothing but an empty field since it was one, which may be one of lines.
  var isAllEmpty = false
  /// Whether it is known that each scalar takes one UTF-16 unit and is a grapheme cluster of its own.
  var isPlain = false
  /// Whether the session has seen a new line come with its indentation.
  var isIndented = false
  /// Whether the session saw text left of the caret being erased last.
  var isErasing = false
  /// Whether the session saw text come left of the caret that may be composed still.
  var isComposing = false
  /// Whether the session saw letters become kana lately.
  var composesByLetters = false
  /// What the session saw selected, as `Clips` lends it.
  var clips = Bytes.empty
  /// How much of `left` and of `right` the old snapshot shows.
  var shownLeft: Int
  var shownRight: Int

  /// Where the visible text lies in the known text.
  var visible: Range<Int> {
    left.count - shownLeft..<left.count + selected.count + shownRight
  }

  /// Whether a newline is known to follow what the old snapshot shows.
  var isBreakImplied: Bool { right.count > shownRight && right[shownRight] == .newline }

  /// All of it.
  var text: Joined { Joined(left, selected, right) }

  /// Whether nothing lies farther than `limit` bytes from the caret, or from the selection.
  func isWithin(_ limit: Int) -> Bool {
    max(left.count, selected.count, right.count) <= limit
  }

  /// Of it as much as lies within `limit` bytes of the caret, or of the selection, on each side; of a
  /// longer selection the beginning.
  func within(_ limit: Int) -> Known {
    if isWithin(limit) { return self }
    var near = self
    if left.count > limit {
      near.left = left.dropFirst(left.scalarStart(atOrAfter: left.count - limit))
      near.leftEdge = .open
    }
    if selected.count > limit {
      near.selected = selected.prefix(selected.scalarStart(atOrBefore: limit))
      near.right = .empty
      near.rightEdge = .open
    } else if right.count > limit {
      near.right = right.prefix(right.scalarStart(atOrBefore: limit))
      near.rightEdge = .open
    }
    return near
  }

  /// Whether text that may be erased at once was not seen.
  var isOpenLeft: Bool { leftEdge != .document && left.count - shownLeft < Known.reach }

  /// How far back text may go at once, in bytes.
  static let reach = 1_024

  /// The same text, its ends open: for a host that shows null where there is text.
  var withOpenEnds: Known {
    var open = self
    open.leftEdge = .open
    open.rightEdge = .open
    return open
  }
}
