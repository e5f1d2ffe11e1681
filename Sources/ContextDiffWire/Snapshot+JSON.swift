package import ContextDiff
package import Varlink

extension Snapshot {
  /// Reads the interface's `Snapshot`.
  ///
  /// Absent and null fields are `nil`; unknown members are passed over.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - fieldLimit: The longest field that is taken, in bytes of UTF-8.
  /// - Throws: `MessageError`, its path within the snapshot.
  package init(json: JSONValue, fieldLimit: Int) throws(MessageError) {
    guard json.isObject else { throw .invalid("") }
    self.init()
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "before": before = try value.optionalText("before", limit: fieldLimit)
      case "selected": selected = try value.optionalText("selected", limit: fieldLimit)
      case "after": after = try value.optionalText("after", limit: fieldLimit)
      case "hasText": hasText = try value.optionalBool("hasText")
      default: break
      }
    }
  }

  /// Writes the interface's `Snapshot`; `hasText` only where it is known.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("before")
    writer.optionalString(before)
    writer.name("selected")
    writer.optionalString(selected)
    writer.name("after")
    writer.optionalString(after)
    if let hasText {
      writer.name("hasText")
      writer.bool(hasText)
    }
    writer.endObject()
  }
}
