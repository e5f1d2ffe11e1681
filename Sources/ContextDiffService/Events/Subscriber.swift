package import ContextDiff
internal import ContextDiffWire
internal import JSON

/// Which events one subscriber wants, and up to which it has been sent them.
///
/// Events that *wait* for it are those in its user's ring that it wants and has not been sent. They stay in the ring,
/// and this holds a number in it alone: however slowly a subscriber reads, it takes no more memory. Does no I/O.
package struct Subscriber {
  /// Which events a subscriber wants that does not want all.
  private struct Filter {
    /// The sessions' names in UTF-8, by their hashes (`EventRing.hash`); `nil` for all sessions.
    let sessions: [Int: [[UInt8]]]?
    /// `nil` for all kinds.
    let kinds: KindSet?
    /// How many events wait.
    var waiting = 0

    init(sessions: [String]?, kinds: [Kind]?) {
      self.sessions = sessions.map { names in
        Dictionary(grouping: Set(names.map { Array($0.utf8) })) { name in
          // Unsafe: the name's own bytes, read while they are lent.
          unsafe name.withUnsafeBytes { unsafe EventRing.hash($0) }
        }
      }
      self.kinds = kinds.map { KindSet($0.map { KindSet($0) }) }
    }

    func wants(_ kind: Kind, of session: EventRing.Name) -> Bool {
      guard kinds?.contains(KindSet(kind)) ?? true else { return false }
      guard let sessions else { return true }
      // Unsafe: the caller lends the name.
      return sessions[session.hash]?.contains { unsafe $0.elementsEqual(session.bytes) }
        ?? false
    }

    /// Whether it wanted a forgotten event, of whose session's name the hash alone is left, or nothing.
    func wanted(_ event: EventRing.KeptEvent) -> Bool {
      guard kinds?.contains(KindSet(event.kind)) ?? true else { return false }
      return sessions.map { $0[event.nameHash] != nil } ?? true
    }

    /// Whether it may have wanted an event that was forgotten before it subscribed.
    ///
    /// Whatever sessions it names: it is not to find out by a name whether a session of that name was forgotten.
    func mayHaveWanted(_ event: EventRing.KeptEvent) -> Bool {
      sessions != nil && event.isForgotten && kinds?.contains(KindSet(event.kind)) ?? true
    }
  }

  /// How many events were lost.
  private enum Loss: Equatable {
    case count(Int)
    /// Nobody knows; the reply says -1.
    case unknown
  }

  /// How many bytes a name in a filter takes besides its text.
  ///
  /// In `Filter.sessions` and in `Subscribers.bySession`: two entries of tables that are half empty (some 40 each), the
  /// arrays of an entry's names and of its clients, and the name's own (some 50 each). Measured with names of one to five
  /// bytes: 215.
  static let bytesBesideName = 240

  /// `nil` where it wants all events.
  private var filter: Filter?
  private let wantsSnapshots: Bool
  /// Whether it is sent the pasteboard with the snapshots; pairs keep their pasteboard while such a subscriber is
  /// there.
  let wantsPasteboard: Bool
  /// The number of the last event that it was sent or does not want: all that wait have higher ones.
  ///
  /// With a filter it is up to date only while something waits.
  private var place: Int
  /// How many of the events that wait were kept before it subscribed; they do not count against the backlog.
  private var fromBefore = 0
  /// The events that it has lost and has not been told of; `nil` for none.
  private var untoldLoss: Loss?
  /// Up to this number, events that were forgotten before it subscribed may have matched its filter: their loss is
  /// reported as unknown, so that a filter cannot probe for the names of sessions.
  private var lastUnknown = 0
  /// How many lost events `countLoss` has reported already, which `take` is to leave out.
  private var countedLoss = 0
  /// The highest number of which it was told: it has been sent all events up to it that it wants, or told of their loss.
  private(set) var told: Int

  /// A subscriber for whom no event in `ring` waits.
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
  }

  /// Whether it has a filter, and so needs to be told of each new event by `note`.
  package var isFiltered: Bool { filter != nil }

  /// The hashes of the names of the sessions whose events it wants; `nil` for all sessions.
  var sessionHashes: Dictionary<Int, [[UInt8]]>.Keys? { filter?.sessions?.keys }

  /// The reply, called a *mark*, that says that it has seen all events up to a number that it wants.
  package static func mark(seenUpTo sequence: Int) -> [UInt8] {
    Array("{\"parameters\":{\"sequence\":\(sequence)},\"continues\":true}\0".utf8)
  }

  /// Whether an event, or the news of a loss, waits for it.
  package func isDue(in ring: borrowing EventRing) -> Bool {
    untoldLoss != nil || waiting(in: ring) > 0 || place < lastUnknown
  }

  /// How many events wait for it, those among them that the ring has dropped.
  private func waiting(in ring: borrowing EventRing) -> Int {
    filter?.waiting ?? ring.lastSequence - place
  }

  /// Queues the events after number `since` of the run `instance`.
  ///
  /// Where the ring has not kept all of these, or is of another run, those that it has wait, and the others are lost.
  package mutating func hear(since: Int, of instance: String, from ring: borrowing EventRing) {
    let isThisRun = instance.utf8.elementsEqual(ring.instance.utf8) && since <= ring.lastSequence
    place = isThisRun ? max(since, ring.firstSequence - 1) : ring.firstSequence - 1
    if !isThisRun {
      untoldLoss = .unknown
    } else if place > since {
      untoldLoss = isFiltered ? .unknown : .count(place - since)
    }
    told = place
    lastUnknown = 0
    if let filter, filter.sessions != nil, ring.forgottenCount > 0 {
      ring.forEach(after: place) { event in
        if filter.mayHaveWanted(event) { lastUnknown = event.sequence }
        return true
      }
    }
    fromBefore = countWanted(in: ring)
    filter?.waiting = fromBefore
  }

  /// Passes over the events up to a number, which it is not sent; it may have wanted those that are unknown.
  private mutating func pass(upTo sequence: Int) {
    if place < lastUnknown { untoldLoss = .unknown }
    place = sequence
  }

  /// Has the ring's last event, which is of that session and kind, wait if it is wanted.
  ///
  /// To be called for each event, of a subscriber with a filter; does nothing without one.
  ///
  /// Returns whether the event is the only one that waits.
  @discardableResult
  package mutating func note(
    kind: Kind, session: EventRing.Name, in ring: borrowing EventRing
  ) -> Bool {
    guard let filter, filter.wants(kind, of: session) else { return false }
    if filter.waiting == 0 { pass(upTo: ring.lastSequence - 1) }
    self.filter?.waiting += 1
    return filter.waiting == 0
  }

  /// Whether a `mark` up to the ring's last number is due: nothing waits, and it was told of lower numbers alone.
  ///
  /// Where it is due, the number counts as told: the caller is to send the mark. False without a filter.
  package mutating func takeMark(in ring: borrowing EventRing) -> Bool {
    guard isFiltered, !isDue(in: ring), told < ring.lastSequence else { return false }
    told = ring.lastSequence
    return true
  }

  /// Appends replies for the events that wait to `replies`, the oldest first, until these have `limit` bytes.
  ///
  /// Where more than `backlog` events wait, or the ring has dropped some, the oldest are lost: a reply says how many, in
  /// their place. Events in the ring that cannot be sent (`KeptEvent.isOmitted`) are lost in the same way.
  ///
  /// Returns how many events were lost, except forgotten ones that were kept before it subscribed.
  package mutating func take(
    from ring: borrowing EventRing, backlog: Int, into replies: inout [UInt8], limit: Int
  ) -> Int {
    let waiting = waiting(in: ring)
    var (lost, toSkip) = loseOldest(of: waiting, in: ring, backlog: backlog)
    if filter == nil, toSkip == 0 {
      // All events that wait are appended: room for them is made at once.
      replies.reserveCapacity(
        replies.count
          + min(limit, ring.byteCount(after: place) + waiting * [UInt8].eventReplyBytes))
    }
    var writer = JSONWriter(capacity: 256)
    ring.forEach(after: place) { event in
      place = event.sequence
      if place <= lastUnknown, filter?.mayHaveWanted(event) == true { untoldLoss = .unknown }
      guard wants(event) else { return true }
      filter?.waiting -= 1
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
          event, withSnapshots: wantsSnapshots, withPasteboard: wantsPasteboard, by: &writer)
      }
      // Events to skip are passed even beyond the limit, since the reply that counts them must not be sent twice.
      return toSkip > 0 || replies.count < limit
    }
    tellLoss(upTo: place, to: &replies)
    // Those that the ring has dropped were not passed above.
    if self.waiting(in: ring) == 0 { fromBefore = 0 }
    return lost
  }

  /// Counts as lost those of the `waiting` events that the ring has dropped, and the oldest beyond `backlog`.
  ///
  /// Returns how many they are, and how many of them are still in the ring, to be skipped there.
  private mutating func loseOldest(
    of waiting: Int, in ring: borrowing EventRing, backlog: Int
  ) -> (lost: Int, toSkip: Int) {
    var waiting = waiting
    if place < lastUnknown, filter != nil {
      // What was forgotten or dropped since it subscribed is told as unknown.
      waiting = countWanted(in: ring)
      filter?.waiting = waiting
    }
    if waiting == 0 {
      pass(upTo: ring.lastSequence)
      return (0, 0)
    }
    let first = ring.firstSequence
    guard place < first - 1 || waiting > backlog + fromBefore else { return (0, 0) }
    let kept = countWanted(in: ring)
    if place < first - 1 { pass(upTo: first - 1) }
    let toSkip = max(0, kept - backlog - fromBefore)
    let lost = waiting - kept + toSkip
    filter?.waiting = kept
    lose(lost)
    return (lost, toSkip)
  }

  /// Counts the events that it has certainly lost by now, for a subscriber that does not read and so cannot be told.
  ///
  /// Returns how many more these are than at the last call. Takes O(1).
  mutating func countLoss(in ring: borrowing EventRing, backlog: Int) -> Int {
    let waiting = waiting(in: ring)
    // With a filter, only those beyond the backlog; how many of the others the ring has dropped is counted by `take`.
    let kept = filter == nil ? countWanted(in: ring) : waiting
    let more = max(0, waiting - min(kept, backlog + fromBefore) - countedLoss)
    countedLoss += more
    return more
  }

  /// Adds lost events to those that it is to be told of.
  private mutating func lose(_ count: Int) {
    switch untoldLoss {
    case .unknown: break
    case .count(let before): untoldLoss = .count(before + count)
    case nil: if count > 0 { untoldLoss = .count(count) }
    }
  }

  /// Appends the reply that counts the lost events, all of which lie before that number or have it, if there are any.
  private mutating func tellLoss(upTo sequence: Int, to replies: inout [UInt8]) {
    guard let loss = untoldLoss else { return }
    switch loss {
    case .unknown: replies.appendLostReply(-1, upTo: sequence)
    case .count(let count): replies.appendLostReply(count, upTo: sequence)
    }
    untoldLoss = nil
    told = sequence
  }

  /// How many events in the ring after `place` it wants.
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
    // A forgotten one that it must not learn of is reported as an unknown loss instead.
    if event.isForgotten { return event.sequence > lastUnknown && filter.wanted(event) }
    return unsafe filter.wants(
      event.kind, of: EventRing.Name(event.session, hash: event.nameHash))
  }
}

