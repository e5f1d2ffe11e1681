// Recognisers of announced edits that came together with something else.

extension Session {
  /// An announced bracket or quotation mark and its mate, which the host inserted behind the caret: `(|)`.
  func withMate(beside plain: Unannounced) -> Recognition? {
    for (state, shown) in expected.states(from: plain.start, mostLike: plain.new) {
      guard let mate = state.mate(in: plain.new) else { continue }
      var recognition = perhaps(shown, and: .edit, beside: plain)
      recognition.transition.kind = .insertion
      // The mate may have been there before, out of sight.
      recognition.transition.alternatives = [.expected]
      recognition.transition.inserted = mate.string
      recognition.transition.removed = nil
      return recognition
    }
    return nil
  }

  /// An announced text that ends with a newline, and what an editor begins the new line with: the indentation, or the
  /// mark of the next item of a list.
  func withLineStart(beside plain: Unannounced) -> Recognition? {
    let line = plain.new.before.bytes.lastLine
    guard !line.isEmpty, let first = plain.start,
      Bytes.indentedLine(showing: line) != nil
        || line.isItemMark(of: plain.old.before.bytes.lastLine)
    else { return nil }
    let made = exchange(
      making: expected.edits(from: first), atLeast: 1,
      ending: { edit in
        guard edit.insert.utf8.last == UInt8(ascii: "\n") else { return nil }
        var edit = edit
        edit.insert += line.string
        return edit
      }, shownBy: plain)
    guard let (count, exchange) = made else { return nil }
    let shown = first..<first + count
    var transition = plain.transition.expected(numbers(of: shown))
    transition.take(exchange)
    transition.kind = .insertion
    transition.inserted = line.string
    transition.removed = nil
    // One blank line looks like another.
    if !KeptScalars.areEnough(
      endOf: plain.new.before.bytes.dropLast(line.count),
      startOf: plain.new.after.bytes)
    {
      for kind in plain.transition.kinds where kind != .insertion { transition.doubt(kind) }
    }
    return Recognition(
      transition: transition, event: .shown(shown, rest: .edit), exchange: exchange)
  }

  /// Announced edits, and then something else that says less than `plain` says of the whole pair.
  func withRest(beside plain: Unannounced) -> Recognition? {
    let whole = plain.transition
    for (state, shown) in expected.states(from: plain.start, mostLike: plain.new) {
      let rest = rest(of: plain, from: state)
      let opensLine = plain.evidence.key == .return && rest.inserted.isSame(as: "\n")
      let more = More(
        state: state, shown: shown, rest: rest, isCompletion: state.isCompleted(in: plain.new),
        hidesAnnounced: rest.isSameInsertion(as: whole)
          && (opensLine || whole.isPartial && !rest.isPartial),
        takesEnd: expected.last(of: shown).edit.map { rest.takesEnd(of: $0.insert) } ?? false)
      if isEvident(more, beside: plain) { return recognition(of: more, beside: plain) }
    }
    return nil
  }

  /// Announced edits, and what came with them.
  private struct More {
    /// The announced state to which the edits of `shown` lead.
    let state: AnnouncedText
    let shown: ExpectedEdits.Shown
    /// What happened between `state` and the new snapshot.
    let rest: Transition
    /// Whether the host added selected text behind the caret.
    let isCompletion: Bool
    /// Whether the announced text may have come and be out of sight, before a new line or sentence.
    let hidesAnnounced: Bool
    /// Whether `rest` removes the end of the announced text.
    let takesEnd: Bool
  }

