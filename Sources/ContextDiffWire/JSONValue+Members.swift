internal import ContextDiff
internal import JSON
internal import Varlink

// What the interface's types have in common. Each reads the value of the member that it is given
// the name of, and names it where the value is of another type. `optional` takes null as absent.

extension JSONValue {
  func text(_ name: String, limit: Int = .max) throws(MessageError) -> String {
    try bytes(name, limit: limit).string
  }

  /// A text where it lies, valid as long as the value is.
  func bytes(_ name: String, limit: Int = .max) throws(MessageError) -> Bytes {
    guard let utf8 else { throw .invalid(name) }
    guard utf8.count <= limit else { throw .tooLarge(.init(name), limit: limit) }
    return Bytes(utf8)
  }

  /// As `bytes`; null is a field that is not shown.
  func field(_ name: String, limit: Int) throws(MessageError) -> Field {
    isNull ? .hidden : Field(try bytes(name, limit: limit))
  }

  func optionalText(_ name: String, limit: Int = .max) throws(MessageError) -> String? {
    isNull ? nil : try text(name, limit: limit)
  }

  func flag(_ name: String) throws(MessageError) -> Bool {
    guard let bool else { throw .invalid(name) }
    return bool
  }

  func optionalBool(_ name: String) throws(MessageError) -> Bool? {
    isNull ? nil : try flag(name)
  }

  func int(_ name: String) throws(MessageError) -> Int {
    guard let integer else { throw .invalid(name) }
    return integer
  }

  func optionalInt(_ name: String) throws(MessageError) -> Int? {
    isNull ? nil : try int(name)
  }

  /// A length or a count: an integer that is not negative.
  func count(_ name: String) throws(MessageError) -> Int {
    let value = try int(name)
    guard value >= 0 else { throw .invalid(name) }
    return value
  }

  /// A value of one of the interface's enumerations, by its name there.
  func choice<Choice: RawRepresentable<String>>(
    _ name: String, of: Choice.Type = Choice.self
  ) throws(MessageError) -> Choice {
    guard let string, let choice = Choice(rawValue: string) else { throw .invalid(name) }
    return choice
  }

  func optionalChoice<Choice: RawRepresentable<String>>(
    _ name: String, of: Choice.Type = Choice.self
  ) throws(MessageError) -> Choice? {
    isNull ? nil : try choice(name)
  }

  /// An array, each element read by `element`.
  func list<Element>(
    _ name: String, of element: (JSONValue) throws(MessageError) -> Element
  ) throws(MessageError) -> [Element] {
    guard isArray else { throw .invalid(name) }
    var elements: [Element] = []
    try forEachElement { value throws(MessageError) in elements.append(try element(value)) }
    return elements
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
}

extension JSONWriter {
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
