import JSON

/// A parsed value that stands for itself, members in order, strings compared by their scalars.
indirect enum JSONTree: Equatable, Sendable {
  struct Member: Equatable, Sendable {
    let name: [Unicode.Scalar]
    let value: JSONTree

    init(_ name: String, _ value: JSONTree) {
      self.name = Array(name.unicodeScalars)
      self.value = value
    }
  }

  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case scalars([Unicode.Scalar])
  case array([JSONTree])
  case object([Member])

  static func string(_ text: String) -> JSONTree { .scalars(Array(text.unicodeScalars)) }

  init(_ value: JSONValue) {
    if let bool = value.bool {
      self = .bool(bool)
    } else if let integer = value.integer {
      self = .integer(integer)
    } else if let number = value.double {
      self = .number(number)
    } else if let string = value.string {
      self = .string(string)
    } else if value.isArray {
      var elements: [JSONTree] = []
      value.forEachElement { elements.append(JSONTree($0)) }
      self = .array(elements)
    } else if value.isObject {
      var members: [Member] = []
      value.forEachMember { members.append(Member($0.string, JSONTree($1))) }
      self = .object(members)
    } else {
      self = .null
    }
  }

  /// Members in the order of their names, at every depth.
  var sorted: JSONTree {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.map { Member(name: $0.name, value: $0.value.sorted) }
          .sorted { $0.name.lexicographicallyPrecedes($1.name) })
    default: self
    }
  }
}

extension JSONTree.Member {
  init(name: [Unicode.Scalar], value: JSONTree) {
    self.name = name
    self.value = value
  }
}
