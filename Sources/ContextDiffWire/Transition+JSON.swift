package import ContextDiff
package import JSON

extension Transition {
  /// Reads the interface's `Transition`.
  ///
  /// A kind that a later version tells is read as `outOfRangeTap`, as the interface asks for, and among the alternatives
  /// passed over; a certainty that it tells as `likely`.
  package init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    var kind: Kind?
    var basicKind: Kind?
    var certainty: Certainty?
    var read = Transition(kind: .unchanged, basicKind: .unchanged)
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "kind": kind = Kind(rawValue: try value.text("kind")) ?? .outOfRangeTap
      case "basicKind": basicKind = Kind(rawValue: try value.text("basicKind")) ?? .outOfRangeTap
      case "certainty": certainty = Certainty(rawValue: try value.text("certainty")) ?? .likely
      case "alternatives":
        read.alternatives = try value.list("alternatives") { element throws(MessageError) in
          Kind(rawValue: try element.text("alternatives"))
        }.compactMap(\.self)
      case "cursorOffset":
        read.cursorOffset = try value.optionalValue("cursorOffset", Extent.init(json:))
      case "inserted": read.inserted = try value.optionalText("inserted")
      case "removed": read.removed = try value.optionalText("removed")
      case "isPartial": read.isPartial = try value.flag("isPartial")
      case "leavesComposition":
        read.leavesComposition = try value.optionalBool("leavesComposition")
      // It is the number of those in `expected`.
      case "expectedEdits": _ = try value.count("expectedEdits")
      case "expected": read.expected = try value.integers("expected")
      case "unfulfilled": read.unfulfilled = try value.integers("unfulfilled")
      default: break
      }
    }
    guard let kind else { throw .missing("kind") }
    guard let basicKind else { throw .missing("basicKind") }
    guard let certainty else { throw .missing("certainty") }
    read.kind = kind
    read.basicKind = basicKind
    read.certainty = certainty
    self = read
  }

  /// Reads of an event's `transition` the numbers of the announced edits that it names; `nil` where its kind is not
  /// `expected`, or it is null.
  package static func expectedNumbers(_ json: JSONValue) throws(MessageError) -> [Int]? {
    guard json["kind"].string == Kind.expected.rawValue else { return nil }
    return try json.value("transition") { transition throws(MessageError) in
      let numbers = transition["expected"]
      return numbers.isNull ? [] : try numbers.integers("expected")
    }
  }

  /// Writes the interface's `Transition`, with all of its members: null where they are not known.
  package func write(to writer: inout JSONWriter) {
    writer.fragment(#"{"kind":"#)
    kind.write(to: &writer)
    writer.fragment(#","basicKind":"#)
    basicKind.write(to: &writer)
    writer.fragment(#","certainty":"#)
    certainty.write(to: &writer)
    writer.fragment(#","alternatives":["#)
    for alternative in alternatives { writer.string(alternative.rawValue) }
    writer.fragment(#"],"cursorOffset":"#)
    if let cursorOffset { cursorOffset.write(to: &writer) } else { writer.fragment("null") }
    writer.fragment(#","inserted":"#)
    writer.optionalString(inserted)
    writer.fragment(#","removed":"#)
    writer.optionalString(removed)
    if !isPartial, leavesComposition == nil, expectedEdits == 0 {
      // Most transitions have these values.
      writer.fragment(#","isPartial":false,"leavesComposition":null,"expectedEdits":0"#)
    } else {
      writer.fragment(#","isPartial":"#)
      writer.bool(isPartial)
      writer.fragment(#","leavesComposition":"#)
      if let leavesComposition { writer.bool(leavesComposition) } else { writer.fragment("null") }
      writer.fragment(#","expectedEdits":"#)
      writer.integer(expectedEdits)
    }
    if expected.isEmpty, unfulfilled.isEmpty {
      writer.fragment(#","expected":[],"unfulfilled":[]}"#)
      return
    }
    writer.fragment(#","expected":"#)
    writer.list(expected)
    writer.fragment(#","unfulfilled":"#)
    writer.list(unfulfilled)
    writer.fragment("}")
  }
}

extension Answer {
  /// Writes the interface's `Transition`.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .keystroke(let keystroke): keystroke.write(to: &writer)
    case .transition(let transition): transition.write(to: &writer)
    }
  }
}

extension Keystroke {
  /// Writes what its `transition` would; all but the text and its length in UTF-16 is the same for each.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.fragment(
      #"{"kind":"insertion","basicKind":"outOfRangeTap","certainty":"certain","alternatives":[]"#)
    writer.fragment(#","cursorOffset":{"scalars":1,"utf16":"#)
    writer.integer(cursorOffset.utf16)
    writer.fragment(#","graphemes":1},"inserted":"#)
    writer.string(text)
    writer.fragment(#","removed":null,"isPartial":false,"leavesComposition":null"#)
    writer.fragment(#","expectedEdits":0,"expected":[],"unfulfilled":[]}"#)
  }
}

extension Extent {
  /// Reads the interface's `Extent`.
  init(json: JSONValue) throws(MessageError) {
    try json.requireObject()
    self.init(scalars: 0, utf16: 0, graphemes: 0)
    try json.forEachMember { name, value throws(MessageError) in
      switch name {
      case "scalars": scalars = try value.int("scalars")
      case "utf16": utf16 = try value.int("utf16")
      case "graphemes": graphemes = try value.int("graphemes")
      default: break
      }
    }
  }

  /// Writes the interface's `Extent`.
  func write(to writer: inout JSONWriter) {
    writer.fragment(#"{"scalars":"#)
    writer.integer(scalars)
    writer.fragment(#","utf16":"#)
    writer.integer(utf16)
    writer.fragment(#","graphemes":"#)
    writer.integer(graphemes)
    writer.fragment("}")
  }
}

extension JSONWriter {
  fileprivate mutating func list(_ numbers: [Int]) {
    beginArray()
    for number in numbers { integer(number) }
    endArray()
  }
}
