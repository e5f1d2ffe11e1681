/// The edits that a session's input method announced and no post has shown yet.
///
/// An edit that begins where the one before it leads follows that: the two are a chain, of which one
/// post may show several at once.
///
/// Nothing here takes longer, or holds more, than the number of edits has it: see `AnnouncedText`.
struct ExpectedEdits: Sendable {
  /// An announced edit.
  struct Announcement: Sendable {
    /// What its announcement was answered with.
    var number: Int
    /// What the host shows before it.
    ///
    /// Several texts where it follows an edit that leaves it to the
    /// host what a key takes, or where the host showed it half-way.
    var old: [AnnouncedText]
    /// What the host shows after it.
    var new: [AnnouncedText]
    /// The edit itself; `nil` where it was announced by snapshots, or puts in more than `reach`.
    var edit: Edit?
    /// Whether it begins where the announcement before it leads.
    var followsLast: Bool
    /// Whether the document has been where it begins.
    var isReached: Bool
  }

  /// Announced edits that a pair shows, and no others between them.
  struct Shown {
    /// The announcements.
    var range: Range<Int>
    /// Whether the host shows just what was announced, its window cut as it was.
    var isEqual = false
  }

  /// How a pair shows announced edits alone.
  enum Match {
    /// Some that wait.
    case whole(Shown)
    /// A state that an earlier pair went past.
    case late
  }

  /// How many wait at most; the oldest goes first.
  static let capacity = 32

  private(set) var announcements: [Announcement] = []
  /// The number of the edit that is announced next.
  private(set) var nextNumber = 1
  /// Edits that wait no longer although nothing showed them, by their numbers, of which no transition
  /// has told yet.
  private(set) var unfulfilled: [Int] = []
  /// The states that the last pair went past, and where it led.
  private(set) var passed: [AnnouncedText] = []

  /// Whether no edit waits, none can be late, and nothing is left to be told.
  var isBlank: Bool { announcements.isEmpty && passed.isEmpty && unfulfilled.isEmpty }

  /// How much text is kept, in bytes.
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

  /// Where the edits announced so far lead from `latest`, what is shown now; `nil` where none begins
  /// there.
  func end(from latest: Fields?) -> [AnnouncedText]? {
    guard let latest else { return announcements.last?.new }
    return start(at: latest) == nil ? nil : announcements.last?.new
  }

  /// Whether the edit announced last leads to `state`.
  func leads(to state: Fields) -> Bool {
    announcements.last?.new.contains(state) ?? false
  }

  /// Has an edit wait, and gives it a number.
  ///
  /// `followsLast` says that it begins where the last one leads, `isReached` that `old` is what is
  /// shown now.
  mutating func add(
    old: [AnnouncedText], new: [AnnouncedText], as edit: Edit? = nil, followsLast: Bool,
    isReached: Bool
  ) -> Int {
    if announcements.count == ExpectedEdits.capacity { dropOldest() }
    let number = nextNumber
    nextNumber += 1
    let isShort = edit.map { $0.insert.utf8.count <= AnnouncedText.reach } ?? false
    announcements.append(
      Announcement(
        number: number, old: old, new: new, edit: isShort ? edit : nil, followsLast: followsLast,
        isReached: isReached))
    return number
  }

  /// Lets the oldest go.
  ///
  /// What follows it begins from then on where that begins, too: the host may make it all the same.
  private mutating func dropOldest() {
    let oldest = announcements.removeFirst()
    unfulfilled.append(oldest.number)
    // Who never posts hears of the last of them alone.
    if unfulfilled.count > ExpectedEdits.capacity { unfulfilled.removeFirst() }
    guard announcements[0].followsLast else { return }
    announcements[0].followsLast = false
    announcements[0].isReached = oldest.isReached
    // The last of them is where the document is.
    announcements[0].old += oldest.old.suffix(ExpectedEdits.capacity)
  }

  /// Takes back the edit of that number, and those announced on top of it; says whether it waited.
  mutating func withdraw(_ number: Int) -> Bool {
    guard let first = announcements.firstIndex(where: { $0.number == number }) else { return false }
    announcements.removeSubrange(first..<chainEnd(from: first))
    return true
  }

