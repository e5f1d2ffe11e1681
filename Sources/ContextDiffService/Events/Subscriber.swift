package import ContextDiff

/// What one subscriber wants to hear and how far it has heard it.
///
/// Does no I/O.
///
/// Nothing waits here: what it has yet to hear lies in the ring of its user's kept events, and it
/// holds its place there. So however slowly it reads, it costs its place and no more.
package struct Subscriber {
  /// What it wants, where that is not everything.
  private struct Filter {
    /// The sessions' names in UTF-8, by their hashes as the ring has them; `nil` for all sessions.
    let sessions: [Int: [[UInt8]]]?
    let kinds: KindSet

    init(sessions: [String]?, kinds: [Kind]?) {
      self.sessions = sessions.map { names in
        Dictionary(grouping: Set(names.map { Array($0.utf8) })) { name in
          // Unsafe: read while it is lent.
          unsafe name.withUnsafeBytes { unsafe EventRing.hash($0) }
        }
      }
      self.kinds = kinds.map { KindSet($0) } ?? .all
    }

    func wants(_ kind: Kind, of session: EventRing.Name) -> Bool {
      guard kinds.contains(kind) else { return false }
      guard let sessions else { return true }
      // Unsafe: the name is valid as long as it is lent.
      return sessions[session.hash]?.contains { unsafe $0.elementsEqual(session.bytes) }
        ?? false
    }
  }

  private enum Loss {
    case count(Int)
    case unknown
  }

  private let filter: Filter?
  private let wantsSnapshots: Bool
  /// Whether the pasteboard's text is to be kept with the pairs, while it is there, and told it.
  let wantsPasteboard: Bool
  /// The number of the last event that it was given or does not want; with a filter, of use only
  /// while something waits.
  private var place: Int
  /// How many events behind `place` it wants; counted only where there is a filter.
  private var counted = 0
  /// How many of those that wait were there before it came: they are not of its backlog.
  private var fromBefore = 0
  /// What it lost and was not told yet.
  private var untoldLoss: Loss?
  /// How much of what it will be told to be lost was counted while it did not read.
  private var countedLoss = 0
  /// How many events the ring had forgotten when those that wait were counted.
  private var forgottenEver: Int
  /// The number up to which it knows that it has heard all.
  private(set) var told: Int

  /// A subscriber who has heard all that `ring` holds.
  package init(
    sessions: [String]? = nil, kinds: [Kind]? = nil, wantsSnapshots: Bool = false,
    wantsPasteboard: Bool = false, hearingFromNowOn ring: borrowing EventRing
  ) {
    if sessions != nil || kinds != nil {
      filter = Filter(sessions: sessions, kinds: kinds)
    } else {
      filter = nil
    }
    self.wantsSnapshots = wantsSnapshots
    self.wantsPasteboard = wantsPasteboard
    place = ring.lastSequence
    told = place
    forgottenEver = ring.forgottenEver
  }

  /// Whether it does not want everything, and so is to be told by `note` of what it may want.
  package var isFiltered: Bool { filter != nil }

  /// The hashes of the names of the sessions that it wants to hear of; `nil` for all.
  var sessionHashes: Dictionary<Int, [[UInt8]]>.Keys? { filter?.sessions?.keys }

  /// The reply that says that all up to a number was seen.
  package static func mark(seenUpTo sequence: Int) -> [UInt8] {
    Array("{\"parameters\":{\"sequence\":\(sequence)},\"continues\":true}\0".utf8)
  }

  /// Whether anything waits for it in `ring`, be it only the news of a loss.
  package func isDue(in ring: borrowing EventRing) -> Bool {
    untoldLoss != nil || waiting(in: ring) > 0
  }

  private func waiting(in ring: borrowing EventRing) -> Int {
    filter == nil ? ring.lastSequence - place : counted
  }

  /// Goes back to behind number `since` of the run `instance`, or, where the ring does not hold
  /// that any more, to the oldest event kept; what is missing between is lost.
  package mutating func hear(since: Int, of instance: String, from ring: borrowing EventRing) {
    let isThisRun = instance.utf8.elementsEqual(ring.instance.utf8) && since <= ring.lastSequence
    place = isThisRun ? max(since, ring.firstSequence - 1) : ring.firstSequence - 1
    if !isThisRun {
      untoldLoss = .unknown
    } else if place > since {
      untoldLoss = isFiltered ? .unknown : .count(place - since)
    }
    told = place
    fromBefore = countWanted(in: ring)
    counted = fromBefore
    // Of what was forgotten nobody knows any more whose it was.
    if filter?.sessions != nil, untoldLoss == nil, holdsForgotten(ring) { untoldLoss = .unknown }
  }

  private func holdsForgotten(_ ring: borrowing EventRing) -> Bool {
    if ring.forgottenCount == 0 { return false }
    var holdsForgotten = false
    ring.forEach(after: place) { event in
      holdsForgotten = event.isForgotten
      return !holdsForgotten
    }
    return holdsForgotten
  }

  /// Hears that the ring's last event is of that session and kind.
  ///
  /// Only for a subscriber with a filter.
  ///
  /// - Returns: Whether it is the first that waits.
  @discardableResult
  package mutating func note(
    kind: Kind, session: EventRing.Name, in ring: borrowing EventRing
  ) -> Bool {
    guard let filter, filter.wants(kind, of: session) else { return false }
    if counted == 0 {
      place = ring.lastSequence - 1
      forgottenEver = ring.forgottenEver
    }
    counted += 1
    return counted == 1
  }

  /// Notes as told that it has heard all that it wants of what is in the ring, where that is so and more than it
  /// has been told.
  ///
  /// Only for a subscriber with a filter.
  ///
  /// - Returns: Whether that is to be told.
  package mutating func takeMark(in ring: borrowing EventRing) -> Bool {
    guard isFiltered, counted == 0, untoldLoss == nil, told < ring.lastSequence else {
      return false
    }
    told = ring.lastSequence
    return true
  }

  /// Writes replies for what waits, oldest first, until `replies` hold `limit` bytes.
  ///
  /// Where more than `backlog` events wait, or some are not in the ring any more, the oldest are
  /// lost, and a reply that counts them comes in their stead; so it does for those in the ring that
  /// cannot be told.
  ///
  /// - Returns: How many events were lost, but for those forgotten before it came.
  package mutating func take(
    from ring: borrowing EventRing, backlog: Int, into replies: inout [UInt8], limit: Int
  ) -> Int {
    var lost = 0
    var toSkip = 0
    let waiting = waiting(in: ring)
    if waiting == 0 {
      place = ring.lastSequence
      forgottenEver = ring.forgottenEver
    } else if place < ring.firstSequence - 1 || waiting > backlog + fromBefore
      || forgottenEver != ring.forgottenEver
    {
      let kept = countWanted(in: ring)
      toSkip = max(0, kept - backlog - fromBefore)
      lost = waiting - kept + toSkip
      counted = kept
      forgottenEver = ring.forgottenEver
    }
    lose(lost)
    if filter == nil, toSkip == 0 {
      // All of it goes out: the replies have room at once.
      replies.reserveCapacity(
        replies.count
          + min(limit, ring.byteCount(after: place) + waiting * [UInt8].eventReplyBytes))
    }
    ring.forEach(after: place) { event in
      place = event.sequence
      guard wants(event) else { return true }
      counted -= 1
      let wasBefore = fromBefore > 0
      fromBefore = max(0, fromBefore - 1)
      if toSkip > 0 {
        toSkip -= 1
      } else if event.isOmitted {
        lose(1)
        if !(event.isForgotten && wasBefore) { lost += 1 }
      } else {
        tellLoss(upTo: event.sequence - 1, to: &replies)
        told = event.sequence
        replies.appendEventReply(
          event, withSnapshots: wantsSnapshots, withPasteboard: wantsPasteboard)
      }
      // What was told to be lost is passed at once: it may not be told twice.
      return toSkip > 0 || replies.count < limit
    }
    if untoldLoss != nil { told = place }
    tellLoss(upTo: place, to: &replies)
    return lost
  }

  /// Counts what it is sure to have lost by now, where it does not read and so is not told.
  ///
  /// - Returns: How many more than were counted before.
  /// - Complexity: O(1)
  package mutating func countLoss(in ring: borrowing EventRing, backlog: Int) -> Int {
    let waiting = waiting(in: ring)
    // With a filter, only what is beyond the backlog: what else the ring let go of is counted when it reads.
    let kept = filter == nil ? countWanted(in: ring) : waiting
    let more = max(0, waiting - min(kept, backlog + fromBefore) - countedLoss)
    countedLoss += more
    return more
  }

  private mutating func lose(_ count: Int) {
    switch untoldLoss {
    case .unknown: break
    case .count(let before): untoldLoss = .count(before + count)
    case nil: if count > 0 { untoldLoss = .count(count) }
    }
  }

  private mutating func tellLoss(upTo sequence: Int, to replies: inout [UInt8]) {
    switch untoldLoss {
    case .unknown: replies.appendLostReply(-1, upTo: sequence)
    case .count(let count): replies.appendLostReply(count, upTo: sequence)
    case nil: break
    }
    untoldLoss = nil
  }

  private func countWanted(in ring: borrowing EventRing) -> Int {
    if filter == nil { return ring.lastSequence - max(place, ring.firstSequence - 1) }
    var count = 0
    ring.forEach(after: place) { event in
      if wants(event) { count += 1 }
      return true
    }
    return count
  }

  private func wants(_ event: EventRing.KeptEvent) -> Bool {
    guard let filter else { return true }
    // Whose it was is not known any more.
    if event.isForgotten, filter.sessions != nil { return false }
    return unsafe filter.wants(
      event.kind, of: EventRing.Name(event.session, hash: event.nameHash))
  }
}