// MARK: - One batch for many

extension Subscriber {
  /// The replies that one subscriber took, for others for whom the same events wait.
  package struct Batch {
    /// The subscriber's `place` before and after that.
    fileprivate let place: Int
    fileprivate let after: Int
    fileprivate let hasSnapshots: Bool
    fileprivate let hasPasteboard: Bool
    /// The replies.
    package let replies: [UInt8]
  }

  /// Takes replies as `take` does, from `batch` where that holds the same; else puts them there for the next subscriber.
  ///
  /// Returns the replies, and how many events were lost that `countLoss` has not counted. Takes O(1) where `batch` holds
  /// the same.
  package mutating func take(
    from ring: borrowing EventRing, backlog: Int, limit: Int, sharing batch: inout Batch?
  ) -> (replies: [UInt8], lost: Int) {
    let (before, isShareable) = (place, isShareable(in: ring))
    if isShareable, let batch, batch.place == before, batch.hasSnapshots == wantsSnapshots,
      batch.hasPasteboard == wantsPasteboard
    {
      place = batch.after
      told = batch.after
      filter?.waiting = 0
      return (batch.replies, 0)
    }
    var replies: [UInt8] = []
    let lost = take(from: ring, backlog: backlog, into: &replies, limit: limit)
    if isShareable, lost == 0 {
      batch = Batch(
        place: before, after: place, hasSnapshots: wantsSnapshots, hasPasteboard: wantsPasteboard,
        replies: replies)
    }
    defer { countedLoss = 0 }
    return (replies, max(0, lost - countedLoss))
  }

