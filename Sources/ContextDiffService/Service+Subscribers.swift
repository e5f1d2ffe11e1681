internal import ContextDiff
internal import ContextDiffWire
internal import JSON
package import Varlink

// Events on their way: each is put into JSON once, kept, and written to its subscribers at the end
// of the turn in which it came, as far as they read.

extension Service {
  /// How much is written to a subscriber at once, in bytes: more waits until that is read.
  private static let batchBytes = 256 << 10

  /// Up to how many subscribers events leave before their turn ends: those who read them work on the first
  /// while the rest are made.
  ///
  /// With more of them a system call for each costs more than what goes on beside it saves: measured with 32 posts
  /// under way, where no processor sleeps.
  private static let mostServedEarly = 4

  func subscribe(_ call: VarlinkCall, for client: Client) throws(CallError) {
    guard call.wantsMore else { throw .expectedMore }
    let parameters = try read(call) { json throws(MessageError) in
      try SubscribeParameters(json: json)
    }
    let user = client.user
    let filterBytes = (parameters.sessions ?? []).reduce(0) { $0 + 2 * $1.utf8.count + 128 }
    try client.charge(
      forSubscriptionWith: filterBytes, limit: settings.limits.subscribers)
    var subscriber = Subscriber(
      sessions: parameters.sessions, kinds: parameters.kinds,
      wantsSnapshots: parameters.snapshots,
      // It is told with the snapshots: for nobody else it is to be kept.
      wantsPasteboard: parameters.pasteboard && parameters.snapshots,
      hearingFromNowOn: user.ring)
    if let since = parameters.since {
      subscriber.hear(
        since: since, of: parameters.instance ?? user.ring.instance, from: user.ring)
    }
    user.subscribers.add(client, as: subscriber, in: user.ring)
    client.connection.reply(continues: true) { writer in
      SubscribeReply.ready(instance: user.ring.instance, sequence: user.ring.lastSequence)
        .write(to: &writer)
    }
    client.connection.beginStream()
    if subscriber.isDue(in: user.ring) || subscriber.told < user.ring.lastSequence || isStopping {
      isListed = true
    }
  }

  /// Gives a transition its number, keeps it with what its pair adds, and sees to it that its
  /// subscribers hear of it.
  ///
  /// - Parameters:
  ///   - transition: What happened.
  ///   - session: The one posted to.
  ///   - name: Its name.
  ///   - pair: What the pair adds.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: The number, and the transition's JSON, valid until the next is reported.
  func report(
    _ transition: borrowing Transition, of session: LiveSession, named name: Bytes,
    with pair: PairText, now: Int
  ) -> (sequence: Int, transition: UnsafeRawBufferPointer) {
    let sequence = user.ring.lastSequence + 1
    let (core, json) = unsafe scratch.event(
      sequence, of: name, time: clock.time(), transition: transition)
    let limit = settings.limits.keptEvents
    // Subscribers who read get what waits for them before it makes room for this.
    if isListed {
      let bytes = name.count + core.count + pair.byteCount
      if !user.ring.hasRoom(for: bytes, besideEventsAfter: servedUpTo, limit: limit) {
        serveSubscribers()
      }
    }
    // Unsafe: the name, and what is written, are copied at once.
    let name = unsafe EventRing.Name(name.raw, hash: session.nameHash)
    unsafe user.ring.append(
      kind: transition.kind, session: name, core: core, pair: pair, limit: limit, now: now)
    if !user.subscribers.isEmpty {
      user.subscribers.note(transition.kind, of: name, in: user.ring)
      // Where it is held back from all of them, they are told so later.
      isListed =
        isListed || user.subscribers.isAnyDue || timers.marks == nil
        || user.subscribers.isToMark(in: user.ring)
    }
    return unsafe (sequence, json)
  }

  package func connectionIsWritable(_ connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    var batch: Subscriber.Batch?
    serve(client, sharing: &batch)
    // What was marked while it had no room has passed it by.
    if let told = client.subscriber?.told, told < user.subscribers.markedUpTo,
      client.connection.isWritable, client.subscriber?.takeMark(in: user.ring) == true
    {
      client.connection.send(frame: Subscriber.mark(seenUpTo: user.ring.lastSequence))
    }
  }

  package func sendsEarly() -> Bool {
    guard isListed else { return true }
    guard user.subscribers.count <= Service.mostServedEarly else { return false }
    serveSubscribers()
    return true
  }

