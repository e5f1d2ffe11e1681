/// The edits that an input method announced, and that no post has shown yet.
///
/// Edits of which each begins where the one before it leads are a chain; one post may show several of a chain.
///
/// Time and memory grow with the number of edits, not with the text around them: see `AnnouncedText`.
struct ExpectedEdits: Sendable {
  /// An announced edit.
  struct Announcement: Sendable {
    /// What `Session.expect` returned for it.
    var number: Int
    /// What the host shows before it.
    ///
    /// Several texts where it follows an edit in presses of a key, whose effect is the host's choice, or where the host
    /// has shown a state halfway through it.
    var old: [AnnouncedText]
    /// What the host may show after it.
    var new: [AnnouncedText]
    /// The edit itself; `nil` where it was announced by snapshots, or inserts more than `AnnouncedText.reach` bytes.
    var edit: Edit?
    /// Whether it begins where the announcement before it leads, and so goes on with that one's chain.
    var followsLast: Bool
    /// Whether a post has shown where it begins.
    var isReached: Bool
  }

  /// Where an edit begins that is announced now.
  struct Start {
    let texts: [AnnouncedText]
    /// Whether that is where the edit announced last leads.
    let followsLast: Bool
    /// Whether that is the last snapshot.
    let isReached: Bool
  }

  /// Announced edits that a pair shows, all of one chain: their indices in `announcements`.
  typealias Shown = Range<Int>

  /// How many wait at most; the oldest is dropped for a new one.
  static let capacity = 32
  /// How many sums of shifts are looked at for one edit of a chain, of which there can be as many as the alternatives of
  /// all edits before it multiplied.
  private static let mostShifts = 64

  /// The edits that wait, the oldest first.
  private(set) var announcements: [Announcement] = []
  /// The number of the edit that is announced next.
  private(set) var nextNumber = 1
  /// The numbers of edits that wait no longer, that nothing showed, and that no transition has named yet.
  private(set) var unfulfilled: [Int] = []
  /// The announced states that the last pair skipped, where it showed several edits at once, and the last of them.
  private(set) var passed: [AnnouncedText] = []

  /// Whether no edit waits, none can be late, and no transition has any to name.
  var isBlank: Bool { announcements.isEmpty && passed.isEmpty && unfulfilled.isEmpty }

  /// How many bytes of text are kept.
  var byteCount: Int {
    if announcements.isEmpty, passed.isEmpty { return 0 }
    var count = 0
    for announcement in announcements {
      if !announcement.followsLast { for text in announcement.old { count += text.byteCount } }
      for text in announcement.new { count += text.byteCount }
      count += announcement.edit?.insert.utf8.count ?? 0
    }
    for text in passed { count += text.byteCount }
    return count
  }

  // MARK: - Announcing

  /// Has the next edit that is announced get `number`, or a higher one where that was given already.
  mutating func countOn(from number: Int) {
    // Behind it there is room for all that are ever announced.
    nextNumber = max(nextNumber, min(number, 1 << 60))
  }

  /// Where the edits announced so far lead; `nil` where none begins at `latest`, the last snapshot.
  func end(from latest: Fields?) -> [AnnouncedText]? {
    guard let latest else { return announcements.last?.new }
    return start(at: latest) == nil ? nil : announcements.last?.new
  }

  /// Whether the edit announced last leads to the snapshot `state`.
  func leads(to state: Fields) -> Bool {
    announcements.last?.new.contains(state) ?? false
  }

  /// Adds an edit that leads from `start` to one of `new`, and returns its number.
  mutating func add(_ new: [AnnouncedText], from start: Start, as edit: Edit?) -> Int {
    if announcements.count == ExpectedEdits.capacity { dropOldest() }
    let number = nextNumber
    nextNumber += 1
    let isShort = edit.map { $0.insert.utf8.count <= AnnouncedText.reach } ?? false
    announcements.append(
      Announcement(
        number: number, old: start.texts, new: new, edit: isShort ? edit : nil,
        followsLast: start.followsLast, isReached: start.isReached))
    return number
  }