  /// Whether `more` explains the pair better than `plain` does.
  private func isEvident(_ more: More, beside plain: Unannounced) -> Bool {
    let (whole, rest, key) = (plain.transition, more.rest, plain.evidence.key)
    // The user undoes only an edit that was seen; and no key that erases inserts text.
    if rest.kind.retraces { return false }
    let last = expected.last(of: more.shown).edit
    if let last, rest.takes(last.insert) { return false }
    if key.erases, rest.kind.facts.text == .comes { return false }
    // Text that came in place of the known text shows no announced edit.
    if rest.isPartial, !more.isCompletion, !more.hidesAnnounced { return false }
    // Nor does text that stands as it did, where some was to go.
    let deletes = expected.edits(of: more.shown)?.contains { !$0.isInsertion } ?? false
    if deletes, plain.keepsAllText,
      !more.state.lend(to: { $0.beginsOrEnds(with: plain.old) })
    {
      return false
    }
    // The host put in the whole text behind what was to go, and did not delete.
    if deletes, key != .character, whole.kind == .insertion, let last,
      whole.inserted.isSame(as: last.insert)
    {
      return false
    }
    // A line above that ends just as what was announced is a coincidence.
    let saysLess =
      more.isCompletion || more.hidesAnnounced || rest.isPlainer(than: whole)
      || rest.isDone(by: key, unlike: whole)
      || whole.joinsLine && more.takesEnd
      || rest.kind == whole.kind && rest.kind.facts.text == .none
        && more.state.lend(to: { plain.showsLessUnknown(beside: $0) })
    return saysLess && !isInPart(rest, of: plain, more.state, more.shown)
  }

  /// The recognition of `more`.
  private func recognition(of more: More, beside plain: Unannounced) -> Recognition {
    let (whole, rest, key) = (plain.transition, more.rest, plain.evidence.key)
    var transition = rest
    transition.basicKind = whole.basicKind
    let exchange = exchange(of: more.shown, and: rest, shownBy: plain)
    // The pair without what was announced may tell another way of the caret.
    if let exchange {
      transition.cursorOffset = exchange.cursorOffset
    } else if whole.kind == .deletion || whole.cursorOffset == nil || more.hidesAnnounced,
      let inserted = expected.inserted(by: more.shown)
    {
      transition.cursorOffset = rest.cursorOffset.map {
        $0 + inserted.withBytes { Extent(of: $0) }
      }
    } else {
      transition.cursorOffset = whole.cursorOffset
    }
    transition.leavesComposition = whole.leavesComposition
    transition.expected = numbers(of: more.shown)
    // The host may have ignored the announced edits, and the pair be one edit of the user's.
    if whole.changesTextOtherwise(than: rest), !rest.isDone(by: key, unlike: whole) {
      transition.doubt(whole.kind)
    }
    // A field that takes only so much text cuts the announced one short.
    if more.takesEnd, !key.erases { transition.doubt(.insertion) }
    return Recognition(
      transition: transition,
      event: .shown(
        more.shown, rest: more.isCompletion ? .completion : rest.kind.changesText ? .edit : .move),
      exchange: exchange)
  }

  /// What the edits of `shown` and, behind them, `rest` exchange together; `nil` where it is not known.
  private func exchange(
    of shown: ExpectedEdits.Shown, and rest: Transition, shownBy plain: Unannounced
  ) -> AnnouncedExchange? {
    guard let rest = rest.edit, let edits = expected.edits(of: shown) else { return nil }
    return exchange(making: edits + [rest], atLeast: edits.count + 1, shownBy: plain)?.exchange
  }

  /// The user's edit and, behind it, announced insertions: of a key and a commit that are on their way together, the
  /// host makes the key's first.
  ///
  /// The host may also have ignored the announced edits, and the user have put in all of it.
  func behindUsersEdit(beside plain: Unannounced) -> Recognition? {
    guard plain.evidence.key != .unpressed, plain.old.selected.isEmpty,
      plain.transition.kind == .insertion, !plain.transition.isPartial,
      let first = plain.start, let come = plain.transition.inserted,
      come.withBytes({ plain.new.before.bytes.hasSuffix($0) })
    else { return nil }
    for (shown, announced) in expected.insertions(from: first) {
      let users = come.utf8.dropLast(announced.count)
      guard !users.isEmpty, come.utf8.dropFirst(users.count).elementsEqual(announced)
      else { continue }
      var transition = plain.transition
      transition.inserted = String(users)
      (transition.certainty, transition.alternatives) = (.likely, [.expected])
      transition.expected = numbers(of: shown)
      let exchange = AnnouncedExchange(
        start: 0, removed: [], inserted: Array(come.utf8), caret: come.utf8.count,
        cursorOffset: transition.cursorOffset)
      return Recognition(
        transition: transition, event: .shown(shown, rest: .edit), exchange: exchange)
    }
    return nil
  }

