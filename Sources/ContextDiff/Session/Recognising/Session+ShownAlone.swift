// Recognisers of announced edits that were made where, and as, they were announced, and nothing besides.

extension Session {
  /// The edits of `shown`, which the pair shows as near as `nearness` says; `nil` where the user's key removed the rest
  /// of a deletion that the host made in part, or where text came behind what a deletion was to remove.
  func asAnnounced(
    _ shown: ExpectedEdits.Shown, _ nearness: AnnouncedText.Nearness, beside plain: Unannounced
  ) -> Recognition? {
    let edits = expected.edits(of: shown)
    let made = edits.flatMap {
      exchange(making: $0, atLeast: $0.count, shownBy: plain, as: nearness)?.exchange
        ?? exchange(behindCaretOf: shown, shownBy: plain)
    }
    let isRest = made == nil && edits != nil && plain.transition.kind == .deletion
    if isRest, plain.isByKey { return nil }
    // A deletion that reaches beyond what is shown fits any text: even what was shown, with more behind it, and what a key
    // typed.
    if let edits, edits.allSatisfy(\.insert.isEmpty), plain.transition.isCertainly(.insertion),
      !plain.old.before.isEmpty || plain.evidence.key == .character
    {
      return nil
    }
    var transition =
      isRest && plain.evidence.key != .unpressed
      ? plain.transition.perhapsExpected(numbers(of: shown))
      : plain.transition.expected(numbers(of: shown))
    if let made {
      transition.take(made)
    } else if nearness == .equal, plain.showsTheSameStretch {
      transition.take(AnnouncedExchange(from: plain.old, to: plain.new))
    }
    // A field that was sent and cleared looks like the empty line behind an announced newline, unless the host is known
    // to show lines.
    if toldWindow != .line, plain.new.isEmpty, putText(shown),
      plain.transition.kinds.contains(.submission)
    {
      transition.doubt(.submission)
    }
    return Recognition(
      transition: transition, event: .shown(shown, rest: .nothing), exchange: made)
  }

  /// What the edits of `shown` exchange, where the new caret, or one on the way there, was shown in the old text before;
  /// `nil` where it was not.
  private func exchange(
    behindCaretOf shown: ExpectedEdits.Shown, shownBy plain: Unannounced
  ) -> AnnouncedExchange? {
    guard let start = expected.announcements[shown.lowerBound].old.first,
      let end = expected.last(of: shown).new.first(where: { $0.isShown(by: plain.new, .equal) }),
      // Of hidden text the start may know less.
      end.showsAll, let distance = start.distance(toCaretOf: plain.old), distance != 0
    else { return nil }
    return AnnouncedExchange(from: start, to: end, shownBy: plain, window: hostWindow)?
      .made(from: plain.old, behindCaret: distance)
  }

  /// The edits of `shown` in a window cut otherwise than announced, unless `plain` is certain of something else.
  func cutOtherwise(
    _ shown: ExpectedEdits.Shown?, beside plain: Unannounced
  ) -> Recognition? {
    guard let shown else { return nil }
    // No text comes into view before a line's start.
    if plain.evidence.window == .line, plain.old.before.isEmpty,
      let inserted = expected.inserted(by: shown),
      inserted.utf8.count < plain.new.before.bytes.count
    {
      return nil
    }
    // However a window is cut, it shows the end of what was put in.
    let hidesInsert = plain.new.before.isEmpty && putText(shown)
    guard
      expected.last(of: shown).new.contains(where: { state in
        !(hidesInsert && state.left.shown > 0) && isCutOtherwise(state, in: plain)
      }),
      let recognition = asAnnounced(shown, .aligned, beside: plain)
    else { return nil }
    let hidesStart = plain.new.hidesStart(of: recognition.transition.inserted)
    let showsEnd = hidesStart && KeptScalars.areEnough(endOf: plain.new.before.bytes)
    guard showsEnd || plain.transition.agrees(with: recognition.transition) else { return nil }
    return hidesStart
      ? behindRefused(beside: plain) ?? recognition.doubting(plain.transition.kind) : recognition
  }

  /// Whether an edit of `shown` puts text in.
  private func putText(_ shown: ExpectedEdits.Shown) -> Bool {
    expected.edits(of: shown)?.contains { !$0.insert.isEmpty } ?? false
  }

  /// Announced edits and other blanks: on a host that shows HTML one that does not break in place of a space, or the other
  /// way round; in a field that groups what it holds, as the number of a card, blanks moved, as no edit at the caret moves
  /// them, or a number grouped anew.
  func respaced(beside plain: Unannounced) -> Recognition? {
    let new = plain.new
    guard !plain.isByKey, !new.isEmpty, plain.old.selected.isEmpty, new.selected.isEmpty
    else { return nil }
    // A sentence's window begins anew behind the point in a number.
    let showsNumbersWhole = window != .sentence
    let mayBeMoved = plain.transition.kind == .outOfRangeTap && new.showsEnough
    let found = expected.states(from: plain.start, mostLike: new).first { state, _ in
      state.lend {
        let (before, after) = ($0.before.bytes, $0.after.bytes)
        return before.isSameButForNoBreakSpaces(as: new.before.bytes)
          && after.isSameButForNoBreakSpaces(as: new.after.bytes)
          || mayBeMoved && before.isSameButForBlanks(as: new.before.bytes)
            && after.isSameButForBlanks(as: new.after.bytes)
          || showsNumbersWhole && before.isSameNumber(as: new.before.bytes)
            && after == new.after.bytes
      }
    }
    return found.map {
      perhaps($0.shown, making: AnnouncedExchange(from: plain.old, to: new), beside: plain)
    }
  }

