package import ContextDiff
package import JSON

/// The parameters of `Subscribe`.
package struct SubscribeParameters: Sendable {
  /// How many sessions one subscription may name.
  package static let sessionLimit = 1_024

  /// The names of the sessions whose events are wanted; `nil` for all sessions.
  package var sessions: [String]?
  /// The kinds of transitions that are wanted; `nil` for all kinds.
  package var kinds: [Kind]?
  /// The number of the last event already received, after which the stream begins; `nil` to begin with the next event.
  package var since: Int?
  /// The run of the daemon that counted `since`; `nil` for the present one.
  package var instance: String?
  /// Whether events are to hold their snapshots.
  package var snapshots: Bool
  /// Whether events of posts from now on are to hold the pasteboard's text too.
  package var pasteboard: Bool

  /// A subscription to events of these.
  package init(
    sessions: [String]? = nil, kinds: [Kind]? = nil, since: Int? = nil, instance: String? = nil,
    snapshots: Bool = false, pasteboard: Bool = false
  ) {
    self.sessions = sessions
    self.kinds = kinds
    self.since = since
    self.instance = instance
    self.snapshots = snapshots
    self.pasteboard = pasteboard
  }

  /// Reads the parameters.
  package init(json: JSONValue) throws(MessageError) {
    self.init()
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "sessions":
        sessions = try value.optionalList("sessions") { name throws(MessageError) in
          try name.sessionName("sessions").string
        }
        guard sessions?.count ?? 0 <= SubscribeParameters.sessionLimit else {
          throw .mustBe("\(SubscribeParameters.sessionLimit) names at most", "sessions")
        }
      case "kinds":
        kinds = try value.optionalList("kinds") { kind throws(MessageError) in
          try kind.choice("kinds")
        }
      case "since": since = try value.optionalCount("since")
      case "instance": instance = try value.optionalText("instance")
      case "snapshots": snapshots = try value.optionalBool("snapshots") ?? false
      case "pasteboard": pasteboard = try value.optionalBool("pasteboard") ?? false
      default: throw name.unknown("sessions, kinds, since, instance, snapshots or pasteboard")
      }
    }
  }

  /// Writes the parameters' members, without those that are `nil` or `false`.
  package func write(to writer: inout JSONWriter) {
    if let sessions {
      writer.name("sessions")
      writer.beginArray()
      for session in sessions { writer.string(session) }
      writer.endArray()
    }
    if let kinds {
      writer.name("kinds")
      writer.beginArray()
      for kind in kinds { writer.string(kind.rawValue) }
      writer.endArray()
    }
    writer.member("since", since)
    writer.member("instance", instance)
    if snapshots { writer.member("snapshots", true) }
    if pasteboard { writer.member("pasteboard", true) }
  }
}