  /// Whether exactly the events in the ring after `place` wait, and no loss: with a filter, only where that is known
  /// because the last event alone waits.
  private func isShareable(in ring: borrowing EventRing) -> Bool {
    guard untoldLoss == nil, fromBefore == 0 else { return false }
    guard let filter else { return true }
    return filter.waiting == 1 && place == ring.lastSequence - 1
  }
}

extension [UInt8] {
  /// How many bytes, about, a reply has besides what the ring keeps of its event.
  fileprivate static let eventReplyBytes = 128

  /// Appends the reply of `Subscribe` that is an event; `writer` writes its beginning.
  fileprivate mutating func appendEventReply(
    _ event: EventRing.KeptEvent, withSnapshots: Bool, withPasteboard: Bool,
    by writer: inout JSONWriter
  ) {
    writer.removeAll()
    writer.fragment(#"{"parameters":{"event":"#)
    // Unsafe: copied at once, here and below.
    unsafe Event.writeStart(
      sequence: event.sequence, session: event.session.bindMemory(to: UInt8.self),
      time: event.epochTime, to: &writer)
    unsafe append(contentsOf: writer.bytes)
    unsafe append(contentsOf: event.transition)
    if withSnapshots, withPasteboard {
      unsafe append(contentsOf: event.pair)
    } else if withSnapshots {
      let (start, end) = unsafe event.pairWithoutPasteboard
      unsafe append(contentsOf: start)
      unsafe append(contentsOf: end)
    }
    append("}},\"continues\":true}\0")
  }

  /// Appends the reply of `Subscribe` that says how many events up to a number were lost; -1 where nobody knows.
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
