/// Undo and redo by the session's histories.
extension Beam {
  /// Proposes the likeliest undo and redo by each history, and appends their ways to the contest's, where the
  /// hypotheses refer to them by index.
  ///
  /// A pair that one key may explain counts as no undo or redo by a history unless undoing its last step would look the
  /// same, or the last act was an undo or a redo.
  func propose(
    for pair: Pair, from origin: Int, by grouping: GroupingBelief, in contest: inout Contest
  ) {
    // An undo changes the text; out of sight, only a shortcut tells of one.
    guard pair.known.isRemembered,
      !pair.keepsText || pair.endsOtherwise || pair.evidence.mayRetrace
    else { return }
    // No host undoes on a key that erases, types or moves the caret.
    if !pair.admitsUndo || pair.editsComposition { return }
    let elseShare = elseShare
    for index in pasts.indices where !pasts[index].history.isEmpty {
      if pasts[index].lastRetracing == nil, pair.goesOn, pair.isOneKey,
        !pasts[index].history.lastStepLooksLike(pair, from: origin)
      {
        continue
      }
      for kind in [Kind.undo, .redo] {
        proposeWay(
          kind, of: index, beside: elseShare, for: pair, from: origin, by: grouping, in: &contest)
      }
    }
    if lastRetracing != nil, !pair.isOneKey, pair.new.selected.isEmpty, pair.keepsAfter {
      // The undo of an edit from before the session.
      let unknown = (pair.startsAnew ? pair.new.before.bytes : pair.come)
        .scalarCount(upTo: Measured.mostUnknown)
      let shown = Double(unknown) * Measured.scalar
      contest.accept(
        .unplaced(.undo, weight: Measured.undoUnknownHere + shown + share(of: .undo)))
    }
  }

  /// Proposes the likeliest undo, or redo, by the history at `index`.
  private func proposeWay(
    _ kind: Kind, of index: Int, beside elseShare: Double, for pair: Pair,
    from origin: Int, by grouping: GroupingBelief, in contest: inout Contest
  ) {
    let past = pasts[index]
    let limit = past.lastRetracing == nil ? Measured.improbable : Measured.improbablyRetraced
    let retracing = Retracing(history: past.history, origin: origin, grouping: grouping)
    guard var way = retracing.way(kind, for: pair, limit: limit) else { return }
    if let offset = pair.evidence.caretOffset, way.cursorOffset(from: pair.known).scalars != offset
    {
      return
    }
    way.past = index
    way.prior = past.weight + Beam.prior(of: kind, after: past.lastRetracing)
    contest.accept(Hypothesis(way, weight: -elseShare, in: pair), along: way)
  }

  /// The prior of `kind`, undo or redo, by the last act: `last` if that was one of them, else `nil`.
  static func prior(of kind: Kind, after last: Kind?) -> Double {
    switch (kind == .undo, last) {
    case (true, .undo): Measured.undoneFurther
    case (true, .redo): Measured.undoneAgain
    case (true, _): Measured.undone
    case (false, .undo), (false, .redo): Measured.redone
    case (false, _): Measured.redoneLater
    }
  }

  /// Proposes an undo of an edit that the session does not remember, which can show any text; no such redo, for the
  /// session remembers what it saw undone.
  func proposeUnknown(for pair: Pair, in contest: inout Contest) {
    // What it shows is as unpredictable as after a tap or a selection elsewhere.
    let shown =
      if pair.new.selected.isEmpty {
        ElsewhereReading.weight(of: pair) - Model.moved
      } else {
        // Each undo of composed text selects text.
        pair.costOfUnknown + (pair.old.selected.isEmpty ? 0 : Measured.undoSelectsAgain)
      }
    contest.accept(.unplaced(.undo, weight: Measured.undoUnknown + shown + share(of: .undo)))
  }

  /// The weight of `kind`, undo or redo, relative to everything else that may follow the last act.
  func share(of kind: Kind) -> Double {
    heaviest { Beam.prior(of: kind, after: $0) } - elseShare
  }
}

extension Contest {
  /// Proposes, beside the ways that agree, a tap or selection elsewhere, in text that only looks like what they lead to.
  ///
  /// It is no likelier than they are. A selection as short as composed text loses a tie with them, for the undo of composed
  /// text selects it.
  mutating func proposeEcho(of pair: Pair, weighing weight: Double) {
    if ways.isEmpty || pair.new.isEmpty || pair.evidence.wasEmpty { return }
    if !beforeWays.mayBeEcho(in: pair) { return }
    let likeliest = ways.reduce(-Double.infinity) { max($0, $1.prior + $1.weight) }
    var echo = Hypothesis.elsewhere(pair)
    echo.weight = (pair.new.selected.isEmpty ? Model.moved : Model.selected) + weight
    let isAsComposed = !pair.new.selected.isEmpty && pair.new.selected.bytes.isAsLongAsAWord
    echo.weight = min(echo.weight, isAsComposed ? likeliest.nextDown : likeliest)
    accept(echo)
  }
}

extension Bytes {
  /// Whether it may be as long as a word or two: not longer than `Measured.longText`, and within a line.
  fileprivate var isAsLongAsAWord: Bool {
    !isLonger(thanScalars: Measured.longText) && !holdsLineBreak
  }
}

extension Hypothesis {
  /// The undo or redo along `way`; `weight` is added to the way's own.
  init(_ way: Way, weight: Double, in pair: Pair) {
    self.init(
      kind: way.kind, action: .none, weight: weight + way.prior + way.weight,
      keptLeft: pair.new.before.bytes.count, keptRight: pair.new.after.bytes.count)
    isDoubted = way.isDoubted
  }
}

extension History {
  /// Whether undoing the last step may look the same as the one key that `pair` shows.
  fileprivate func lastStepLooksLike(_ pair: Pair, from origin: Int) -> Bool {
    // The undo may remove what is selected: all of it, or all but its first character.
    if !pair.old.selected.isEmpty { return pair.old.selected.bytes.hasPrefix(pair.come) }
    guard let last = done.indices.last, pair.keepsAfter,
      done[last].insertedEnd == origin + pair.known.left.count
    else { return false }
    let gone = pair.come.isEmpty ? pair.gone.count : pair.old.before.bytes.count
    let rest = done[last].inserted.count - gone
    if rest == 0 && (done[last].removed.isEmpty || convertsAllBefore(last))
      || done[last].lastEditLength == gone
      || done[last].breaks.contains(rest)
    {
      return pair.come.isEmpty || pair.old.before.bytes.isOneGrapheme
    }
    let come = pair.gone.isEmpty ? pair.come : pair.new.before.bytes
    return -done[last].lastEditLength == come.count
      && done[last].removed.withBytes { $0.hasPrefix(come) }
  }

  /// Whether the step at `index` converts just what the one before it inserted, so that both may be undone at once.
  private func convertsAllBefore(_ index: Int) -> Bool {
    index > 0 && done[index].composed != nil && done[index - 1].removed.isEmpty
      && done[index - 1].position == done[index].position
      && done[index - 1].inserted == done[index].removed
  }
}
