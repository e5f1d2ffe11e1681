package import ContextDiff
package import JSON

extension PairParameters {
  /// The parameters as they lie in the bytes of a message: texts are not copied, and are valid as long as the message
  /// and what its parser has read.
  ///
  /// Safe: whoever makes one must not use it longer than that.
  @safe @usableFromInline
  package struct View: ~Copyable {
    package var session: Bytes?
    /// `nil` where it was not told, or where the post `goesOn`.
    package var old: Fields?
    package var new = Fields.hidden
    package var pasteboard = Field.hidden
    package var evidence = Evidence()
    package var secure = false
    /// The JSON of `old` and `new` as the client wrote it; `nil` where the parameters were not read by a cursor.
    package var oldText: SnapshotText?
    package var newText: SnapshotText?
    /// The JSON of the parameters up to the value of `old`, where `session` alone precedes that; otherwise `nil`.
    @usableFromInline var opening: UnsafeRawBufferPointer?
    /// Whether the post began as its session's last one let expect (`PostStart`): `old` is the latest snapshot.
    package var goesOn: Bool { old == nil && oldText != nil }
    /// Whether `new` has been read.
    @usableFromInline var hasNew = false

    /// What the parameters are of, which decides which members may be there and which must.
    package enum Form {
      /// A call of `Classify`, which must have `old` and `new`.
      case classify
      /// A call of `Post`, which must have `session` and `new`.
      case post
      /// A line of a batch, which must have `new`, and may have members that are not the pair's.
      case line
      /// A line of a batch that is posted, which must have `new`, and may have the other members of a recording's line
      /// or of a case.
      case postedLine
    }

    /// No parameters: `new` is hidden.
    @inlinable @inline(__always) package init() {}

    /// Reads the parameters of `form`.
    ///
    /// - Parameters:
    ///   - form: what the parameters are of.
    ///   - json: the parameters' object.
    ///   - fieldLimit: the longest field that is taken, in bytes of UTF-8.
    /// - Throws: `MessageError` where a member is missing, not valid, or none that `form` may have.
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

    /// The first member that `form` must have and that has not been read; `nil` where all have.
    func missing(in form: Form) -> String? {
      if form == .post, session == nil { return "session" }
      if form == .classify, old == nil { return "old" }
      return hasNew ? nil : "new"
    }

    /// Throws where `form` may have no members but those that were read, of which `name` is none.
    private static func check(_ name: JSONName, in form: Form) throws(MessageError) {
      switch form {
      case .line: break
      case .postedLine:
        switch name {
        case "session", "sequence", "time", "transition", "announced", "name", "kind", "basicKind":
          break
        default:
          throw name.unknown(
            "old, new, pasteboard, window, composition, cause, key, merged, reset, secure, name, kind, basicKind and what a recording has"
          )
        }
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
