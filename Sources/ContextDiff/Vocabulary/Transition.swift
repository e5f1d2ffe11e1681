/// What happened between two snapshots.
///
/// Equality compares `inserted` and `removed` by their Unicode scalars: a composed and a decomposed character differ.
public struct Transition: Sendable, Hashable {
  /// The best reading.
  public var kind: Kind
  /// What the published decision list says, to the letter.
  public var basicKind: Kind
  /// The numbers of the announced edits that the pair showed, as `Session.expect` gave them, in the order of their
  /// announcement; with a kind other than `expected`, they came before what `kind` names, and `expected` without any is
  /// a state on the way to an announced one, or a late one.
  public var expected: [Int]
  /// The numbers of announced edits that wait no longer and that nothing showed: the host has now proved not to have
  /// applied them, or only in part.
  ///
  /// So are the oldest of more than 32 that wait, of which nothing is proved: with this transition's `expected` behind
  /// one of them, the host has made it.
  public var unfulfilled: [Int]
  /// Whether other readings agree with the pair.
  public var certainty: Certainty
  /// What else the same pair could be, likeliest first; empty where `certainty` is `certain`.
  ///
  /// Kinds that look alike, though no reading predicts them, come last, in the order of `Kind`.
  public var alternatives: [Kind]
  /// How far the caret, or the selection's left end, went, positive towards the text's end; `nil` where that is not
  /// known.
  ///
  /// It is the whole way, over the announced edits shown, too, which `inserted` and `removed` leave out where `kind` is
  /// not `expected`. Where the host gives both positions (`Snapshot.caret`), they are believed rather than the text:
  /// where the text tells no distance, or another one, all three counts are the host's, in scalars.
  public var cursorOffset: Extent?
  /// Text that appeared, as far as it is known.
  public var inserted: String?
  /// Text that vanished, as far as it is known.
  public var removed: String?
  /// Whether `inserted` or `removed` reaches beyond what is known.
  public var isPartial: Bool
  /// Whether the caret or the edit left the text being composed; `nil` where no `Evidence.composition` was given.
  ///
  /// A paste, an undo, a redo, a tap out of sight and a submission always do.
  public var leavesComposition: Bool?
}

// An extension, so that there is a memberwise initializer, which fills a transition in place.
extension Transition {
  /// How many announced edits the pair showed.
  public var expectedEdits: Int { expected.count }

  /// A transition of the values given.
  public init(
    kind: Kind, basicKind: Kind, certainty: Certainty = .certain, alternatives: [Kind] = [],
    cursorOffset: Extent? = nil, inserted: String? = nil, removed: String? = nil,
    isPartial: Bool = false, leavesComposition: Bool? = nil, expected: [Int] = [],
    unfulfilled: [Int] = []
  ) {
    self.init(
      kind: kind, basicKind: basicKind, expected: expected, unfulfilled: unfulfilled,
      certainty: certainty, alternatives: alternatives,
      cursorOffset: cursorOffset, inserted: inserted, removed: removed, isPartial: isPartial,
      leavesComposition: leavesComposition)
  }
}

extension Transition {
  /// Whether all fields are equal, texts by their scalars.
  public static func == (left: Transition, right: Transition) -> Bool {
    left.kind == right.kind && left.basicKind == right.basicKind && left.expected == right.expected
      && left.unfulfilled == right.unfulfilled && left.certainty == right.certainty
      && left.alternatives == right.alternatives && left.cursorOffset == right.cursorOffset
      && left.isPartial == right.isPartial && left.leavesComposition == right.leavesComposition
      && left.inserted.lend { text in right.inserted.lend { text == $0 } }
      && left.removed.lend { text in right.removed.lend { text == $0 } }
  }

  /// Hashes what tells most transitions apart, texts by their scalars.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(cursorOffset)
    for text in [inserted, removed] { hasher.combine(scalarsOf: text) }
  }
}
