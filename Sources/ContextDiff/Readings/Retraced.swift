/// Text that a shortcut changes, and no paste or cut explains: an undo or a redo of what is not
/// remembered, which may bring back a state that was seen lately.
enum RetracedReading: Reading {
  static func propose(for pair: borrowing Pair, in contest: inout Contest) {
    let told = pair.told
    if pair.keepsText {
      // Of what took a selection's place by the same text, nothing else is seen.
      if told.mayRetrace, !pair.old.selected.isEmpty, pair.new.selected.isEmpty {
        contest.accept(.unplaced(told.retracedKind, weight: Measured.retracedUnseen))
      }
      return
    }
    guard told.mayRetrace else {
      // A state comes back from which nothing but undo and redo led away.
      if told.key == nil, let way = told.returning, way.reverses, pair.keepsAfter,
        !pair.new.isBlank, !pair.isOneKey
      {
        contest.accept(.unplaced(way.kind, weight: Measured.undone))
      }
      return
    }
    if let way = told.returning {
      // The same may have been pasted again.
      contest.accept(
        .unplaced(way.kind, weight: way.reverses ? Measured.reversed : Measured.returned))
      if way.isDoubted {
        // Or the other way: what would be reversed may have been an edit.
        contest.accept(.unplaced(way.kind == .undo ? .redo : .undo, weight: 0))
      }
    }
    contest.accept(
      .unplaced(
        told.retracedKind,
        weight: Measured.retracedUnseen
          + max(
            pair.costOfUnknown,
            Action(
              removedLeft: pair.gone.count, inserted: pair.come,
              insertedSelected: pair.new.selected.bytes, insertedBehind: pair.rightSplit.come
            ).cost(in: pair))))
  }
}

extension PairEvidence {
  /// Whether what is not remembered was more likely taken back, or done again: what brings back the state
  /// that is seen, else people go on the way that they went.
  var retracedKind: Kind {
    switch key {
    case .undo: .undo
    case .redo: .redo
    default: returning?.kind ?? retracing ?? .undo
    }
  }

  /// Whether a shortcut went to the host that may take back, or do again.
  var mayRetrace: Bool { key?.mayRetrace ?? false }

  /// Whether one may have gone: where the key is not known, too.
  var mayHaveRetraced: Bool { key?.mayRetrace ?? true }
}
