internal import ContextDiff

/// A session's name as it is told from others: by its scalars, where `String ==` takes a composed
/// and a decomposed character for one.
package struct SessionName: Hashable, Sendable {
  /// The name.
  package let text: String

  /// The name of that text.
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
