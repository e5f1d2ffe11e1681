public import ContextDiff
package import JSON

/// A session as it stands.
public struct SessionInfo: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// How its host cuts the text that it shows, as told, or as learnt so far; `nil` where neither says
  /// anything.
  public var window: Window?
  /// Whether `window` was learnt rather than told.
  public var windowLearnt: Bool
  /// How many pairs were posted to it.
  public var pairs: Int
  /// How much text is held for it, in bytes.
  public var bytes: Int
  /// How many announced edits wait in it.
  public var expecting: Int
  /// When it was last posted to, in microseconds since the epoch.
  public var time: Int

  /// A session of the values given.
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

  /// Writes the interface's `SessionInfo`, every member of it.
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
