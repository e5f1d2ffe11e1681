/// Reads a Varlink interface definition: checks its grammar and notes the names of the interface and its methods.
///
/// The grammar is that of <https://varlink.org/Interface-Definition>. Whether a named type is defined is not checked.
struct IDLReader {
  /// The interface's name.
  private(set) var name = ""
  /// The methods' names, without the interface's, in the definition's order.
  private(set) var methods: [String] = []

  private let bytes: [UInt8]
  /// The offset of the next byte to be read.
  private var next = 0
  /// The names of all types, methods and errors read so far.
  private var names: Set<String> = []

  init(_ description: String) {
    bytes = Array(description.utf8)
  }

  /// Reads the whole definition.
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

  /// Reads a type, a method or an error.
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

  /// Reads a struct, `(name: type, …)`, or, unless `mustBeStruct`, an enum, `(name, …)`.
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

  /// Reads a type: a name, a struct or an enum, behind any of `?`, `[]` and `[string]`.
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

  /// Whether `name`, of letters, digits, dots and hyphens, is a reverse domain: two or more parts joined by dots, none
  /// beginning or ending with a hyphen, the first one beginning with a letter.
  private static func isInterfaceName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 2, name.utf8.first?.isLetter == true else { return false }
    return parts.allSatisfy { part in
      part.first?.isLetterOrDigit == true && part.last?.isLetterOrDigit == true
    }
  }

  /// Moves over the bytes that `isPart` accepts and returns them; empty where the next byte is none of these.
  private mutating func word(
    of isPart: (UInt8) -> Bool = { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  ) -> String {
    let start = next
    while next < bytes.count, isPart(bytes[next]) { next += 1 }
    return String(decoding: bytes[start..<next], as: UTF8.self)
  }

  /// Moves over `text` and returns `true` if that is next; otherwise does not move.
  private mutating func take(_ text: StaticString) -> Bool {
    let end = next + text.utf8CodeUnitCount
    guard end <= bytes.count else { return false }
    // Unsafe: every index is within the literal.
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

  /// The error at the next byte.
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