// MARK: - One batch for many

extension Subscriber {
  /// What one subscriber took, for others who are to hear the same.
  package struct Batch {
    fileprivate let place: Int
    fileprivate let after: Int
    fileprivate let hasSnapshots: Bool
    fileprivate let hasPasteboard: Bool
    fileprivate let isFiltered: Bool
    /// The replies.
    package let replies: [UInt8]
  }

  /// Takes what waits, as `take` does; from `batch` where somebody who is to hear the same has taken it
  /// already, else for those to come.
  ///
  /// - Returns: The replies, and how many events were lost that `countLoss` has not counted.
  /// - Complexity: O(1) where the batch serves.
  package mutating func take(
    from ring: borrowing EventRing, backlog: Int, limit: Int, sharing batch: inout Batch?
  ) -> (replies: [UInt8], lost: Int) {
    let (before, isShareable) = (place, isShareable(in: ring))
    if isShareable, let batch, batch.place == before, batch.hasSnapshots == wantsSnapshots,
      batch.hasPasteboard == wantsPasteboard,
      batch.isFiltered == isFiltered || batch.after == before + 1
    {
      place = batch.after
      told = batch.after
      counted = 0
      return (batch.replies, 0)
    }
    var replies: [UInt8] = []
    let lost = take(from: ring, backlog: backlog, into: &replies, limit: limit)
    if isShareable, lost == 0 {
      batch = Batch(
        place: before, after: place, hasSnapshots: wantsSnapshots, hasPasteboard: wantsPasteboard,
        isFiltered: isFiltered, replies: replies)
    }
    defer { countedLoss = 0 }
    return (replies, max(0, lost - countedLoss))
  }