  /// Drops the oldest.
  ///
  /// The edit that follows it may from then on begin where the oldest did, too: the host may still make both.
  private mutating func dropOldest() {
    let oldest = announcements.removeFirst()
    unfulfilled.append(oldest.number)
    // A client that announces and never posts is told the last numbers alone.
    if unfulfilled.count > ExpectedEdits.capacity { unfulfilled.removeFirst() }
    guard announcements[0].followsLast else { return }
    announcements[0].followsLast = false
    announcements[0].isReached = oldest.isReached
    // The last ones are the latest states.
    announcements[0].old += oldest.old.suffix(ExpectedEdits.capacity)
  }

  /// Removes the edit of that number, and those that follow it in its chain.
  ///
  /// - Returns: Whether it waited.
  mutating func withdraw(_ number: Int) -> Bool {
    guard let first = announcements.firstIndex(where: { $0.number == number }) else { return false }
    announcements.removeSubrange(first..<chainEnd(from: first))
    return true
  }

  // MARK: - Recognising

  /// The announced edits that the pair shows, and nothing else, and how near the new snapshot is to the announced one;
  /// `nil` where it does not.
  ///
  /// Of several chains from `old` to `new`, an equal one comes first, then one by another cut of the window; then the
  /// earliest announced, and the shortest.
  func match(
    from old: Fields, to new: Fields
  ) -> (shown: Shown, nearness: AnnouncedText.Nearness)? {
    for nearness in AnnouncedText.Nearness.allCases {
      for first in announcements.indices where announcements[first].old.contains(old, nearness) {
        for last in first..<chainEnd(from: first)
        where announcements[last].new.contains(new, nearness) {
          return (first..<last + 1, nearness)
        }
      }
    }
    return nil
  }

  /// Whether `new` is an announced state that the last pair skipped.
  func isLate(_ new: Fields) -> Bool { passed.contains(new, .equal) }

  /// The announced edit at `old` that may lead to `new`, where unseen text has come into view, and what it leads from
  /// and to.
  func reaching(
    from old: Fields, to new: Fields
  ) -> (shown: Shown, start: AnnouncedText, end: AnnouncedText)? {
    guard let first = announcements.firstIndex(where: { $0.old.contains(old, .equal) }),
      let start = announcements[first].old.first(where: { $0.isShown(by: old, .equal) }),
      // A part of the old text alone is what an edit made in part leaves.
      !old.before.bytes.hasPrefix(new.before.bytes) || old.before == new.before,
      !old.after.bytes.hasSuffix(new.after.bytes) || old.after == new.after,
      // Old text that is still there, with more behind it, was not removed.
      old.before.isEmpty || !new.before.bytes.hasPrefix(old.before.bytes)
        || old.before == new.before,
      old.after.isEmpty || !new.after.bytes.hasSuffix(old.after.bytes) || old.after == new.after,
      let end = announcements[first].new.first(where: { $0.mayBeShown(by: new) })
    else { return nil }
    return (first..<first + 1, start, end)
  }

