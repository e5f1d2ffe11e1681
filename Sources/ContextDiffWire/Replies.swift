package import ContextDiff
package import JSON

/// The reply of `Classify` and of `Post`.
package struct PairReply: Sendable {
  /// The event's number; `nil` for `Classify`, a baseline and a secure pair.
  package var sequence: Int?
  /// What happened; `nil` for a baseline.
  package var transition: Transition?

  /// A reply of the values given.
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

  /// Writes the reply's members; what it does not have is left out.
  package func write(to writer: inout JSONWriter) {
    writer.member("sequence", sequence)
    if let transition {
      writer.name("transition")
      transition.write(to: &writer)
    }
  }
}

/// One reply of `Subscribe`.
package enum SubscribeReply: Sendable {
  /// The first: the run that counts, and the last number given so far.
  case ready(instance: String, sequence: Int)
  /// An event.
  case event(Event)
  /// How many events this subscriber lost; -1 where it cannot be known.
  case lost(Int)

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
      self = .lost(lost)
    } else if ready {
      self = .ready(instance: instance ?? "", sequence: sequence ?? 0)
    } else {
      throw .invalid("ready")
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
    case .lost(let count):
      writer.member("lost", count)
    }
  }
}

/// The reply of `ListSessions`.
package struct SessionsReply: Sendable {
  /// The caller's sessions, the one last posted to first.
  package var sessions: [String]

  /// A reply of the sessions given.
  package init(sessions: [String]) {
    self.sessions = sessions
  }

  /// Reads the reply.
  package init(json: JSONValue) throws(MessageError) {
    var sessions: [String]?
    try json.forEachMember { name, value throws(MessageError) in
      if case "sessions" = name {
        sessions = try value.list("sessions") { name throws(MessageError) in
          try name.text("sessions")
        }
      }
    }
    guard let sessions else { throw .invalid("sessions") }
    self.sessions = sessions
  }

  /// Writes the reply's members.
  package func write(to writer: inout JSONWriter) {
    writer.name("sessions")
    writer.beginArray()
    for session in sessions { writer.string(session) }
    writer.endArray()
  }
}
