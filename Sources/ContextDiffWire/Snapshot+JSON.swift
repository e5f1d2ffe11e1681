package import ContextDiff
package import Varlink

extension Fields {
  /// Reads the interface's `Snapshot` where it lies.
  ///
  /// Absent and null fields are not shown; unknown members are passed over.
  ///
  /// - Parameters:
  ///   - member: The member that holds it, for errors.
  ///   - json: The value.
  ///   - fieldLimit: The longest field that is taken, in bytes of UTF-8.
  /// - Throws: `MessageError`, which names the field.
  init(_ member: String, _ json: JSONValue, fieldLimit: Int) throws(MessageError) {
    guard json.isObject else { throw .invalid(member) }
    var (before, selected, after) = (Field.hidden, Field.hidden, Field.hidden)
    var hasText: Bool?
    do throws(MessageError) {
      try json.forEachMember { name, value throws(MessageError) in
        switch name {
        case "before": before = try value.field("before", limit: fieldLimit)
        case "selected": selected = try value.field("selected", limit: fieldLimit)
        case "after": after = try value.field("after", limit: fieldLimit)
        case "hasText": hasText = try value.optionalBool("hasText")
        default: break
        }
      }
    } catch {
      throw error.within(member)
    }
    self.init(before: before, selected: selected, after: after, hasText: hasText)
  }

  /// Writes the interface's `Snapshot`; `hasText` only where it is known.
  package func write(to writer: inout JSONWriter) {
    writer.fragment(#"{"before":"#)
    writer.field(before)
    writer.fragment(#","selected":"#)
    writer.field(selected)
    writer.fragment(#","after":"#)
    writer.field(after)
    if let hasText {
      writer.name("hasText")
      writer.bool(hasText)
    }
    writer.endObject()
  }
}

extension Snapshot {
  /// Reads the interface's `Snapshot`, the value of `member`, as `Fields` does.
  init(_ member: String, _ json: JSONValue, fieldLimit: Int) throws(MessageError) {
    self.init(try Fields(member, json, fieldLimit: fieldLimit))
  }

  /// Writes the interface's `Snapshot`; `hasText` only where it is known.
  package func write(to writer: inout JSONWriter) {
    lend { $0.write(to: &writer) }
  }
}

extension JSONWriter {
  fileprivate mutating func field(_ field: Field) {
    if field.isShown { string(utf8: field.bytes.utf8) } else { null() }
  }
}
