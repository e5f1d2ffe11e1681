/// A member's name: compared with a literal without building a string, so that a `switch` over
/// names costs little.
public struct JSONName {
  @usableFromInline let text: JSONText

  @inlinable
  init(text: JSONText) {
    self.text = text
  }

  /// The name as a string; for names that are data.
  @inlinable
  public var string: String { text.string }

  /// Whether it is a name such as interfaces have: a letter, then letters, digits and `_`, all ASCII,
  /// and 64 of them at most.
  ///
  /// What is none may be text that stands where a name belongs, and is not to be repeated.
  public var isIdentifier: Bool {
    func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }
    guard 1...64 ~= text.count, isLetter(text[0]) else { return false }
    for index in 1..<text.count {
      let byte = text[index]
      guard isLetter(byte) || 0x30...0x39 ~= byte || byte == UInt8(ascii: "_") else { return false }
    }
    return true
  }

  /// Whether the name, unescaped, has the same bytes as `pattern`.
  ///
  /// - Parameters:
  ///   - pattern: the name looked for.
  ///   - name: the name at hand.
  /// - Returns: whether they are the same.
  @inlinable
  @inline(__always)
  public static func ~= (pattern: StaticString, name: JSONName) -> Bool {
    name.text == pattern
  }
}
