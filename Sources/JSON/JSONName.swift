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
