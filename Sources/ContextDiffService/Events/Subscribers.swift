internal import ContextDiff
internal import Varlink

/// One user's subscribers, found by the events that they want, so that a post looks at those alone.
final class Subscribers {
  private var all: [Client] = []
  /// The subscribers with a filter.
  private(set) var filtered: [Client] = []
  /// Those with a filter that name sessions, by the hash of each name.
  private var bySession: [Int: [Client]] = [:]
  /// Those with a filter that want some kinds of all sessions.
  private var ofEverySession: [Client] = []
  /// Those with a filter for whom something has begun to wait since the last `takeDue`.
  private var due: [Client] = []
  private var pasteboardCount = 0

  /// Each subscriber with a filter for whom nothing waits has been told a number as high as this one or higher.
  var markedUpTo = 0
  /// Whether marks are due because a second is over since an event came that not all wanted.
  var isMarkDue = false
  /// After how many events marks are due at the latest.
  static let mostHeldBack = 256

  /// The number of all subscribers, which every post asks for: it is kept beside `all`, since the program would check at
  /// run time that nobody changes that, which takes a hundred instructions.
  private(set) var count = 0
  var isEmpty: Bool { count == 0 }
  private var unfilteredCount: Int { count - filtered.count }
  /// Whether any subscriber wants the pasteboard.
  var wantPasteboard: Bool { pasteboardCount > 0 }

  /// Makes a client a subscriber.
  func add(_ client: Client, as subscriber: Subscriber, in ring: borrowing EventRing) {
    client.subscriber = subscriber
    all.append(client)
    count += 1
    if subscriber.wantsPasteboard { pasteboardCount += 1 }
    guard subscriber.isFiltered else { return }
    filtered.append(client)
    // The newcomer has been told of no number beyond the one that it began at.
    markedUpTo = min(markedUpTo, subscriber.told)
    if subscriber.isDue(in: ring) { due.append(client) }
    if let hashes = subscriber.sessionHashes {
      for hash in hashes { bySession[hash, default: []].append(client) }
    } else {
      ofEverySession.append(client)
    }
  }

  /// Removes a client; does nothing where it has not subscribed.
  func remove(_ client: Client) {
    guard let subscriber = client.subscriber else { return }
    client.subscriber = nil
    all.removeAll { $0 === client }
    count -= 1
    if subscriber.wantsPasteboard { pasteboardCount -= 1 }
    guard subscriber.isFiltered else { return }
    filtered.removeAll { $0 === client }
    due.removeAll { $0 === client }
    if let hashes = subscriber.sessionHashes {
      for hash in hashes {
        bySession[hash]?.removeAll { $0 === client }
        if bySession[hash]?.isEmpty == true { bySession[hash] = nil }
      }
    } else {
      ofEverySession.removeAll { $0 === client }
    }
  }

  /// Has the ring's last event, which is of that session and kind, wait for those with a filter that want it.
  ///
  /// Takes time in proportion to the subscribers that name the session, and those that name no session.
  func note(_ kind: Kind, of session: EventRing.Name, in ring: borrowing EventRing) {
    // Most often there is no filter at all, and this is asked at every post.
    guard unfilteredCount < count else { return }
    for client in ofEverySession { note(kind, of: session, in: ring, to: client) }
    for client in bySession[session.hash] ?? [] { note(kind, of: session, in: ring, to: client) }
  }

  private func note(
    _ kind: Kind, of session: EventRing.Name, in ring: borrowing EventRing, to client: Client
  ) {
    if client.subscriber?.note(kind: kind, session: session, in: ring) == true {
      due.append(client)
    }
  }

  /// Whether an event may wait for any subscriber, given that the ring has a new one.
  var isAnyDue: Bool { unfilteredCount > 0 || !due.isEmpty }

  /// Returns the subscribers for whom something may wait: those without a filter, and `due`, which becomes empty.
  ///
  /// - Parameter everybody: Whether to return all subscribers.
  /// - Returns: The subscribers.
  func takeDue(everybody: Bool) -> [Client] {
    defer { due.removeAll() }
    if everybody || unfilteredCount == all.count { return all }
    if unfilteredCount == 0 { return due }
    return all.filter { $0.subscriber?.isFiltered == false } + due
  }

  /// Whether those with a filter are to be sent marks.
  func isToMark(in ring: borrowing EventRing) -> Bool {
    isMarkDue || ring.lastSequence - markedUpTo >= Subscribers.mostHeldBack
  }

  /// Returns the subscribers to whom a mark up to the ring's last number is to be sent, which counts as sent.
  func takeToMark(in ring: borrowing EventRing) -> [Client] {
    isMarkDue = false
    markedUpTo = ring.lastSequence
    return filtered.filter {
      $0.connection.isWritable && $0.subscriber?.takeMark(in: ring) == true
    }
  }
}
