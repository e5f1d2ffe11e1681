internal import ContextDiff

/// One document's session, as a user's client posts to it.
final class LiveSession {
  var engine: Session
  var rate = EntryRate()
  /// When it was last posted to, in monotonic microseconds.
  var lastPost: Int
  /// The place of its last post among all of its user's.
  var lastPostNumber = 0

  init(engine: Session, lastPost: Int) {
    self.engine = engine
    self.lastPost = lastPost
  }
}

/// All that is held for one user: nobody else sees any of it.
final class User {
  let id: UInt32
  /// The user's latest events, and the numbers given to them.
  var ring: EventRing
  var sessions: [String: LiveSession] = [:]
  /// The clients that subscribed.
  var subscribers: [Client] = []
  var connections = 0
  private var posts = 0
  var pairs = KindCounts()
  var eventsLost = 0

  init(id: UInt32, ring: EventRing) {
    self.id = id
    self.ring = ring
  }

  /// The session of that name, begun now where there is none.
  func session(
    named name: String, limits: Settings.Limits, now: Int
  ) throws(CallError) -> LiveSession {
    if let session = sessions[name] { return session }
    guard sessions.count < limits.sessions else { throw .tooManySessions(limit: limits.sessions) }
    let session = LiveSession(engine: Session(memoryLimit: limits.memoryBytes), lastPost: now)
    sessions[name] = session
    return session
  }

  /// Makes `session` the one last posted to.
  func touch(_ session: LiveSession, now: Int) {
    posts += 1
    session.lastPost = now
    session.lastPostNumber = posts
  }

  /// The names of the sessions, the one last posted to first.
  var sessionNames: [String] {
    sessions.sorted { $0.value.lastPostNumber > $1.value.lastPostNumber }.map(\.key)
  }

  /// Whether nothing is held that a later call could ask for.
  var isForgettable: Bool { connections == 0 && sessions.isEmpty && ring.lastSequence == 0 }
}
