package import ContextDiff
package import NIOCore

/// What one subscriber wants to hear and how far it has heard it. Does no I/O.
///
/// Nothing waits here: what it has yet to hear lies in the ring of its user's kept events, and it
/// holds its place there. So however slowly it reads, it costs its place and no more.
package struct Subscriber {
  private let sessions: Set<String>?
  private let kinds: KindSet
  private let wantsSnapshots: Bool
  /// The number of the last event that it was given or does not want.
  private var place: Int
  /// How many events behind `place` it wants.
  private var waiting = 0
  /// How many of these were there before it came: they do not count against its backlog.
  private var fromBefore = 0
  /// What it lost and was not told yet.
  private var untoldLoss: Loss?

  private enum Loss {
    case count(Int)
    case unknown
  }

  /// A subscriber who has heard all that `ring` holds.
  package init(
    sessions: [String]? = nil, kinds: [Kind]? = nil, wantsSnapshots: Bool = false,
    hearingFromNowOn ring: EventRing
  ) {
    self.sessions = sessions.map(Set.init)
    self.kinds = kinds.map { KindSet($0) } ?? .all
    self.wantsSnapshots = wantsSnapshots
    place = ring.lastSequence
  }

  /// Whether anything waits for it, be it only the news of a loss.
  package var isDue: Bool { waiting > 0 || untoldLoss != nil }

  /// Goes back to behind number `since` of the run `instance`, or, where the ring does not hold
  /// that any more, to the oldest event kept; what is missing between is lost.
  package mutating func hear(since: Int, of instance: String, from ring: EventRing) {
    let isThisRun = instance.utf8.elementsEqual(ring.instance.utf8) && since <= ring.lastSequence
    place = isThisRun ? max(since, ring.firstSequence - 1) : ring.firstSequence - 1
    if !isThisRun {
      untoldLoss = .unknown
    } else if place > since {
      untoldLoss = sessions == nil && kinds == .all ? .count(place - since) : .unknown
    }
    waiting = countWanted(in: ring)
    fromBefore = waiting
    if waiting == 0 { place = ring.lastSequence }
  }

  /// Hears that event number `sequence` is in the ring; answers whether something is due now.
  package mutating func note(_ sequence: Int, kind: Kind, session: String) -> Bool {
    if kinds.contains(kind), sessions?.contains(session) ?? true {
      waiting += 1
    } else if waiting == 0 {
      place = sequence
    }
    return isDue
  }

  /// Writes replies for what waits, oldest first, until `buffer` holds `limit` bytes. Where more
  /// than `backlog` events wait, or some are not in the ring any more, the oldest are lost, and a
  /// reply that counts them comes in their stead.
  ///
  /// - Returns: How many events were lost.
  package mutating func take(
    from ring: EventRing, backlog: Int, into buffer: inout ByteBuffer, limit: Int
  ) -> Int {
    var toSkip = 0
    var lost = 0
    if place < ring.firstSequence - 1 || waiting > backlog + fromBefore {
      let kept = countWanted(in: ring)
      toSkip = max(0, kept - backlog - fromBefore)
      lost = waiting - kept + toSkip
      waiting = kept
    }
    tellLoss(lost, to: &buffer)
    ring.forEach(after: place) { event in
      place = event.sequence
      guard wants(event) else { return true }
      waiting -= 1
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
    guard kinds.contains(event.kind) else { return false }
    guard let sessions else { return true }
    return sessions.contains(String(decoding: event.session, as: UTF8.self))
  }
}

extension ByteBuffer {
  /// Writes one of the replies of `Subscribe`: an event.
  fileprivate mutating func writeEventReply(
    _ event: EventRing.KeptEvent, withSnapshots: Bool
  ) {
    writeStaticString(#"{"parameters":{"event":"#)
    writeBytes(event.core)
    if withSnapshots { writeBytes(event.pair) }
    writeStaticString(#"}},"continues":true}"#)
    writeInteger(0, as: UInt8.self)
  }

  /// Writes one of the replies of `Subscribe`: how many events were lost, -1 where nobody knows.
  fileprivate mutating func writeLostReply(_ count: Int) {
    writeString(#"{"parameters":{"lost":\#(count)},"continues":true}"#)
    writeInteger(0, as: UInt8.self)
  }
}
