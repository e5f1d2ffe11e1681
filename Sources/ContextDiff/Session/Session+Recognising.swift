// Announced edits, recognised in what a pair is without them.

extension Session {
  /// What a pair is without announced edits.
  struct Unannounced {
    let transition: Transition
    /// Whether a key was pressed that does that, and that no input method takes for an edit of its own.
    let isByKey: Bool
  }

  /// What a pair is that shows announced edits.
  struct Announced {
    let transition: Transition
    let event: ExpectedEdits.Event
    /// What that does to the text, where it is known, and whether the pair says the same without it.
    var rewrite: (rewrite: Rewrite, isPlain: Bool)?
  }

  /// What the pair of `observation` is, which without announced edits is `plain`; `nil` where it shows
  /// none.
  func announced(
    beside plain: Unannounced, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Announced? {
    let match = expected.match(from: observation.old, to: observation.new)
    switch match {
    case .whole(let shown) where shown.isEqual:
      return whole(shown, beside: plain.transition, of: observation, with: classifier)
    case .late where !plain.isByKey:
      return Announced(transition: plain.transition.perhapsExpected([]), event: .late)
    case .whole, .late, nil: break
    }
    return mated(beside: plain.transition, of: observation)
      ?? cutElsewhere(match, beside: plain.transition, of: observation, with: classifier)
      ?? halfway(plain.transition, of: observation, with: classifier).map {
        Announced(transition: plain.transition.perhapsExpected([]), event: .halfway($0))
      }
      ?? inPlace(beside: plain.transition, of: observation)
      ?? atNewCaret(beside: plain, of: observation, with: classifier)
      ?? partly(beside: plain.transition, of: observation, with: classifier)
      ?? outOfPlace(beside: plain, of: observation)
      ?? reaching(beside: plain, of: observation)
  }

  /// The pair shows announced edits by another cut of the window: what it is for certain in windows that are cut
  /// alike, is nothing else.
  private func cutElsewhere(
    _ match: ExpectedEdits.Match?, beside plain: Transition,
    of observation: borrowing LentObservation, with classifier: Classifier
  ) -> Announced? {
    guard case .whole(let shown) = match,
      expected.ends(of: shown).contains(where: {
        isCutElsewhere($0, in: observation, with: classifier)
      })
    else { return nil }
    let whole = whole(shown, beside: plain, of: observation, with: classifier)
    return plain.agrees(with: whole.transition) ? whole : nil
  }

  /// Whether the host shows the announced `state` by another cut, and not less of it because that was taken away.
  private func isCutElsewhere(
    _ state: AnnouncedText, in observation: borrowing LentObservation, with classifier: Classifier
  ) -> Bool {
    let new = observation.new
    guard state.isShown(by: new, .aligned) else { return false }
    let isWider = state.lend {
      $0.before.bytes.count <= new.before.bytes.count
        && $0.after.bytes.count <= new.after.bytes.count
    }
    return isWider
      || [.unchanged, .windowShift].contains(
        rest(of: observation, from: state, with: classifier).kind)
  }

  /// The pair shows an announced edit that reaches text which nobody has seen, next to which too little
  /// stands to be certain: a press of backspace at a line's start, at the end of the document.
  private func reaching(
    beside plain: Unannounced, of observation: borrowing LentObservation
  ) -> Announced? {
    guard !plain.isByKey,
      let shown = expected.reaching(from: observation.old, to: observation.new)
    else { return nil }
    return Announced(
      transition: plain.transition.perhapsExpected(numbers(of: shown)),
      event: .shown(shown, rest: .nothing))
  }

  /// The pair shows announced edits, and nothing else.
  private func whole(
    _ shown: ExpectedEdits.Shown, beside plain: Transition,
    of observation: borrowing LentObservation, with classifier: Classifier
  ) -> Announced {
    var transition = plain.expected(numbers(of: shown))
    if let edits = expected.edits(of: shown),
      let made = making(edits, atLeast: edits.count, shownBy: observation, with: classifier)
    {
      transition.take(made.exchange)
      return Announced(
        transition: transition, event: .shown(shown, rest: .nothing),
        rewrite: made.exchange.rewrite(beside: plain))
    } else if shown.isEqual, observation.showsTheSameStretch {
      transition.take(AnnouncedExchange(from: observation.old, to: observation.new))
    }
    return Announced(transition: transition, event: .shown(shown, rest: .nothing))
  }

  /// The pair shows edits that were announced where the caret stood before the person moved it: an
  /// input method's commit goes where the caret is by then.
  private func atNewCaret(
    beside plain: Unannounced, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Announced? {
    if plain.isByKey || !plain.transition.kind.changesText { return nil }
    for first in expected.left(at: observation.old) {
      let edits = expected.edits(from: first)
      guard let made = making(edits, atLeast: 1, shownBy: observation, with: classifier)
      else { continue }
      let shown = ExpectedEdits.Shown(range: first..<first + made.count)
      var transition = plain.transition.perhapsExpected(numbers(of: shown))
      transition.take(made.exchange)
      return Announced(
        transition: transition, event: .shown(shown, rest: .nothing),
        rewrite: made.exchange.rewrite(beside: plain.transition))
    }
    return nil
  }

  /// What the first `count` edits exchange, made at the caret of `observation.old` one after the other,
  /// where its new snapshot shows just that; `atLeast` of them, and as few as do.
  private func making(
    _ edits: [Edit], atLeast: Int, shownBy observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> (count: Int, exchange: AnnouncedExchange)? {
    var found: (start: AnnouncedText, end: AnnouncedText, window: Window, count: Int)?
    var counted = UnitLengths.Counted()
    search: for window in announcedWindows(first: observation.evidence.window ?? window) {
      let start = knownText(at: observation.old, window: window)
      var texts = [start]
      for (count, edit) in zip(1..., edits) {
        texts.replaceEach {
          $0.making(edit, counted: &counted).map {
            $0.cut(by: window, terminators: classifier.terminators)
          }
        }
        if count < atLeast { continue }
        // What is shown as it was announced comes first, by whatever window.
        if let end = texts.first(where: { $0.isShown(by: observation.new, .equal) }) {
          found = (start, end, window, count)
          break search
        }
        if found == nil,
          let end = texts.first(where: { $0.isShown(by: observation.new, .aligned) })
        {
          found = (start, end, window, count)
        }
      }
    }
    guard let (start, end, window, count) = found else { return nil }
    return AnnouncedExchange(
      from: start, to: end, shownBy: observation, window: hostWindow == nil ? nil : window
    ).map { (count, $0) }
  }

  /// The place of the announced edit that a pair shows half-way, as the old text with the new caret (Firefox), or
  /// without what was selected (Qt), or without what it takes away (hosts that are told of that first); `nil` where
  /// it shows none, or a key was pressed that does the same.
  private func halfway(
    _ plain: Transition, of observation: borrowing LentObservation, with classifier: Classifier
  ) -> Int? {
    if plain.kind == .cursorMove, let offset = plain.cursorOffset {
      if observation.evidence.key == .caret { return nil }
      return expected.caretFirst(
        from: observation.old, by: offset, isAtEnd: observation.new.after.isEmpty)
    }
    if observation.evidence.key?.isHostsEdit ?? false { return nil }
    if plain.kind == .cut, plain.certainty == .certain { return nil }
    return expected.selectionFirst(from: observation.old, to: observation.new)
      ?? erasingFirst(of: observation, with: classifier)
  }

  /// The place of the announced edit that begins at the old snapshot, if the new one shows what it takes away gone
  /// and nothing yet of what it puts in, and no key did that.
  private func erasingFirst(
    of observation: borrowing LentObservation, with classifier: Classifier
  ) -> Int? {
    // Else a part of the edit is all that the host made of it, as far as anybody knows.
    guard observation.evidence.key == Key.none, let first = expected.start(at: observation.old),
      var edit = expected.entries[first].edit, !edit.insert.isEmpty,
      edit.deleteBackward > 0 || edit.deleteForward > 0
    else { return nil }
    edit.insert = ""
    edit.moveCaret = 0
    return making([edit], atLeast: 1, shownBy: observation, with: classifier).map { _ in first }
  }

  /// The pair shows announced text in the place of other text, or that other text gone: an input method may erase
  /// what nobody announced (fcitx5 tells of a commit alone), with no key that went to the host.
  private func inPlace(
    beside plain: Transition, of observation: borrowing LentObservation
  ) -> Announced? {
    guard observation.evidence.key == Key.none,
      let first = expected.start(at: observation.old), let edit = expected.entries[first].edit,
      edit.isInsertion
    else { return nil }
    // It is recognised at its new place.
    if plain.kind == .deletion { return Announced(transition: plain, event: .move) }
    guard plain.kind == .replacement, plain.inserted?.utf8.elementsEqual(edit.insert.utf8) ?? false
    else { return nil }
    let shown = ExpectedEdits.Shown(range: first..<first + 1)
    return Announced(
      transition: plain.perhapsExpected(numbers(of: shown)), event: .shown(shown, rest: .nothing))
  }

  /// The pair shows announced text that comes where it was not to, by no key of the user's.
  ///
  /// A host may tell of a click with the commit that follows it, and of nothing where one commit was sent at once:
  /// then the text comes at another place, or without what was announced before it.
  private func outOfPlace(
    beside plain: Unannounced, of observation: borrowing LentObservation
  ) -> Announced? {
    guard !plain.isByKey, plain.transition.kind == .insertion,
      let inserted = plain.transition.inserted?.utf8,
      let first = expected.start(at: observation.old)
    else { return nil }
    let edits = expected.edits(from: first)
    // Those between would have been seen.
    for place in [0, edits.count - 1] where edits.indices.contains(place) {
      let edit = edits[place]
      guard edit.isInsertion, inserted.elementsEqual(edit.insert.utf8) else { continue }
      let shown = ExpectedEdits.Shown(range: first + place..<first + place + 1)
      return Announced(
        transition: plain.transition.perhapsExpected(numbers(of: shown)),
        event: .shown(shown, rest: .nothing))
    }
    return nil
  }

  /// The pair shows announced edits, and then something else that is less than all of it at once.
  private func partly(
    beside plain: Transition, of observation: borrowing LentObservation,
    with classifier: Classifier
  ) -> Announced? {
    let key = observation.evidence.key
    for (state, shown) in expected.states(from: observation.old, mostLike: observation.new) {
      let rest = rest(of: observation, from: state, with: classifier)
      let isCompletion = state.isCompleted(in: observation.new)
      let breaksLine = key == .return && rest.breaksLine(as: plain)
      // Who takes an edit back took back one that was seen; and no key that erases puts text in.
      if rest.kind == .undo || rest.kind == .redo { continue }
      if let insert = expected.insert(endOf: shown), rest.takes(insert) { continue }
      if key?.erases ?? false, rest.kind.facts.text == .comes { continue }
      guard
        isCompletion || breaksLine || rest.isPlainer(than: plain)
          || rest.isDone(by: key, unlike: plain)
          || rest.kind == .cursorMove && plain.kind == .cursorMove
            && state.lend(to: { observation.showsLessUnknown(beside: $0) })
      else { continue }
      if isInPart(rest, of: plain, state, shown, observation) { continue }
      let numbers = numbers(of: shown)
      var transition = rest
      transition.basicKind = plain.basicKind
      transition.cursorOffset = plain.cursorOffset
      transition.leavesComposition = plain.leavesComposition
      transition.expectedEdits = numbers.count
      transition.expected = numbers
      // The host may have dropped those edits, and the pair be all one act.
      if plain.changesTextOtherwise(than: rest), !rest.isDone(by: key, unlike: plain) {
        transition.doubt(plain.kind)
      }
      return Announced(
        transition: transition,
        event: .shown(
          shown, rest: isCompletion ? .completion : rest.kind.changesText ? .edit : .move),
        rewrite: breaksLine ? brokenLine(behind: shown, observation) : nil)
    }
    return nil
  }

  /// What announced text and a line broken behind it do to the text; `nil` where that is not known.
  private func brokenLine(
    behind shown: ExpectedEdits.Shown, _ observation: borrowing LentObservation
  ) -> (rewrite: Rewrite, isPlain: Bool)? {
    guard observation.old.selected.isEmpty, let edits = expected.edits(of: shown),
      edits.allSatisfy(\.isInsertion)
    else { return nil }
    let inserted = edits.flatMap { Array($0.insert.utf8) } + Array("\n".utf8)
    let rewrite = Rewrite(start: 0, removed: [], inserted: inserted, caret: inserted.count)
    return (rewrite, isPlain: false)
  }

  /// The pair shows an announced bracket or quotation mark, and its mate that the host put behind the
  /// caret.
  private func mated(
    beside plain: Transition, of observation: borrowing LentObservation
  ) -> Announced? {
    for (state, shown) in expected.states(from: observation.old, mostLike: observation.new) {
      guard let mate = state.mate(in: observation.new) else { continue }
      var transition = plain.perhapsExpected(numbers(of: shown))
      transition.kind = .insertion
      // The mate may have stood there, out of sight.
      transition.alternatives = [.expected]
      transition.inserted = mate.string
      transition.removed = nil
      return Announced(transition: transition, event: .shown(shown, rest: .edit))
    }
    return nil
  }

  private func numbers(of shown: ExpectedEdits.Shown) -> [Int] {
    expected.entries[shown.range].map(\.number)
  }

  /// What happened after an announced state.
  private func rest(
    of observation: borrowing LentObservation, from state: AnnouncedText,
    with classifier: Classifier
  ) -> Transition {
    let old = observation.old
    let new = observation.new
    // What is not known of the state is left out of what is seen, where it stayed as it was.
    let left = old.before.bytes.prefix(min(state.unknownLeft, old.before.bytes.count))
    let right = old.after.bytes.suffix(min(state.unknownRight, old.after.bytes.count))
    let seen = new.trimmed(
      left: new.before.bytes.hasPrefix(left) ? left.count : 0,
      right: new.after.bytes.hasSuffix(right) ? right.count : 0)
    return state.lend { state in
      classifier.classify(
        LentObservation(
          old: state, new: seen, pasteboard: observation.pasteboard, evidence: observation.evidence)
      )
    }
  }

  /// Whether what is seen lies on the way to the announced state, so that the host made the edit in
  /// part; nobody having pressed a key that takes back the rest.
  private func isInPart(
    _ rest: Transition, of whole: Transition, _ state: AnnouncedText, _ shown: ExpectedEdits.Shown,
    _ observation: borrowing LentObservation
  ) -> Bool {
    if observation.evidence.merged || rest.changedLength == 0 { return false }
    if observation.evidence.key?.isHostsEdit ?? false { return false }
    let announced = state.changedLength(from: expected.start(of: shown))
    return whole.changedLength + rest.changedLength == announced
  }

  /// Takes over what a pair did to the announced edits: `event`, or, where it showed none, what
  /// follows from `transition`.
  ///
  /// - Returns: The numbers of those that will not come.
  mutating func settle(
    _ event: ExpectedEdits.Event?, _ transition: borrowing Transition,
    in observation: borrowing LentObservation
  ) -> [Int] {
    if expected.isBlank { return [] }
    if let event = event ?? transition.announcedEvent {
      expected.pass(event, from: observation.old, to: observation.new, window: window)
    }
    return expected.takeUnfulfilled()
  }
}

extension LentObservation {
  /// Whether less is seen that is not known where the text was `state`, than where it was `old`: both in
  /// bytes, the caret left out.
  fileprivate func showsLessUnknown(beside state: Fields) -> Bool {
    guard let unknown = new.unknown(beside: state) else { return false }
    return old.isBlank || new.unknown(beside: old).map { unknown < $0 } ?? true
  }

  /// Whether the two windows begin and end at the same places, as far as one can tell, where each shows
  /// what was announced: not where one sentence or line gave way to another.
  fileprivate var showsTheSameStretch: Bool {
    switch evidence.window ?? .sentence {
    case .full: true
    case .paragraph, .line: old.before.bytes.commonPrefix(new.before.bytes) > 0
    case .sentence: false
    }
  }
}

extension Fields {
  /// How many bytes this shows at one end beyond `other`, or beyond a part of it; `nil` where the two
  /// read differently.
  fileprivate func unknown(beside other: Fields) -> Int? {
    let shared = min(all.count, other.all.count)
    let isSame = all.commonPrefix(other.all) == shared || all.commonSuffix(other.all) == shared
    return isSame ? all.count - shared : nil
  }
}

extension AnnouncedText {
  /// Whether `fields` shows this with text behind the caret that is selected.
  fileprivate func isCompleted(in fields: Fields) -> Bool {
    guard selectedCount == 0, !fields.selected.isEmpty else { return false }
    var fields = fields
    fields.selected = .hidden
    return isShown(by: fields, .equal)
  }
}

extension Session.Outcome {
  /// Takes over that announced edits explain the pair: the memory holds the text before them, and
  /// whoever announced an edit did not undo.
  mutating func take(_ announcement: Session.Announced) {
    announced = announcement.event
    if case .shown = announcement.event { mayBeRetraced = false }
    switch (announcement.event, effect, announcement.rewrite) {
    case (_, .edit, (_, isPlain: true)?), (_, .move, (_, isPlain: true)?): break
    case (_, _, let (rewrite, _)?):
      effect = .announced(rewrite)
      isProven = false
      isDoubtful = false
    case (.shown(_, rest: .edit), _, nil), (.shown(_, rest: .move), _, nil),
      (.shown(_, rest: .completion), _, nil), (_, .retraced, nil), (_, .retracedElsewhere, nil):
      effect = .unknown
    default: break
    }
  }
}
