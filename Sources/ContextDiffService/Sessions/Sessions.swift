package import ContextDiff
internal import ContextDiffWire

/// One user's sessions, in the order of their last posts, and what they hold.
///
/// Each step takes the same time however many there are, but for the list of all.
package struct Sessions: ~Copyable {
  /// Why a session gives way to the others of its user.
  package enum Shortage {
    /// All together hold more than their user's settings allow.
    case limit
    /// No memory is left for their user.
    case account
    /// There are more than their user's settings allow.
    case number
  }

  /// A session's place in the order of last posts; a free place has none.
  private struct Link {
    var session: LiveSession?
    var newer: Int?
    var older: Int?
  }

  private var byName: [SessionName: LiveSession] = [:]
  /// Of those whose names lead to the same place, the one found last; empty until one is looked for.
  private var found: [LiveSession?] = []
  /// Where each session is linked, at its `place`; in one array, for the objects would be held and let go of at
  /// each step.
  private var links: [Link] = []
  private var freePlaces: [Int] = []
  /// The ends of the order.
  private var newestPlace: Int?
  private var oldestPlace: Int?
  /// How much all together hold, in bytes.
  package private(set) var heldBytes = 0
  /// What their user is charged with for them.
  private var numberCharge: Charge
  private var textCharge: Charge

  /// None yet.
  ///
  /// - Parameter account: Their user's.
  package init(account: Account) {
    numberCharge = account.charge(.sessions)
    textCharge = account.charge(.text)
  }

  /// How many there are.
  package var count: Int { byName.count }
  /// Whether there is none.
  package var isEmpty: Bool { byName.isEmpty }
  /// The one posted to last.
  package var newest: LiveSession? { newestPlace.flatMap { links[$0].session } }
  /// The one posted to longest ago.
  package var oldest: LiveSession? { oldestPlace.flatMap { links[$0].session } }

  /// The session of that name; `nil` where there is none.
  package subscript(name: String) -> LiveSession? { byName[SessionName(name)] }

  /// The session of that name, as the subscript gives it; most often without a string of the name, and without its
  /// place in the dictionary, which takes a tenth of a post.
  package mutating func find(_ name: Bytes) -> LiveSession? {
    if found.isEmpty { found = Array(repeating: nil, count: Sessions.foundPlaces) }
    let place = Sessions.place(of: name)
    if let session = found[place], session.isNamed(name) { return session }
    let session = self[name.string]
    if let session { found[place] = session }
    return session
  }

  private static let foundPlaces = 256

  private static func place(of name: Bytes) -> Int {
    // Who makes names that lead to one place has them looked up in the dictionary.
    // Unsafe: read at once.
    unsafe Int(truncatingIfNeeded: checksum(name.raw)) & (foundPlaces - 1)
  }

  /// Adds a session as the one posted to last.
  ///
  /// - Returns: Whether its user may have one more.
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

  /// Makes `session` the one posted to last.
  package mutating func touch(_ session: LiveSession, now: Int) {
    session.lastPost = now
    guard newestPlace != session.place else { return }
    unlink(session.place)
    link(session.place)
  }

  /// Forgets the session of that name; `nil` where there is none.
  @discardableResult
  package mutating func remove(_ name: String) -> LiveSession? {
    guard let session = byName.removeValue(forKey: SessionName(name)) else { return nil }
    unlink(session.place)
    links[session.place].session = nil
    freePlaces.append(session.place)
    let place = session.name.withBytes { Sessions.place(of: $0) }
    if !found.isEmpty, found[place] === session { found[place] = nil }
    session.isLive = false
    heldBytes -= session.heldBytes
    session.heldBytes = 0
    // A client that remembers it is not to keep what it remembers.
    session.engine = Session()
    // Less can always be had.
    _ = numberCharge.resize(to: byName.count)
    _ = textCharge.resize(to: chargedBytes)
    return session
  }

  /// Counts that `session`'s engine holds `heldBytes` now.
  ///
  /// Where all together hold more than they may, the ones give way that were posted to longest ago;
  /// `session` itself only where it is the last one, and there is no memory left for it either.
  ///
  /// - Parameters:
  ///   - session: The one that has changed.
  ///   - heldBytes: What its engine holds.
  ///   - now: When it was posted to, which makes it the one posted to last; `nil` where it was not.
  ///   - limit: How much all may hold, in bytes, whatever else there is.
  ///   - forgotten: Gets each one that was forgotten, and why.
  package mutating func count(
    _ session: LiveSession, holding heldBytes: Int, postedAt now: Int? = nil, limit: Int,
    forgotten: (LiveSession, Shortage) -> Void
  ) {
    if let now { touch(session, now: now) }
    let held = heldBytes + session.ownBytes
    if held == session.heldBytes { return }
    self.heldBytes += held - session.heldBytes
    session.heldBytes = held
    while let other = oldest(but: session), let shortage = shortage(limit: limit) {
      remove(other.name)
      forgotten(other, shortage)
    }
    guard let shortage = shortage(limit: .max) else { return }
    remove(session.name)
    forgotten(session, shortage)
  }

  /// Charges their user with what they hold.
  ///
  /// - Returns: What there is too little of for that; `nil` where there is enough.
  private mutating func shortage(limit: Int) -> Shortage? {
    if heldBytes > limit { return .limit }
    return textCharge.resize(to: chargedBytes) ? nil : .account
  }

  /// Has those give way that were posted to longest ago until all hold `limit` bytes at most.
  package mutating func shrink(to limit: Int, forgotten: (LiveSession) -> Void) {
    while heldBytes > limit, let oldest {
      remove(oldest.name)
      forgotten(oldest)
    }
  }

  /// Each session, the one posted to last first.
  package func forEach(_ body: (LiveSession) -> Void) {
    var next = newestPlace
    while let place = next, let session = links[place].session {
      next = links[place].older
      body(session)
    }
  }

  /// All of them, the one posted to last first.
  package var newestFirst: [LiveSession] {
    var sessions: [LiveSession] = []
    sessions.reserveCapacity(count)
    forEach { sessions.append($0) }
    return sessions
  }

  /// In steps, so that most posts change no account.
  private var chargedBytes: Int { (heldBytes + Sessions.chargeStep - 1) & -Sessions.chargeStep }
  private static let chargeStep = 16 << 10

  private func oldest(but session: LiveSession) -> LiveSession? {
    guard let place = oldestPlace else { return nil }
    let other = place == session.place ? links[place].newer : place
    return other.flatMap { links[$0].session }
  }

  private mutating func link(_ place: Int) {
    links[place].newer = nil
    links[place].older = newestPlace
    if let newestPlace { links[newestPlace].newer = place }
    newestPlace = place
    oldestPlace = oldestPlace ?? place
  }

  private mutating func unlink(_ place: Int) {
    let (newer, older) = (links[place].newer, links[place].older)
    if let newer { links[newer].older = older } else { newestPlace = older }
    if let older { links[older].newer = newer } else { oldestPlace = newer }
  }
}