  // MARK: - Recognising

  /// How the pair shows announced edits alone; `nil` where it does not.
  ///
  /// The shortest chain that leads from `old` to `new` counts, an exact one before one that needs
  /// another cut of the window.
  func match(from old: Fields, to new: Fields) -> Match? {
    for nearness in AnnouncedText.Nearness.allCases {
      for first in announcements.indices where announcements[first].old.contains(old, nearness) {
        for last in first..<chainEnd(from: first)
        where announcements[last].new.contains(new, nearness) {
          return .whole(Shown(range: first..<last + 1, isEqual: nearness == .equal))
        }
      }
    }
    return passed.contains(new, .equal) ? .late : nil
  }

  /// The announced edit at `old` of which `new` may be the end, in text that nobody has seen.
  func reaching(from old: Fields, to new: Fields) -> Shown? {
    guard let first = announcements.firstIndex(where: { $0.old.contains(old, .equal) }),
      // What is left of what was seen is an edit made in part.
      !old.before.bytes.hasPrefix(new.before.bytes) || old.before == new.before,
      !old.after.bytes.hasSuffix(new.after.bytes) || old.after == new.after,
      // What was seen and goes on was not taken away.
      old.before.isEmpty || !new.before.bytes.hasPrefix(old.before.bytes)
        || old.before == new.before,
      old.after.isEmpty || !new.after.bytes.hasSuffix(old.after.bytes) || old.after == new.after,
      announcements[first].new.contains(where: { $0.mayBeShown(by: new) })
    else { return nil }
    return Shown(range: first..<first + 1)
  }

  /// The announced states that a chain from `old` leads through, the ones most like `new` first, the
  /// later one of two alike; two at most.
  func states(from old: Fields, mostLike new: Fields) -> [(state: AnnouncedText, shown: Shown)] {
    guard let first = start(at: old) else { return [] }
    var found: [(state: AnnouncedText, shown: Shown, distance: Int)] = []
    for last in (first..<chainEnd(from: first)).reversed() {
      for state in announcements[last].new {
        let distance = state.distance(to: new)
        let place = found.firstIndex { $0.distance > distance } ?? found.count
        if place > 1 { continue }
        found.insert((state, Shown(range: first..<last + 1), distance), at: place)
        if found.count > 2 { found.removeLast() }
      }
    }
    return found.map { ($0.state, $0.shown) }
  }

  /// The edits of `shown`; `nil` where they are not all known.
  func edits(of shown: Shown) -> [Edit]? {
    let edits = announcements[shown.range].compactMap(\.edit)
    return edits.count == shown.range.count ? edits : nil
  }

  /// What the last edit of `shown` puts in; `nil` where that is not known.
  func insert(endOf shown: Shown) -> String? {
    announcements[shown.range.upperBound - 1].edit?.insert
  }

  /// The edits that follow from `first` on without a break, as far as they are known.
  func edits(from first: Int) -> [Edit] {
    announcements[first..<chainEnd(from: first)].prefix { $0.edit != nil }.compactMap(\.edit)
  }

  /// The first ones of chains that begin where the document was, and not at `state`, by a change of the
  /// text.
  func left(at state: Fields) -> [Int] {
    announcements.indices.filter { index in
      let announcement = announcements[index]
      guard announcement.isReached, !announcement.followsLast, let edit = announcement.edit,
        edit.changesText
      else { return false }
      return !announcement.old.contains(state)
    }
  }

  /// What the host may show where the edits of `shown` end.
  func ends(of shown: Shown) -> [AnnouncedText] { announcements[shown.range.upperBound - 1].new }

  /// What the host shows where the edits of `shown` begin.
  func start(of shown: Shown) -> AnnouncedText { announcements[shown.range.lowerBound].old[0] }

