package import ContextDiff
package import JSON

extension PairParameters {
  /// The parameters where they lie in a parsed text: valid as long as that is, and nothing is
  /// copied, the view neither.
  package struct View: ~Copyable {
    package var session: Bytes?
    package var old: Fields?
    package var new = Fields.hidden
    package var pasteboard = Field.hidden
    package var evidence = Evidence()
    package var secure = false
    /// The JSON of `old` and `new` as it came, without white space; `nil` where it came otherwise, or
    /// was not read by a cursor.
    package var oldText: SnapshotText?
    package var newText: SnapshotText?
    var hasNew = false

    /// What the parameters are of, which decides what may and what must be among them.
    package enum Form {
      case classify
      case post
      /// A line of a batch: `old` may be missing, and what is said besides is not of the pair.
      case line
    }

    /// Nothing but a hidden `new`.
    package init() {}

    /// Reads the parameters of `form`.
    package init(_ form: Form, json: JSONValue, fieldLimit: Int) throws(MessageError) {
      try json.forEachMember { name, value throws(MessageError) in
        switch name {
        case "session" where form == .post: session = try value.sessionName()
        case "old":
          old = try value.optionalValue("old") { value throws(MessageError) in
            try Fields(json: value, fieldLimit: fieldLimit, isStrict: true)
          }
        case "new":
          new = try value.value("new") { value throws(MessageError) in
            try Fields(json: value, fieldLimit: fieldLimit, isStrict: true)
          }
          hasNew = true
        case "pasteboard": pasteboard = try value.field("pasteboard", limit: fieldLimit)
        case "secure" where form != .classify: secure = try value.optionalBool("secure") ?? false
        default: if try !evidence.read(name, value) { try View.check(name, in: form) }
        }
      }
      if let missing = missing(in: form) { throw .missing(missing) }
    }

    /// The first member that `form` must have and that has not come.
    func missing(in form: Form) -> String? {
      if form == .post, session == nil { return "session" }
      if form == .classify, old == nil { return "old" }
      return hasNew ? nil : "new"
    }

    private static func check(_ name: JSONName, in form: Form) throws(MessageError) {
      switch form {
      case .line: break
      case .classify:
        throw name.unknown(
          "old, new, pasteboard, window, composition, cause, key, merged or reset")
      case .post:
        throw name.unknown(
          "session, old, new, pasteboard, window, composition, cause, key, merged, reset or secure")
      }
    }
  }
}
