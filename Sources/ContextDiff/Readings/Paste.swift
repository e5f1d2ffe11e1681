/// The pasteboard's text inserted at the caret, or over the selection.
enum PasteReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    let text = pair.pasteboard.bytes
    guard !text.isEmpty else { return }
    // If only newlines and blanks are seen of the text, Return explains the pair as well.
    let isBreak =
      pair.new.before.bytes.isWhitespace && text.count > pair.new.before.bytes.count
      && !pair.evidence.mayPaste
    contest.propose(
      .paste, pair.inserting(text),
      prior: (isBreak
        ? Measured.pastedBreak : pair.hasCopied ? Measured.restored : Model.pasted)
        + (pair.mayBePastedBefore ? Measured.pastedTwice : 0), for: pair)
    // Some hosts add one adjacent space, left or right of the caret.
    let come = pair.come
    guard pair.gone.isEmpty else { return }
    if come == text, !pair.keepsAfter, pair.new.after.bytes.first == .space {
      contest.propose(
        .paste, pair.inserting(text, behind: pair.new.after.bytes.prefix(1)),
        prior: Model.pasted + Measured.space, for: pair)
    }
    // Some change its line breaks, as one-line fields do.
    if come.isMade(of: text), come != text, !come.isWhitespace, !come.isOneGrapheme {
      contest.propose(.paste, pair.inserting(come), prior: Model.pasted, for: pair)
    }
    // Others add a space, or tidy spaces and tabs: leave them out, or exchange them.
    let isSpaced =
      come.count == text.count + 1
      && (come.last == .space && come.hasPrefix(text)
        || come.first == .space && come.hasSuffix(text))
    let isTidied =
      come != text && KeptScalars.areEnough(endOf: come) && come.isSameButForBlanks(as: text)
    if isSpaced || isTidied {
      contest.propose(
        .paste, pair.inserting(come), prior: Model.pasted + Measured.space, for: pair)
    }
  }
}

extension Pair {
  /// Whether nothing is seen left of the caret but the end of a line of the pasteboard, and the old window showed that
  /// already: of a paste longer than the window, what was typed behind it may have been erased.
  fileprivate var mayBePastedBefore: Bool {
    let seen = new.before.bytes
    guard !evidence.mayPaste, pasteboard.bytes.hasSuffix(seen),
      let beyond = pasteboard.bytes.dropLast(seen.count).last, beyond != .newline
    else { return false }
    let old = old.before.bytes
    return old.prefix(Overlap.longestEnd(of: seen, thatBegins: old)).newScalars >= Measured.overlaid
  }
}

extension Bytes {
  /// Whether this is `text` with carriage returns left out, and line feeds left out or made spaces.
  fileprivate func isMade(of text: Bytes) -> Bool {
    var taken = 0
    for place in 0..<text.count {
      let byte = text[place]
      if taken < count, self[taken] == byte || byte == .newline && self[taken] == .space {
        taken += 1
      } else if byte != .newline, byte != .carriageReturn {
        return false
      }
    }
    return taken == count
  }
}
