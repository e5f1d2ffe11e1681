/// Reads a Varlink interface definition: checks its grammar and notes the names that a server
/// needs.
///
/// Grammar: <https://varlink.org/Interface-Definition>. Types are checked for their shape, not for
/// being defined.
struct IDLReader {
  private(set) var name = ""
  private(set) var methods: [String] = []

  private let bytes: [UInt8]
  private var next = 0
  private var names: Set<String> = []

  init(_ description: String) {
    bytes = Array(description.utf8)
  }

  mutating func readInterface() throws(VarlinkInterface.DescriptionError) {
    skipSpace()
    guard word() == "interface" else { throw failure("expected 'interface'") }
    skipSpace()
    name = word { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    guard Self.isInterfaceName(name) else { throw failure("expected an interface's name") }
    skipSpace()
    while next < bytes.count {
      try readMember()
      skipSpace()
    }
  }

  private mutating func readMember() throws(VarlinkInterface.DescriptionError) {
    let keyword = word()
    guard ["type", "method", "error"].contains(keyword) else {
      throw failure("expected 'type', 'method' or 'error'")
    }
    skipSpace()
    let member = word()
    guard let first = member.utf8.first, UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first else {
      throw failure("expected a name that begins with a capital letter")
    }
    guard names.insert(member).inserted else { throw failure("'\(member)' is defined twice") }
    skipSpace()
    switch keyword {
    case "method":
      methods.append(member)
      try readStruct()
      skipSpace()
      guard take("->") else { throw failure("expected '->'") }
      skipSpace()
      try readStruct()
    case "error":
      try readStruct()
    default:
      try readStructOrEnum(mustBeStruct: false)
    }
  }

  private mutating func readStruct() throws(VarlinkInterface.DescriptionError) {
    try readStructOrEnum(mustBeStruct: true)
  }

  /// Reads `(name: type, …)` or `(name, …)`.
  private mutating func readStructOrEnum(
    mustBeStruct: Bool
  ) throws(VarlinkInterface.DescriptionError) {
    guard take("(") else { throw failure("expected '('") }
    skipSpace()
    if take(")") { return }
    var isStruct: Bool?
    var fields: Set<String> = []
    repeat {
      skipSpace()
      let field = word()
      guard let first = field.utf8.first, first.isLetter else {
        throw failure("expected a field's name")
      }
      guard fields.insert(field).inserted else { throw failure("'\(field)' stands twice") }
      skipSpace()
      let hasType = take(":")
      guard hasType || !mustBeStruct, isStruct == nil || isStruct == hasType else {
        throw failure(hasType ? "expected no type" : "expected ':'")
      }
      isStruct = hasType
      if hasType {
        skipSpace()
        try readType()
        skipSpace()
      }
    } while take(",")
    guard take(")") else { throw failure("expected ',' or ')'") }
  }

  private mutating func readType() throws(VarlinkInterface.DescriptionError) {
    if take("?"), next < bytes.count, bytes[next] == UInt8(ascii: "?") {
      throw failure("expected a type")
    }
    while take("[]") || take("[string]") {
      _ = take("?")
    }
    guard next < bytes.count, bytes[next] != UInt8(ascii: "(") else {
      return try readStructOrEnum(mustBeStruct: false)
    }
    let type = word()
    guard let first = type.utf8.first else { throw failure("expected a type") }
    guard
      UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first
        || ["bool", "int", "float", "string", "object", "any"].contains(type)
    else { throw failure("'\(type)' is no type") }
  }

  // MARK: Words

  /// A name: reverse domain, two or more parts, each of letters, digits and inner hyphens; the
  /// first begins with a letter.
  private static func isInterfaceName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 2, name.utf8.first?.isLetter == true else { return false }
    return parts.allSatisfy { part in
      part.first?.isLetterOrDigit == true && part.last?.isLetterOrDigit == true
    }
  }

  private mutating func word(
    of isPart: (UInt8) -> Bool = { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  ) -> String {
    let start = next
    while next < bytes.count, isPart(bytes[next]) { next += 1 }
    return String(decoding: bytes[start..<next], as: UTF8.self)
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let end = next + text.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    // Unsafe: within the literal, which is as long.
    for index in next..<end where unsafe bytes[index] != text.utf8Start[index - next] {
      return false
    }
    next = end
    return true
  }

  /// Moves over white space and comments.
  private mutating func skipSpace() {
    while next < bytes.count {
      switch bytes[next] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        next += 1
      case UInt8(ascii: "#"):
        while next < bytes.count, bytes[next] != UInt8(ascii: "\n") { next += 1 }
      default:
        return
      }
    }
  }

  private func failure(_ reason: String) -> VarlinkInterface.DescriptionError {
    let line = bytes[..<next].count(where: { $0 == UInt8(ascii: "\n") }) + 1
    return VarlinkInterface.DescriptionError(reason: reason, line: line)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
  }

  fileprivate var isLetterOrDigit: Bool {
    isLetter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
  }
}
