/// Text put in at the caret, or over the selection.
enum InsertionReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    let seen = pair.new.before.bytes
    guard !seen.isEmpty else { return }
    let isOverSelection = !pair.old.selected.isEmpty
    let kind: Kind = isOverSelection ? .replacement : .insertion
    // A window that starts anew shows the new text alone.
    let isWhole = pair.gone.isEmpty
    let text = isWhole ? pair.come : seen
    if text.isEmpty { return }
    // A window starts anew only behind a terminator, or at a new line.
    if isWhole || pair.startsAnew {
      let action = Action(removesSelection: isOverSelection, inserted: text)
      contest.propose(kind, action, prior: prior(of: text), for: pair)
    }
    if !isWhole && pair.keepsAfter, let line = indentedLine(showing: seen) {
      let action = Action(removesSelection: isOverSelection, inserted: line)
      contest.propose(kind, action, prior: Prior.indented, for: pair)
    }
    if !isWhole && pair.keepsAfter {
      // Several sentences or lines, of which the last is shown.
      proposePart(of: pair, kind: kind, in: &contest)
    }
  }

  /// A new line indented as `text` is, where that is nothing but blanks: what an editor of code
  /// puts in for the return key.
  private static func indentedLine(showing text: Bytes) -> Bytes? {
    let line = text.first == 0x20 ? spaces : tabs
    guard text.count < line.count else { return nil }
    let indented = line.prefix(text.count + 1)
    return indented.dropFirst(1) == text ? indented : nil
  }

  private static var spaces: Bytes {
    Bytes("\n                                                                ")
  }

  private static var tabs: Bytes { Bytes("\n\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t") }

  /// What a text costs that comes from nowhere.
  static func prior(of text: Bytes, isPhrase: Bool = false) -> Double {
    let scalars = text.scalarCount(upTo: Fit.unknownLimit)
    if text == .newline, !isPhrase { return Prior.typed + Prior.scalar + Prior.lineBreak }
    let cost = Double(scalars) * Prior.scalar
    if !isPhrase, scalars == 1 || text.isOneGrapheme { return cost + Prior.typed }
    return cost + Prior.phrase + Double(min(scalars, 4)) * Prior.phraseScalar
  }

  private static func proposePart(
    of pair: borrowing Pair, kind: Kind, in contest: inout Contest
  ) {
    guard pair.window == .sentence else { return }
    let seen = pair.new.before.bytes
    let action = Action(
      removesSelection: !pair.old.selected.isEmpty, inserted: seen)
    contest.accept(
      Candidate(
        kind: kind, action: action, weight: prior(of: seen, isPhrase: true) + Prior.part,
        agreement: .exact, keptLeft: 0, keptRight: pair.new.after.bytes.count,
        isPartial: seen != .newline))
  }
}

/// The pasteboard's text put in at the caret, or over the selection.
enum PasteReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    let text = pair.pasteboard.bytes
    guard !text.isEmpty else { return }
    let action = Action(removesSelection: !pair.old.selected.isEmpty, inserted: text)
    contest.propose(.paste, action, prior: Prior.pasted, for: pair)
  }
}
