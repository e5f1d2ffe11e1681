public import ContextDiff
package import JSON

/// A transition that the daemon reports to subscribers.
public struct Event: Sendable {
  /// The event's number, which rises by one with each event of one user, across sessions.
  public var sequence: Int
  /// The name of the session that was posted to.
  public var session: String
  /// When the event was reported, in microseconds since the epoch.
  public var time: Int
  /// What happened.
  public var transition: Transition
  /// The snapshot before the change; `nil` unless the subscriber asked for snapshots.
  public var old: Snapshot?
  /// The snapshot after the change; `nil` unless the subscriber asked for snapshots.
  public var new: Snapshot?
  /// The pasteboard's text; `nil` unless the post gave it and the subscriber asked for it.
  public var pasteboard: String?
  /// The evidence that the post gave; none unless the subscriber asked for snapshots.
  public var evidence: Evidence
  /// The edits announced to the session, and withdrawn, since the session's last event, in order; none unless the
  /// subscriber asked for snapshots.
  public var announced: [Announcement]

  /// An event of these values.
  public init(
    sequence: Int, session: String, time: Int, transition: Transition, old: Snapshot? = nil,
    new: Snapshot? = nil, pasteboard: String? = nil, evidence: Evidence = Evidence(),
    announced: [Announcement] = []
  ) {
    self.sequence = sequence
    self.session = session
    self.time = time
    self.transition = transition
    self.old = old
    self.new = new
    self.pasteboard = pasteboard
    self.evidence = evidence
    self.announced = announced
  }

  /// Reads the interface's `Event`.
  package init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    var sequence: Int?
    var session: String?
    var time: Int?
    var transition: Transition?
    var old: Snapshot?
    var new: Snapshot?
    var pasteboard: String?
    var evidence = Evidence()
    var announced: [Announcement] = []
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "sequence": sequence = try value.int("sequence")
      case "session": session = try value.text("session")
      case "time": time = try value.int("time")
      case "transition": transition = try value.value("transition", Transition.init(json:))
      case "old":
        old = try value.optionalValue("old", Snapshot.init(reported:))
      case "new":
        new = try value.optionalValue("new", Snapshot.init(reported:))
      case "pasteboard": pasteboard = try value.optionalText("pasteboard")
      case "announced": announced = try Announcement.list(value)
      default: _ = try evidence.read(name, value)
      }
    }
    guard let sequence else { throw .missing("sequence") }
    guard let session else { throw .missing("session") }
    guard let time else { throw .missing("time") }
    guard let transition else { throw .missing("transition") }
    self.init(
      sequence: sequence, session: session, time: time, transition: transition, old: old, new: new,
      pasteboard: pasteboard, evidence: evidence, announced: announced)
  }

  /// Writes the interface's `Event`, without the members that are `nil` or empty.
  package func write(to writer: inout JSONWriter) {
    session.withBytes {
      // Unsafe: copied while it is lent.
      unsafe Event.writeStart(sequence: sequence, session: $0.utf8, time: time, to: &writer)
    }
    transition.write(to: &writer)
    if let old {
      writer.name("old")
      old.write(to: &writer)
    }
    if let new {
      writer.name("new")
      new.write(to: &writer)
    }
    writer.member("pasteboard", pasteboard)
    evidence.write(to: &writer)
    if !announced.isEmpty {
      writer.name("announced")
      writer.beginArray()
      for announcement in announced { announcement.write(to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }

  /// Writes the beginning of an event's object, up to its transition, which must follow; snapshots may, and the closing
  /// brace must.
  package static func writeStart(
    sequence: Int, session: UnsafeBufferPointer<UInt8>, time: Int, to writer: inout JSONWriter
  ) {
    writer.fragment(#"{"sequence":"#)
    writer.integer(sequence)
    writer.fragment(#","session":"#)
    // Unsafe: copied at once.
    unsafe writer.string(utf8: session)
    writer.fragment(#","time":"#)
    writer.integer(time)
    writer.fragment(#","transition":"#)
  }
}

extension Event: CustomReflectable {
  /// All but the pasteboard's text; of the transition, the snapshots and the announced edits what they show of themselves.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "sequence": sequence, "session": session, "time": time, "transition": transition,
        "old": old as Any, "new": new as Any, "evidence": evidence, "announced": announced,
      ], displayStyle: .struct)
  }
}
