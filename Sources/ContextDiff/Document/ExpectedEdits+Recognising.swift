// Which of the announced edits a pair shows.

extension ExpectedEdits {
  /// How many sums of shifts are looked at for one edit of a chain; there can be as many as the product of all edits'
  /// alternatives up to it.
  private static let mostShifts = 64

  /// The announced edits that the pair shows with nothing besides, and how near the new snapshot is to the announced
  /// one; `nil` where it shows none.
  ///
  /// Of several chains from `old` to `new`, an equal one comes before one by another cut of the window; then the one
  /// that was announced first. Of equal ones with the same start the longest is taken: text typed and erased again
  /// may still be shown late, and would else be waited for in what the user types. By another cut, and in presses of a
  /// key, it is the shortest: where the text repeats itself each further edit may look alike, and what one press
  /// deletes may be what several delete. So it is from a state halfway through an edit, for the host makes one after the
  /// other then.
  func match(
    from old: Fields, to new: Fields
  ) -> (shown: Shown, nearness: AnnouncedText.Nearness)? {
    for nearness in AnnouncedText.Nearness.allCases {
      // An equal old snapshot needs no evidence of its own.
      for first in announcements.indices
      where nearness == .equal
        ? announcements[first].old.contains(old, .equal) : announcements[first].old.contains(old)
      {
        let found = (first..<chainEnd(from: first)).filter {
          announcements[$0].new.contains(new, nearness)
        }
        guard let shortest = found.first, let longest = found.last else { continue }
        let isSure =
          nearness == .equal && announcements[first].old.first?.isShown(by: old) ?? false
          && announcements[first...longest].allSatisfy { $0.edit?.unit != .backspace }
        return (first..<(isSure ? longest : shortest) + 1, nearness)
      }
    }
    return nil
  }

  /// Whether `new` is an announced state that the last pair skipped; where edits led beyond the known text, any is, if
  /// `admitsUnknown`.
  func isLate(_ new: Fields, admitsUnknown: Bool) -> Bool {
    passed.contains {
      (admitsUnknown || !$0.leadsBeyondKnown) && $0.isShown(by: new, .equal)
    }
  }

  /// The announced edits from `old` on that may lead to `new`, in which unseen text has come into view, as many as
  /// agree with it, and the texts from which and to which they lead.
  func reaching(
    from old: Fields, to new: Fields
  ) -> (shown: Shown, start: AnnouncedText, end: AnnouncedText)? {
    guard let first = announcements.firstIndex(where: { $0.old.contains(old, .equal) }),
      let start = announcements[first].old.first(where: { $0.isShown(by: old, .equal) }),
      // Old text that is still there, with more behind it, was not removed; blanks begin many a sentence.
      old.before.bytes.isWhitespace || !new.before.bytes.hasPrefix(old.before.bytes)
        || old.before == new.before,
      old.after.bytes.isWhitespace || !new.after.bytes.hasSuffix(old.after.bytes)
        || old.after == new.after
    else { return nil }
    let edits = edits(from: first).prefix { $0.moveCaret == 0 }
    for count in (1...max(1, edits.count)).reversed() {
      let inserted = edits.prefix(count).map(\.insert).joined()
      let end = announcements[first + count - 1].new.first {
        $0.mayBeShown(by: new, removing: start, inserting: inserted)
      }
      if let end { return (first..<first + count, start, end) }
    }
    return nil
  }

  /// The two announced states of the chain from `first` on that are most like `new`, the more alike first (of two as
  /// alike the later one), each with the edits up to it.
  func states(from first: Int?, mostLike new: Fields) -> [(state: AnnouncedText, shown: Shown)] {
    guard let first else { return [] }
    var found: [(state: AnnouncedText, shown: Shown, distance: Int)] = []
    for last in (first..<chainEnd(from: first)).reversed() {
      for state in announcements[last].new {
        let distance = state.isCompleted(in: new) ? 0 : state.unlikeness(to: new)
        let place = found.firstIndex { $0.distance > distance } ?? found.count
        found.insert((state, first..<last + 1, distance), at: place)
        if found.count > 2 { found.removeLast() }
      }
    }
    return found.map { ($0.state, $0.shown) }
  }

  /// The edits of `shown`; `nil` where one was announced by snapshots, or is too long.
  func edits(of shown: Shown) -> [Edit]? {
    let edits = announcements[shown].compactMap(\.edit)
    return edits.count == shown.count ? edits : nil
  }

  /// The edits of the chain from `first` on, until one is not known.
  func edits(from first: Int) -> [Edit] {
    announcements[first..<chainEnd(from: first)].prefix { $0.edit != nil }.compactMap(\.edit)
  }

  /// The insertions with which the chain from `first` on begins, and the text that they put in together: all of them, then all
  /// but the last, down to the first alone.
  func insertions(from first: Int) -> [(shown: Shown, text: [UInt8])] {
    let edits = edits(from: first).prefix(while: \.isInsertion)
    return (0..<edits.count).reversed().map { last in
      (first..<first + last + 1, Array(edits.prefix(last + 1).map(\.insert).joined().utf8))
    }
  }