  /// The first announced edit that begins at `old`, if the caret going `offset` on in the same text is
  /// its, or that of edits that follow it: some hosts show that before the text.
  ///
  /// `isAtEnd` says that the caret went as far as the text goes.
  func caretFirst(from old: Fields, by offset: Extent, isAtEnd: Bool) -> Int? {
    guard let first = start(at: old) else { return nil }
    var shift = AnnouncedText.Shift()
    for announcement in announcements[first..<chainEnd(from: first)] {
      shift.scalars += announcement.new[0].shift.scalars
      shift.utf16 += announcement.new[0].shift.utf16
      if shift.scalars == offset.scalars || shift.utf16 == offset.utf16
        || isAtEnd && offset.scalars > 0 && shift.scalars > offset.scalars
      {
        return first
      }
    }
    return nil
  }

  /// The first announced edit that begins at `old`, if `new` is the same without what is selected:
  /// some hosts show that before what takes its place.
  func selectionFirst(from old: Fields, to new: Fields) -> Int? {
    guard !old.selected.isEmpty, new.selected.isEmpty, old.before.bytes == new.before.bytes,
      old.after.bytes == new.after.bytes
    else { return nil }
    guard let first = start(at: old), announcements[first].edit?.changesText ?? true else {
      return nil
    }
    return first
  }

  /// The first announced edit that begins at `old`.
  func start(at old: Fields) -> Int? {
    for nearness in AnnouncedText.Nearness.allCases {
      if let first = announcements.firstIndex(where: { $0.old.contains(old, nearness) }) {
        return first
      }
    }
    return nil
  }

  /// Behind the last announcement that follows from `first` without a break.
  func chainEnd(from first: Int) -> Int {
    announcements[(first + 1)...].firstIndex { !$0.followsLast } ?? announcements.count
  }
}

// MARK: - What a pair does to them

extension ExpectedEdits {
  /// What a pair that changed something was, as far as announced edits go.
  enum Event {
    /// It showed announced edits, and then `rest`.
    case shown(Shown, rest: Rest)
    /// It showed a state that an earlier pair went past.
    case late
    /// It showed the announcement at this place half-way: its caret and not yet its text, or what it takes the
    /// place of gone.
    case halfway(Int)
    /// It showed another edit.
    case edit
    /// It showed the caret or the selection elsewhere.
    case move
  }

  /// What a pair showed besides announced edits.
  enum Rest {
    case nothing
    /// Text that came with them by itself, selected, so that the next one takes its place.
    case completion
    /// Another edit.
    case edit
    /// The caret or the selection elsewhere.
    case move
  }

  /// Takes over what the pair from `old` to `new` showed.
  mutating func pass(_ event: Event, from old: Fields, to new: Fields, window: Window) {
    reach(old)
    switch event {
    case .shown(let shown, let rest): consume(shown, rest, new, window)
    case .late: break
    case .halfway(let place):
      // The caret may come and go as often as the person likes.
      let state = AnnouncedText(new, window: window)
      if !announcements[place].old.contains(state) {
        // Where the edit begins stays, and where the caret was lately.
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
    reach(new)
  }

  private mutating func consume(_ shown: Shown, _ rest: Rest, _ new: Fields, _ window: Window) {
    passed = shown.range.count > 1 ? announcements[shown.range].compactMap(\.new.first) : []
    let next = shown.range.upperBound
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
    announcements.removeSubrange(shown.range)
    failReached(except: goesOn ? shown.range.lowerBound : nil, at: new)
  }

  /// Marks what begins at a state that the document is in.
  private mutating func reach(_ state: Fields) {
    for index in announcements.indices
    where !announcements[index].isReached && !announcements[index].followsLast
      && announcements[index].old.contains(state)
    {
      announcements[index].isReached = true
    }
  }

  /// Lets go of what begins where the document was and is not any more, being at `state`.
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

  /// Lets go of what waits no longer in `later`, what these became of by a pair that is not remembered.
  ///
  /// No text is taken over from there.
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

  /// The edits of which no transition has told yet that they wait no longer.
  mutating func takeUnfulfilled() -> [Int] {
    defer { unfulfilled = [] }
    return unfulfilled
  }
}

extension [AnnouncedText] {
  fileprivate func contains(_ fields: Fields, _ nearness: AnnouncedText.Nearness) -> Bool {
    contains { $0.isShown(by: fields, nearness) }
  }

  fileprivate func contains(_ fields: Fields) -> Bool {
    AnnouncedText.Nearness.allCases.contains { contains(fields, $0) }
  }
}
