/// Text left of the caret exchanged for other text, nothing being selected: an autocorrection, a
/// conversion.
enum ExchangeReading {
  static func propose(for pair: Pair, in contest: inout Contest) {
    guard pair.old.selected.isEmpty else { return }
    proposeExchange(of: pair.gone, for: pair.come, pair, in: &contest)
    // Windows that are cut differently may share a few characters by chance.
    if pair.alignment.isCut, pair.keepsAfter,
      !KeptScalars.areEnough(endOf: pair.alignment.kept(of: pair.old.before.bytes))
    {
      proposeExchange(of: pair.old.before.bytes, for: pair.new.before.bytes, pair, in: &contest)
    }
  }

  private static func proposeExchange(
    of gone: Bytes, for text: Bytes, _ pair: Pair, in contest: inout Contest
  ) {
    guard !gone.isEmpty, !text.isEmpty else { return }
    var action = Action(removedLeft: gone.count, inserted: text)
    if gone.losesLetter(to: text) {
      action.isErasure = true
      contest.propose(.replacement, action, prior: Model.erased, for: pair)
      return
    }
    // Or for another word of the same spelling.
    let converts =
      gone.converts(to: text) || gone.count <= pair.known.composedLength && text.isComposable
    if converts, !gone.isOverlaid(by: text) {
      contest.propose(
        .replacement, action,
        prior: pair.known.isComposing ? Measured.composed : Measured.converted,
        for: pair)
      return
    }
    // Where farther left another word was corrected, what follows it is no news; nor are digits that a form groups anew.
    let common = gone.commonSuffix(text)
    var news = text
    if KeptScalars.areEnough(endOf: text.suffix(common)) {
      news = text.dropLast(common)
    } else if gone.isRegrouped(as: text) {
      news = text.suffix(1)
    }
    let scalars = news.scalarCount(upTo: Measured.mostUnknown)
    contest.propose(
      action.kind(in: pair) ?? .replacement, action,
      prior: (action.exchange(in: pair) ?? Measured.exchanged) + Double(scalars) * Measured.scalar
        + Model.place(among: gone.scalarCount - 1), news: news, for: pair)
  }
}

extension Bytes {
  /// Whether `text` is this number, grouped anew, with a digit more or less at its end.
  fileprivate func isRegrouped(as text: Bytes) -> Bool {
    digitsBeyond(text).map { $0.mine + $0.others == 1 } ?? false
  }

  /// Whether `later`, farther on in the text, begins with this one's end: two windows of one text, not a word and its
  /// spelling.
  fileprivate func isOverlaid(by later: Bytes) -> Bool {
    let common = Overlap.longestEnd(of: self, thatBegins: later)
    return later.prefix(common).isOverlap
  }
}
