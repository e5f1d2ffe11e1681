public import ContextDiff
package import JSON

/// What the daemon says of a session that it holds.
public struct SessionInfo: Sendable, Hashable {
  /// The session's name.
  public var name: String
  /// How the session's host cuts the text that it shows, as posts have told or as the session has learnt; `nil` where
  /// neither is so.
  public var window: Window?
  /// Whether `window` was learnt rather than told.
  public var windowLearnt: Bool
  /// How many pairs have been posted to the session.
  public var pairs: Int
  /// How much memory the text of the session takes, in bytes.
  public var bytes: Int
  /// How many announced edits have not been shown yet.
  public var expecting: Int
  /// When the session was last posted to, in microseconds since the epoch.
  public var time: Int

  /// A session of these values.
  public init(
    name: String, window: Window? = nil, windowLearnt: Bool = false, pairs: Int = 0,
    bytes: Int = 0, expecting: Int = 0, time: Int
  ) {
    self.name = name
    self.window = window
    self.windowLearnt = windowLearnt
    self.pairs = pairs
    self.bytes = bytes
    self.expecting = expecting
    self.time = time
  }

  /// Reads the interface's `SessionInfo`.
  package init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    var name: String?
    self.init(name: "", time: 0)
    try json.forEachMember { member, value throws(MessageError) in
      switch member {
      case "name": name = try value.text("name")
      case "window": window = try value.optionalChoice("window")
      case "windowLearnt": windowLearnt = try value.flag("windowLearnt")
      case "pairs": pairs = try value.int("pairs")
      case "bytes": bytes = try value.int("bytes")
      case "expecting": expecting = try value.int("expecting")
      case "time": time = try value.int("time")
      default: break
      }
    }
    guard let name else { throw .missing("name") }
    self.name = name
  }

  /// Writes the interface's `SessionInfo`, with all of its members.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", name)
    writer.name("window")
    writer.optionalString(window?.rawValue)
    writer.member("windowLearnt", windowLearnt)
    writer.member("pairs", pairs)
    writer.member("bytes", bytes)
    writer.member("expecting", expecting)
    writer.member("time", time)
    writer.endObject()
  }
}
