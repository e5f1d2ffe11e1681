import JSON

/// A JSON value that stands for itself, so that it can be kept, compared and sent again.
enum JSONTree: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

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
      var members: [String: JSONTree] = [:]
      value.forEachMember { members[$0.string] = JSONTree($1) }
      self = .object(members)
    } else {
      self = .null
    }
  }

  init(text: String) throws {
    let parser = JSONParser()
    self = try Array(text.utf8).withUnsafeBytes { JSONTree(try parser.parse($0)) }
  }

  subscript(name: String) -> JSONTree? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  /// The object with the members of another one as well.
  func adding(_ other: JSONTree) -> JSONTree {
    guard case .object(let members) = self, case .object(let more) = other else { return self }
    return .object(members.merging(more) { $1 })
  }

  /// The object without the members, at any depth, that are null.
  var withoutNullMembers: JSONTree {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $1 != .null }.mapValues(\.withoutNullMembers))
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .number(let value): writer.double(value)
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      writeMembers(to: &writer)
      writer.endObject()
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    guard case .object(let members) = self else { return }
    for (name, value) in members {
      writer.name(name)
      value.write(to: &writer)
    }
  }
}
