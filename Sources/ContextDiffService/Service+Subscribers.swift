internal import ContextDiff
internal import ContextDiffWire
internal import NIOCore
package import Varlink

// Events on their way: each is put into JSON once, kept, and written to its subscribers at the end
// of the turn in which it came, as far as they read.

extension Service {
  /// How much is written to a subscriber at once, in bytes: more waits until that is read.
  private static let batchBytes = 256 << 10

  func subscribe(_ call: VarlinkCall, for client: Client) throws(CallError) {
    guard call.wantsMore, !call.isOneway else { throw .expectedMore }
    let parameters = try read(call) { json throws(MessageError) in
      try SubscribeParameters(json: json)
    }
    let user = client.user
    guard user.subscribers.count < settings.limits.subscribers else {
      throw .tooManySubscribers(limit: settings.limits.subscribers)
    }
    var subscriber = Subscriber(
      sessions: parameters.sessions, kinds: parameters.kinds,
      wantsSnapshots: parameters.snapshots, hearingFromNowOn: user.ring)
    if let since = parameters.since {
      subscriber.hear(
        since: since, of: parameters.instance ?? user.ring.instance, from: user.ring)
    }
    client.subscriber = subscriber
    user.subscribers.append(client)
    client.connection.reply(continues: true) { writer in
      SubscribeReply.ready(instance: user.ring.instance, sequence: user.ring.lastSequence)
        .write(to: &writer)
    }
    client.connection.beginStream()
    if subscriber.isDue { list(client) }
  }

  /// Gives a transition its number, keeps it, and tells the subscribers that want it.
  ///
  /// - Returns: The number.
  func report(
    _ transition: Transition, from old: Snapshot, to new: Snapshot, of session: String,
    user: User
  ) -> Int {
    let sequence = user.ring.lastSequence + 1
    let event = Event(
      sequence: sequence, session: session, time: clock.time(), transition: transition, old: old,
      new: new)
    scratch.removeAll()
    event.writeCore(to: &scratch)
    let coreBytes = scratch.bytes.count
    event.writePair(to: &scratch)
    let bytes = scratch.bytes
    user.ring.append(
      kind: transition.kind, session: session,
      core: UnsafeRawBufferPointer(rebasing: bytes[..<coreBytes]),
      pair: UnsafeRawBufferPointer(rebasing: bytes[coreBytes...]),
      limit: settings.limits.keptEvents)
    for client in user.subscribers {
      let isDue = client.subscriber?.note(sequence, kind: transition.kind, session: session)
      if isDue == true { list(client) }
    }
    return sequence
  }

  package func writabilityChanged(of connection: VarlinkConnection) {
    guard connection.isWritable, let client = client(of: connection) else { return }
    serve(client)
  }

  /// Has `client` served at the end of this turn.
  private func list(_ client: Client) {
    guard !client.isListed else { return }
    client.isListed = true
    listed.append(client)
    if listed.count == 1 { eventLoop.assumeIsolated().execute { self.serveListed() } }
  }

  private func serveListed() {
    let due = listed
    listed.removeAll(keepingCapacity: due.count <= 1_024)
    for client in due {
      client.isListed = false
      serve(client)
    }
  }

  /// Writes to a subscriber what waits for it, as long as it reads.
  private func serve(_ client: Client) {
    while client.connection.isWritable, client.subscriber?.isDue == true {
      var buffer = ByteBuffer()
      let lost = client.subscriber?.take(
        from: client.user.ring, backlog: settings.limits.backlog, into: &buffer,
        limit: Service.batchBytes)
      if let lost, lost > 0 {
        client.user.eventsLost += lost
        journal.subscriberLost(lost, client.connection.peer)
      }
      client.connection.send(frame: buffer)
      client.connection.flush()
    }
    if isStopping, client.subscriber?.isDue == false { client.connection.close() }
  }

  /// Gives each subscriber what waits for it and then leaves it; those that do not read keep their
  /// connections until the server's deadline.
  package func stop() {
    isStopping = true
    cancelTimers()
    for user in users.values {
      for (name, session) in user.sessions { logLeftOut(of: name, session) }
      for client in user.subscribers { serve(client) }
    }
  }
}
