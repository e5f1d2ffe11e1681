package import ContextDiff
package import JSON

extension Fields {
  /// Reads the interface's `Snapshot` without copying its texts, which are valid as long as `json` is.
  ///
  /// Fields that are absent or null are not shown.
  ///
  /// - Parameters:
  ///   - json: the snapshot's object.
  ///   - fieldLimit: the longest field that is taken, in bytes of UTF-8.
  ///   - isStrict: whether a member that the interface does not have is an error.
  /// - Throws: `MessageError`, which names the field.
  init(json: JSONValue, fieldLimit: Int, isStrict: Bool) throws(MessageError) {
    try json.requireObject()
    self = .hidden
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "before": before = try value.field("before", limit: fieldLimit)
      case "selected": selected = try value.field("selected", limit: fieldLimit)
      case "after": after = try value.field("after", limit: fieldLimit)
      case "hasText": hasText = try value.optionalBool("hasText")
      case "caret": caret = try value.optionalInt("caret", within: Fields.carets)
      case "selectionShown": selectionShown = try value.optionalBool("selectionShown")
      default:
        if isStrict {
          throw name.unknown("before, selected, after, hasText, caret or selectionShown")
        }
      }
    }
  }

  /// Writes the interface's `Snapshot`: its three texts, null where they are not shown, and of the other members those
  /// that are known.
  package func write(to writer: inout JSONWriter) {
    writer.fragment(#"{"before":"#)
    writer.field(before)
    writer.fragment(#","selected":"#)
    writer.field(selected)
    writer.fragment(#","after":"#)
    writer.field(after)
    writer.member("hasText", hasText)
    writer.member("caret", caret)
    writer.member("selectionShown", selectionShown)
    writer.endObject()
  }
}

extension Snapshot {
  /// Reads the interface's `Snapshot` from a message of the daemon: texts may be of any length, and unknown members are
  /// ignored.
  init(reported json: JSONValue) throws(MessageError) {
    self.init(try Fields(json: json, fieldLimit: .max, isStrict: false))
  }

  /// Writes the interface's `Snapshot`, as `Fields` does.
  package func write(to writer: inout JSONWriter) {
    lend { $0.write(to: &writer) }
  }
}

extension JSONWriter {
  fileprivate mutating func field(_ field: Field) {
    if field.isShown { string(field.bytes) } else { null() }
  }
}
