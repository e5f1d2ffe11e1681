package import ContextDiff
package import NIOCore

/// What one subscriber wants to hear and how far it has heard it.
///
/// Does no I/O.
///
/// Nothing waits here: what it has yet to hear lies in the ring of its user's kept events, and it
/// holds its place there. So however slowly it reads, it costs its place and no more.
package struct Subscriber {
  /// What it wants, where that is not everything.
  private struct Filter {
    let sessions: Set<String>?
    let kinds: KindSet
  }

  private enum Loss {
    case count(Int)
    case unknown
  }

  private let filter: Filter?
  private let wantsSnapshots: Bool
  /// The number of the last event that it was given or does not want.
  private var place: Int
  /// How many events behind `place` it wants; counted only where there is a filter.
  private var counted = 0
  /// How many of those that wait were there before it came: they are not of its backlog.
  private var fromBefore = 0
  /// What it lost and was not told yet.
  private var untoldLoss: Loss?

  /// A subscriber who has heard all that `ring` holds.
  package init(
    sessions: [String]? = nil, kinds: [Kind]? = nil, wantsSnapshots: Bool = false,
    hearingFromNowOn ring: EventRing
  ) {
    if sessions != nil || kinds != nil {
      filter = Filter(
        sessions: sessions.map(Set.init), kinds: kinds.map { KindSet($0) } ?? .all)
    } else {
      filter = nil
    }
    self.wantsSnapshots = wantsSnapshots
    place = ring.lastSequence
  }

  /// Whether it does not want everything, and so is to be told of each event by `note`.
  package var isFiltered: Bool { filter != nil }

  /// Whether anything waits for it in `ring`, be it only the news of a loss.
  package func isDue(in ring: EventRing) -> Bool {
    untoldLoss != nil || waiting(in: ring) > 0
  }

  private func waiting(in ring: EventRing) -> Int {
    filter == nil ? ring.lastSequence - place : counted
  }

  /// Goes back to behind number `since` of the run `instance`, or, where the ring does not hold
  /// that any more, to the oldest event kept; what is missing between is lost.
  package mutating func hear(since: Int, of instance: String, from ring: EventRing) {
    let isThisRun = instance.utf8.elementsEqual(ring.instance.utf8) && since <= ring.lastSequence
    place = isThisRun ? max(since, ring.firstSequence - 1) : ring.firstSequence - 1
    if !isThisRun {
      untoldLoss = .unknown
    } else if place > since {
      untoldLoss = isFiltered ? .unknown : .count(place - since)
    }
    fromBefore = countWanted(in: ring)
    counted = fromBefore
    if fromBefore == 0 { place = ring.lastSequence }
  }

  /// Hears that event number `sequence` is in the ring.
  ///
  /// Only for a subscriber with a filter.
  package mutating func note(_ sequence: Int, kind: Kind, session: String) {
    guard let filter else { return }
    if filter.kinds.contains(kind), filter.sessions?.contains(session) ?? true {
      counted += 1
    } else if counted == 0 {
      place = sequence
    }
  }

  /// Writes replies for what waits, oldest first, until `buffer` holds `limit` bytes.
  ///
  /// Where more than `backlog` events wait, or some are not in the ring any more, the oldest are
  /// lost, and a reply that counts them comes in their stead.
  ///
  /// - Returns: How many events were lost.
  package mutating func take(
    from ring: EventRing, backlog: Int, into buffer: inout ByteBuffer, limit: Int
  ) -> Int {
    var lost = 0
    var toSkip = 0
    let waiting = waiting(in: ring)
    if place < ring.firstSequence - 1 || waiting > backlog + fromBefore {
      let kept = countWanted(in: ring)
      toSkip = max(0, kept - backlog - fromBefore)
      lost = waiting - kept + toSkip
      counted = kept
    }
    tellLoss(lost, to: &buffer)
    ring.forEach(after: place) { event in
      place = event.sequence
      guard wants(event) else { return true }
      counted -= 1
      fromBefore = max(0, fromBefore - 1)
      if toSkip > 0 {
        toSkip -= 1
      } else if event.isOmitted {
        lost += 1
        buffer.writeLostReply(1)
      } else {
        buffer.writeEventReply(event, withSnapshots: wantsSnapshots)
      }
      // What was told to be lost is passed at once: it may not be told twice.
      return toSkip > 0 || buffer.readableBytes < limit
    }
    return lost
  }

  private mutating func tellLoss(_ lost: Int, to buffer: inout ByteBuffer) {
    switch untoldLoss {
    case .unknown: buffer.writeLostReply(-1)
    case .count(let before): buffer.writeLostReply(before + lost)
    case nil: if lost > 0 { buffer.writeLostReply(lost) }
    }
    untoldLoss = nil
  }

  private func countWanted(in ring: EventRing) -> Int {
    var count = 0
    ring.forEach(after: place) { event in
      if wants(event) { count += 1 }
      return true
    }
    return count
  }

  private func wants(_ event: EventRing.KeptEvent) -> Bool {
    guard let filter else { return true }
    guard filter.kinds.contains(event.kind) else { return false }
    guard let sessions = filter.sessions else { return true }
    return sessions.contains(String(decoding: event.session, as: UTF8.self))
  }
}

