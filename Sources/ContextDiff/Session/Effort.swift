/// What a person does at least for a pair read without the history.
enum Effort {
  /// Moves the caret within sight, or nothing.
  case none
  /// Presses one key.
  case key
  /// Presses the return key, which indents.
  case lineBreak
  /// Erases more than a character that stood at the caret.
  case erasure
  /// Puts text in, or exchanges it.
  case change
  /// Goes elsewhere.
  case jump
}

extension Ruling {
  /// What the reading takes to be done.
  func effort(for pair: borrowing Pair) -> Effort {
    let action = candidate.action
    switch candidate.kind {
    case .outOfRangeTap: return .jump
    case .replacement:
      return action.removesSelection && action.inserted.isOneGrapheme ? .key : .change
    case .submission, .windowShift: return .change
    case .insertion:
      if candidate.isPartial || action.selectsInsertion { return .change }
      if action.inserted.isOneGrapheme { return .key }
      return pair.known.isIndented && action.inserted.isLineBreak ? .lineBreak : .change
    case .paste, .cut: return .key
    case .selection, .lineSelection: return action.isPlaced ? .none : .jump
    case .deletion:
      if action.removesSelection || action.joinsNextLine { return .key }
      let gone =
        action.removedLeft > 0
        ? pair.known.left.suffix(action.removedLeft)
        : pair.known.right.prefix(action.removedRight)
      return gone.isOneGrapheme ? .key : .erasure
    case .cursorMove where alternatives.contains(.deletion): return .erasure
    default: return candidate.agreement == .exact ? .none : .change
    }
  }
}
