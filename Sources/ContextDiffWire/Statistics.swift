package import JSON

/// What the daemon has done and holds: for the calling user; where that is root or the daemon's own user, for all
/// users.
public struct Statistics: Sendable {
  /// The daemon's run, by which sequence numbers are counted: a 128-bit id in hexadecimal.
  public var instance: String
  /// How many pairs have been classified.
  public var pairs: Int
  /// How many pairs have been classified as each kind, by the kind's name.
  public var pairsByKind: [String: Int]
  /// How many sessions are held.
  public var sessions: Int
  /// How many subscribers are connected.
  public var subscribers: Int
  /// How many connections are open.
  public var connections: Int
  /// How many events are kept for subscribers that come back.
  public var eventsKept: Int
  /// How many events subscribers have lost because they read too slowly.
  public var eventsLost: Int
  /// When the daemon began, in microseconds since the epoch.
  public var startedAt: Int
  /// How much memory is held for clients, in bytes; `nil` from a daemon that does not tell it.
  public var bytes: Int?
  /// The limits in force, by their names in contextdiffd.yaml(5) without `limits.`; empty from a daemon that does not
  /// tell them.
  ///
  /// Each is for one user, except `totalBytes`, `users` and `connections`, which are for all users together.
  public var limits: [String: Int]

  /// The longest call that the daemon takes, in bytes, its NUL not counted; the default of daemons before version 0.2,
  /// which do not tell it.
  package var callLimit: Int { limits["frameBytes"] ?? Interface.callLimit }

  /// The statistics of a daemon that has had no calls.
  public init(instance: String, startedAt: Int) {
    self.instance = instance
    self.startedAt = startedAt
    pairs = 0
    pairsByKind = [:]
    sessions = 0
    subscribers = 0
    connections = 0
    eventsKept = 0
    eventsLost = 0
    limits = [:]
  }

  /// Reads the interface's `Statistics`.
  package init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    self.init(instance: "", startedAt: 0)
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "instance": instance = try value.text("instance")
      case "pairs": pairs = try value.int("pairs")
      case "pairsByKind":
        pairsByKind = try Self.counts(in: value, of: "pairsByKind")
      case "sessions": sessions = try value.int("sessions")
      case "subscribers": subscribers = try value.int("subscribers")
      case "connections": connections = try value.int("connections")
      case "eventsKept": eventsKept = try value.int("eventsKept")
      case "eventsLost": eventsLost = try value.int("eventsLost")
      case "startedAt": startedAt = try value.int("startedAt")
      case "bytes" where !value.isNull: bytes = try value.int("bytes")
      case "limits" where !value.isNull: limits = try Self.counts(in: value, of: "limits")
      default: break
      }
    }
  }

  /// Reads the member `name`, an object of integers.
  private static func counts(
    in value: JSONValue, of name: String
  ) throws(MessageError) -> [String: Int] {
    try value.value(name) { value throws(MessageError) in try value.requireObject() }
    var counts: [String: Int] = [:]
    try value.forEachMember { key, count throws(MessageError) in
      counts[key.string] = try count.int(name)
    }
    return counts
  }

  private static func write(_ counts: [String: Int], to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      writer.integer(count)
    }
    writer.endObject()
  }

  /// Writes the interface's `Statistics`, with kinds and limits in alphabetical order.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("instance", instance)
    writer.member("pairs", pairs)
    writer.name("pairsByKind")
    Self.write(pairsByKind, to: &writer)
    writer.member("sessions", sessions)
    writer.member("subscribers", subscribers)
    writer.member("connections", connections)
    writer.member("eventsKept", eventsKept)
    writer.member("eventsLost", eventsLost)
    writer.member("startedAt", startedAt)
    writer.member("bytes", bytes)
    if !limits.isEmpty {
      writer.name("limits")
      Self.write(limits, to: &writer)
    }
    writer.endObject()
  }
}

extension [String: Int] {
  /// Counts of what the keys name, the largest first; equal ones in the order of their names.
  package var largestFirst: [(key: String, value: Int)] {
    sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }
}
