package import ContextDiff
package import JSON

extension PairParameters {
  /// The parameters where they lie in a parsed text: valid as long as that is, and nothing is
  /// copied.
  package struct View {
    package var session: Bytes?
    package var old: Fields?
    package var new = Fields.hidden
    package var pasteboard = Field.hidden
    package var window: Window?
    package var composition: Composition?
    package var cause: Cause?
    package var key: Key?
    package var merged = false
    package var reset = false
    package var secure = false
    private var hasNew = false

    /// Reads the parameters of `Classify`.
    package init(classify json: JSONValue, fieldLimit: Int) throws(MessageError) {
      try self.init(members: json, fieldLimit: fieldLimit)
      guard old != nil else { throw .invalid("old") }
      guard hasNew else { throw .invalid("new") }
    }

    /// Reads the parameters of `Post`.
    package init(post json: JSONValue, fieldLimit: Int) throws(MessageError) {
      try self.init(members: json, fieldLimit: fieldLimit)
      guard session != nil else { throw .invalid("session") }
      guard hasNew else { throw .invalid("new") }
    }

    /// Reads a pair that need not say which call it is for: `old` and `session` may be missing.
    package init(json: JSONValue, fieldLimit: Int) throws(MessageError) {
      try self.init(members: json, fieldLimit: fieldLimit)
      guard hasNew else { throw .invalid("new") }
    }

    private init(members json: JSONValue, fieldLimit: Int) throws(MessageError) {
      try json.forEachMember { name, value throws(MessageError) in
        switch name {
        case "session": session = try value.sessionName()
        case "old":
          old = try value.optionalValue("old") { value throws(MessageError) in
            try Fields(json: value, fieldLimit: fieldLimit)
          }
        case "new":
          new = try value.value("new") { value throws(MessageError) in
            try Fields(json: value, fieldLimit: fieldLimit)
          }
          hasNew = true
        case "pasteboard": pasteboard = try value.field("pasteboard", limit: fieldLimit)
        case "window": window = try value.optionalChoice("window")
        case "composition":
          composition = try value.optionalValue("composition", Composition.init(json:))
        case "cause": cause = try value.optionalChoice("cause")
        case "key": key = try value.optionalChoice("key")
        case "merged": merged = try value.optionalBool("merged") ?? false
        case "reset": reset = try value.optionalBool("reset") ?? false
        case "secure": secure = try value.optionalBool("secure") ?? false
        default: break
        }
      }
    }
  }
}
