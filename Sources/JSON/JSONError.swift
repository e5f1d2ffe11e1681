/// Why bytes are not one JSON text.
///
/// Never holds any of the bytes.
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
    /// A backslash before something that JSON does not know.
    case invalidEscape
    /// A `\u` escape of half a surrogate pair.
    case loneSurrogate
    /// Not a number by RFC 8259: a leading zero or plus, no digit where one is due.
    case invalidNumber
    /// Two members of one object have the same name, however it is escaped.
    case duplicateName
    /// More objects and arrays within each other than the parser allows.
    case tooDeep
    /// More bytes than the parser can address (256 MiB).
    case tooLarge
    /// Something other than white space follows the value.
    case trailingBytes
  }

  /// The rule that was broken.
  public let reason: Reason
  /// Where, in bytes from the start of the text.
  public let offset: Int
}