  /// Whether the new snapshot shows the announced `state` in a window cut otherwise: in a wider one, in one that shows
  /// the same right of the caret as the old snapshot, or in a narrower one although no text was removed.
  private func isCutOtherwise(_ state: AnnouncedText, in plain: Unannounced) -> Bool {
    let new = plain.new
    guard state.isShown(by: new, .aligned) else { return false }
    if state.left.text.isEmpty, plain.keepsTextLeft { return false }
    if state.right.text.isEmpty, plain.keepsTextRight { return false }
    // At a line's end the key joined the next line.
    if plain.evidence.key == .delete, plain.old.after.isEmpty, !new.after.isEmpty { return false }
    if new.after == plain.old.after, state.lend(to: { $0.before == new.before }) { return true }
    let isWider = state.lend {
      $0.before.bytes.count <= new.before.bytes.count
        && $0.after.bytes.count <= new.after.bytes.count
    }
    return isWider || [.unchanged, .windowShift].contains(rest(of: plain, from: state).kind)
  }

  /// An announced edit that removes unseen text, with too little text on the caret's other side to be certain:
  /// Backspace at a line's start, on the document's last line.
  func beyondKnownText(beside plain: Unannounced) -> Recognition? {
    guard !plain.isByKey,
      let (shown, start, end) = expected.reaching(from: plain.old, to: plain.new)
    else { return nil }
    // A deletion says itself what is gone.
    let isDeletion =
      plain.transition.kind == .deletion
      && expected.edits(of: shown)?.allSatisfy(\.insert.isEmpty) ?? true
    let exchange =
      isDeletion
      ? nil : AnnouncedExchange(from: start, to: end, shownBy: plain, window: hostWindow)
    return perhaps(shown, making: exchange, beside: plain)
  }

  /// Announced moves of the caret, which went just as far, though text came into view that was not known.
  func movedAsFar(beside plain: Unannounced) -> Recognition? {
    guard plain.transition.kind == .cursorMove, plain.evidence.key != .caret,
      let offset = plain.transition.cursorOffset, let first = plain.start,
      let last = expected.lastMoving(from: first, by: offset, isAtEnd: false),
      expected.announcements[first...last].allSatisfy({ $0.edit?.changesText == false })
    else { return nil }
    return perhaps(first..<last + 1, beside: plain)
  }

  /// Announced moves of the caret out of the known text, over a line's end, where other text is shown now.
  func movedBeyond(beside plain: Unannounced) -> Recognition? {
    // A key that types moves no caret.
    guard !plain.isByKey, let first = plain.start,
      plain.evidence.key != .character || plain.transition.kind != .insertion
    else { return nil }
    let moves = expected.edits(from: first).prefix { !$0.changesText }
    guard
      let last = moves.indices.first(where: {
        expected.announcements[first + $0].new.contains(where: \.leavesKnown)
      })
    else { return nil }
    let shown = first..<first + last + 1
    let distance = moves[...last].reduce(0) { $0 + $1.moveCaret }
    guard
      !(distance > 0
        ? plain.old.endsDocument(by: plain.evidence.window)
        : plain.old.beginsDocument(by: plain.evidence.window))
    else { return nil }
    let shift = plain.transition.cursorOffset?.scalars
    let kinds = plain.transition.kinds
    guard kinds.contains(.outOfRangeTap) || kinds.contains(.cursorMove),
      shift.map({ $0.signum() == distance.signum() }) ?? true
    else { return nil }
    var recognition = perhaps(shown, and: .otherText, beside: plain)
    recognition.transition.inserted = nil
    recognition.transition.removed = nil
    recognition.transition.cursorOffset = nil
    return recognition
  }
}

extension Bytes {
  /// Whether both are the same number, grouped in any way.
  fileprivate func isSameNumber(as other: Bytes) -> Bool {
    digitsBeyond(other).map { $0 == (0, 0) } ?? false
  }
}

extension Fields {
  /// Whether no more than the end of `inserted` is shown left of the caret.
  fileprivate func hidesStart(of inserted: String?) -> Bool {
    (inserted ?? "").withBytes {
      before.bytes.count < $0.count && $0.hasSuffix(before.bytes)
    }
  }
}

extension Session.Unannounced {
  /// Whether both windows, which show what was announced, begin and end at the same places of the text, as far as the
  /// window's rule tells: under `sentence` or a line's rule the new one may show the next sentence or line.
  fileprivate var showsTheSameStretch: Bool {
    switch evidence.window {
    case .full where old.before.isEmpty || new.before.isEmpty: true
    case .full, .paragraph, .line: old.before.bytes.beginsWithSameScalar(as: new.before.bytes)
    case .sentence, nil: false
    }
  }
}
