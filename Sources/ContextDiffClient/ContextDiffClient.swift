public import ContextDiffWire
public import NIOCore
public import NIOPosix
internal import JSON
internal import Varlink

/// A client of contextdiffd: posts what a host shows, announces edits, and hears what happened.
///
/// ```swift
/// let client = try await ContextDiffClient.connect()
/// let posted = try await client.post(Snapshot(before: "今日は"), to: "notes-1")
/// if let transition = posted.transition, transition.kind == .outOfRangeTap {
///   // The caret went elsewhere: commit what is being composed.
/// }
/// ```
///
/// Calls may be made from any task; those of one task are answered in their order, which is what a
/// session's posts need. Each can throw, besides what it names itself, the codes of the connection:
/// `noDaemon`, `permissionDenied`, `connectionLost`, `unsupported`, `invalidReply`, `cancelled` and,
/// where the client has a deadline, `timedOut`.
/// A call that finds the daemon gone throws ``ContextDiffError/Code/connectionLost``, and the next
/// one connects anew; ``events(of:kinds:since:snapshots:pasteboard:)`` comes back by itself.
public final class ContextDiffClient: Sendable {
  /// The socket's path.
  public let path: String
  /// How long each call may take, its connecting included, before it throws `timedOut`; `nil` for as
  /// long as it takes.
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
  ///   - path: The socket's path; `SocketPath.standard`, this user's daemon, where it is left out.
  ///   - deadline: How long each call may take; as long as it takes where it is left out. A keyboard
  ///     that waits for readings wants one.
  ///   - group: Whose event loop runs the connection.
  /// - Returns: A client, connected.
  /// - Throws: `noDaemon`, also where a daemon has had no room for one more connection for ten
  ///   seconds; `permissionDenied` or `cancelled`.
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

  /// The same client, over the same connection, with another deadline for the calls made on it.
  public func with(deadline: Duration?) -> ContextDiffClient {
    ContextDiffClient(path: path, deadline: deadline, group: group, connection: connection)
  }

  /// Classifies one pair.
  ///
  /// Nothing is kept, nobody is told.
  ///
  /// - Parameter observation: The pair, with what else is known of the change.
  /// - Returns: The best reading.
  /// - Throws: `snapshotTooLarge`, or a code of the connection.
  public func classify(_ observation: Observation) async throws(ContextDiffError) -> Transition {
    let reply = try await call(.classify, PairParameters(observation).write, PairReply.init(json:))
    guard let transition = reply.transition else {
      throw .init(MessageError.missing("transition"), path: path)
    }
    return transition
  }

  /// Posts what the host shows now to a session, whose subscribers hear of the change.
  ///
  /// - Parameters:
  ///   - new: What the host shows now.
  ///   - old: What it showed before; the session's last `new` where it is left out.
  ///   - session: The session's name, 1 to 255 bytes without control characters; a post makes it
  ///     where there is none yet.
  ///   - pasteboard: The pasteboard's text now; `nil` where it is not known.
  ///   - evidence: What else is known.
  ///   - secure: Whether the field is a password's: then nothing is kept, reported or logged.
  /// - Returns: The reading, and the event's number.
  /// - Throws: `snapshotTooLarge`, `tooManySessions`, `invalidParameter`, or a code of the
  ///   connection.
  public func post(
    _ new: Snapshot, after old: Snapshot? = nil, to session: String, pasteboard: String? = nil,
    evidence: Evidence = Evidence(), secure: Bool = false
  ) async throws(ContextDiffError) -> Posted {
    let parameters = PairParameters(
      session: session, old: old, new: new, pasteboard: pasteboard, evidence: evidence,
      secure: secure)
    return Posted(try await call(.post, parameters.write, PairReply.init(json:)))
  }

  /// Announces an edit that this input method makes itself, so that the post that shows it comes
  /// out as `expected`.
  ///
  /// - Parameters:
  ///   - edit: What the edit does at the caret.
  ///   - old: Where it begins; where the edits announced so far lead, if left out.
  ///   - session: The session that will show it.
  /// - Returns: The edit's number in the session: `Transition.expected` and `unfulfilled` name it by
  ///   that, and it can be withdrawn by it.
  /// - Throws: `invalidParameter` where the edit is empty or there is nowhere to begin,
  ///   `noSuchSession`, `snapshotTooLarge`, or a code of the connection.
  @discardableResult
  public func expect(_ edit: Edit, after old: Snapshot? = nil, in session: String)
    async throws(ContextDiffError) -> Int
  {
    try await expect(.edit(edit), after: old, in: session)
  }

  /// Announces an edit that this input method makes itself, by the snapshot that it leads to.
  ///
  /// - Parameters:
  ///   - new: What the host will show.
  ///   - old: Where the edit begins; where the edits announced so far lead, if left out.
  ///   - session: The session that will show it.
  /// - Returns: The edit's number in the session.
  /// - Throws: `invalidParameter` where there is nowhere to begin, `noSuchSession`,
  ///   `snapshotTooLarge`, or a code of the connection.
  @discardableResult
  public func expect(_ new: Snapshot, after old: Snapshot? = nil, in session: String)
    async throws(ContextDiffError) -> Int
  {
    try await expect(.snapshot(new), after: old, in: session)
  }

  /// Announces an edit in either form, as the two above do.
  package func expect(_ edit: AnnouncedEdit, after old: Snapshot?, in session: String)
    async throws(ContextDiffError) -> Int
  {
    let parameters = ExpectParameters(session: session, old: old, edit: edit)
    return try await call(.expect, parameters.write) { try ExpectReply(json: $0).expected }
  }

  /// Takes back an announced edit, and those announced on top of it, as far as they still wait.
  ///
  /// - Parameters:
  ///   - number: The edit's number, as `expect` gave it.
  ///   - session: The session that it was announced in.
  /// - Throws: `noSuchExpectation` where it does not wait any more, `noSuchSession`, or a code of the
  ///   connection.
  public func withdraw(_ number: Int, in session: String) async throws(ContextDiffError) {
    try await call(.withdraw, WithdrawParameters(session: session, expected: number).write) { _ in }
  }

  /// Ends a session; what was kept of it is forgotten.
  ///
  /// - Parameter session: Its name.
  /// - Throws: `noSuchSession`, or a code of the connection.
  public func forget(_ session: String) async throws(ContextDiffError) {
    try await call(.forget, SessionParameters(session: session).write) { _ in }
  }

  /// Lists this user's sessions, the one last posted to first.
  ///
  /// - Returns: Each as it stands.
  /// - Throws: A code of the connection.
  public func sessions() async throws(ContextDiffError) -> [SessionInfo] {
    try await call(.listSessions) { try SessionsReply(json: $0).sessions }
  }

  /// Asks what the daemon has seen and holds.
  ///
  /// - Returns: The statistics at this moment.
  /// - Throws: A code of the connection.
  public func statistics() async throws(ContextDiffError) -> Statistics {
    try await call(.getStatistics) { try Statistics(json: $0["statistics"]) }
  }

  /// What happens from now on, or after an event already seen.
  ///
  /// - Parameters:
  ///   - sessions: The sessions to hear of; all of this user's where left out.
  ///   - kinds: The kinds to hear of; all where left out.
  ///   - position: Where to go on; what the daemon still keeps after it comes first.
  ///   - snapshots: Whether events carry their pairs, and what was told besides.
  ///   - pasteboard: Whether they carry the pasteboard's text too, of the posts from now on.
  /// - Returns: A sequence with a connection of its own, made when iteration begins.
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
  /// A later call connects anew. Event sequences have connections of their own and go on.
  public func close() async {
    await connection.close()
  }
}
