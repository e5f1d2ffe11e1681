// The shape that the other rooms compile against.

/// Why bytes are not one JSON text. Never holds any of the bytes.
public struct JSONError: Error, Equatable {
}

/// Reads JSON texts (RFC 8259), each validated whole before anything of it is used.
public struct JSONParser: ~Copyable {
  public init(maximumDepth: Int = 64) {}

  /// The value of the one JSON text in `bytes`. It, and all that is reached from it, is valid until the next call, and
  /// only while `bytes` is.
  public mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue { fatalError() }
}

/// A value within a parsed text: a view, no copy.
public struct JSONValue {
  public var isNull: Bool { fatalError() }
  public var isObject: Bool { fatalError() }
  /// `nil` where the value is not of the type.
  public var bool: Bool? { fatalError() }
  /// `nil` where it is not an integer literal within Int64
  public var integer: Int? { fatalError() }
  public var string: String? { fatalError() }
  /// how many bytes the string has in UTF-8 once unescaped; nil where not a string. Without building it.
  public var stringByteCount: Int? { fatalError() }
  /// Calls `body` for each member in order. An absent value or a non-object has none.
  public func forEachMember<E: Error>(_ body: (JSONName, JSONValue) throws(E) -> Void) throws(E) { fatalError() }
  public func forEachElement<E: Error>(_ body: (JSONValue) throws(E) -> Void) throws(E) { fatalError() }
  public var isArray: Bool { fatalError() }
}

/// A member's name: compared with a literal without building a string, so that a `switch` over names costs little.
public struct JSONName {
  public static func ~= (pattern: StaticString, name: JSONName) -> Bool { fatalError() }
  public var string: String { fatalError() }
}

/// Writes JSON into a buffer that it grows and reuses.
public struct JSONWriter: ~Copyable {
  public mutating func beginObject() { fatalError() }
  public mutating func endObject() { fatalError() }
  public mutating func beginArray() { fatalError() }
  public mutating func endArray() { fatalError() }
  /// Writes the comma where one is due, and the name.
  public mutating func name(_ name: StaticString) { fatalError() }
  /// for keys that are data
  public mutating func name(_ name: String) { fatalError() }
  public mutating func string(_ value: String) { fatalError() }
  public mutating func integer(_ value: Int) { fatalError() }
  public mutating func bool(_ value: Bool) { fatalError() }
  public mutating func null() { fatalError() }
}