  /// Text that the user erased left of the caret, and announced insertions in its place: of a key that erases and a commit
  /// that are on their way together, the host makes the key's first.
  func behindUsersErasure(beside plain: Unannounced) -> Recognition? {
    let (old, new) = (plain.old, plain.new)
    guard plain.evidence.key?.erases ?? (plain.transition.kind == .replacement),
      old.selected.isEmpty, new.selected.isEmpty, old.after == new.after, let first = plain.start
    else { return nil }
    var recognition = perhapsInsertions(from: first, and: .edit, beside: plain) {
      $0.count < old.before.bytes.count && old.before.bytes.hasPrefix($0)
    }
    recognition?.transition.kind = .deletion
    recognition?.transition.alternatives = [.expected]
    recognition?.transition.inserted = nil
    return recognition
  }

  /// Announced insertions that begin with no letter and no digit, and the word before them, which the host corrected as it
  /// ended: `teh|` → `the |`.
  func withCorrection(beside plain: Unannounced) -> Recognition? {
    let (old, new) = (plain.old, plain.new)
    guard plain.transition.kind == .replacement, !plain.isByKey, old.selected.isEmpty,
      new.selected.isEmpty, old.after == new.after, let first = plain.start,
      expected.announcements[first].edit?.insert.withBytes(\.endsWord) ?? false
    else { return nil }
    var recognition = perhapsInsertions(from: first, and: .edit, beside: plain) { before in
      let corrected = old.before.bytes.dropFirst(old.before.bytes.commonStart(before))
      return !corrected.isEmpty && corrected.isWord
    }
    recognition?.transition.kind = .replacement
    recognition?.transition.alternatives = [.expected]
    return recognition
  }

  /// Whether the pair leads a part of the way to the announced `state`, so that the host made only that part of the
  /// edit: `plain` and `rest` change as many bytes together as was announced, and no key of the user's made `rest`.
  private func isInPart(
    _ rest: Transition, of plain: Unannounced, _ state: AnnouncedText, _ shown: ExpectedEdits.Shown
  ) -> Bool {
    if plain.evidence.merged || rest.changedLength == 0 { return false }
    if plain.evidence.key.isHostsEdit { return false }
    // No part of an insertion removes anything, and none shows more than all of it.
    if plain.transition.kind == .deletion || rest.kind == .insertion,
      expected.inserted(by: shown) != nil
    {
      return false
    }
    let starts = expected.announcements[shown.lowerBound].old
    guard let start = starts.first(where: { $0.isShown(by: plain.old) }) else { return false }
    let announced = state.changedLength(from: start)
    // An exchange may be read as another one of the same length.
    if plain.transition.kind == .replacement,
      start.distance(to: plain.new) + state.distance(to: plain.new) != announced
    {
      return false
    }
    return plain.transition.changedLength + rest.changedLength == announced
  }
}

extension Session.Unannounced {
  /// Whether the new snapshot shows fewer bytes of unknown text if `state` was the text before than if the old snapshot
  /// was; the caret does not matter.
  fileprivate func showsLessUnknown(beside state: Fields) -> Bool {
    guard let unknown = new.unknown(beside: state) else { return false }
    return new.unknown(beside: old).map { unknown < $0 } ?? true
  }
}

extension Fields {
  /// Whether the text begins or ends with all the text of `other`.
  func beginsOrEnds(with other: Fields) -> Bool {
    let (whole, part) = (all, other.all)
    return whole.commonPrefix(part) == part.count || whole.commonSuffix(part) == part.count
  }

  /// How many bytes this shows at one end beyond `other`, or beyond a part of it; `nil` where the two differ.
  fileprivate func unknown(beside other: Fields) -> Int? {
    let shared = min(all.count, other.all.count)
    let isSame = all.commonPrefix(other.all) == shared || all.commonSuffix(other.all) == shared
    return isSame ? all.count - shared : nil
  }
}