  /// The indices of edits that begin a chain, change the text, and begin where the document was, but not at `state`.
  func chainsBegun(elsewhereThan state: Fields) -> [Int] {
    announcements.indices.filter { index in
      let announcement = announcements[index]
      guard announcement.isReached, !announcement.followsLast, let edit = announcement.edit,
        edit.changesText
      else { return false }
      return !announcement.old.contains(state)
    }
  }

  /// The last edit of `shown`.
  func last(of shown: Shown) -> Announcement { announcements[shown.upperBound - 1] }

  /// The text that the edits of `shown` insert together; `nil` where one of them does anything else.
  func inserted(by shown: Shown) -> String? {
    guard let edits = edits(of: shown), edits.allSatisfy(\.isInsertion) else { return nil }
    return edits.map(\.insert).joined()
  }

  /// The index of the edit up to which, from `first` on, the edits move the caret by `offset`: some hosts show the new
  /// caret before the new text.
  ///
  /// `isAtEnd` says that the caret is at the end of the old text, so that it may have been meant to go farther.
  func lastMoving(from first: Int, by offset: Extent, isAtEnd: Bool) -> Int? {
    // Several where a press of a key may delete more or less.
    var shifts = [AnnouncedText.Shift()]
    for last in first..<chainEnd(from: first) {
      let ends = announcements[last].new
      shifts = Set(shifts.flatMap { shift in ends.map { shift + $0.shift } }).sorted()
      // The least and the most stay: hosts with one rule for all presses come to these.
      shifts.removeMiddle(beyond: ExpectedEdits.mostShifts)
      let isShown = shifts.contains {
        $0.scalars == offset.scalars || $0.utf16 == offset.utf16
          || isAtEnd && offset.scalars > 0 && $0.scalars > offset.scalars
      }
      if isShown { return last }
    }
    return nil
  }

  /// Whether the edit at `index` changes the text, and `new` is `old` without the selected text: some hosts show this
  /// before the inserted text.
  func isDeselecting(by index: Int, from old: Fields, to new: Fields) -> Bool {
    !old.selected.isEmpty && new.selected.isEmpty && old.before.bytes == new.before.bytes
      && old.after.bytes == new.after.bytes && announcements[index].edit?.changesText ?? true
  }

  /// What the edit at `index` still deletes, as a deletion alone, where the host shows `old`: the text in which it begins, or
  /// that without a part of what it deletes.
  ///
  /// Several, in bytes, where the edit is in presses of a key; none where nothing is left, or where `old` is no such text.
  func remainingDeletions(
    of index: Int, at old: Fields, counted: UnitLengths.Counted
  ) -> [Edit] {
    guard let edit = announcements[index].edit, edit.moveCaret == 0, old.selected.isEmpty,
      let start = announcements[index].old.first, start.selectedCount == 0
    else { return [] }
    let seen = old.trimmed(left: start.left.unknown, right: start.right.unknown)
    return start.lend { shown in
      guard shown.before.bytes.hasPrefix(seen.before.bytes),
        shown.after.bytes.hasSuffix(seen.after.bytes)
      else { return [] }
      return AnnouncedText(shown, window: .full).applying(edit.deletion, counted: counted)
        .compactMap { kept in
          let backward = seen.before.bytes.count - kept.left.text.count
          let forward = seen.after.bytes.count - kept.right.text.count
          guard backward >= 0, forward >= 0, backward + forward > 0 else { return nil }
          return Edit(deleteBackward: backward, deleteForward: forward, unit: .bytes)
        }
    }
  }

  /// The index of the first edit that begins at `old`.
  func start(at old: Fields) -> Int? {
    for nearness in AnnouncedText.Nearness.allCases {
      if let first = announcements.firstIndex(where: { $0.old.contains(old, nearness) }) {
        return first
      }
    }
    return nil
  }

  /// The index behind the chain from `first` on.
  func chainEnd(from first: Int) -> Int {
    announcements[(first + 1)...].firstIndex { !$0.followsLast } ?? announcements.count
  }
}

extension AnnouncedText {
  /// Whether `fields` shows it, as near as any of `Nearness`.
  func isShown(by fields: Fields) -> Bool {
    Nearness.allCases.contains { isShown(by: fields, $0) }
  }
}

extension [AnnouncedText] {
  /// Whether `fields` shows one of them, as near as `nearness` says.
  func contains(_ fields: Fields, _ nearness: AnnouncedText.Nearness) -> Bool {
    contains { $0.isShown(by: fields, nearness) }
  }

  /// Whether `fields` shows one of them, as near as any of `Nearness`.
  func contains(_ fields: Fields) -> Bool {
    contains { $0.isShown(by: fields) }
  }
}
