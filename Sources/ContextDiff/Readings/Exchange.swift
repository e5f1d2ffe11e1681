/// Text left of the caret exchanged for other text, nothing being selected: an autocorrection, a
/// conversion.
enum ExchangeReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    guard pair.old.selected.isEmpty else { return }
    let gone = pair.gone
    let text = pair.come
    guard !gone.isEmpty, !text.isEmpty else { return }
    let action = Action(removedLeft: gone.count, inserted: text)
    if gone.converts(to: text) {
      return contest.propose(.replacement, action, prior: Prior.converted, for: pair)
    }
    let scalars = text.scalarCount(upTo: Fit.unknownLimit)
    contest.propose(
      .replacement, action,
      prior: Prior.exchanged + Double(scalars) * Prior.scalar
        + Prior.place(among: max(0, gone.count - 4)), for: pair)
  }
}
