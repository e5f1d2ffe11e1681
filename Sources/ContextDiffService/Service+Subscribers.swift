internal import ContextDiff
internal import ContextDiffWire
internal import JSON
package import Varlink

// Subscribe, and the way of an event: its transition's JSON is written once and kept in the ring, and is sent to
// subscribers at the end of the turn, as far as they read.

extension Service {
  /// How many bytes of replies a subscriber is given at once; the rest waits in the ring until these are read.
  private static let batchBytes = 256 << 10

  /// Up to how many subscribers are sent events before the turn ends, so that they work on the first events while
  /// further posts are read.
  ///
  /// With more subscribers, the system calls cost more than is gained by that: measured with 32 posts under way, where
  /// no processor sleeps.
  private static let mostServedEarly = 4

  func subscribe(_ call: VarlinkCall, for client: Client) throws(CallError) {
    guard call.wantsMore else { throw .expectedMore }
    let parameters = try read(call) { json throws(MessageError) in
      try SubscribeParameters(json: json)
    }
    let filterBytes = (parameters.sessions ?? []).reduce(0) {
      $0 + $1.utf8.count + Subscriber.bytesBesideName
    }
    try client.charge(
      forSubscriptionWith: filterBytes, limit: settings.limits.subscribers)
    var subscriber = Subscriber(
      sessions: parameters.sessions, kinds: parameters.kinds,
      wantsSnapshots: parameters.snapshots,
      // The pasteboard is sent with the snapshots alone, so without them it need not be kept.
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
      isServingDue = true
    }
  }

  /// Makes an event of a transition: gives it its number, keeps it in the ring, and has its subscribers served.
  ///
  /// - Parameters:
  ///   - answer: What happened.
  ///   - session: The session posted to.
  ///   - name: The session's name.
  ///   - pair: The members that the pair adds to the event.
  ///   - now: Monotonic time, in microseconds.
  /// - Returns: The event's number, and the transition's JSON, valid until the next event is reported.
  func report(
    _ answer: borrowing Answer, of session: LiveSession, named name: Bytes, with pair: PairText,
    now: Int
  ) -> (sequence: Int, transition: UnsafeRawBufferPointer) {
    let sequence = user.ring.lastSequence + 1
    let json = unsafe transitionWriter.transition(answer)
    let limit = settings.limits.keptEvents
    // Where this event would replace some that subscribers have not been sent, those are sent first.
    if isServingDue {
      let bytes = name.count + json.count + pair.byteCount
      if !user.ring.hasRoom(for: bytes, besideEventsAfter: servedUpTo, limit: limit) {
        serveSubscribers()
      }
    }
    let isFirst = user.ring.isEmpty
    // Unsafe: the name, and what is written, are copied at once.
    let name = unsafe EventRing.Name(name.raw, hash: session.nameHash)
    unsafe user.ring.append(
      kind: answer.kind, session: name, transition: json, pair: pair, limit: limit,
      epochTime: clock.time(), now: now)
    if isFirst { planExpiry() }
    if !user.subscribers.isEmpty {
      user.subscribers.note(answer.kind, of: name, in: user.ring)
      // Where no subscriber wants the event, those with a filter are told of its number later (`markSeen`).
      isServingDue =
        isServingDue || user.subscribers.isAnyDue || timers.marks == nil
        || user.subscribers.isToMark(in: user.ring)
    }
    return unsafe (sequence, json)
  }

  package func connectionIsWritable(_ connection: VarlinkConnection) {
    guard let client = client(of: connection) else { return }
    var batch: Subscriber.Batch?
    serve(client, sharing: &batch)
    // It is told now of a mark that the others got while it was not writable.
    if let told = client.subscriber?.told, told < user.subscribers.markedUpTo,
      client.connection.isWritable, client.subscriber?.takeMark(in: user.ring) == true
    {
      client.connection.send(frame: Subscriber.mark(seenUpTo: user.ring.lastSequence))
    }
  }

  package func sendsEarly() -> Bool {
    guard isServingDue else { return true }
    guard user.subscribers.count <= Service.mostServedEarly else { return false }
    serveSubscribers()
    return true
  }

  package func turnEnded() {
    if isServingDue { serveSubscribers() }
    // The typed text is not to stay in buffers; the writers overwrite it.
    transitionWriter.removeAll()
    pairWriter.removeAll()
    publish()
  }

  /// Sends the subscribers the events that wait for them, as far as they read.
  func serveSubscribers() {
    isServingDue = false
    servedUpTo = user.ring.lastSequence
    var batch: Subscriber.Batch?
    for client in user.subscribers.takeDue(everybody: isStopping) { serve(client, sharing: &batch) }
    markSeen()
  }

  /// Tells the subscribers with filters for whom nothing waits up to which number they have seen all events.
  ///
  /// Does so where `isToMark` says that it is time, else plans it.
  private func markSeen() {
    guard user.subscribers.isToMark(in: user.ring) else { return scheduleMarks() }
    timers.marks?.cancel()
    timers.marks = nil
    let mark = Subscriber.mark(seenUpTo: user.ring.lastSequence)
    for client in user.subscribers.takeToMark(in: user.ring) { client.connection.send(frame: mark) }
  }

  /// Has `markSeen` tell them in a second, unless that is planned already or they know the last number.
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

  /// Sends a subscriber the events that wait for it, as long as it reads; shares the replies with others by `batch`.
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

  /// Counts the events that a subscriber has lost because it does not read, which it may never do again.
  ///
  /// The first loss since it last read is logged at once.
  func countLoss(of client: Client) {
    guard let lost = client.subscriber?.countLoss(in: user.ring, backlog: settings.limits.backlog),
      lost > 0
    else { return }
    lose(lost, client)
    if !client.isLate { logLoss(of: client) }
    client.isLate = true
  }

  /// Adds lost events to the counts of the user and of the client.
  private func lose(_ count: Int, _ client: Client) {
    user.eventsLost += count
    client.unloggedLoss += count
  }

  /// Logs how many events a subscriber has lost since that was last logged.
  func logLoss(of client: Client) {
    guard client.unloggedLoss > 0 else { return }
    log { $0.subscriberLost(client.unloggedLoss, client.connection.peer) }
    client.unloggedLoss = 0
  }

  /// Stops: answers the calls that have arrived, sends each subscriber the events that wait for it, and then closes it.
  ///
  /// Subscribers are closed once the user has no other clients, whose calls could cause events; those that do not read
  /// are closed at the limit.
  ///
  /// - Parameters:
  ///   - limit: After what time to close all connections that are still open.
  ///   - stopped: Called when nobody is connected any more.
  func stop(within limit: Duration, _ stopped: @escaping () -> Void) {
    isStopping = true
    cancelTimers()
    logAllLeftOut()
    isServingDue = true
    server?.shutDown(within: limit, stopped)
  }
}

extension JSONWriter {
  /// Writes a transition in place of what was written before.
  ///
  /// Returns its JSON, which is valid until the writer's next call.
  fileprivate mutating func transition(_ answer: borrowing Answer) -> UnsafeRawBufferPointer {
    removeAll()
    answer.write(to: &self)
    // Unsafe: valid until the writer's next call, as the caller knows.
    return unsafe bytes
  }
}
