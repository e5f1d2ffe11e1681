package import ContextDiff
package import JSON

/// The parameters of `Expect`.
package struct ExpectParameters: Sendable {
  /// The name of the session that will show the edit.
  package var session: String
  /// The snapshot before the edit; `nil` for the one that the edits announced so far lead to, or the session's last.
  package var old: Snapshot?
  /// The edit.
  package var edit: AnnouncedEdit

  /// An edit announced to `session`.
  package init(session: String, old: Snapshot? = nil, edit: AnnouncedEdit) {
    self.session = session
    self.old = old
    self.edit = edit
  }

  /// Reads the parameters, of which `session` and exactly one of `new` and `edit` must be given.
  ///
  /// - Parameters:
  ///   - json: the parameters' object.
  ///   - fieldLimit: the longest text that is taken, in bytes of UTF-8.
  /// - Throws: `MessageError`, for a member that the call does not have too.
  package init(json: JSONValue, fieldLimit: Int) throws(MessageError) {
    var session: String?
    var members = AnnouncedEdit.Members(fieldLimit: fieldLimit, isStrict: true)
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "session": session = try value.sessionName().string
      default:
        guard try members.read(name, value) else {
          throw name.unknown("session, old, new or edit")
        }
      }
    }
    guard let session else { throw .missing("session") }
    self.init(session: session, old: members.old, edit: try members.edit())
  }

  /// Writes the parameters' members.
  package func write(to writer: inout JSONWriter) {
    writer.member("session", session)
    edit.write(after: old, to: &writer)
  }
}

/// The parameters of `Withdraw`.
package struct WithdrawParameters: Sendable {
  /// The name of the session that the edit was announced to.
  package var session: String
  /// The edit's number, as `Expect` answered it.
  package var expected: Int

  /// The parameters for an edit of `session`.
  package init(session: String, expected: Int) {
    self.session = session
    self.expected = expected
  }

  /// Reads the parameters.
  package init(json: JSONValue) throws(MessageError) {
    var session: String?
    var expected: Int?
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "session": session = try value.sessionName().string
      case "expected": expected = try value.int("expected")
      default: throw name.unknown("session or expected")
      }
    }
    guard let session else { throw .missing("session") }
    guard let expected else { throw .missing("expected") }
    self.init(session: session, expected: expected)
  }

  /// Writes the parameters' members.
  package func write(to writer: inout JSONWriter) {
    writer.member("session", session)
    writer.member("expected", expected)
  }
}
