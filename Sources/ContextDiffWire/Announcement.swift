public import ContextDiff
package import JSON

/// An edit that an input method announces before it makes it.
public enum AnnouncedEdit: Sendable, Hashable {
  /// An edit given by what it does at the caret.
  case edit(Edit)
  /// An edit given by the snapshot after it.
  case snapshot(Snapshot)
}

extension Session {
  /// Announces `edit` by `expect(old:new:with:)` or `expect(old:edit:with:)`, whichever takes its form.
  package mutating func expect(
    _ edit: AnnouncedEdit, after old: Snapshot?, with classifier: Classifier
  ) throws(ExpectError) -> Int {
    switch edit {
    case .edit(let edit): try expect(old: old, edit: edit, with: classifier)
    case .snapshot(let new): try expect(old: old, new: new, with: classifier)
    }
  }
}

/// A call by which an input method announced an edit to a session, or withdrew one.
public struct Announcement: Sendable, Hashable {
  /// The edit's number, by which `Expect` answered the call, or which `Withdraw` was given.
  public var number: Int
  /// The snapshot before the edit; `nil` where the call did not give it.
  public var old: Snapshot?
  /// The edit; `nil` where the call withdrew it, and with it those announced after it.
  public var edit: AnnouncedEdit?

  /// A call of `Expect` that announced `edit` and was answered by `number`; without `edit`, a call of `Withdraw`.
  public init(number: Int, old: Snapshot? = nil, edit: AnnouncedEdit?) {
    self.number = number
    self.old = old
    self.edit = edit
  }

  /// Reads the interface's `Announcement`; members that it does not have are ignored.
  init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    var number: Int?
    var isWithdrawn = false
    var members = AnnouncedEdit.Members(fieldLimit: .max, isStrict: false)
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "number": number = try value.int("number")
      case "withdrawn": isWithdrawn = try value.optionalBool("withdrawn") ?? false
      default: _ = try members.read(name, value)
      }
    }
    guard let number else { throw .missing("number") }
    self.init(number: number, old: members.old, edit: isWithdrawn ? nil : try members.edit())
  }

  /// Reads an event's `announced`; empty where that is null.
  package static func list(_ json: JSONValue) throws(MessageError) -> [Announcement] {
    try json.optionalList("announced", of: Announcement.init(json:)) ?? []
  }

  /// Writes the interface's `Announcement`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("number", number)
    if let edit { edit.write(after: old, to: &writer) } else { writer.member("withdrawn", true) }
    writer.endObject()
  }
}

extension AnnouncedEdit {
  /// The members of a call or an announcement that give an edit, as far as they have been read.
  struct Members {
    private(set) var old: Snapshot?
    private var new: Snapshot?
    /// The member `edit`.
    private var byCaret: Edit?
    private let fieldLimit: Int
    private let isStrict: Bool

    /// No members yet.
    ///
    /// - Parameters:
    ///   - fieldLimit: the longest text that is taken, in bytes of UTF-8; longer ones are errors.
    ///   - isStrict: whether members that the interface does not have are errors; otherwise they are ignored.
    init(fieldLimit: Int, isStrict: Bool) {
      self.fieldLimit = fieldLimit
      self.isStrict = isStrict
    }

    /// Reads the member `name`, if it is `old`, `new` or `edit`.
    ///
    /// - Returns: whether it is one of these.
    mutating func read(_ name: JSONName, _ value: JSONValue) throws(MessageError) -> Bool {
      switch name {
      case "old": old = try value.optionalValue("old", snapshot)
      case "new": new = try value.optionalValue("new", snapshot)
      case "edit":
        byCaret = try value.optionalValue("edit") { value throws(MessageError) in
          try Edit(json: value, fieldLimit: fieldLimit, isStrict: isStrict)
        }
      default: return false
      }
      return true
    }

    private func snapshot(_ json: JSONValue) throws(MessageError) -> Snapshot {
      Snapshot(try Fields(json: json, fieldLimit: fieldLimit, isStrict: isStrict))
    }

    /// The edit, by whichever of `new` and `edit` was read; throws unless exactly one was.
    func edit() throws(MessageError) -> AnnouncedEdit {
      switch (new, byCaret) {
      case (let new?, nil): .snapshot(new)
      case (nil, let edit?): .edit(edit)
      case (nil, nil): throw .mustBe("given, or else edit", "new")
      case (.some, .some): throw .mustBe("left out where new is given", "edit")
      }
    }
  }

  /// Writes the members `old`, unless that is `nil`, and `new` or `edit`.
  func write(after old: Snapshot?, to writer: inout JSONWriter) {
    if let old {
      writer.name("old")
      old.write(to: &writer)
    }
    switch self {
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
  /// Reads the interface's `Edit`; the parameters are those of `AnnouncedEdit.Members`.
  init(json: JSONValue, fieldLimit: Int, isStrict: Bool) throws(MessageError) {
    try json.requireObject()
    self.init()
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "insert": insert = try value.optionalText("insert", limit: fieldLimit) ?? ""
      case "deleteBackward":
        deleteBackward = try value.optionalInt("deleteBackward", within: Edit.deletions) ?? 0
      case "deleteForward":
        deleteForward = try value.optionalInt("deleteForward", within: Edit.deletions) ?? 0
      case "moveCaret":
        moveCaret = try value.optionalInt("moveCaret", within: Edit.moves) ?? 0
      case "unit": unit = try value.optionalChoice("unit") ?? .graphemes
      default:
        if isStrict {
          throw name.unknown("insert, deleteBackward, deleteForward, moveCaret or unit")
        }
      }
    }
  }

  /// Writes the interface's `Edit`, without members that have their default values.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if !insert.isEmpty { writer.member("insert", insert) }
    if deleteBackward != 0 { writer.member("deleteBackward", deleteBackward) }
    if deleteForward != 0 { writer.member("deleteForward", deleteForward) }
    if moveCaret != 0 { writer.member("moveCaret", moveCaret) }
    if unit != .graphemes { writer.member("unit", unit.rawValue) }
    writer.endObject()
  }
}