  /// Whether it is to hear just what is in the ring behind its place: with a filter, only where that
  /// is the last event alone.
  private func isShareable(in ring: borrowing EventRing) -> Bool {
    guard untoldLoss == nil, fromBefore == 0 else { return false }
    return filter == nil
      || counted == 1 && place == ring.lastSequence - 1 && forgottenEver == ring.forgottenEver
  }
}

extension [UInt8] {
  /// How many bytes a reply has besides its event.
  fileprivate static let eventReplyBytes = 48

  /// Appends one of the replies of `Subscribe`: an event.
  fileprivate mutating func appendEventReply(
    _ event: EventRing.KeptEvent, withSnapshots: Bool, withPasteboard: Bool
  ) {
    append(#"{"parameters":{"event":"#)
    // Unsafe: copied at once.
    unsafe append(contentsOf: event.core)
    if withSnapshots, withPasteboard {
      unsafe append(contentsOf: event.pair)
    } else if withSnapshots {
      let (start, end) = unsafe event.pairWithoutPasteboard
      unsafe append(contentsOf: start)
      unsafe append(contentsOf: end)
    }
    append("}},\"continues\":true}\0")
  }

  /// Appends one of the replies of `Subscribe`: how many events were lost, -1 where nobody knows, up
  /// to the number given.
  fileprivate mutating func appendLostReply(_ count: Int, upTo sequence: Int) {
    append(#"{"parameters":{"sequence":"#)
    append(contentsOf: "\(sequence),\"lost\":\(count)},\"continues\":true}\0".utf8)
  }

  private mutating func append(_ text: StaticString) {
    // Unsafe: a literal's bytes, copied at once.
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
