/// What was done to the known text: an edit at the old caret, or, with `caret`, a move.
struct Action {
  /// Whether the old selection is removed.
  var removesSelection = false
  /// Whether the unseen newline right of the known text is removed.
  var joinsNextLine = false
  /// Whether the unseen newline left of the known text is removed.
  var joinsPreviousLine = false
  /// Whether the caret is at a known place afterwards.
  var isPlaced = true
  /// How many bytes are removed left of the old caret or selection.
  var removedLeft = 0
  /// How many bytes are removed right of the old caret or selection.
  var removedRight = 0
  /// The inserted text that is left of the new caret or selection.
  var inserted = Bytes.empty
  /// The inserted text that is selected afterwards.
  var insertedSelected = Bytes.empty
  /// The inserted text that is right of the new caret or selection.
  var insertedBehind = Bytes.empty
  /// Whether it is what a press of Backspace leaves of the text removed, which is more than nothing.
  var isErasure = false
  /// For a move, the new caret or the selection's left end, in bytes from the known text's start; `nil` for an edit,
  /// which leaves the caret behind `inserted`.
  var caret: Int?
  /// For a move, the length of the new selection in bytes.
  var selected = 0

  /// Something done outside of the known text.
  static var none: Action { Action(isPlaced: false) }

  /// The caret is moved to `offset` in the known text, or `length` bytes are selected from there on.
  static func move(to offset: Int, selecting length: Int = 0) -> Action {
    Action(caret: offset, selected: length)
  }

  /// Whether an unseen newline is removed.
  var joinsLine: Bool { joinsNextLine || joinsPreviousLine }

  /// Whether inserted text is selected afterwards.
  var selectsInsertion: Bool { !insertedSelected.isEmpty }

  /// Whether the caret stands behind all inserted text.
  var standsBehindInsertion: Bool { insertedSelected.isEmpty && insertedBehind.isEmpty }

  var allInserted: Joined { Joined(inserted, insertedSelected, insertedBehind) }

  /// `open` for a side beyond which it leaves nothing known: it joins a line there, or removes a selection that
  /// `mayGoOn` there.
  func openedEdges(_ mayGoOn: (left: Bool, right: Bool)) -> (left: Edge?, right: Edge?) {
    (
      joinsPreviousLine || mayGoOn.left ? .open : nil, joinsNextLine || mayGoOn.right ? .open : nil
    )
  }

  /// Whether it reaches farther over the caret than keys do: it inserts more scalars right of the caret than a
  /// pair of brackets puts there (`Measured.pair`), or removes more than `Measured.wide`, some of them there.
  func isWide(in known: borrowing Known) -> Bool {
    if insertedBehind.newScalars > Measured.pair { return true }
    // No key exchanges text beside a selection that stays.
    if removesSelection, selectsInsertion, removedLeft > 0, !inserted.isEmpty { return true }
    guard removedRight > 0, removedLeft > 0 || !inserted.isEmpty else { return false }
    guard let gone = removedSides(from: known) else { return true }
    return gone.left.newScalars + gone.right.newScalars > Measured.wide
  }

  /// Whether an edit farther left or right, which does not touch the caret, explains the pair.
  ///
  /// Farther left: the removed and the inserted text left of the caret have a long common end; not where an input
  /// method composes like this. Farther right: what is removed right of the caret comes back.
  func leavesCaretText(in known: borrowing Known) -> Bool {
    guard removedLeft <= known.left.count else { return false }
    if removedLeft == 0, !removesSelection, removedRight <= known.right.count,
      known.right.prefix(removedRight).commonPrefix(inserted) > 0
    {
      return true
    }
    let gone = known.left.suffix(removedLeft)
    let kept = gone.suffix(gone.commonSuffix(inserted))
    return KeptScalars.areEnough(endOf: kept) && !gone.converts(to: inserted)
  }

  /// The text left of the caret or selection afterwards.
  @inline(__always) func left(in known: borrowing Known) -> Joined {
    if let caret { return known.text.prefix(caret) }
    return Joined(known.left.dropLast(removedLeft), inserted)
  }

  /// Whether the new caret and selection are on boundaries of scalars.
  func isBetweenScalars(in known: borrowing Known) -> Bool {
    if let first = selection(in: known).first, Bytes.isContinuation(first) { return false }
    if let first = right(in: known).first, Bytes.isContinuation(first) { return false }
    return true
  }

  /// The text right of the caret or selection afterwards.
  @inline(__always) func right(in known: borrowing Known) -> Joined {
    if let caret { return known.text.dropFirst(caret &+ selected) }
    return Joined(insertedBehind, known.right.dropFirst(removedRight))
  }

  /// The text that it removes, the selection included where it goes; less where less is known.
  func removed(from known: borrowing Known) -> Joined {
    Joined(
      known.left.suffix(atMost: removedLeft),
      removesSelection ? known.selected : .empty,
      known.right.prefix(atMost: removedRight))
  }

  /// The text that it removes on each side of the caret or the selection; `nil` where less is known, as it may be of a
  /// hypothesis on another text.
  private func removedSides(from known: borrowing Known) -> (left: Bytes, right: Bytes)? {
    guard removedLeft <= known.left.count, removedRight <= known.right.count else { return nil }
    return (known.left.suffix(removedLeft), known.right.prefix(removedRight))
  }

  /// Whether it removes more than one grapheme on a side of the caret, or more than `known` holds.
  func takesMoreThanAKey(in known: borrowing Known) -> Bool {
    guard let gone = removedSides(from: known) else { return true }
    return gone.left.isLongerThanAGrapheme || gone.right.isLongerThanAGrapheme
  }

  /// How many scalars an edit removes on each side of the caret; `nil` for a move, or where `known` holds less.
  func removedScalars(in known: borrowing Known) -> (left: Int, right: Int)? {
    guard isPlaced, caret == nil, let gone = removedSides(from: known) else { return nil }
    return (gone.left.scalarCount, gone.right.scalarCount)
  }

  /// How many scalars the caret goes towards the text's end; `nil` where it leaves the known text.
  func scalarOffset(in known: borrowing Known) -> Int? {
    guard isPlaced else { return nil }
    let old = known.left.count
    guard let caret else {
      return inserted.scalarCount - known.left.suffix(removedLeft).scalarCount
        - (joinsPreviousLine ? 1 : 0)
    }
    return caret < old
      ? -known.left.dropFirst(caret).scalarCount
      : known.text.dropFirst(old).prefix(caret - old).scalarCount
  }

  /// The text selected afterwards.
  func selection(in known: borrowing Known) -> Joined {
    if selectsInsertion { return Joined(insertedSelected) }
    guard let caret else { return Joined(.empty) }
    return known.text.dropFirst(caret).prefix(selected)
  }
}
