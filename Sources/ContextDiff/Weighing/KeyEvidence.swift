/// What a person does with a key, as far as keys tell it apart.
enum Act {
  case typed, lineBroken, textPut, exchanged
  case erasedLeft, erasedRight, erasedAround, erasedSelection
  case cut, pasted, retraced, moved, selected, sent, nothing

  init(_ kind: Kind, _ action: Action) {
    switch kind {
    case .unchanged, .windowShift, .expected: self = .nothing
    case .cursorMove, .deselection, .lineDeselection, .outOfRangeTap: self = .moved
    case .selection, .lineSelection: self = .selected
    case .cut: self = .cut
    case .paste: self = .pasted
    case .undo, .redo: self = .retraced
    case .submission: self = .sent
    case .insertion: self = Act(putting: action)
    case .replacement: self = action.removesSelection ? Act(putting: action) : .exchanged
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

  /// A key types one character; its mate and a proposal come along.
  private init(putting action: Action) {
    let typed = action.inserted
    if typed.isLineBreak {
      self = .lineBroken
    } else if typed.isOneGrapheme || typed.isEmpty && action.insertedSelected.isOneGrapheme {
      self = .typed
    } else {
      self = .textPut
    }
  }
}

extension Key {
  /// What it says of what was done that this key went to the host, in bits: nothing for what the key
  /// does, and less the more seldom any host binds it to that.
  ///
  /// It is evidence, not proof: hosts bind keys as they like, and several may have gone. With
  /// `mayPaste` the pasteboard is not known, so that text put in may have been pasted.
  func bits(for act: Act, mayPaste: Bool = true) -> Double {
    if act == .nothing { return 0 }
    return switch self {
    case .none: noneBits(act)
    case .character: characterBits(act)
    case .return: returnBits(act)
    case .backspace: eraserBits(act, takes: .erasedLeft, not: .erasedRight)
    case .delete: eraserBits(act, takes: .erasedRight, not: .erasedLeft)
    case .caret: act == .moved || act == .selected ? 0 : Measured.neverByKey
    case .shortcut: shortcutBits(act, mayPaste: mayPaste)
    }
  }

  /// Whether no host does that with this key.
  func rulesOut(_ act: Act) -> Bool { bits(for: act) <= Measured.neverByKey }

  /// A pointer, a menu, or the input method, which took the key itself.
  private func noneBits(_ act: Act) -> Double {
    switch act {
    case .moved, .selected, .textPut, .nothing: 0
    case .exchanged, .cut, .pasted, .retraced, .sent: Measured.seldomByKey
    case .typed: Measured.seldomByKey
    case .lineBroken, .erasedLeft, .erasedRight, .erasedAround, .erasedSelection:
      Measured.hardlyByKey
    }
  }

  private func characterBits(_ act: Act) -> Double {
    switch act {
    case .typed, .nothing: 0
    case .textPut, .exchanged: Measured.seldomByKey
    case .moved, .selected, .sent: Measured.hardlyByKey
    case .lineBroken, .erasedLeft, .erasedRight, .erasedAround, .erasedSelection, .cut, .pasted,
      .retraced:
      Measured.neverByKey
    }
  }

  private func returnBits(_ act: Act) -> Double {
    switch act {
    case .lineBroken, .nothing: 0
    case .sent: Measured.seldomByKey
    case .textPut, .exchanged, .moved, .selected: Measured.hardlyByKey
    case .typed, .erasedLeft, .erasedRight, .erasedAround, .erasedSelection, .cut, .pasted,
      .retraced:
      Measured.neverByKey
    }
  }

  private func eraserBits(_ act: Act, takes near: Act, not far: Act) -> Double {
    if act == near { return 0 }
    if act == far { return Measured.neverByKey }
    return switch act {
    case .erasedSelection, .nothing: 0
    case .erasedAround, .sent: Measured.seldomByKey
    case .exchanged, .cut: Measured.hardlyByKey
    default: Measured.neverByKey
    }
  }

  private func shortcutBits(_ act: Act, mayPaste: Bool) -> Double {
    switch act {
    case .cut, .pasted, .retraced, .nothing: 0
    case .textPut: mayPaste ? 0 : Measured.seldomByKey
    case .typed: mayPaste ? Measured.seldomByKey : Measured.hardlyByKey
    case .selected, .erasedLeft, .erasedRight, .erasedAround, .erasedSelection, .exchanged, .sent:
      Measured.seldomByKey
    case .lineBroken, .moved: Measured.hardlyByKey
    }
  }
}
