/// A member's name, unescaped, which `switch` compares with literals without building a string.
///
/// Valid as long as the value that the member belongs to.
public struct JSONName {
  @usableFromInline let text: JSONText

  @inlinable
  init(text: JSONText) {
    self.text = text
  }

  /// A copy of the name, for names that are data.
  @inlinable
  public var string: String { text.string }

  /// Whether the name is an identifier as interfaces have them: a letter, then letters, digits and `_`, all ASCII, 64
  /// at most.
  ///
  /// Any other name may be text that was put where a name belongs: do not repeat it in errors or logs.
  public var isIdentifier: Bool {
    func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    guard 1...64 ~= text.count, isLetter(text[0]) else { return false }
    for index in 1..<text.count {
      let byte = text[index]
      guard isLetter(byte) || 0x30...0x39 ~= byte || byte == UInt8(ascii: "_") else { return false }
    }
    return true
  }

  /// Whether the name has the same bytes as `pattern`.
  ///
  /// - Parameters:
  ///   - pattern: the name looked for.
  ///   - name: the member's name.
  /// - Returns: whether they are the same.
  @inlinable
  @inline(__always)
  public static func ~= (pattern: StaticString, name: JSONName) -> Bool {
    name.text == pattern
  }
}
