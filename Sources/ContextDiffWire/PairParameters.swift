package import ContextDiff
package import JSON

/// The parameters of `Classify` and, with a session, of `Post`.
package struct PairParameters: Sendable {
  /// The session posted to; `nil` for `Classify`.
  package var session: String?
  /// The snapshot before the change; `Post` may leave it to the session.
  package var old: Snapshot?
  /// The snapshot after the change.
  package var new: Snapshot
  /// The pasteboard's text now; `nil` where it is not known.
  package var pasteboard: String?
  /// How the host cuts its text; `nil` where that was not told.
  package var window: Window?
  /// What was being composed in `old`.
  package var composition: Composition?
  /// Who the host says made the change.
  package var cause: Cause?
  /// The key that went to the host between the two; `nil` where that is not known.
  package var key: Key?
  /// Whether several acts may lie between the two.
  package var merged: Bool
  /// Whether the host reset its input method between the two.
  package var reset: Bool
  /// Whether the pair is a password field's, of which nothing may be kept.
  package var secure: Bool

  /// The pair given; what is left out is not known.
  package init(
    session: String? = nil, old: Snapshot?, new: Snapshot, pasteboard: String? = nil,
    window: Window? = nil, composition: Composition? = nil, cause: Cause? = nil, key: Key? = nil,
    merged: Bool = false, reset: Bool = false, secure: Bool = false
  ) {
    self.session = session
    self.old = old
    self.new = new
    self.pasteboard = pasteboard
    self.window = window
    self.composition = composition
    self.cause = cause
    self.key = key
    self.merged = merged
    self.reset = reset
    self.secure = secure
  }

  /// A copy of `view`.
  package init(_ view: View) {
    self.init(
      session: view.session?.string, old: view.old.map { Snapshot($0) }, new: Snapshot(view.new),
      pasteboard: view.pasteboard.string, window: view.window, composition: view.composition,
      cause: view.cause, key: view.key, merged: view.merged, reset: view.reset,
      secure: view.secure)
  }

  /// Writes the parameters' members; what is not known is left out.
  package func write(to writer: inout JSONWriter) {
    writer.member("session", session)
    if let old {
      writer.name("old")
      old.write(to: &writer)
    }
    writer.name("new")
    new.write(to: &writer)
    writer.member("pasteboard", pasteboard)
    writer.member("window", window?.rawValue)
    if let composition {
      writer.name("composition")
      composition.write(to: &writer)
    }
    writer.member("cause", cause?.rawValue)
    writer.member("key", key?.rawValue)
    if merged { writer.member("merged", true) }
    if reset { writer.member("reset", true) }
    if secure { writer.member("secure", true) }
  }
}

extension Composition {
  init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    var before: Int?
    var after: Int?
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "before": before = try value.count("before")
      case "after": after = try value.count("after")
      default: throw name.unknown("before or after")
      }
    }
    guard let before else { throw .missing("before") }
    guard let after else { throw .missing("after") }
    self.init(before: before, after: after)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("before")
    writer.integer(before)
    writer.name("after")
    writer.integer(after)
    writer.endObject()
  }
}