  /// The announced states of the chain from `old`, and the edits up to each: the two most like `new`, the more alike
  /// first, of two as alike the later one.
  func states(from old: Fields, mostLike new: Fields) -> [(state: AnnouncedText, shown: Shown)] {
    guard let first = start(at: old) else { return [] }
    var found: [(state: AnnouncedText, shown: Shown, distance: Int)] = []
    for last in (first..<chainEnd(from: first)).reversed() {
      for state in announcements[last].new {
        let distance = state.distance(to: new)
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

  /// The edits of the chain from `first` on, up to the first that is not known.
  func edits(from first: Int) -> [Edit] {
    announcements[first..<chainEnd(from: first)].prefix { $0.edit != nil }.compactMap(\.edit)
  }

  /// The indices of edits that begin a chain, change the text, and begin where the document was before, not at `state`.
  func left(at state: Fields) -> [Int] {
    announcements.indices.filter { index in
      let announcement = announcements[index]
      guard announcement.isReached, !announcement.followsLast, let edit = announcement.edit,
        edit.changesText
      else { return false }
      return !announcement.old.contains(state)
    }
  }

  /// The last edit of `shown`, which leads to what the host shows after them.
  func last(of shown: Shown) -> Announcement { announcements[shown.upperBound - 1] }

  /// What the host shows before the edits of `shown`; `nil` where they do not begin at the snapshot `old`.
  func start(of shown: Shown, at old: Fields) -> AnnouncedText? {
    announcements[shown.lowerBound].old.first { $0.isShown(by: old) }
  }

  /// The index of the first edit that begins at `old`, if it, or it and some that follow it, move the caret by
  /// `offset`: some hosts show the new caret before the new text.
  ///
  /// `isAtEnd` says that the caret is at the end of the old text, so that it may have been meant to go farther.
  func caretFirst(from old: Fields, by offset: Extent, isAtEnd: Bool) -> Int? {
    guard let first = start(at: old) else { return nil }
    // Several where a press of a key may delete more or less.
    var shifts = [AnnouncedText.Shift()]
    for announcement in announcements[first..<chainEnd(from: first)] {
      shifts = Set(shifts.flatMap { shift in announcement.new.map { shift + $0.shift } }).sorted()
      if shifts.count > ExpectedEdits.mostShifts {
        // The least and the most stay, to which hosts come that have one rule for all presses.
        shifts.removeSubrange(
          ExpectedEdits.mostShifts / 2..<shifts.count - ExpectedEdits.mostShifts / 2)
      }
      let isShown = shifts.contains {
        $0.scalars == offset.scalars || $0.utf16 == offset.utf16
          || isAtEnd && offset.scalars > 0 && $0.scalars > offset.scalars
      }
      if isShown { return first }
    }
    return nil
  }

  /// The index of the first edit that begins at `old`, if `new` is the same without the selected text: some hosts show
  /// that before they show the inserted text.
  func selectionFirst(from old: Fields, to new: Fields) -> Int? {
    guard !old.selected.isEmpty, new.selected.isEmpty, old.before.bytes == new.before.bytes,
      old.after.bytes == new.after.bytes, let first = start(at: old),
      announcements[first].edit?.changesText ?? true
    else { return nil }
    return first
  }

  /// Whether `new` is `old` without what the edit at that index deletes on either side of the caret, or without the part
  /// of it next to the caret.
  func isDeleting(by index: Int, from old: Fields, to new: Fields) -> Bool {
    guard let edit = announcements[index].edit, edit.moveCaret == 0, old.selected.isEmpty,
      new.selected.isEmpty, new.all.count < old.all.count,
      old.before.bytes.hasPrefix(new.before.bytes), old.after.bytes.hasSuffix(new.after.bytes)
    else { return false }
    return announcements[index].new.contains { state in
      let new = new.trimmed(left: state.left.beyond, right: state.right.beyond)
      return state.lendAll { end in
        new.before.bytes.hasPrefix(end.before.bytes.dropLast(edit.insert.utf8.count))
          && new.after.bytes.hasSuffix(end.after.bytes)
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

// MARK: - What a pair does to them

extension ExpectedEdits {
  /// What a pair did to the announced edits.
  enum Event {
    /// It showed some, and then `rest`.
    case shown(Shown, rest: Rest)
    /// It showed a state that an earlier pair skipped.
    case late
    /// It showed a state halfway through the edit at this index: the new caret in the old text, or only what it deletes,
    /// or a part of that, gone.
    case halfway(Int)
    /// It showed another edit alone.
    case edit
    /// It showed another caret or selection alone.
    case move
  }

  /// What a pair showed besides announced edits.
  enum Rest {
    case nothing
    /// A completion that the host inserted and selected, so that the next edit replaces it.
    case completion
    /// Another edit.
    case edit
    /// Another caret or selection.
    case move
  }

  /// Takes over a session's first snapshot: edits that lead there from another state are made, and nothing is to tell it.
  mutating func begin(at baseline: Fields, window: Window) {
    guard start(at: baseline) == nil,
      let last = announcements.lastIndex(where: { $0.new.contains(baseline, .equal) }),
      let first = announcements[...last].lastIndex(where: { !$0.followsLast })
    else { return }
    consume(first..<last + 1, .nothing, baseline, window)
  }

  /// Takes over what the pair from `old` to `new` did.
  mutating func pass(_ event: Event, from old: Fields, to new: Fields, window: Window) {
    markReached(at: old)
    switch event {
    case .shown(let shown, let rest): consume(shown, rest, new, window)
    case .late: break
    case .halfway(let place):
      // The user may move the caret there and back any number of times.
      let state = AnnouncedText(new, window: window)
      if !announcements[place].old.contains(state) {
        // The first state, where the edit begins, stays; of the others, the latest do.
        if announcements[place].old.count >= ExpectedEdits.capacity {
          announcements[place].old.remove(at: 1)
        }
        announcements[place].old.append(state)
      }
      passed = []
    case .edit:
      passed = []
      failReached(except: nil, at: new)
    case .move:
      passed = []
    }
    markReached(at: new)
  }

  /// Removes the edits of `shown`; what follows them waits on, unless another edit came in between.
  private mutating func consume(_ shown: Shown, _ rest: Rest, _ new: Fields, _ window: Window) {
    passed = shown.count > 1 ? announcements[shown].compactMap(\.new.first) : []
    let next = shown.upperBound
    var goesOn = next < announcements.count && announcements[next].followsLast
    if goesOn {
      announcements[next].followsLast = false
      announcements[next].isReached = true
      switch rest {
      case .nothing, .move: break
      case .completion: announcements[next].old.append(AnnouncedText(new, window: window))
      case .edit: goesOn = false
      }
    }
    announcements.removeSubrange(shown)
    failReached(except: goesOn ? shown.lowerBound : nil, at: new)
  }

  /// Marks the chains that begin at the snapshot `state` as reached.
  private mutating func markReached(at state: Fields) {
    for index in announcements.indices
    where !announcements[index].isReached && !announcements[index].followsLast
      && announcements[index].old.contains(state)
    {
      announcements[index].isReached = true
    }
  }

  /// Gives up the chains that begin where the document was, and is no longer: it is at `state`.
  private mutating func failReached(except kept: Int?, at state: Fields) {
    var index = 0
    while index < announcements.count {
      let end = chainEnd(from: index)
      if announcements[index].isReached, index != kept,
        !announcements[index].old.contains(state, .equal)
      {
        unfulfilled += announcements[index..<end].map(\.number)
      }
      index = end
    }
    announcements.removeAll { unfulfilled.contains($0.number) }
  }

  /// Removes the edits that wait no longer in `later`, a copy of this that has taken over a pair.
  ///
  /// No text is taken from the copy.
  mutating func retain(waitingIn later: ExpectedEdits) {
    announcements = announcements.compactMap { announcement in
      guard let waiting = later.announcements.first(where: { $0.number == announcement.number })
      else {
        return nil
      }
      var announcement = announcement
      (announcement.followsLast, announcement.isReached) = (waiting.followsLast, waiting.isReached)
      return announcement
    }
    unfulfilled = later.unfulfilled
    if later.passed.isEmpty { passed = [] }
  }

  /// Returns `unfulfilled`, and empties it.
  mutating func takeUnfulfilled() -> [Int] {
    defer { unfulfilled = [] }
    return unfulfilled
  }
}

extension AnnouncedText {
  /// Whether `fields` shows it, as near as any of `Nearness`.
  fileprivate func isShown(by fields: Fields) -> Bool {
    Nearness.allCases.contains { isShown(by: fields, $0) }
  }
}

extension [AnnouncedText] {
  fileprivate func contains(_ fields: Fields, _ nearness: AnnouncedText.Nearness) -> Bool {
    contains { $0.isShown(by: fields, nearness) }
  }

  fileprivate func contains(_ fields: Fields) -> Bool {
    contains { $0.isShown(by: fields) }
  }
}
