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
      default: throw name.unknown("session, old, new or edit")
      }
    }
    guard let session else { throw .missing("session") }
    switch (new, edit) {
    case (let new?, nil): self.init(session: session, old: old, announcement: .snapshot(new))
    case (nil, let edit?): self.init(session: session, old: old, announcement: .edit(edit))
    case (nil, nil): throw .mustBe("given, or else edit", "new")
    case (.some, .some): throw .mustBe("left out where new is given", "edit")
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
  /// The most units that one edit may take away or pass, so that sums of them cannot overflow.
  package static let countLimit = 1 << 31

  init(json: JSONValue, fieldLimit: Int) throws(MessageError) {
    try json.requireObject()
    self.init()
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "insert": insert = try value.optionalText("insert", limit: fieldLimit) ?? ""
      case "deleteBackward":
        deleteBackward =
          try value.optionalInt("deleteBackward", within: 0...Edit.countLimit) ?? 0
      case "deleteForward":
        deleteForward = try value.optionalInt("deleteForward", within: 0...Edit.countLimit) ?? 0
      case "moveCaret":
        moveCaret =
          try value.optionalInt("moveCaret", within: -Edit.countLimit...Edit.countLimit) ?? 0
      case "unit": unit = try value.optionalChoice("unit") ?? .graphemes
      default:
        throw name.unknown("insert, deleteBackward, deleteForward, moveCaret or unit")
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("insert", insert)
    writer.member("deleteBackward", deleteBackward)
    writer.member("deleteForward", deleteForward)
    writer.member("moveCaret", moveCaret)
    if unit != .graphemes { writer.member("unit", unit.rawValue) }
    writer.endObject()
  }
}

/// The parameters of `Withdraw`.
package struct WithdrawParameters: Sendable {
  /// The session that the edit was announced to.
  package var session: String
  /// The edit's number.
  package var expected: Int

  /// The edit of that number in that session.
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
