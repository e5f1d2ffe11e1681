/// The caret put, or text selected, outside the visible text: it can show any text.
enum ElsewhereReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    guard !pair.new.isBlank, pair.cause != .inputMethod
    else { return }
    let shown = pair.new.before.bytes.count + pair.new.after.bytes.count
    // A scalar takes four bytes at most.
    if pair.window != .paragraph,
      contest.isCoincidence(atMost: Model.moved + Double(shown / 4) * Measured.scalar)
    {
      return
    }
    contest.accept(
      Hypothesis(
        kind: .outOfRangeTap, action: .none,
        weight: weight(of: pair), agreement: .exact, keptLeft: 0,
        keptRight: 0))
  }

  /// More than any other reading counts, so that a long text put in is not taken for a tap.
  private static let unknownLimit = 2 * Fit.unknownLimit

  /// How likely it is that the caret went to other text, which shows what was seen.
  static func weight(of pair: borrowing Pair) -> Double {
    let limit = unknownLimit
    let seen = pair.new.before.bytes
    let right = pair.new.after.bytes.scalarCount(upTo: limit) + 1
    if pair.window == .paragraph, isFartherDown(pair) {
      return Model.moved + Model.place(among: seen.scalarCount) + Double(right) * Measured.scalar
    }
    let left = seen.scalarCount(upTo: limit) + 1
    return Model.moved + Double(left + right) * Measured.scalar
      + (staysAtAnEnd(pair) ? Measured.anchored : 0)
  }

  /// Whether `before`, reaching back over earlier lines, shows the line that the caret was in and
  /// goes on behind its end.
  private static func isFartherDown(_ pair: borrowing Pair) -> Bool {
    let seen = Joined(pair.new.before.bytes)
    let all = pair.old.all
    if seen.count > all.count, seen.prefix(all.count) == all {
      return pair.new.before.bytes[all.count] == 0x0A
    }
    // It may no longer reach back as far as it did; a new line at a line's end looks like that, too.
    let come = pair.come
    let rest = Joined(pair.old.selected.bytes, pair.old.after.bytes)
    guard pair.gone.isEmpty, pair.alignment.newCut == 0, !rest.isEmpty, come.count > rest.count
    else { return false }
    return Joined(come).prefix(rest.count) == rest && come[rest.count] == 0x0A
  }

  /// Whether both carets stand at the same end of the document, as far as null tells.
  private static func staysAtAnEnd(_ pair: borrowing Pair) -> Bool {
    guard pair.window != .paragraph, pair.old.selected.isEmpty else { return false }
    return !pair.old.after.isShown && !pair.new.after.isShown
      || !pair.old.before.isShown && !pair.new.before.isShown
  }
}
