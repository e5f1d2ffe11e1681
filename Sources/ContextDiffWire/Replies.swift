package import ContextDiff
package import JSON

/// The reply of `Classify` and of `Post`.
package struct PairReply: Sendable {
  /// The event's number; `nil` for `Classify`, for a secure pair, and for a baseline.
  package var sequence: Int?
  /// What happened; `nil` for a baseline: a snapshot posted without `old` to a session that has none to compare it
  /// with.
  package var transition: Transition?

  /// A reply of these values.
  package init(sequence: Int?, transition: Transition?) {
    self.sequence = sequence
    self.transition = transition
  }

  /// Reads the reply.
  package init(json: JSONValue) throws(MessageError) {
    self.init(sequence: nil, transition: nil)
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "sequence": sequence = try value.optionalInt("sequence")
      case "transition":
        transition = try value.optionalValue("transition", Transition.init(json:))
      default: break
      }
    }
  }

  /// Writes the reply's members, without those that are `nil`.
  package func write(to writer: inout JSONWriter) {
    writer.member("sequence", sequence)
    if let transition {
      writer.name("transition")
      transition.write(to: &writer)
    }
  }
}

/// The reply of `Expect`.
package struct ExpectReply: Sendable {
  /// The announced edit's number in its session.
  package var expected: Int

  /// A reply of this number.
  package init(expected: Int) {
    self.expected = expected
  }

  /// Reads the reply.
  package init(json: JSONValue) throws(MessageError) {
    guard !json["expected"].isNull else { throw .missing("expected") }
    self.init(expected: try json["expected"].int("expected"))
  }

  /// Writes the reply's members.
  package func write(to writer: inout JSONWriter) {
    writer.member("expected", expected)
  }
}

/// One reply of `Subscribe`.
package enum SubscribeReply: Sendable {
  /// The first reply: the daemon's run, whose numbers events have, and the last number that it has given.
  case ready(instance: String, sequence: Int)
  /// An event.
  case event(Event)
  /// How many events up to the number `upTo` the subscriber has lost; -1 where that is not known.
  ///
  /// `upTo` is `nil` from a daemon that does not tell it.
  case lost(Int, upTo: Int?)
  /// The subscriber has been sent all events up to the number `upTo` that it asked for.
  case seen(upTo: Int)

  /// Reads the reply.
  package init(json: JSONValue) throws(MessageError) {
    var ready = false
    var instance: String?
    var sequence: Int?
    var event: Event?
    var lost: Int?
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "ready": ready = try value.optionalBool("ready") ?? false
      case "instance": instance = try value.optionalText("instance")
      case "sequence": sequence = try value.optionalInt("sequence")
      case "event": event = try value.optionalValue("event", Event.init(json:))
      case "lost": lost = try value.optionalInt("lost")
      default: break
      }
    }
    if let event {
      self = .event(event)
    } else if let lost {
      self = .lost(lost, upTo: sequence)
    } else if ready {
      self = .ready(instance: instance ?? "", sequence: sequence ?? 0)
    } else if let sequence {
      self = .seen(upTo: sequence)
    } else {
      throw .missing("ready")
    }
  }

  /// Writes the reply's members.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .ready(let instance, let sequence):
      writer.member("ready", true)
      writer.member("instance", instance)
      writer.member("sequence", sequence)
    case .event(let event):
      writer.name("event")
      event.write(to: &writer)
    case .lost(let count, let sequence):
      writer.member("sequence", sequence)
      writer.member("lost", count)
    case .seen(let sequence):
      writer.member("sequence", sequence)
    }
  }
}

/// The reply of `ListSessions`.
package struct SessionsReply: Sendable {
  /// The caller's sessions, the one posted to last first.
  package var sessions: [SessionInfo]

  /// A reply of these sessions.
  package init(sessions: [SessionInfo]) {
    self.sessions = sessions
  }

  /// Reads the reply's `details`, which name the sessions too.
  package init(json: JSONValue) throws(MessageError) {
    guard !json["details"].isNull else { throw .missing("details") }
    sessions = try json["details"].list("details") { session throws(MessageError) in
      try session.value("details", SessionInfo.init(json:))
    }
  }

  /// Writes the reply's members.
  package func write(to writer: inout JSONWriter) {
    writer.name("sessions")
    writer.beginArray()
    for session in sessions { writer.string(session.name) }
    writer.endArray()
    writer.name("details")
    writer.beginArray()
    for session in sessions { session.write(to: &writer) }
    writer.endArray()
  }
}