// MARK: - One batch for many

extension Subscriber {
  /// What one subscriber took, for others who stand where it stood.
  package struct Batch {
    fileprivate let before: Int
    fileprivate let after: Int
    fileprivate let hasSnapshots: Bool
    /// The replies.
    package let replies: ByteBuffer
  }

  /// Takes what waits, as `take` does; from `batch` where somebody at the same place has taken it
  /// already, else for those to come.
  ///
  /// - Complexity: O(1) where the batch serves.
  package mutating func take(
    from ring: EventRing, backlog: Int, limit: Int, sharing batch: inout Batch?
  ) -> (replies: ByteBuffer, lost: Int) {
    if let batch, batch.before == place, batch.hasSnapshots == wantsSnapshots, isOrdinary {
      place = batch.after
      return (batch.replies, 0)
    }
    let (before, wasOrdinary) = (place, isOrdinary)
    var replies = ByteBuffer()
    let lost = take(from: ring, backlog: backlog, into: &replies, limit: limit)
    if wasOrdinary, lost == 0 {
      batch = Batch(
        before: before, after: place, hasSnapshots: wantsSnapshots, replies: replies)
    }
    return (replies, lost)
  }

  /// Whether it is to hear just what is in the ring behind its place.
  private var isOrdinary: Bool { filter == nil && untoldLoss == nil && fromBefore == 0 }
}

extension ByteBuffer {
  /// Writes one of the replies of `Subscribe`: an event.
  fileprivate mutating func writeEventReply(_ event: EventRing.KeptEvent, withSnapshots: Bool) {
    let opening: StaticString = #"{"parameters":{"event":"#
    let closing: StaticString = "}},\"continues\":true}\0"
    let pair = withSnapshots ? event.pair : UnsafeRawBufferPointer(start: nil, count: 0)
    let count =
      opening.utf8CodeUnitCount + event.core.count + pair.count + closing.utf8CodeUnitCount
    // In one go: this is done for each event of each subscriber.
    writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
      var rest = space
      rest.append(
        UnsafeRawBufferPointer(start: opening.utf8Start, count: opening.utf8CodeUnitCount))
      rest.append(event.core)
      rest.append(pair)
      rest.append(
        UnsafeRawBufferPointer(start: closing.utf8Start, count: closing.utf8CodeUnitCount))
      return count
    }
  }

  /// Writes one of the replies of `Subscribe`: how many events were lost, -1 where nobody knows.
  fileprivate mutating func writeLostReply(_ count: Int) {
    writeString("{\"parameters\":{\"lost\":\(count)},\"continues\":true}\0")
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Copies `bytes` to the front, and goes on behind them.
  fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
    copyMemory(from: bytes)
    self = UnsafeMutableRawBufferPointer(rebasing: dropFirst(bytes.count))
  }
}
