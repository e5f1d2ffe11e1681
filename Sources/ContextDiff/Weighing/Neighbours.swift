/// The line that a host of lines shows beside the caret's: GTK 3 the one below at a line's end, Firefox the one above
/// at a line's start.
///
/// The readings compare the caret's line alone. Hypotheses that agree in it differ in the neighbour that they predict:
/// Return keeps the line below, while a caret that went up to an empty line has its old line there.
extension Pair {
  /// What a neighbouring line, if the new window shows one, adds to the weight of a hypothesis that predicts `left` and
  /// `right` beside the caret or the selection, in bits.
  func bitsOfNeighbours(left: Joined, right: Joined) -> Double {
    if window != .line || !known.isRemembered { return 0 }
    var bits = 0.0
    if let above = shownAbove {
      let same = left.commonSuffix(Joined(above))
      bits += bitsOfNeighbour(
        same, ofShown: above.count, ofKnown: left.count,
        edge: wasInFirstLine ? .document : known.leftEdge,
        goesOn: same < left.count && left[left.count - same - 1] != .newline)
    }
    if let below = shownBelow {
      let same = right.commonPrefix(Joined(below))
      bits += bitsOfNeighbour(
        same, ofShown: below.count, ofKnown: right.count,
        edge: wasInLastLine ? .document : known.rightEdge,
        goesOn: same < right.count && right[same] != .newline)
    }
    if left.last == .newline, hidesAbove { bits += Measured.otherNeighbour }
    if right.first == .newline, hidesBelow { bits += Measured.otherNeighbour }
    return bits
  }

  /// Whether the new caret is at its line's start and no line above is shown, though the host showed one there before.
  private var hidesAbove: Bool {
    new.selected.isEmpty && shownNew.before.isEmpty && shownOld.before.bytes.last == .newline
  }

  /// Whether the new caret is at its line's end and no line below is shown, though the host showed one there before.
  private var hidesBelow: Bool {
    new.selected.isEmpty && shownNew.after.isEmpty && shownOld.after.bytes.first == .newline
  }

  /// What a neighbouring line, where one is shown, adds in bits to a hypothesis by which all that is shown was seen before.
  var bitsOfSeenNeighbours: Double {
    shownAbove == nil && shownBelow == nil ? 0 : Measured.sameNeighbour
  }

  /// What a neighbouring line adds in bits to a hypothesis by which the caret has left its line: the old line is beside the
  /// new one, then.
  var bitsOfOldLineBeside: Double {
    if old.isEmpty { return 0 }
    if let above = shownAbove, Joined(above.dropLast(1)) == old.all {
      return Measured.sameNeighbour
    }
    if let below = shownBelow, Joined(below.dropFirst(1)) == old.all {
      return Measured.sameNeighbour
    }
    return 0
  }

  /// Whether the old caret was at its line's start, and no line above was shown: there was none, if the host shows one now.
  private var wasInFirstLine: Bool {
    old.selected.isEmpty && known.left.isEmpty && shownOld.before.isEmpty
  }

  /// Whether the old caret was at its line's end, and no line below was shown: there was none, if the host shows one now.
  private var wasInLastLine: Bool {
    old.selected.isEmpty && known.right.isEmpty && shownOld.after.isEmpty
  }

  /// The line above the caret's with its newline, where the new window shows it and nothing beyond: a host that shows
  /// more does not show single lines, or shows those of a selection.
  private var shownAbove: Bytes? {
    let shown = shownNew.before.bytes
    guard window == .line, known.isRemembered, new.before.isEmpty, shown.last == .newline,
      !shown.dropLast(1).holdsLineBreak
    else { return nil }
    return shown
  }

  /// The same for the line below, with the newline before it.
  private var shownBelow: Bytes? {
    let shown = shownNew.after.bytes
    guard window == .line, known.isRemembered, new.after.isEmpty, shown.first == .newline,
      !shown.dropFirst(1).holdsLineBreak
    else { return nil }
    return shown
  }

  /// The weight of one neighbour: of its `shown` bytes, the `same` ones next to the caret are as predicted; `known`
  /// bytes are predicted, beyond which `edge` lies, and `goesOn` says that the predicted line has more than `same`.
  private func bitsOfNeighbour(
    _ same: Int, ofShown shown: Int, ofKnown known: Int, edge: Edge, goesOn: Bool
  ) -> Double {
    if same == shown { return goesOn ? Measured.otherNeighbour : Measured.sameNeighbour }
    // Beyond what is known there may be any text; but a line that was seen was seen whole.
    let isOther = same < known || same > 0 && edge != .open || edge == .document
    return isOther ? Measured.otherNeighbour : 0
  }
}
