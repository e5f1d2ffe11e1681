internal import ContextDiff

/// A session's name, equal to another where both have the same scalars; `String ==` takes a composed and a decomposed
/// character for equal.
package struct SessionName: Hashable, Sendable {
  /// The name's text.
  package let text: String

  /// The name with the text `text`.
  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: SessionName, right: SessionName) -> Bool {
    left.text.isSame(as: right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    // Unsafe: read while it is lent.
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
