extension Key {
  /// How much this key adds to the weight of `act`, in bits: 0 for what the key does, and less the fewer hosts bind
  /// it to that act.
  ///
  /// `mayPaste` says that the pasteboard is not known, so that text put in may have been pasted.
  func bits(for act: Act, mayPaste: Bool) -> Double {
    switch self {
    case .unpressed: unpressedBits(act)
    case .character: characterBits(act)
    case .return: returnBits(act)
    case .backspace: eraserBits(act, takes: .erasedLeft)
    case .delete: eraserBits(act, takes: .erasedRight)
    case .caret: caretBits(act)
    case .shortcut: shortcutBits(act, mayPaste: mayPaste)
    case .undo: retracingBits(act, does: .undone)
    case .redo: retracingBits(act, does: .redone)
    case .cut: cuttingBits(act)
    case .paste: pastingBits(act, mayPaste: mayPaste)
    }
  }

  /// For what is done by a pointer, by a menu, or by an input method that took the key: what is selected goes when it
  /// begins to compose, as all nine that went without a key did in the recordings of hosts.
  private func unpressedBits(_ act: Act) -> Double {
    switch act {
    case .moved, .selected, .textPut, .erasedSelection, .sent, .nothing: 0
    case .typed, .exchanged: Measured.byInputMethod
    case .cut, .pasted, .undone, .redone: Measured.seldomByKey
    case .lineBroken, .erasedLeft, .erasedRight, .erasedAround: Measured.hardlyByKey
    }
  }

  private func characterBits(_ act: Act) -> Double {
    switch act {
    case .typed: 0
    case .textPut, .exchanged, .nothing: Measured.seldomByKey
    case .moved, .selected, .sent: Measured.hardlyByKey
    case .lineBroken, .erasedLeft, .erasedRight, .erasedAround, .erasedSelection, .cut, .pasted,
      .undone, .redone:
      Measured.neverByKey
    }
  }

  private func returnBits(_ act: Act) -> Double {
    switch act {
    case .lineBroken: 0
    case .sent, .nothing: Measured.seldomByKey
    case .textPut, .exchanged, .moved, .selected: Measured.hardlyByKey
    case .typed, .erasedLeft, .erasedRight, .erasedAround, .erasedSelection, .cut, .pasted,
      .undone, .redone:
      Measured.neverByKey
    }
  }

  private func eraserBits(_ act: Act, takes near: Act) -> Double {
    if act == near { return 0 }
    return switch act {
    case .erasedSelection: 0
    case .erasedAround, .nothing: Measured.seldomByKey
    // The key may have had nothing to erase; what is seen is then the input method's next commit.
    case .exchanged, .cut, .textPut, .typed: Measured.hardlyByKey
    case .lineBroken, .erasedLeft, .erasedRight, .pasted, .undone, .redone, .moved, .selected,
      .sent:
      Measured.neverByKey
    }
  }

  private func caretBits(_ act: Act) -> Double {
    switch act {
    case .moved, .selected: 0
    case .nothing: Measured.seldomByKey
    // The caret may have had nowhere to go; what is seen is then the input method's next commit.
    case .textPut, .typed, .erasedSelection: Measured.hardlyByKey
    case .lineBroken, .exchanged, .erasedLeft, .erasedRight, .erasedAround, .cut, .pasted, .undone,
      .redone, .sent:
      Measured.neverByKey
    }
  }

  private func shortcutBits(_ act: Act, mayPaste: Bool) -> Double {
    switch act {
    case .cut, .pasted, .undone, .redone, .nothing: 0
    case .textPut: mayPaste ? 0 : Measured.seldomByKey
    case .typed: mayPaste ? Measured.seldomByKey : Measured.hardlyByKey
    // After Copy, a click gives the selection up.
    case .moved, .erasedLeft, .erasedRight, .erasedAround, .erasedSelection, .exchanged, .sent:
      Measured.seldomByKey
    case .lineBroken, .selected: Measured.hardlyByKey
    }
  }

  // The named shortcuts do the same in nearly every program; elsewhere they seldom edit.

  private func retracingBits(_ act: Act, does retracing: Act) -> Double {
    if act == retracing { return 0 }
    return switch act {
    case .nothing: Measured.seldomByKey
    // There may have been nothing to undo; what is seen is then the next thing done.
    case .undone, .redone, .moved, .selected, .textPut, .exchanged, .erasedLeft, .erasedRight,
      .erasedAround, .erasedSelection:
      Measured.hardlyByKey
    case .typed, .lineBroken, .cut, .pasted, .sent: Measured.neverByKey
    }
  }

  private func cuttingBits(_ act: Act) -> Double {
    switch act {
    case .cut: 0
    case .nothing: Measured.seldomByKey
    // What was selected unseen, or, where nothing was, the whole line.
    case .erasedSelection, .erasedLeft, .erasedRight, .erasedAround, .moved, .selected:
      Measured.seldomByKey
    case .typed, .textPut, .exchanged, .sent: Measured.hardlyByKey
    case .lineBroken, .undone, .redone, .pasted: Measured.neverByKey
    }
  }

  private func pastingBits(_ act: Act, mayPaste: Bool) -> Double {
    switch act {
    case .pasted: 0
    // The pasteboard may have changed since it was last reported.
    case .typed, .lineBroken, .textPut: mayPaste ? 0 : Measured.seldomByKey
    case .exchanged, .moved, .selected, .nothing: Measured.seldomByKey
    case .erasedLeft, .erasedRight, .erasedAround, .erasedSelection, .sent: Measured.hardlyByKey
    case .cut, .undone, .redone: Measured.neverByKey
    }
  }
}

extension PairEvidence {
  /// How much the key that went to the host adds to the weight of `act`, in bits; 0 where none is known.
  func keyBits(for act: Act) -> Double { key?.bits(for: act, mayPaste: !knowsPasteboard) ?? 0 }

  /// Whether the key, by its client's name for it, undoes or redoes.
  var keyRetraces: Bool { key?.retraces ?? false }

  /// Whether a key went to the host on which no host does `act`, and no other act may lie between.
  func keyRulesOut(_ act: Act) -> Bool { !isMerged && keyBits(for: act) <= Measured.neverByKey }

  /// The same of a key on which hardly any host does `act`.
  func keyHardlyDoes(_ act: Act) -> Bool { !isMerged && keyBits(for: act) <= Measured.hardlyByKey }

  /// Whether `act` is the user's own: the key went to the host and does just that.
  ///
  /// Never for a key that types: the input method may have turned it into an edit of its own.
  func isUsers(_ act: Act) -> Bool {
    switch key {
    case nil, .unpressed, .character: false
    case .return, .backspace, .delete, .caret, .shortcut, .undo, .redo, .cut, .paste:
      keyBits(for: act) == 0
    }
  }
}
