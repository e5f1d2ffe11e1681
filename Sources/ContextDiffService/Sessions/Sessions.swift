package import ContextDiff
internal import ContextDiffWire

/// One user's sessions, in the order of their last posts, with how many bytes they hold.
///
/// Except for `forEach` and `newestFirst`, no operation takes longer for more sessions.
package struct Sessions: ~Copyable {
  /// Why a session of a user is forgotten for the others of the user.
  package enum Shortage {
    /// All together hold more than `limits.sessionsBytes`.
    case limit
    /// The user's account has no memory left.
    case account
    /// There are more than `limits.sessions`.
    case number
  }

  /// An element of the list of sessions in the order of their last posts, linked by places (indices in `links`); a free
  /// one has no session.
  private struct Link {
    var session: LiveSession?
    var newer: Int?
    var older: Int?
  }

  private var byName: [SessionName: LiveSession] = [:]
  /// A cache for `find`: at each index, which `place(of:)` gives for a name, the session last found there; empty until
  /// the first session is looked for, and where there is none.
  private var found: [LiveSession?] = []
  /// The list of the sessions, each at the index that is its `place`.
  ///
  /// Links between the objects themselves would be retained and released at each step.
  private var links: [Link] = []
  private var freePlaces: [Int] = []
  /// The places of the two ends of the list.
  private var newestPlace: Int?
  private var oldestPlace: Int?
  /// How many bytes all sessions hold together.
  package private(set) var heldBytes = 0
  /// The user's charges for the number of the sessions and for their bytes.
  private var numberCharge: Charge
  private var textCharge: Charge

  /// No sessions.
  ///
  /// - Parameter account: The user's account.
  package init(account: Account) {
    numberCharge = account.charge(.sessions)
    textCharge = account.charge(.text)
  }

  /// The number of sessions.
  package var count: Int { byName.count }
  /// Whether there is none.
  package var isEmpty: Bool { byName.isEmpty }
  /// The session posted to longest ago.
  package var oldest: LiveSession? { oldestPlace.flatMap { links[$0].session } }

  /// The session of that name; `nil` where there is none.
  package subscript(name: String) -> LiveSession? { byName[SessionName(name)] }

  /// The session of that name, as the subscript gives it, but mostly by a cache: making a string of the name and looking
  /// it up in the dictionary takes a tenth of a post.
  package mutating func find(_ name: Bytes) -> LiveSession? {
    if found.isEmpty {
      if byName.isEmpty { return nil }
      found = Array(repeating: nil, count: Sessions.foundPlaces)
    }
    let place = Sessions.place(of: name)
    if let session = found[place], session.isNamed(name) { return session }
    let session = self[name.string]
    if let session { found[place] = session }
    return session
  }

  private static let foundPlaces = 256

  /// The index in `found` for a name.
  private static func place(of name: Bytes) -> Int {
    // Names that a client makes for one index are looked up in the dictionary, at most.
    // Unsafe: the caller lends the name, which is read at once.
    unsafe Int(truncatingIfNeeded: checksum(name.raw)) & (foundPlaces - 1)
  }

  /// Adds a session as the one posted to last; returns false, and adds nothing, where the user may not have another.
  package mutating func add(_ session: LiveSession) -> Bool {
    guard numberCharge.resize(to: byName.count + 1) else { return false }
    byName[SessionName(session.name)] = session
    if let place = freePlaces.popLast() {
      session.place = place
    } else {
      session.place = links.count
      links.append(Link())
    }
    links[session.place].session = session
    link(session.place)
    return true
  }

  /// Makes `session` the one posted to last, at `now` in microseconds of the monotonic clock.
  package mutating func touch(_ session: LiveSession, now: Int) {
    session.lastPost = now
    guard newestPlace != session.place else { return }
    unlink(session.place)
    link(session.place)
  }

  /// Removes the session of that name, which ends; does nothing where there is none.
  package mutating func remove(_ name: String) {
    guard let session = byName.removeValue(forKey: SessionName(name)) else { return }
    unlink(session.place)
    links[session.place].session = nil
    freePlaces.append(session.place)
    let place = session.name.withBytes { Sessions.place(of: $0) }
    if byName.isEmpty {
      found = []
    } else if !found.isEmpty, found[place] === session {
      found[place] = nil
    }
    heldBytes -= session.heldBytes
    session.end()
    // Charges can always be made smaller.
    _ = numberCharge.resize(to: byName.count)
    _ = textCharge.resize(to: chargedBytes)
  }

  /// Counts how much a session holds after a change, and removes others where all hold too much.
  ///
  /// Those posted to longest ago are removed first; `session` itself only where it is the last one and the user's
  /// account has no memory for it.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - heldBytes: How many bytes its engine holds.
  ///   - now: When it was posted to, in microseconds of the monotonic clock, so that it is the one posted to last;
  ///     `nil` where it was not.
  ///   - limit: How many bytes all may hold (`limits.sessionsBytes`).
  ///   - forgotten: Called with each session before it is removed, and why.
  package mutating func count(
    _ session: LiveSession, holding heldBytes: Int, postedAt now: Int? = nil, limit: Int,
    forgotten: (LiveSession, Shortage) -> Void
  ) {
    if let now { touch(session, now: now) }
    let held = heldBytes + session.ownBytes
    if held == session.heldBytes { return }
    self.heldBytes += held - session.heldBytes
    session.heldBytes = held
    // Asked first, so that most posts pay nothing for what `forgotten` does.
    if shortage(limit: limit) == nil { return }
    while let other = oldest(but: session), let shortage = shortage(limit: limit) {
      forgotten(other, shortage)
      remove(other.name)
    }
    guard let shortage = shortage(limit: .max) else { return }
    forgotten(session, shortage)
    remove(session.name)
  }

  /// Charges the user with the bytes that all sessions hold, unless these exceed `limit`.
  ///
  /// Returns why they may not hold so much; `nil` where they may.
  private mutating func shortage(limit: Int) -> Shortage? {
    if heldBytes > limit { return .limit }
    return textCharge.resize(to: chargedBytes) ? nil : .account
  }

  /// Removes the sessions posted to longest ago until all hold at most `limit` bytes; calls `forgotten` with each before
  /// that.
  package mutating func shrink(to limit: Int, forgotten: (LiveSession) -> Void) {
    while heldBytes > limit, let oldest {
      forgotten(oldest)
      remove(oldest.name)
    }
  }

  /// Calls `body` with each session, the one posted to last first; `body` may remove it.
  package func forEach(_ body: (LiveSession) -> Void) {
    var next = newestPlace
    while let place = next, let session = links[place].session {
      next = links[place].older
      body(session)
    }
  }

  /// All sessions, the one posted to last first.
  package var newestFirst: [LiveSession] {
    var sessions: [LiveSession] = []
    sessions.reserveCapacity(count)
    forEach { sessions.append($0) }
    return sessions
  }

  /// `heldBytes` and, where there are sessions, the bytes of `found`, rounded up to whole steps, so that most posts do
  /// not change the charge.
  private var chargedBytes: Int {
    let bytes = byName.isEmpty ? 0 : heldBytes + Sessions.foundBytes
    return (bytes + Sessions.chargeStep - 1) & -Sessions.chargeStep
  }
  private static let chargeStep = 16 << 10
  private static let foundBytes = foundPlaces * MemoryLayout<LiveSession?>.stride

  /// The session posted to longest ago, except `session`.
  private func oldest(but session: LiveSession) -> LiveSession? {
    guard let place = oldestPlace else { return nil }
    let other = place == session.place ? links[place].newer : place
    return other.flatMap { links[$0].session }
  }

  /// Puts a place at the newest end of the list.
  private mutating func link(_ place: Int) {
    links[place].newer = nil
    links[place].older = newestPlace
    if let newestPlace { links[newestPlace].newer = place }
    newestPlace = place
    oldestPlace = oldestPlace ?? place
  }

  /// Takes a place out of the list.
  private mutating func unlink(_ place: Int) {
    let (newer, older) = (links[place].newer, links[place].older)
    if let newer { links[newer].older = older } else { newestPlace = older }
    if let older { links[older].newer = newer } else { oldestPlace = newer }
  }
}
