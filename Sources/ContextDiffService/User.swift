internal import ContextDiff

/// One document's session, as a user's client posts to it.
final class LiveSession {
  let name: String
  private let nameUTF8: [UInt8]
  var engine: Session
  var rate = EntryRate(entriesPerSecond: 200)
  /// The transitions that were not logged one by one since the last sum.
  var leftOut: KindCounts?
  /// When it was last posted to, in monotonic microseconds.
  var lastPost: Int
  /// Whether it is still its user's: a client may remember one that was forgotten.
  var isLive = true
  /// How much it held when that was counted last, in bytes.
  fileprivate(set) var heldBytes = 0
  /// The place of its last post among all of its user's.
  var lastPostNumber = 0

  init(name: String, engine: Session, lastPost: Int) {
    self.name = name
    nameUTF8 = Array(name.utf8)
    self.engine = engine
    self.lastPost = lastPost
  }

  /// Whether it has this name.
  func isNamed(_ name: Bytes) -> Bool {
    nameUTF8.withUnsafeBufferPointer { Bytes($0) == name }
  }
}

/// All that is held for one user: nobody else sees any of it.
final class User {
  let id: UInt32
  /// The user's latest events, and the numbers given to them.
  let ring: EventRing
  private(set) var sessions: [SessionName: LiveSession] = [:]
  /// The clients that subscribed.
  private(set) var subscribers: [Client] = []
  /// Those of them that do not want everything, and so are told of each event.
  private(set) var filtered: [Client] = []
  var connections = 0
  private var posts = 0
  /// How much all sessions hold, in bytes.
  private var heldBytes = 0
  var pairs = KindCounts()
  var eventsLost = 0
  /// Bounds the entries of all sessions together.
  var rate = EntryRate(entriesPerSecond: 1_000)

  init(id: UInt32, ring: EventRing) {
    self.id = id
    self.ring = ring
  }

  /// The session of that name, begun now where there is none.
  func session(
    named name: String, limits: Settings.Limits, now: Int
  ) throws(CallError) -> LiveSession {
    if let session = self.session(named: name) { return session }
    guard sessions.count < limits.sessions else { throw .tooManySessions(limit: limits.sessions) }
    let session = LiveSession(
      name: name, engine: Session(memoryLimit: limits.memoryBytes), lastPost: now)
    add(session)
    return session
  }

  /// The session of that name; `nil` where there is none.
  func session(named name: String) -> LiveSession? {
    sessions[SessionName(name)]
  }

  /// Adds a session.
  func add(_ session: LiveSession) {
    sessions[SessionName(session.name)] = session
  }

  /// Forgets the session of that name; `nil` where there is none.
  @discardableResult
  func removeSession(_ name: String) -> LiveSession? {
    let session = sessions.removeValue(forKey: SessionName(name))
    session?.isLive = false
    heldBytes -= session?.heldBytes ?? 0
    // A client that remembers it is not to keep what it remembers.
    session?.engine = Session()
    return session
  }

  /// Counts what `session` holds now.
  ///
  /// Where all together hold more than `limit` bytes, the ones give way that were posted to longest
  /// ago, but never `session` itself.
  ///
  /// - Returns: Those that were forgotten.
  func count(_ session: LiveSession, limit: Int) -> [LiveSession] {
    let held = session.engine.heldBytes
    if held == session.heldBytes { return [] }
    heldBytes += held - session.heldBytes
    session.heldBytes = held
    var forgotten: [LiveSession] = []
    while heldBytes > limit,
      let oldest = sessions.values.lazy.filter({ $0 !== session })
        .min(by: { $0.lastPostNumber < $1.lastPostNumber })
    {
      removeSession(oldest.name)
      forgotten.append(oldest)
    }
    return forgotten
  }

  func add(_ client: Client, as subscriber: Subscriber) {
    client.subscriber = subscriber
    subscribers.append(client)
    if subscriber.isFiltered { filtered.append(client) }
  }

  func removeSubscriber(_ client: Client) {
    guard client.subscriber != nil else { return }
    client.subscriber = nil
    subscribers.removeAll { $0 === client }
    filtered.removeAll { $0 === client }
  }

  /// Whether nobody is connected who could cause another event.
  var hasSubscribersOnly: Bool { connections == subscribers.count }

  /// Makes `session` the one last posted to.
  func touch(_ session: LiveSession, now: Int) {
    posts += 1
    session.lastPost = now
    session.lastPostNumber = posts
  }

  /// The sessions, the one last posted to first.
  var sessionsByLastPost: [LiveSession] {
    sessions.values.sorted { $0.lastPostNumber > $1.lastPostNumber }
  }

  /// Whether nothing is held that a later call could ask for.
  var isForgettable: Bool { connections == 0 && sessions.isEmpty && ring.lastSequence == 0 }
}
