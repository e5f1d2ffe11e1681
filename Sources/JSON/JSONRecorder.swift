/// The parser's one pass over a text: checks everything and notes an entry for each value.
///
/// Safe: every access to the text is checked. Whoever makes a recorder must have room for the entries and the unescaped
/// strings of any text of this length.
@safe
struct JSONRecorder {
  private let text: JSONBytes
  private var scanner: JSONScanner
  /// Where the next value's entry goes.
  private var entry: UnsafeMutablePointer<JSONEntry>
  /// Where the unescaped bytes of the next string with escapes go.
  private(set) var unescaped: UnsafeMutablePointer<UInt8>
  /// How many objects and arrays may stand within each other.
  private let maximumDepth: Int
  /// How many more of them may begin.
  private var depthLeft: Int

  @unsafe
  init(
    _ text: JSONBytes, entries: UnsafeMutablePointer<JSONEntry>,
    unescaped: UnsafeMutablePointer<UInt8>, maximumDepth: Int
  ) {
    self.text = text
    scanner = JSONScanner(text)
    unsafe entry = entries
    unsafe self.unescaped = unescaped
    self.maximumDepth = maximumDepth
    depthLeft = maximumDepth
  }

  /// Checks the whole text and notes the entries of its one value.
  mutating func record() throws(JSONError) {
    try recordValue(scanner.skipWhiteSpace())
    _ = scanner.skipWhiteSpace()
    guard scanner.rest.isEmpty else { throw scanner.failure(.trailingBytes) }
  }

  /// Checks and notes the value at the scanner's place, which begins with `byte`.
  @inline(__always)
  private mutating func recordValue(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "\""): _ = try recordString()
    case UInt8(ascii: "{"): try recordObject()
    default: try recordOther(byte)
    }
  }

  /// Does what `recordValue` does, for arrays, numbers, `true`, `false` and `null`.
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
    // Unsafe: there is room for every value of a text of this length.
    unsafe entry.pointee = noted
    unsafe entry += 1
  }

  // MARK: Containers

  private mutating func recordObject() throws(JSONError) {
    let object = unsafe try begin(.object)
    var names = NameSieve()
    var byte = scanner.skipWhiteSpace()
    if byte != UInt8(ascii: "}") {
      while true {
        guard byte == UInt8(ascii: "\"") else { throw scanner.failure(.unexpectedByte) }
        names.insert(try recordString(isName: true))
        guard scanner.skipWhiteSpace() == UInt8(ascii: ":") else {
          throw scanner.failure(.unexpectedByte)
        }
        scanner.rest.skip()
        try recordValue(scanner.skipWhiteSpace())
        byte = scanner.skipWhiteSpace()
        guard byte == UInt8(ascii: ",") else { break }
        scanner.rest.skip()
        byte = scanner.skipWhiteSpace()
      }
      guard byte == UInt8(ascii: "}") else { throw scanner.failure(.unexpectedByte) }
    }
    unsafe end(object)
    // Unsafe: all entries of the object are noted.
    guard unsafe !names.mayRepeat || JSONValue(text: text.start, entry: object).hasUniqueNames
    else {
      throw scanner.failure(.duplicateName)
    }
    scanner.rest.skip()
  }

  private mutating func recordArray() throws(JSONError) {
    let array = unsafe try begin(.array)
    var byte = scanner.skipWhiteSpace()
    if byte != UInt8(ascii: "]") {
      while true {
        try recordValue(byte)
        byte = scanner.skipWhiteSpace()
        guard byte == UInt8(ascii: ",") else { break }
        scanner.rest.skip()
        byte = scanner.skipWhiteSpace()
      }
      guard byte == UInt8(ascii: "]") else { throw scanner.failure(.unexpectedByte) }
    }
    unsafe end(array)
    scanner.rest.skip()
  }

  /// Moves over the bracket that begins a container, and notes the container's entry, of which `end` writes the length.
  @inline(__always)
  private mutating func begin(
    _ kind: JSONEntry.Kind
  ) throws(JSONError) -> UnsafeMutablePointer<JSONEntry> {
    guard depthLeft > 0 else { throw scanner.failure(.tooDeep(limit: maximumDepth)) }
    depthLeft &-= 1
    let container = unsafe entry
    note(JSONEntry(kind, offset: scanner.offset, length: 0))
    scanner.rest.skip()
    return unsafe container
  }

  /// Writes the length of a container, all of whose entries are noted.
  @inline(__always)
  private mutating func end(_ container: UnsafeMutablePointer<JSONEntry>) {
    depthLeft &+= 1
    // Unsafe: the entry that `begin` noted.
    unsafe container.pointee = JSONEntry(
      container.pointee.kind, offset: Int(container.pointee.offset), length: entry - container)
  }

  // MARK: Strings

  /// Checks and notes the string at the scanner's place: a value or a member's name.
  ///
  /// Returns the string's bytes; an empty text where it has escapes.
  @inline(__always)
  private mutating func recordString(isName: Bool = false) throws(JSONError) -> JSONText {
    scanner.rest.skip()
    let (start, rest) = (scanner.offset, scanner.rest)
    let isEscaped = try isName ? scanner.skipName() : scanner.skipString()
    let string = rest.prefix(scanner.offset &- start)
    scanner.rest.skip()
    if isEscaped {
      recordEscaped(string)
      return rest.prefix(0)
    }
    note(JSONEntry(.string, offset: start, length: string.count))
    return string
  }

  private mutating func recordEscaped(_ text: JSONText) {
    // Unsafe: there is room, for each string of the text is unescaped once.
    let length = unsafe unescaped.unescape(text)
    unsafe note(
      JSONEntry(
        .escapedString, offset: UnsafeRawPointer(unescaped) - UnsafeRawPointer(entry),
        length: length))
    unsafe unescaped += length
  }
}

// MARK: - Names that stand twice

/// Tells of most objects that no name stands twice, without comparing names: a Bloom filter of 64 bits.
private struct NameSieve {
  private var bits: UInt64 = 0
  /// Whether a name may stand twice.
  private(set) var mayRepeat = false

  /// Adds a name.
  ///
  /// An empty text stands for any name with escapes as well, and so for one that may stand twice.
  @inline(__always)
  mutating func insert(_ name: JSONText) {
    guard name.count > 0 else {
      mayRepeat = true
      return
    }
    let (first, last) = (name[0], name[name.count &- 1])
    let sum =
      UInt64(first) &* 7 &+ UInt64(last) &* 3 &+ UInt64(truncatingIfNeeded: name.count)
    let bit = 1 as UInt64 &<< (sum & 63)
    if bits & bit != 0 { mayRepeat = true }
    bits |= bit
  }
}

extension JSONValue {
  /// Whether no two members have the same name.
  ///
  /// Up to 16 names are compared with each other. More are put into a set, whose hash has the process's random seed, so
  /// that nobody can send names that make it slow.
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
        // Unsafe: two addresses, only compared.
        if unsafe otherValue.entry < value.entry, other.text == name.text { isUnique = false }
      }
    }
    return isUnique
  }
}
