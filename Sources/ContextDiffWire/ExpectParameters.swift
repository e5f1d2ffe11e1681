package import ContextDiff
package import JSON

/// The parameters of `Expect`.
package struct ExpectParameters: Sendable {
  /// How an edit is announced.
  package enum Announcement: Sendable {
    /// By what it does at the caret.
    case edit(Edit)
    /// By the snapshot that it leads to.
    case snapshot(Snapshot)
  }

  /// The session that will show the edit.
  package var session: String
  /// The snapshot where the edit begins; `nil` for where the edits announced so far lead.
  package var old: Snapshot?
  /// The edit.
  package var announcement: Announcement

  /// An edit announced to `session`.
  package init(session: String, old: Snapshot? = nil, announcement: Announcement) {
    self.session = session
    self.old = old
    self.announcement = announcement
  }

  /// Reads the parameters: exactly one of `new` and `edit` says what the edit does.
  package init(json: JSONValue, fieldLimit: Int) throws(MessageError) {
    var session: String?
    var old: Snapshot?
    var new: Snapshot?
    var edit: Edit?
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "session": session = try value.sessionName().string
      case "old":
        old = try value.optionalValue("old") { value throws(MessageError) in
          try Snapshot(json: value, fieldLimit: fieldLimit)
        }
      case "new":
        new = try value.optionalValue("new") { value throws(MessageError) in
          try Snapshot(json: value, fieldLimit: fieldLimit)
        }
      case "edit":
        edit = try value.optionalValue("edit") { value throws(MessageError) in
          try Edit(json: value, fieldLimit: fieldLimit)
        }
      default: break
      }
    }
    guard let session else { throw .invalid("session") }
    switch (new, edit) {
    case (let new?, nil): self.init(session: session, old: old, announcement: .snapshot(new))
    case (nil, let edit?): self.init(session: session, old: old, announcement: .edit(edit))
    case (nil, nil): throw .invalid("new")
    case (.some, .some): throw .invalid("edit")
    }
  }

  /// Writes the parameters' members.
  package func write(to writer: inout JSONWriter) {
    writer.member("session", session)
    if let old {
      writer.name("old")
      old.write(to: &writer)
    }
    switch announcement {
    case .snapshot(let new):
      writer.name("new")
      new.write(to: &writer)
    case .edit(let edit):
      writer.name("edit")
      edit.write(to: &writer)
    }
  }
}

extension Edit {
  /// The most grapheme clusters that one edit may take away or pass, so that sums of them cannot
  /// overflow.
  private static let countLimit = 1 << 31

  init(json: JSONValue, fieldLimit: Int) throws(MessageError) {
    guard json.isObject else { throw .invalid("") }
    self.init()
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "insert": insert = try value.optionalText("insert", limit: fieldLimit) ?? ""
      case "deleteBackward":
        deleteBackward = value.isNull ? 0 : try value.count("deleteBackward")
      case "deleteForward": deleteForward = value.isNull ? 0 : try value.count("deleteForward")
      case "moveCaret": moveCaret = try value.optionalInt("moveCaret") ?? 0
      default: break
      }
    }
    guard deleteBackward <= Edit.countLimit else { throw .invalid("deleteBackward") }
    guard deleteForward <= Edit.countLimit else { throw .invalid("deleteForward") }
    guard -Edit.countLimit...Edit.countLimit ~= moveCaret else { throw .invalid("moveCaret") }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("insert", insert)
    writer.member("deleteBackward", deleteBackward)
    writer.member("deleteForward", deleteForward)
    writer.member("moveCaret", moveCaret)
    writer.endObject()
  }
}
