internal import ContextDiff
internal import Varlink

/// One user's subscribers, found by what they want to hear: a post looks at those alone.
final class Subscribers {
  private var all: [Client] = []
  /// Those who do not want everything.
  private(set) var filtered: [Client] = []
  /// Of these, the ones who named sessions, by the hash of each name, and the ones who want only some kinds
  /// of every session's.
  private var bySession: [Int: [Client]] = [:]
  private var ofEverySession: [Client] = []
  /// Those with a filter for whom something waits since they were last handed out.
  private var due: [Client] = []
  private var unfilteredCount = 0
  private var pasteboardCount = 0

  /// The number up to which all with a filter have been told that they have seen all.
  var markedUpTo = 0
  /// Whether a second is over since something was held back.
  var isMarkDue = false
  /// The most events that are held back before that is told.
  static let mostHeldBack = 256

  private(set) var count = 0
  var isEmpty: Bool { count == 0 }
  /// Whether any wants the pasteboard's text with the pairs.
  var wantPasteboard: Bool { pasteboardCount > 0 }

  func add(_ client: Client, as subscriber: Subscriber, in ring: borrowing EventRing) {
    client.subscriber = subscriber
    all.append(client)
    count = all.count
    if subscriber.wantsPasteboard { pasteboardCount += 1 }
    guard subscriber.isFiltered else {
      unfilteredCount += 1
      return
    }
    filtered.append(client)
    // Of those that were there before it came it has not been told how far it has seen them.
    markedUpTo = min(markedUpTo, subscriber.told)
    if subscriber.isDue(in: ring) { due.append(client) }
    if let hashes = subscriber.sessionHashes {
      for hash in hashes { bySession[hash, default: []].append(client) }
    } else {
      ofEverySession.append(client)
    }
  }

  func remove(_ client: Client) {
    guard let subscriber = client.subscriber else { return }
    client.subscriber = nil
    all.removeAll { $0 === client }
    count = all.count
    if subscriber.wantsPasteboard { pasteboardCount -= 1 }
    guard subscriber.isFiltered else {
      unfilteredCount -= 1
      return
    }
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

  /// Hears that the ring's last event is of that session and kind.
  ///
  /// - Complexity: O(*n*) in those who named the session, and those who named none but kinds.
  func note(_ kind: Kind, of session: EventRing.Name, in ring: borrowing EventRing) {
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

  /// Whether something may wait for anybody who was there before the ring's last event.
  var isAnyDue: Bool { unfilteredCount > 0 || !due.isEmpty }

  /// Hands out those for whom something may wait.
  ///
  /// - Parameter everybody: Whether those are handed out too for whom nothing has come.
  /// - Returns: Those without a filter, and those with one for whom something has come.
  func takeDue(everybody: Bool) -> [Client] {
    defer { due.removeAll() }
    if everybody || unfilteredCount == all.count { return all }
    if unfilteredCount == 0 { return due }
    return all.filter { $0.subscriber?.isFiltered == false } + due
  }

  /// Whether those with a filter are to be told how far they have seen all.
  func isToMark(in ring: borrowing EventRing) -> Bool {
    isMarkDue || ring.lastSequence - markedUpTo >= Subscribers.mostHeldBack
  }

  /// Hands out those who are to be told that they have seen all that is in `ring`.
  func takeToMark(in ring: borrowing EventRing) -> [Client] {
    isMarkDue = false
    markedUpTo = ring.lastSequence
    return filtered.filter {
      $0.connection.isWritable && $0.subscriber?.takeMark(in: ring) == true
    }
  }
}
