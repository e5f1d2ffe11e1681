/// One pass over a text: checks everything and notes where each value is.
///
/// There is room for every entry and for all unescaped strings.
struct JSONRecorder {
  private var scanner: JSONScanner
  /// Where the next value's entry goes.
  private var entry: UnsafeMutablePointer<JSONEntry>
  /// Where the next escaped string's bytes go.
  private(set) var unescaped: UnsafeMutablePointer<UInt8>
  /// How many more objects and arrays may begin within each other.
  private var depthLeft: Int

  init(
    _ text: UnsafePointer<UInt8>, count: Int, entries: UnsafeMutablePointer<JSONEntry>,
    unescaped: UnsafeMutablePointer<UInt8>, maximumDepth: Int
  ) {
    scanner = JSONScanner(text, count: count)
    entry = entries
    self.unescaped = unescaped
    depthLeft = maximumDepth
  }

  /// Notes the one value of the text.
  mutating func record() throws(JSONError) {
    try recordValue(scanner.skipWhiteSpace())
    _ = scanner.skipWhiteSpace()
    guard scanner.next == scanner.end else { throw scanner.failure(.trailingBytes) }
  }

  /// Notes the value that begins with `byte`, here.
  @inline(__always)
  private mutating func recordValue(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "\""): _ = try recordString()
    case UInt8(ascii: "{"): try recordObject()
    default: try recordOther(byte)
    }
  }

  private mutating func recordOther(_ byte: UInt8) throws(JSONError) {
    let start = scanner.offset
    let kind: JSONEntry.Kind
    switch byte {
    case UInt8(ascii: "["): return try recordArray()
    case UInt8(ascii: "t"):
      try scanner.skip("true")
      kind = .true
    case UInt8(ascii: "f"):
      try scanner.skip("false")
      kind = .false
    case UInt8(ascii: "n"):
      try scanner.skip("null")
      kind = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      kind = try scanner.skipNumber() ? .integer : .number
    default: throw scanner.failure(.unexpectedByte)
    }
    note(JSONEntry(kind, offset: start, length: scanner.offset &- start))
  }

  @inline(__always)
  private mutating func note(_ noted: JSONEntry) {
    entry.pointee = noted
    entry += 1
  }

  // MARK: Containers

  private mutating func recordObject() throws(JSONError) {
    let object = try begin(.object)
    var names = NameSieve()
    var byte = scanner.skipWhiteSpace()
    if byte != UInt8(ascii: "}") {
      while true {
        guard byte == UInt8(ascii: "\"") else { throw scanner.failure(.unexpectedByte) }
        names.insert(try recordString(isName: true))
        guard scanner.skipWhiteSpace() == UInt8(ascii: ":") else {
          throw scanner.failure(.unexpectedByte)
        }
        scanner.next += 1
        try recordValue(scanner.skipWhiteSpace())
        byte = scanner.skipWhiteSpace()
        guard byte == UInt8(ascii: ",") else { break }
        scanner.next += 1
        byte = scanner.skipWhiteSpace()
      }
      guard byte == UInt8(ascii: "}") else { throw scanner.failure(.unexpectedByte) }
    }
    end(object)
    guard !names.mayRepeat || JSONValue(text: scanner.start, entry: object).hasUniqueNames else {
      throw scanner.failure(.duplicateName)
    }
    scanner.next += 1
  }

  private mutating func recordArray() throws(JSONError) {
    let array = try begin(.array)
    var byte = scanner.skipWhiteSpace()
    if byte != UInt8(ascii: "]") {
      while true {
        try recordValue(byte)
        byte = scanner.skipWhiteSpace()
        guard byte == UInt8(ascii: ",") else { break }
        scanner.next += 1
        byte = scanner.skipWhiteSpace()
      }
      guard byte == UInt8(ascii: "]") else { throw scanner.failure(.unexpectedByte) }
    }
    end(array)
    scanner.next += 1
  }

  /// Moves over the bracket that begins a container, and notes that; how long it is, only `end`
  /// knows.
  @inline(__always)
  private mutating func begin(
    _ kind: JSONEntry.Kind
  ) throws(JSONError) -> UnsafeMutablePointer<JSONEntry> {
    guard depthLeft > 0 else { throw scanner.failure(.tooDeep) }
    depthLeft &-= 1
    let container = entry
    note(JSONEntry(kind, offset: scanner.offset, length: 0))
    scanner.next += 1
    return container
  }

  @inline(__always)
  private mutating func end(_ container: UnsafeMutablePointer<JSONEntry>) {
    depthLeft &+= 1
    container.pointee = JSONEntry(
      container.pointee.kind, offset: Int(container.pointee.offset), length: entry - container)
  }

  // MARK: Strings

  /// Notes the string that begins here: a value or a member's name.
  ///
  /// Gives its bytes as they stand in the text; none where they are escaped.
  @inline(__always)
  private mutating func recordString(isName: Bool = false) throws(JSONError) -> JSONText {
    scanner.next += 1
    let start = scanner.next
    let isEscaped = try isName ? scanner.skipName() : scanner.skipString()
    let text = JSONText(start: start, count: scanner.next - start)
    scanner.next += 1
    if isEscaped {
      recordEscaped(text)
      return JSONText(start: start, count: 0)
    }
    note(JSONEntry(.string, offset: start - scanner.start, length: text.count))
    return text
  }

  private mutating func recordEscaped(_ text: JSONText) {
    let length = unescaped.unescape(text.bytes)
    note(
      JSONEntry(
        .escapedString, offset: UnsafeRawPointer(unescaped) - UnsafeRawPointer(entry),
        length: length))
    unescaped += length
  }
}

// MARK: - Names that stand twice

/// Clears the usual object of names that stand twice, without comparing any.
private struct NameSieve {
  private var bits: UInt64 = 0
  /// Whether a name may stand twice.
  private(set) var mayRepeat = false

  /// Adds a name; an empty one, or one that is escaped, may be any.
  @inline(__always)
  mutating func insert(_ name: JSONText) {
    guard name.count > 0 else {
      mayRepeat = true
      return
    }
    let (first, last) = (name.start.pointee, name.start[name.count &- 1])
    let sum =
      UInt64(first) &* 7 &+ UInt64(last) &* 3 &+ UInt64(truncatingIfNeeded: name.count)
    let bit = 1 as UInt64 &<< (sum & 63)
    if bits & bit != 0 { mayRepeat = true }
    bits |= bit
  }
}

extension JSONValue {
  /// Whether no two members have the same name: compared one by one, or hashed (with the process's
  /// random seed) where there are many.
  fileprivate var hasUniqueNames: Bool {
    if count > 16 {
      var names: Set<JSONText> = []
      var isUnique = true
      forEachMember { name, _ in isUnique = names.insert(name.text).inserted && isUnique }
      return isUnique
    }
    var isUnique = true
    forEachMember { name, value in
      forEachMember { other, otherValue in
        if otherValue.entry < value.entry, other.text == name.text { isUnique = false }
      }
    }
    return isUnique
  }
}
