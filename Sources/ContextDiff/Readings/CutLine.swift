/// Cut with nothing selected: editors of code cut the caret's line, and show the next one.
enum CutLineReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    guard pair.evidence.key == .cut, pair.selectsNothing, !pair.keepsText, !pair.losesOnlyRight
    else { return }
    if !pair.pasteboard.isShown {
      contest.accept(.unplaced(.cut, weight: Model.cut + pair.costOfUnknown))
    } else if pair.pasteboardHoldsLine {
      // That the pasteboard holds just this line is no coincidence, whichever line is shown now; its two ends are unknown.
      contest.accept(.unplaced(.cut, weight: Model.cut + 2 * Measured.scalar))
    }
  }
}

extension Pair {
  /// Whether only text right of the caret is gone: the line is removed as any text is.
  fileprivate var losesOnlyRight: Bool {
    keepsBefore && shownOld.after.bytes.hasSuffix(shownNew.after.bytes)
  }

  /// Whether the pasteboard holds one line, with its newline or without, that is the caret's: all of that which the old
  /// snapshot shows or, where the window shows a part of the line, more.
  fileprivate var pasteboardHoldsLine: Bool {
    let shown = Joined(old.before.bytes.lastLine, old.after.bytes.firstLine)
    var cut = pasteboard.bytes
    if cut.last == .newline { cut = cut.dropLast(1) }
    if Joined(cut) == shown { return !shown.isEmpty }
    if cut.holdsLineBreak { return false }
    return shown.contiguous.withBytes {
      KeptScalars.areEnough(endOf: $0) && Joined(cut).holds($0)
    }
  }
}
