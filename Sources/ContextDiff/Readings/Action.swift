/// Something that a person may have done to the known text.
struct Action {
  /// Whether the old selection goes.
  var removesSelection = false
  /// Whether the newline goes that ends the known text without being shown.
  var joinsNextLine = false
  /// Whether what comes is selected afterwards.
  var selectsInsertion = false
  /// Whether where the caret went is known.
  var isPlaced = true
  /// How many bytes left of the old caret, or selection, go.
  var removedLeft = 0
  /// How many bytes right of the old caret, or selection, go.
  var removedRight = 0
  /// What comes instead.
  var inserted = Bytes.empty
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

  /// How much of what was inserted stands left of the caret afterwards.
  var shownInsertion: Int { selectsInsertion ? 0 : inserted.count }

  /// The text left of the caret, or of the selection's left end, afterwards.
  @inline(__always) func left(in known: borrowing Known) -> Joined {
    if let caret { return known.text.prefix(caret) }
    return Joined(known.left.dropLast(removedLeft), selectsInsertion ? .empty : inserted)
  }

  /// The text right of the caret, or of the selection's right end, afterwards.
  @inline(__always) func right(in known: borrowing Known) -> Joined {
    if let caret { return known.text.dropFirst(caret &+ selected) }
    return Joined(known.right.dropFirst(removedRight))
  }

  /// The text selected afterwards.
  func selection(in known: borrowing Known) -> Joined {
    if selectsInsertion { return Joined(inserted) }
    guard let caret else { return Joined(.empty) }
    return known.text.dropFirst(caret).prefix(selected)
  }
}
