/// Something that a person may have done to the known text.
struct Action {
  /// Whether the old selection goes.
  var removesSelection = false
  /// Whether the newline goes that ends the known text without being shown.
  var joinsNextLine = false
  /// Whether the newline goes that the known text begins behind without its being shown.
  var joinsPreviousLine = false
  /// Whether where the caret went is known.
  var isPlaced = true
  /// How many bytes left of the old caret, or selection, go.
  var removedLeft = 0
  /// How many bytes right of the old caret, or selection, go.
  var removedRight = 0
  /// What comes instead and stands left of the caret, or of the selection, afterwards.
  var inserted = Bytes.empty
  /// What comes and is selected afterwards.
  var insertedSelected = Bytes.empty
  /// What comes and stands right of the caret, or of the selection, afterwards.
  var insertedBehind = Bytes.empty
  /// Where the caret goes, from the known text's start; `nil` for behind what was inserted.
  var caret: Int?
  /// How long the selection is that begins at `caret`.
  var selected = 0

  /// Something done outside the known text.
  static var none: Action { Action(isPlaced: false) }

  /// The caret goes to `offset` in the known text.
  static func move(to offset: Int, selecting length: Int = 0) -> Action {
    Action(caret: offset, selected: length)
  }

  /// Whether a newline goes that was not shown.
  var joinsLine: Bool { joinsNextLine || joinsPreviousLine }

  /// Whether what comes is selected afterwards, all or a part of it.
  var selectsInsertion: Bool { !insertedSelected.isEmpty }

  /// Whether the caret stands behind all that comes.
  var standsBehindInsertion: Bool { insertedSelected.isEmpty && insertedBehind.isEmpty }

  /// All that comes.
  var allInserted: Joined { Joined(inserted, insertedSelected, insertedBehind) }

  /// Whether it is more than the plainest edits over the caret: more than four characters go with some on
  /// its right, or more than a mate comes there.
  func isWide(in known: borrowing Known) -> Bool {
    if insertedBehind.count > 2, insertedBehind.newScalars > 2 { return true }
    // Beside a selection that is kept, that is no key's.
    if removesSelection, selectsInsertion, removedLeft > 0, !inserted.isEmpty { return true }
    guard removedRight > 0, removedLeft > 0 || !inserted.isEmpty else { return false }
    // What goes beyond what is known is no plain edit either.
    guard removedLeft <= known.left.count, removedRight <= known.right.count else { return true }
    let left = known.left.suffix(removedLeft).newScalars
    return left + known.right.prefix(removedRight).newScalars > 4
  }

  /// Whether so much of what goes left of the caret comes again there that it need not have gone; not where that
  /// is a step of composing.
  func leavesCaretText(in known: borrowing Known) -> Bool {
    guard removedLeft > 0, !inserted.isEmpty, removedLeft <= known.left.count else { return false }
    let gone = known.left.suffix(removedLeft)
    let kept = gone.suffix(gone.commonSuffix(inserted))
    return KeptScalars.count(endOf: kept) >= KeptScalars.enough && !gone.converts(to: inserted)
  }

  /// The text left of the caret, or of the selection's left end, afterwards.
  @inline(__always) func left(in known: borrowing Known) -> Joined {
    if let caret { return known.text.prefix(caret) }
    return Joined(known.left.dropLast(removedLeft), inserted)
  }

  /// Whether it cuts the text between scalars, and none in two.
  func isBetweenScalars(in known: borrowing Known) -> Bool {
    if let first = selection(in: known).first, Bytes.isContinuation(first) { return false }
    if let first = right(in: known).first, Bytes.isContinuation(first) { return false }
    return true
  }

  /// The text right of the caret, or of the selection's right end, afterwards.
  @inline(__always) func right(in known: borrowing Known) -> Joined {
    if let caret { return known.text.dropFirst(caret &+ selected) }
    return Joined(insertedBehind, known.right.dropFirst(removedRight))
  }

  /// The text selected afterwards.
  func selection(in known: borrowing Known) -> Joined {
    if selectsInsertion { return Joined(insertedSelected) }
    guard let caret else { return Joined(.empty) }
    return known.text.dropFirst(caret).prefix(selected)
  }
}
