public import ContextDiff
package import JSON

/// What a post told of a change besides its two snapshots.
public struct Evidence: Sendable, Hashable {
  /// How the host cuts its text; `nil` where that was not told.
  public var window: Window?
  /// The pasteboard's text; `nil` where it was not told, or not asked for.
  public var pasteboard: String?
  /// What was being composed in the old snapshot.
  public var composition: Composition?
  /// Who the host says made the change.
  public var cause: Cause?
  /// The key that went to the host between the two.
  public var key: Key?
  /// Whether several acts may lie between the two.
  public var merged = false
  /// Whether the host reset its input method between the two.
  public var reset = false

  /// Nothing told.
  public init() {}

  /// Takes a member of an `Event`; any that is none of the evidence is passed over.
  mutating func read(_ name: JSONName, _ value: JSONValue) throws(MessageError) {
    switch name {
    case "window": window = try value.optionalChoice("window")
    case "pasteboard": pasteboard = try value.optionalText("pasteboard")
    case "composition":
      composition = try value.optionalValue("composition", Composition.init(json:))
    case "cause": cause = try value.optionalChoice("cause")
    case "key": key = try value.optionalChoice("key")
    case "merged": merged = try value.optionalBool("merged") ?? false
    case "reset": reset = try value.optionalBool("reset") ?? false
    default: break
    }
  }

  /// Writes the members that it adds to an `Event`; what was not told is left out.
  package func write(to writer: inout JSONWriter) {
    writer.member("window", window?.rawValue)
    writer.member("pasteboard", pasteboard)
    if let composition {
      writer.name("composition")
      composition.write(to: &writer)
    }
    writer.member("cause", cause?.rawValue)
    writer.member("key", key?.rawValue)
    if merged { writer.member("merged", true) }
    if reset { writer.member("reset", true) }
  }
}

extension PairParameters.View {
  /// Writes the members of an `Event` that hold what was told besides the snapshots, each with a comma
  /// before it; the pasteboard's text only where it is wanted.
  package func writeEvidence(withPasteboard: Bool, to writer: inout JSONWriter) {
    if let window {
      writer.fragment(#","window":"#)
      writer.string(window.rawValue)
    }
    if withPasteboard, pasteboard.isShown {
      writer.fragment(#","pasteboard":"#)
      writer.string(utf8: pasteboard.bytes.utf8)
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
