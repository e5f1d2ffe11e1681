public import ContextDiffWire
public import NIOCore
public import NIOPosix
internal import JSON
internal import Varlink

/// A client of contextdiffd, which posts what a host shows, announces edits, and receives events.
///
/// ```swift
/// let client = try await ContextDiffClient.connect()
/// let posted = try await client.post(
///   Snapshot(before: "今日は"), to: "notes-1",
///   evidence: Evidence(composition: Composition(before: 0, after: 0)))
/// if let transition = posted.transition, transition.leavesComposition == true, transition.kind.isMove {
///   // Commit what is being composed.
/// }
/// ```
///
/// Any task may make calls. Make the posts of one session from one task, for calls of one task are answered in their
/// order.
///
/// Besides the codes that it names itself, each call can throw the codes of the connection: `noDaemon`,
/// `permissionDenied`, `connectionLost`, `unsupported`, `invalidReply`, `cancelled`, `tooManyCalls` and, where the client
/// has a deadline, `timedOut`. A call on a connection that the daemon has ended throws
/// ``ContextDiffError/Code/connectionLost``, and the next call connects anew;
/// ``events(of:kinds:since:snapshots:pasteboard:)`` connects anew by itself.
public final class ContextDiffClient: Sendable {
  /// The path of the daemon's socket.
  public let path: String
  /// How long each call may take, connecting included, before it throws `timedOut`; `nil` for no limit.
  ///
  /// With 0 or less each call throws at once, and is not made.
  public let deadline: Duration?
  private let group: any EventLoopGroup
  let connection: Connection

  private init(
    path: String, deadline: Duration?, group: any EventLoopGroup, connection: Connection
  ) {
    self.path = path
    self.deadline = deadline
    self.group = group
    self.connection = connection
  }

  /// Connects to a daemon.
  ///
  /// - Parameters:
  ///   - path: the path of the daemon's socket; `SocketPath.standard` where it is left out.
  ///   - deadline: how long each call may take; no limit where it is left out, and no time at all for 0 or less. A
  ///     keyboard that waits for readings should give one. Connecting here has no deadline.
  ///   - group: the group whose event loop runs the connection.
  /// - Returns: a connected client.
  /// - Throws: `noDaemon`, also where the daemon's accept queue has been full for ten seconds; `permissionDenied` or
  ///   `cancelled`.
  public static func connect(
    to path: String = SocketPath.standard, deadline: Duration? = nil,
    on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) async throws(ContextDiffError) -> ContextDiffClient {
    let client = ContextDiffClient(
      path: path, deadline: deadline, group: group, connection: Connection(path: path, group: group)
    )
    do { _ = try await client.connection.client() } catch { throw .init(error, path: path) }
    return client
  }

  /// A client that uses the same connection, with another deadline for its calls.
  public func with(deadline: Duration?) -> ContextDiffClient {
    ContextDiffClient(path: path, deadline: deadline, group: group, connection: connection)
  }

  /// Classifies one pair, without a session: the daemon keeps nothing, and tells no subscriber.
  ///
  /// - Parameter observation: the pair, with what else is known of the change.
  /// - Returns: the most likely reading.
  /// - Throws: `invalidParameter` for a caret or a composition outside of its range, `snapshotTooLarge`, or a code of the
  ///   connection.
  public func classify(_ observation: Observation) async throws(ContextDiffError) -> Transition {
    let reply = try await call(.classify, PairParameters(observation).write, PairReply.init(json:))
    guard let transition = reply.transition else {
      throw .init(MessageError.missing("transition"), path: path)
    }
    return transition
  }

  /// Posts what the host shows now to a session; subscribers are told of the change.
  ///
  /// - Parameters:
  ///   - new: what the host shows now.
  ///   - old: what the host showed before; the session's last `new` where it is left out.
  ///   - session: the session's name, of 1 to 255 bytes without control characters; a post makes the session if there
  ///     is none of that name.
  ///   - pasteboard: the pasteboard's present text; `nil` where it is not known.
  ///   - evidence: what else is known of the change.
  ///   - secure: whether the field is a password's; nothing is kept, reported or logged then. Without `old` the pair begins
  ///     at the session's last snapshot, which no secure post is; where there is none, nothing is read.
  /// - Returns: the reading, and the event's number; neither where the post only set the session's baseline: an announced
  ///   edit that it shows waits no longer then, and nothing names it.
  /// - Throws: `invalidParameter` for a name that no session may have, and a caret or a composition outside of its range;
  ///   `snapshotTooLarge`, `tooManySessions`, or a code of the connection.
  public func post(
    _ new: Snapshot, after old: Snapshot? = nil, to session: String, pasteboard: String? = nil,
    evidence: Evidence = Evidence(), secure: Bool = false
  ) async throws(ContextDiffError) -> Posted {
    let parameters = PairParameters(
      session: session, old: old, new: new, pasteboard: pasteboard, evidence: evidence,
      secure: secure)
    return Posted(try await call(.post, parameters.write, PairReply.init(json:)))
  }

