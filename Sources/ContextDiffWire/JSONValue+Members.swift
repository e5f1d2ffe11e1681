internal import ContextDiff
internal import JSON
internal import Varlink

// What the interface's types have in common. Each reads the value of the member that it is given
// the name of, and says what it must be where it is something else. `optional` takes null as absent.

extension JSONValue {
  func text(_ name: String, limit: Int = .max) throws(MessageError) -> String {
    try bytes(name, limit: limit).string
  }

  /// A text where it lies, valid as long as the value is.
  func bytes(_ name: String, limit: Int = .max) throws(MessageError) -> Bytes {
    guard let utf8 = unsafe utf8 else { throw .mustBe("a string", name) }
    guard utf8.count <= limit else { throw MessageError(name, .tooLong(limit: limit)) }
    // Unsafe: valid as said above.
    return unsafe Bytes(utf8)
  }

  /// As `bytes`; null is a field that is not shown.
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
    guard let integer, range.contains(integer) else { throw .mustBe(range.words, name) }
    return integer
  }

  func optionalInt(_ name: String, within range: ClosedRange<Int> = .min ... .max)
    throws(MessageError) -> Int?
  {
    isNull ? nil : try int(name, within: range)
  }

  /// A length or a count: an integer that is not negative.
  func count(_ name: String) throws(MessageError) -> Int {
    try int(name, within: 0 ... .max)
  }

  func optionalCount(_ name: String) throws(MessageError) -> Int? {
    isNull ? nil : try count(name)
  }

  /// A value of one of the interface's enumerations, by its name there.
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

  /// An array, each element read by `element`.
  func list<Element>(
    _ name: String, of element: (JSONValue) throws(MessageError) -> Element
  ) throws(MessageError) -> [Element] {
    guard isArray else { throw .mustBe("an array", name) }
    var elements: [Element] = []
    try forEachElement { value throws(MessageError) in elements.append(try element(value)) }
    return elements
  }

  func optionalList<Element>(
    _ name: String, of element: (JSONValue) throws(MessageError) -> Element
  ) throws(MessageError) -> [Element]? {
    isNull ? nil : try list(name, of: element)
  }

  /// A type of the interface, its own errors seen from here.
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

  /// Throws where the value is no object.
  func requireObject() throws(MessageError) {
    guard isObject else { throw .mustBe("an object", "") }
  }
}

extension JSONName {
  /// The error of a member of this name, where the object has members of the names in `known` alone.
  ///
  /// For what clients send: a typo must not be taken for something left out. What the daemon sends
  /// may have members that a client does not know yet.
  func unknown(_ known: MessageError.StaticNames) -> MessageError {
    MessageError("", .unknown(name: isIdentifier ? string : nil, known: known))
  }
}

extension ClosedRange<Int> {
  /// `an integer`, with its bounds where it has any.
  fileprivate var words: String {
    switch (lowerBound, upperBound) {
    case (.min, .max): "an integer"
    case (_, .max): "an integer of at least \(lowerBound)"
    default: "an integer from \(lowerBound) to \(upperBound)"
    }
  }
}

extension JSONWriter {
  mutating func string(_ text: Bytes) {
    // Unsafe: copied at once.
    unsafe string(utf8: text.utf8)
  }

  mutating func optionalString(_ value: String?) {
    if let value { string(value) } else { fragment("null") }
  }

  /// Writes `name` and the value, or nothing where there is none.
  mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    string(value)
  }

  mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    self.name(name)
    integer(value)
  }

  mutating func member(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    self.name(name)
    bool(value)
  }
}
