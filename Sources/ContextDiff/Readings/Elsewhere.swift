/// The caret put, or text selected, outside the visible text: it can show any text.
enum ElsewhereReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    // A host that cuts where it likes shows nothing of an empty line, too.
    let mayShowNothing =
      pair.showsEmptyLine || pair.window == .full && pair.evidence.keyMoves
      || pair.evidence.key == .caret
    if pair.new.isBlank, !mayShowNothing { return }
    if pair.evidence.isInputMethods { return }
    // Most pairs show far more than a tap could by coincidence: a part of it says so.
    let part = pair.new.before.bytes.newScalars(upTo: 12)
    if pair.window != .paragraph,
      contest.isCoincidence(atMost: Model.moved + Double(part) * Measured.scalar)
    {
      return
    }
    contest.accept(.unplaced(.outOfRangeTap, weight: weight(of: pair)))
  }

  /// How likely it is that the caret went to other text, which shows what was seen.
  static func weight(of pair: borrowing Pair) -> Double {
    if pair.isFartherDown {
      return Model.moved + Model.place(among: pair.new.before.bytes.scalarCount)
        + Double(pair.new.after.bytes.newScalars + 1) * Measured.scalar
    }
    return Model.moved + pair.costOfUnknown + (pair.window == .line ? Measured.lineTap : 0)
      + (staysAtAnEnd(pair) ? Measured.anchored : 0)
  }

  /// Whether both carets stand at the same end of the document, as far as null tells.
  private static func staysAtAnEnd(_ pair: borrowing Pair) -> Bool {
    // A line, or a paragraph, may have others beside it; not where nothing but an empty field was seen, into
    // which text is put.
    if pair.window == .paragraph || pair.window == .line {
      return pair.known.isAllEmpty && pair.new.after.isEmpty
    }
    guard pair.old.selected.isEmpty else { return false }
    return !pair.old.after.isShown && !pair.new.after.isShown
      || !pair.old.before.isShown && !pair.new.before.isShown
  }
}

extension Pair {
  /// Whether `before`, reaching back over a paragraph's earlier lines, shows the line that the caret was in and
  /// goes on behind its end.
  var isFartherDown: Bool {
    if window != .paragraph { return false }
    let seen = Joined(new.before.bytes)
    let all = old.all
    if seen.count > all.count, seen.prefix(all.count) == all {
      return new.before.bytes[all.count] == .newline
    }
    // It may no longer reach back as far as it did; a new line at a line's end looks like that, too.
    let come = come
    let rest = Joined(old.selected.bytes, old.after.bytes)
    guard gone.isEmpty, alignment.newCut == 0, come.count > rest.count,
      !rest.isEmpty || !come.isBlank
    else { return false }
    return Joined(come).prefix(rest.count) == rest && come[rest.count] == .newline
  }

  /// Whether what is shown, nothing, may be an empty line among others.
  fileprivate var showsEmptyLine: Bool {
    window == .line || window == .sentence && new.after.isShown
  }

  /// What it costs that all that is shown comes from a place that is not known, and ends there.
  var costOfUnknown: Double {
    // Most of what is shown through one line lies in others.
    let limit = window == .line ? Fit.unknownLimit : .max
    let scalars =
      min(new.before.bytes.newScalars, limit) + new.selected.bytes.newScalars
      + min(new.after.bytes.newScalars, limit)
    return Double(scalars + 2) * Measured.scalar
  }
}
