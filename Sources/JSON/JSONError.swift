/// Why bytes are not one JSON text, and where; it holds none of the bytes, so that it can be logged.
public struct JSONError: Error, Hashable, Sendable {
  /// The rule that was broken.
  public enum Reason: Hashable, Sendable {
    /// The bytes end within a value.
    case unexpectedEnd
    /// A byte that may not stand where it does.
    case unexpectedByte
    /// A control character (U+0000 to U+001F) within a string, not escaped.
    case controlCharacter
    /// Not UTF-8: a stray, missing or overlong sequence, a surrogate, or a value above U+10FFFF.
    case invalidUTF8
    /// A backslash before a character that JSON has no escape for, or before `u` and less than four hexadecimal digits.
    case invalidEscape
    /// A `\u` escape of half a surrogate pair.
    case loneSurrogate
    /// A number in which a digit is due, and another character stands there: `-a`, `1.e5`.
    ///
    /// Others that are none by RFC 8259 break other rules first: `01` has ``trailingBytes`` behind its 0 (within an array
    /// or object, an ``unexpectedByte``), `+1` begins with an ``unexpectedByte``, and `1.` has an ``unexpectedEnd``.
    case invalidNumber
    /// Two members of one object have the same name, however it is escaped.
    case duplicateName
    /// More than `limit` objects and arrays within each other, which is what the parser allows.
    case tooDeep(limit: Int)
    /// 256 MiB or more, which the parser cannot address.
    case tooLarge
    /// Something other than white space follows the value.
    case trailingBytes
  }

  /// The rule that was broken.
  public let reason: Reason
  /// Where the rule was broken, in bytes from the start of the text.
  public let offset: Int
}

extension JSONError: CustomStringConvertible {
  /// The rule and the place in words: "a member that stands twice at byte 87"; the first byte is byte 1.
  public var description: String { "\(reason) at byte \(offset + 1)" }
}

extension JSONError.Reason: CustomStringConvertible {
  /// The rule in words: "a member that stands twice".
  public var description: String {
    switch self {
    case .unexpectedEnd: "it ends too early"
    case .unexpectedByte: "an unexpected character"
    case .controlCharacter: "a control character in a string"
    case .invalidUTF8: "invalid UTF-8"
    case .invalidEscape: "an unknown escape"
    case .loneSurrogate: "half a surrogate pair"
    case .invalidNumber: "an invalid number"
    case .duplicateName: "a member that stands twice"
    case .tooDeep(let limit): "nested deeper than \(limit) objects and arrays"
    case .tooLarge: "256 MiB or more"
    case .trailingBytes: "something after the value"
    }
  }
}
