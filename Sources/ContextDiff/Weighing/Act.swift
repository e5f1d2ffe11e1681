/// What was done, in classes that keys tell apart.
enum Act {
  case typed, lineBroken, textPut, exchanged
  case erasedLeft, erasedRight, erasedAround, erasedSelection
  case cut, pasted, undone, redone, moved, selected, sent, nothing

  init(_ kind: Kind, _ action: Action) {
    switch kind {
    case .unchanged, .windowShift, .expected: self = .nothing
    case .cursorMove, .deselection, .lineDeselection, .outOfRangeTap: self = .moved
    case .selection, .lineSelection: self = .selected
    case .cut: self = .cut
    case .paste: self = .pasted
    case .undo: self = .undone
    case .redo: self = .redone
    case .submission: self = .sent
    case .insertion: self = Act(putting: action)
    case .replacement where action.removesSelection: self = Act(putting: action)
    // No key that types also removes the newline before the caret.
    case .replacement:
      self =
        action.joinsPreviousLine ? .erasedAround : action.isErasure ? .erasedLeft : .exchanged
    case .deletion:
      if action.removesSelection {
        self = .erasedSelection
      } else {
        let isLeft = action.removedLeft > 0 || action.joinsPreviousLine
        let isRight = action.removedRight > 0 || action.joinsNextLine
        self = isLeft && isRight ? .erasedAround : isRight ? .erasedRight : .erasedLeft
      }
    }
  }

  /// Text came: Return may begin the new line with indentation or an item's mark, one character may bring its closing
  /// bracket, or an inline completion, along, and more right of the caret is no key's.
  private init(putting action: Action) {
    let typed = action.inserted
    if typed.isLineBreak || typed.first == .newline && typed.dropFirst(1).isMarkAlone {
      self = .lineBroken
    } else if action.insertedBehind.newScalars > Measured.pair {
      self = .textPut
    } else if typed.isOneGrapheme || typed.isEmpty && action.insertedSelected.isOneGrapheme {
      self = .typed
    } else {
      self = .textPut
    }
  }
}

extension Hypothesis {
  /// What it says was done, as keys tell it apart.
  var act: Act { Act(kind, action) }
}
