package import ContextDiff
package import JSON

extension Evidence {
  /// Reads the member `name` of a pair's parameters or of an event; `false` where it is no evidence.
  mutating func read(_ name: JSONName, _ value: JSONValue) throws(MessageError) -> Bool {
    switch name {
    case "window": window = try value.optionalChoice("window")
    case "composition":
      composition = try value.optionalValue("composition", Composition.init(json:))
    case "cause": cause = try value.optionalChoice("cause")
    case "key": key = try value.optionalChoice("key")
    case "merged": merged = try value.optionalBool("merged") ?? false
    case "reset": reset = try value.optionalBool("reset") ?? false
    default: return false
    }
    return true
  }

  /// Writes the evidence as members of an object that has members already; evidence that was not given is left out.
  package func write(to writer: inout JSONWriter) {
    if let window {
      writer.fragment(#","window":"#)
      writer.string(window.rawValue)
    }
    if let composition {
      writer.fragment(#","composition":"#)
      composition.write(to: &writer)
    }
    if let cause {
      writer.fragment(#","cause":"#)
      writer.string(cause.rawValue)
    }
    if let key {
      writer.fragment(#","key":"#)
      writer.string(key.rawValue)
    }
    if merged { writer.fragment(#","merged":true"#) }
    if reset { writer.fragment(#","reset":true"#) }
  }
}

extension Composition {
  /// Reads the interface's `Composition`.
  package init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    var before: Int?
    var after: Int?
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "before": before = try value.int("before", within: Composition.lengths)
      case "after": after = try value.int("after", within: Composition.lengths)
      default: throw name.unknown("before or after")
      }
    }
    guard let before else { throw .missing("before") }
    guard let after else { throw .missing("after") }
    self.init(before: before, after: after)
  }

  /// Writes the interface's `Composition`.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("before", before)
    writer.member("after", after)
    writer.endObject()
  }
}
