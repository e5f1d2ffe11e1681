/// Reads JSON in the plainest way, to judge the fast reader by: the grammar of RFC 8259, one scalar
/// after the other.
struct ReferenceJSON {
  private struct NotJSON: Error {}

  private let scalars: [Unicode.Scalar]
  private var next = 0

  /// `nil` where `bytes` are not one JSON text, or one in which a name stands twice in an object.
  static func tree(_ bytes: [UInt8]) -> JSONTree? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var reader = ReferenceJSON(scalars: Array(text.unicodeScalars))
    guard let tree = try? reader.element(), reader.next == reader.scalars.count else { return nil }
    return tree
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private var current: Unicode.Scalar? { next < scalars.count ? scalars[next] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    next += 1
    return true
  }

  private mutating func takeOne() throws -> Unicode.Scalar {
    guard let current else { throw NotJSON() }
    next += 1
    return current
  }

  private mutating func element() throws -> JSONTree {
    skipSpace()
    let value = try value()
    skipSpace()
    return value
  }

  private mutating func skipSpace() {
    while let current, [" ", "\t", "\n", "\r"].contains(current) { next += 1 }
  }

  private mutating func value() throws -> JSONTree {
    switch current {
    case "{": return try object()
    case "[": return try array()
    case "\"": return .scalars(try string())
    case "t": return try literal("true", .bool(true))
    case "f": return try literal("false", .bool(false))
    case "n": return try literal("null", .null)
    default: return try number()
    }
  }

  private mutating func literal(_ text: String, _ value: JSONTree) throws -> JSONTree {
    for scalar in text.unicodeScalars { guard take(scalar) else { throw NotJSON() } }
    return value
  }

  private mutating func object() throws -> JSONTree {
    next += 1
    skipSpace()
    if take("}") { return .object([]) }
    var members: [JSONTree.Member] = []
    repeat {
      skipSpace()
      let name = try string()
      guard !members.contains(where: { $0.name == name }) else { throw NotJSON() }
      skipSpace()
      guard take(":") else { throw NotJSON() }
      members.append(JSONTree.Member(name: name, value: try element()))
    } while take(",")
    guard take("}") else { throw NotJSON() }
    return .object(members)
  }

  private mutating func array() throws -> JSONTree {
    next += 1
    skipSpace()
    if take("]") { return .array([]) }
    var elements: [JSONTree] = []
    repeat {
      elements.append(try element())
    } while take(",")
    guard take("]") else { throw NotJSON() }
    return .array(elements)
  }

  private mutating func string() throws -> [Unicode.Scalar] {
    guard take("\"") else { throw NotJSON() }
    var scalars: [Unicode.Scalar] = []
    while true {
      let scalar = try takeOne()
      if scalar == "\"" { return scalars }
      guard scalar.value >= 0x20 else { throw NotJSON() }
      scalars.append(scalar == "\\" ? try escape() : scalar)
    }
  }

  private mutating func escape() throws -> Unicode.Scalar {
    switch try takeOne() {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let unit = try unit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard take("\\"), take("u") else { throw NotJSON() }
      let pair = String(decoding: [UInt16(unit), UInt16(try self.unit())], as: UTF16.self)
      guard pair.unicodeScalars.count == 1, let scalar = pair.unicodeScalars.first,
        scalar != "\u{FFFD}"
      else { throw NotJSON() }
      return scalar
    default: throw NotJSON()
    }
  }

  private mutating func unit() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let scalar = try takeOne()
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { throw NotJSON() }
      value = value * 16 + UInt32(digit)
    }
    return value
  }

  private mutating func number() throws -> JSONTree {
    let start = next
    _ = take("-")
    if !take("0") { try digits() }
    var isInteger = true
    if take(".") {
      isInteger = false
      try digits()
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<next])
    if isInteger, let integer = Int(String(text)) { return .integer(integer) }
    guard let number = Double(String(text)) else { throw NotJSON() }
    // What no Double can hold reads as no number, but is JSON.
    return number.isFinite ? .number(number) : .null
  }

  private mutating func digits() throws {
    let start = next
    while let current, ("0"..."9").contains(current) { next += 1 }
    guard next > start else { throw NotJSON() }
  }
}