  package func turnEnded() {
    if isListed { serveSubscribers() }
    // What was typed is not to stay where it was only on its way.
    scratch.removeAll()
    pair.removeAll()
    publish()
  }

  /// Writes to the subscribers what waits for them, as far as they read.
  func serveSubscribers() {
    isListed = false
    servedUpTo = user.ring.lastSequence
    var batch: Subscriber.Batch?
    for client in user.subscribers.takeDue(everybody: isStopping) { serve(client, sharing: &batch) }
    markSeen()
  }

  /// Tells those whose filters have held much back that they have seen all of it.
  private func markSeen() {
    guard user.subscribers.isToMark(in: user.ring) else { return scheduleMarks() }
    timers.marks?.cancel()
    timers.marks = nil
    let mark = Subscriber.mark(seenUpTo: user.ring.lastSequence)
    for client in user.subscribers.takeToMark(in: user.ring) { client.connection.send(frame: mark) }
  }

  /// Marks what is held back after a second, unless that is planned already.
  private func scheduleMarks() {
    guard timers.marks == nil, !isStopping, !user.subscribers.filtered.isEmpty,
      user.subscribers.markedUpTo < user.ring.lastSequence
    else { return }
    timers.marks = loop.schedule(after: .seconds(1)) {
      self.timers.marks = nil
      self.user.subscribers.isMarkDue = true
      self.markSeen()
    }
  }

  /// Writes to a subscriber what waits for it, as long as it reads.
  private func serve(_ client: Client, sharing batch: inout Subscriber.Batch?) {
    if !client.connection.isWritable { countLoss(of: client) }
    while client.connection.isWritable, client.subscriber?.isDue(in: user.ring) == true {
      let taken = client.subscriber?.take(
        from: user.ring, backlog: settings.limits.backlog, limit: Service.batchBytes,
        sharing: &batch)
      guard let (replies, lost) = taken else { return }
      lose(lost, client)
      logLoss(of: client)
      client.isLate = false
      client.connection.send(frame: replies)
    }
    if isStopping, user.hasSubscribersOnly, client.subscriber?.isDue(in: user.ring) == false {
      client.connection.close()
    }
  }

  /// Counts what a subscriber loses that does not read, for it may never do so again; the journal is told at
  /// once that it does.
  func countLoss(of client: Client) {
    guard let lost = client.subscriber?.countLoss(in: user.ring, backlog: settings.limits.backlog),
      lost > 0
    else { return }
    lose(lost, client)
    if !client.isLate { logLoss(of: client) }
    client.isLate = true
  }

  private func lose(_ count: Int, _ client: Client) {
    user.eventsLost += count
    client.unloggedLoss += count
  }

  /// Tells the journal what a subscriber has lost since it was told last.
  func logLoss(of client: Client) {
    guard client.unloggedLoss > 0 else { return }
    log(for: .user(user.id)) { $0.subscriberLost(client.unloggedLoss, client.connection.peer) }
    client.unloggedLoss = 0
  }

  /// Gives each subscriber what waits for it and, once its user has no other client whose calls can
  /// lead to more, leaves it; those that do not read keep their connections until the deadline.
  ///
  /// - Parameters:
  ///   - limit: After what time to close whatever is still open.
  ///   - stopped: Called when nobody is connected any more.
  func stop(within limit: Duration, _ stopped: @escaping () -> Void) {
    isStopping = true
    cancelTimers()
    user.sessions.forEach { logLeftOut(of: $0, user: user) }
    logLeftOut()
    isListed = true
    server?.shutDown(within: limit, stopped)
  }
}

extension JSONWriter {
  /// Writes an event up to where its snapshots begin, in place of what was written.
  ///
  /// - Returns: What was written, and the transition's JSON in it; both valid until the writer's next call.
  fileprivate mutating func event(
    _ sequence: Int, of session: Bytes, time: Int, transition: borrowing Transition
  ) -> (core: UnsafeRawBufferPointer, transition: UnsafeRawBufferPointer) {
    removeAll()
    let place = Event.writeCore(
      sequence: sequence, session: session, time: time, transition: transition, to: &self)
    // Unsafe: valid as said above.
    let core = unsafe bytes
    return unsafe (core, UnsafeRawBufferPointer(rebasing: core[place]))
  }
}
