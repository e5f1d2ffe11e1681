/// The text known around the old caret: what the old snapshot shows, the newline that it implies, and
/// what a session remembers beyond.
struct Known {
  /// The text left of the old caret, or of the old selection.
  var left: Bytes
  /// The old selection.
  var selected: Bytes
  /// The text right of the old caret, or of the old selection.
  var right: Bytes
  /// What may lie left of `left`.
  var leftEdge: Edge
  /// What may lie right of `right`.
  var rightEdge: Edge

  /// What `old` alone shows and implies.
  init(_ old: Fields, window: Window, terminators: borrowing Terminators) {
    left = old.before.bytes
    selected = old.selected.bytes
    right = old.after.bytes
    leftEdge = window == .line ? .line : left.isEmpty ? .document : .open
    rightEdge =
      window.right == .line ? .line : window == .full && right.isEmpty ? .document : .open
    let shown = old.seen(through: window)
    shownLeft = shown.before.bytes.count
    shownRight = shown.after.bytes.count
    guard window == .sentence else { return }
    if !left.isEmpty, left != .newline {
      // A run of terminators at the very start ends no sentence, so its line begins there.
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

  /// What a session remembers around the caret of `old`, which is cut as the readings see it (`seen(through:)`).
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

  /// Whether the pair is classified without a session.
  var isAlone = false
  /// Whether the text comes from a session's memory.
  var isRemembered = false
  /// Whether the session remembers no text, neither here nor in another stretch: the field, or the line, is empty.
  var isAllEmpty = false
  /// Whether each scalar is known to be one UTF-16 unit and one grapheme cluster.
  var isPlain = false
  /// Whether the session has seen a new line come with indentation.
  var isIndented = false
  /// Whether the session's last edit was an erasure that ended at this caret.
  var isErasing = false
  /// Whether what that erasure took last is a newline.
  var hasErasedBreak = false
  /// Whether the session's last edits took back the end of what was typed, as undos do on a host that undoes single edits.
  var mayBeUndoing = false
  /// Whether the session's last edit inserted text, left of this caret, that may still be composed.
  var isComposing = false
  /// How many bytes left of the caret were converted last, and may be converted to another word.
  var composedLength = 0
  /// Whether one of the session's last undo steps composed text from letters.
  var composesByLetters = false
  /// The texts that the session saw selected (`Clips.texts`).
  var clips = Bytes.empty
  /// How many bytes at the end of `left` the old snapshot shows.
  var shownLeft: Int
  /// How many bytes at the start of `right` the old snapshot shows.
  var shownRight: Int

  /// The range of the visible text, in bytes of the known text.
  var visible: Range<Int> {
    left.count - shownLeft..<left.count + selected.count + shownRight
  }

  /// Whether a newline is known to follow what the old snapshot shows.
  var isBreakImplied: Bool { right.count > shownRight && right[shownRight] == .newline }

  /// All of it.
  var text: Joined { Joined(left, selected, right) }

  /// The part within `limit` bytes of the caret, or selection, on each side; of a selection longer than
  /// `limit`, its beginning and nothing right of it.
  ///
  /// `shownLeft` and `shownRight` stay those of the whole: a memory does not ask what is visible.
  func within(_ limit: Int) -> Known {
    var near = self
    if left.count > limit {
      near.left = left.lastScalars(within: limit)
      near.leftEdge = .open
    }
    if selected.count > limit {
      near.selected = selected.firstScalars(within: limit)
      near.right = .empty
      near.rightEdge = .open
    } else if right.count > limit {
      near.right = right.firstScalars(within: limit)
      near.rightEdge = .open
    }
    return near
  }

  /// Whether an edit may erase text left of the caret that is not known.
  var isOpenLeft: Bool {
    if leftEdge == .document { return false }
    let hidden = left.dropLast(shownLeft)
    // Most of the time the bytes tell.
    if hidden.count < Measured.mostErased { return true }
    return hidden.count < 4 * Measured.mostErased && hidden.scalarCount < Measured.mostErased
  }

  /// The same text, beyond both ends of which lies `edge`.
  func between(_ edge: Edge) -> Known {
    var known = self
    known.leftEdge = edge
    known.rightEdge = edge
    return known
  }
}

extension Known {
  /// Whether the remembered text, cut by the window's rule, is `old`, and no other line of it looks the same: then
  /// a keystroke in it shows what a `Keystroke` supposes.
  func goesOn(around old: Fields, window: Window, terminators: borrowing Terminators) -> Bool {
    let (before, after) = (old.before.bytes, old.after.bytes)
    if left.count < before.count || right.count < after.count { return false }
    return old.obeys(window) && startsWhereCut(before, window, terminators)
      && endsWhereCut(old.after, window)
      && (window == .sentence || right.first != .newline
        || !right.dropFirst(1).hasPrefix(before))
  }

  private func startsWhereCut(
    _ before: Bytes, _ window: Window, _ terminators: borrowing Terminators
  ) -> Bool {
    if left.count == before.count || window.left == .all { return true }
    let outside = left.dropLast(before.count).lastScalar
    return window.left.cuts(
      beside: outside,
      endingSentence: terminators.endSentence(with: outside, before: before.firstScalar))
  }

  private func endsWhereCut(_ after: Field, _ window: Window) -> Bool {
    let length = after.bytes.count
    // Nothing more is known; under `sentence` an `after` of "" says that a newline follows.
    if right.count == length { return window != .sentence || !after.isEmpty || !after.isShown }
    if window.right == .all { return !after.isEmpty }
    return right[length] == .newline && (window.right == .line || !after.isEmpty || after.isShown)
  }
}
