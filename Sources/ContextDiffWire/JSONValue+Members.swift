internal import ContextDiff
internal import JSON
internal import Varlink

// How messages read and write their members. Each function reads the value of the member `name`; where the value is of
// another type, or outside its range, it throws a `MessageError` that says what the member must be. Those called
// `optional` return `nil` for null.

extension JSONValue {
  func text(_ name: String, limit: Int = .max) throws(MessageError) -> String {
    try bytes(name, limit: limit).string
  }

  /// A text of at most `limit` bytes of UTF-8, not copied: valid as long as the value is.
  func bytes(_ name: String, limit: Int = .max) throws(MessageError) -> Bytes {
    guard let utf8 = unsafe utf8 else { throw .mustBe("a string", name) }
    guard utf8.count <= limit else { throw MessageError(name, .tooLong(limit: limit)) }
    // Unsafe: valid as long as the value is.
    return unsafe Bytes(utf8)
  }

  /// A snapshot's field of at most `limit` bytes of UTF-8, not copied; null is a field that is not shown.
  func field(_ name: String, limit: Int) throws(MessageError) -> Field {
    isNull ? .hidden : Field(try bytes(name, limit: limit))
  }

  func optionalText(_ name: String, limit: Int = .max) throws(MessageError) -> String? {
    isNull ? nil : try text(name, limit: limit)
  }

  func flag(_ name: String) throws(MessageError) -> Bool {
    guard let bool else { throw .mustBe("true or false", name) }
    return bool
  }

  func optionalBool(_ name: String) throws(MessageError) -> Bool? {
    isNull ? nil : try flag(name)
  }

  func int(_ name: String, within range: ClosedRange<Int> = .min ... .max)
    throws(MessageError) -> Int
  {
    guard let integer else { throw .mustBe(range.words, name) }
    return try integer.checked(name, within: range)
  }

  func optionalInt(_ name: String, within range: ClosedRange<Int> = .min ... .max)
    throws(MessageError) -> Int?
  {
    isNull ? nil : try int(name, within: range)
  }

  /// An integer that is not negative, such as a length or a count.
  func count(_ name: String) throws(MessageError) -> Int {
    try int(name, within: 0 ... .max)
  }

  func optionalCount(_ name: String) throws(MessageError) -> Int? {
    isNull ? nil : try count(name)
  }

  /// A value of an enumeration whose raw values are its names in the interface.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, of: Choice.Type = Choice.self
  ) throws(MessageError) -> Choice {
    guard let string, let choice = Choice(rawValue: string) else {
      throw .mustBe("one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))", name)
    }
    return choice
  }

  func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, of: Choice.Type = Choice.self
  ) throws(MessageError) -> Choice? {
    isNull ? nil : try choice(name)
  }

  /// An array, each of whose elements `element` reads.
  func list<Element>(
    _ name: String, of element: (JSONValue) throws(MessageError) -> Element
  ) throws(MessageError) -> [Element] {
    guard isArray else { throw .mustBe("an array", name) }
    var elements: [Element] = []
    try forEachElement { value throws(MessageError) in elements.append(try element(value)) }
    return elements
  }

  /// An array of integers.
  func integers(_ name: String) throws(MessageError) -> [Int] {
    try list(name) { value throws(MessageError) in try value.int(name) }
  }

  func optionalList<Element>(
    _ name: String, of element: (JSONValue) throws(MessageError) -> Element
  ) throws(MessageError) -> [Element]? {
    isNull ? nil : try list(name, of: element)
  }

  /// A value that `read` reads; `name` is put before the paths of the errors that it throws.
  func value<Value>(
    _ name: String, _ read: (JSONValue) throws(MessageError) -> Value
  ) throws(MessageError) -> Value {
    do { return try read(self) } catch { throw error.within(name) }
  }

  func optionalValue<Value>(
    _ name: String, _ read: (JSONValue) throws(MessageError) -> Value
  ) throws(MessageError) -> Value? {
    isNull ? nil : try value(name, read)
  }

  /// Throws unless the value is an object.
  func requireObject() throws(MessageError) {
    guard isObject else { throw .mustBe("an object", "") }
  }
}

extension JSONName {
  /// The error that a member of this name is none of `known`.
  ///
  /// It is for messages of clients, in which a misspelt name must not pass as an omitted member. Messages of the daemon
  /// may have members that a client does not know yet.
  func unknown(_ known: MessageError.StaticNames) -> MessageError {
    MessageError("", .unknown(name: isIdentifier ? string : nil, known: known))
  }
}

extension JSONWriter {
  mutating func string(_ text: Bytes) {
    // Unsafe: copied at once.
    unsafe string(utf8: text.utf8)
  }

  /// Writes a string, behind its name; null for `nil`.
  mutating func optionalString(_ value: String?) {
    if let value { string(value) } else { fragment("null") }
  }
}
