/// The edits that an input method announced, and that no post has shown yet.
///
/// Edits are a chain if each begins where the one before it leads; one post may show several of a chain.
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
    /// The edit itself, without what of it was seen to be made; `nil` where the snapshots that announced it tell none, or
    /// where it inserts more than `AnnouncedText.sideLimit` bytes.
    var edit: Edit?
    /// Whether it begins where the announcement before it leads, and so goes on with that one's chain.
    var followsLast: Bool
    /// Whether a post has shown where it begins.
    var isReached: Bool
  }

  /// Where the edit begins that is announced now.
  struct Start {
    let texts: [AnnouncedText]
    /// Whether the edit announced last leads there.
    let followsLast: Bool
    /// Whether the last snapshot shows it.
    let isReached: Bool
  }

  /// Announced edits that a pair shows, all of one chain: their indices in `announcements`.
  typealias Shown = Range<Int>

  /// How many edits wait at most; the oldest is dropped for a new one.
  static let capacity = 32
  /// How many edits in a row that the host did not make are passed over at most: to try each costs as much as a chain.
  static let mostRefused = 3

  /// The edits that wait, the oldest first.
  private(set) var announcements: [Announcement] = []
  /// The number of the edit that is announced next.
  private(set) var nextNumber = 1
  /// The numbers of edits that wait no longer, that nothing showed, and that no transition has named yet.
  private(set) var unfulfilled: [Int] = []
  /// If the last pair showed several edits at once, or not yet the caret behind them, the announced states that it skipped,
  /// and the one that it reached.
  private(set) var passed: [AnnouncedText] = []

  /// Whether no edit waits, no state can come late, and there is nothing unfulfilled to name.
  var isEmpty: Bool { announcements.isEmpty && passed.isEmpty && unfulfilled.isEmpty }

  /// The memory in use, in bytes: the texts, and what holds them.
  ///
  /// Texts are small and many: of what 32 edits in presses of a key take, the characters are a fifth.
  var heldBytes: Int {
    // Most sessions never have an announced edit, and this is asked at every post.
    if announcements.capacity == 0, passed.capacity == 0 { return 0 }
    var count = announcements.heldBytes + unfulfilled.heldBytes + passed.heldBytesWithTexts
    for announcement in announcements {
      // Else it is the array to which the edit before leads.
      if !announcement.followsLast { count += announcement.old.heldBytesWithTexts }
      count += announcement.new.heldBytesWithTexts
      count += announcement.edit?.insert.heldBytes ?? 0
    }
    return count
  }

  // MARK: - Announcing

  /// Makes `number` that of the next edit announced, unless as high a number was given already.
  mutating func countOn(from number: Int) {
    // An archive takes numbers of twice this (`ArchiveCoder.offset`); fewer edits than lie between are ever announced.
    nextNumber = max(nextNumber, min(number, Int.max >> 9))
  }

  /// Where the edits announced so far lead; `nil` where none begins at `latest`, the last snapshot.
  func end(from latest: Fields?) -> [AnnouncedText]? {
    guard let latest else { return announcements.last?.new }
    return start(at: latest) == nil ? nil : announcements.last?.new
  }

  /// Adds an edit that leads from `start` to one of `new`, and returns its number.
  mutating func add(_ new: [AnnouncedText], from start: Start, as edit: Edit? = nil) -> Int {
    if announcements.count == ExpectedEdits.capacity { dropOldest() }
    let number = nextNumber
    nextNumber += 1
    let isShort = edit.map { $0.insert.utf8.count <= AnnouncedText.sideLimit } ?? false
    announcements.append(
      Announcement(
        number: number, old: start.texts, new: new, edit: isShort ? edit : nil,
        followsLast: start.followsLast, isReached: start.isReached))
    return number
  }

  /// Drops the oldest edit.
  ///
  /// The edit that follows in its chain may then begin where the oldest did, too: the host may still make both.
  private mutating func dropOldest() {
    let oldest = announcements.removeFirst()
    unfulfilled.append(oldest.number)
    // A client that announces and never posts is told the last numbers alone.
    if unfulfilled.count > ExpectedEdits.capacity { unfulfilled.removeFirst() }
    guard announcements[0].followsLast else { return }
    announcements[0].followsLast = false
    announcements[0].isReached = oldest.isReached
    // The last in `old` are the latest states.
    announcements[0].old += oldest.old.suffix(ExpectedEdits.capacity)
  }

  /// Removes the edit numbered `number`, and those that follow it in its chain.
  ///
  /// - Returns: Whether it waited.
  mutating func withdraw(_ number: Int) -> Bool {
    guard let first = announcements.firstIndex(where: { $0.number == number }) else { return false }
    announcements.removeSubrange(first..<chainEnd(from: first))
    return true
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
    /// It showed a state halfway through the edit at this index: the new caret in the old text, or nothing changed but
    /// that the text to be deleted is gone (`isDeleted`), or a part of it.
    case halfway(Int, isDeleted: Bool)
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
    /// The old caret: that it goes behind the announced text comes late.
    case caret
    /// Text that was not known, to which the announced move led.
    case otherText
  }

  /// Takes over a session's first snapshot: the edits that led to it were made, and no transition names them.
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
    case .halfway(let place, let isDeleted):
      // The caret may move there and back any number of times.
      let state = AnnouncedText(new, window: window)
      if !announcements[place].old.contains(state) {
        // The first state, where the edit begins, stays; of the others, the latest do.
        if announcements[place].old.count >= ExpectedEdits.capacity {
          announcements[place].old.remove(at: 1)
        }
        announcements[place].old.append(state)
      }
      if isDeleted {
        announcements[place].edit?.deleteBackward = 0
        announcements[place].edit?.deleteForward = 0
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
    passed =
      shown.count > 1 || rest == .caret ? announcements[shown].compactMap(\.new.first) : []
    let next = shown.upperBound
    let hasNext = next < announcements.count && announcements[next].followsLast
    if hasNext {
      announcements[next].followsLast = false
      announcements[next].isReached = true
      let beginsHere =
        switch rest {
        case .move, .caret, .edit: false
        // Where the host did not make an edit before these, the next one begins without it.
        case .nothing: !announcements[next].old.contains(new)
        case .completion: true
        // An edit that changes text is known wherever it is made (`chainsBegun(elsewhereThan:)`).
        case .otherText: announcements[next].edit?.changesText == false
        }
      if beginsHere { announcements[next].old.append(AnnouncedText(new, window: window)) }
    }
    announcements.removeSubrange(shown)
    failReached(except: hasNext && rest != .edit ? shown.lowerBound : nil, at: new)
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

  /// Gives up the chains that begin where the document was but, as `state` shows, no longer is; that at `kept` stays.
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

  /// Removes the edits that no longer wait in `later`, a copy of this that has taken over a pair; takes no text of it.
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