  /// Announces an edit that this input method is about to make, so that the post that shows it is read as `expected`.
  ///
  /// Where it is announced with `old` before the session's first post, give that post `old` too: without it the post only
  /// sets the baseline, and an edit that it shows is never named.
  ///
  /// - Parameters:
  ///   - edit: what the edit does at the caret.
  ///   - old: the snapshot before the edit; where it is left out, the one that the edits announced so far lead to, or the
  ///     session's last snapshot.
  ///   - session: the name of the session that will show the edit.
  /// - Returns: the edit's number in the session, by which `Transition.expected` and `unfulfilled` name it, and by
  ///   which it can be withdrawn.
  /// - Throws: `invalidParameter` where the edit does nothing, has a count outside of its range, or no snapshot before it
  ///   is known, and as `post` does; `noSuchSession`, `snapshotTooLarge`, `tooManySessions`, or a code of the connection.
  @discardableResult
  public func expect(_ edit: Edit, after old: Snapshot? = nil, in session: String)
    async throws(ContextDiffError) -> Int
  {
    try await expect(.edit(edit), after: old, in: session)
  }

  /// Announces an edit that this input method is about to make, by the snapshot after it.
  ///
  /// Before the session's first post it is as with ``expect(_:after:in:)-(Edit,_,_)``.
  ///
  /// - Parameters:
  ///   - new: what the host will show.
  ///   - old: the snapshot before the edit; where it is left out, the one that the edits announced so far lead to, or the
  ///     session's last snapshot.
  ///   - session: the name of the session that will show the edit.
  /// - Returns: the edit's number in the session.
  /// - Throws: `invalidParameter` where no snapshot before the edit is known, and as `post` does; `noSuchSession`,
  ///   `snapshotTooLarge`, `tooManySessions`, or a code of the connection.
  @discardableResult
  public func expect(_ new: Snapshot, after old: Snapshot? = nil, in session: String)
    async throws(ContextDiffError) -> Int
  {
    try await expect(.snapshot(new), after: old, in: session)
  }

  /// Announces an edit in either form, as the two functions above do.
  package func expect(_ edit: AnnouncedEdit, after old: Snapshot?, in session: String)
    async throws(ContextDiffError) -> Int
  {
    let parameters = ExpectParameters(session: session, old: old, edit: edit)
    return try await call(.expect, parameters.write) { try ExpectReply(json: $0).expected }
  }

  /// Withdraws an announced edit, and those announced after it, if no post has shown them yet.
  ///
  /// - Parameters:
  ///   - number: the edit's number, as `expect` returned it.
  ///   - session: the name of the session that the edit was announced to.
  /// - Throws: `noSuchExpectation` where the edit is not waited for any more, `noSuchSession`, `invalidParameter` for a
  ///   name that no session may have, or a code of the connection.
  public func withdraw(_ number: Int, in session: String) async throws(ContextDiffError) {
    try await call(.withdraw, WithdrawParameters(session: session, expected: number).write) { _ in }
  }

  /// Ends a session: the daemon forgets all that it has kept of it.
  ///
  /// - Parameter session: the session's name.
  /// - Throws: `noSuchSession`, `invalidParameter` for a name that no session may have, or a code of the connection.
  public func forget(_ session: String) async throws(ContextDiffError) {
    try await call(.forget, SessionParameters(session: session).write) { _ in }
  }

  /// Lists this user's sessions.
  ///
  /// - Returns: the sessions, the one posted to last first.
  /// - Throws: a code of the connection.
  public func sessions() async throws(ContextDiffError) -> [SessionInfo] {
    try await call(.listSessions) { try SessionsReply(json: $0).sessions }
  }

  /// Asks what the daemon has done and holds.
  ///
  /// - Returns: the statistics at this moment.
  /// - Throws: a code of the connection.
  public func statistics() async throws(ContextDiffError) -> Statistics {
    try await call(.getStatistics) { try Statistics(json: $0["statistics"]) }
  }

  /// The events from now on, or after an event that was received before.
  ///
  /// - Parameters:
  ///   - sessions: the names of the sessions whose events are wanted; all sessions of this user where left out.
  ///   - kinds: the kinds of transitions that are wanted; all kinds where left out.
  ///   - position: the position to go on from: events behind it that the daemon still keeps come first.
  ///   - snapshots: whether events are to hold their snapshots and evidence, and the edits announced before them.
  ///   - pasteboard: whether events of posts from now on are to hold the pasteboard's text too.
  /// - Returns: a sequence with a connection of its own, which is made when iteration begins.
  public func events(
    of sessions: [String]? = nil, kinds: [Kind]? = nil, since position: EventPosition? = nil,
    snapshots: Bool = false, pasteboard: Bool = false
  ) -> EventSequence {
    EventSequence(
      path: path, group: group,
      subscription: SubscribeParameters(
        sessions: sessions, kinds: kinds, since: position?.sequence, instance: position?.instance,
        snapshots: snapshots, pasteboard: pasteboard))
  }

  /// Closes the connection; calls that wait throw `connectionLost`.
  ///
  /// A later call connects anew. Event sequences have connections of their own, and go on.
  public func close() async {
    await connection.close()
  }
}
