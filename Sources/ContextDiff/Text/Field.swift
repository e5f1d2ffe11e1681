/// One field of a snapshot, borrowed.
package struct Field {
  package let bytes: Bytes
  /// Whether the host shows this field at all; `false` is `nil`, which differs from `""`.
  package let isShown: Bool

  package init(_ bytes: Bytes, isShown: Bool = true) {
    self.bytes = bytes
    self.isShown = isShown
  }

  package static var hidden: Field { Field(.empty, isShown: false) }

  var isEmpty: Bool { bytes.isEmpty }

  package var string: String? { isShown ? bytes.string : nil }

  @inline(__always) static func == (left: Field, right: Field) -> Bool {
    left.isShown == right.isShown && left.bytes == right.bytes
  }
}

/// A snapshot, borrowed.
package struct Fields {
  package let before: Field
  package let selected: Field
  package let after: Field
  package let hasText: Bool?

  package init(before: Field, selected: Field, after: Field, hasText: Bool? = nil) {
    self.before = before
    self.selected = selected
    self.after = after
    self.hasText = hasText
  }

  /// What a host shows that shows nothing.
  package static var hidden: Fields { Fields(before: .hidden, selected: .hidden, after: .hidden) }

  /// The three fields joined.
  var all: Joined { Joined(before.bytes, selected.bytes, after.bytes) }

  var isBlank: Bool { before.isEmpty && selected.isEmpty && after.isEmpty }

  @inline(__always) static func == (left: Fields, right: Fields) -> Bool {
    left.before == right.before && left.selected == right.selected && left.after == right.after
  }
}

extension Optional where Wrapped == String {
  /// Lends the text's UTF-8 to `body`, once.
  func lend(to body: (Field) -> Void) {
    guard let text = self else { return body(.hidden) }
    text.lend { body(Field($0)) }
  }
}

extension String {
  /// Lends the text's UTF-8 to `body`, once.
  ///
  /// Seven of these nest for a pair. So nothing is returned through them, and there is one call of
  /// `body` and no inlining: each further call would double the code of the innermost.
  @inline(never)
  func lend(to body: (Bytes) -> Void) {
    if utf8.withContiguousStorageIfAvailable({ body(Bytes($0)) }) == nil {
      String(decoding: Array(utf8), as: UTF8.self).lend(to: body)
    }
  }

  /// Lends the text's UTF-8 to `body`.
  package func withBytes<Result>(_ body: (Bytes) -> Result) -> Result {
    var copy = self
    return copy.withUTF8 { body(Bytes($0)) }
  }
}

extension Optional where Wrapped == Snapshot {
  /// Lends the snapshot's UTF-8 to `body`, once.
  func lend(to body: (Fields?) -> Void) {
    guard let snapshot = self else { return body(nil) }
    snapshot.lend { body($0) }
  }
}

extension Snapshot {
  /// A copy of what is lent.
  package init(_ fields: Fields) {
    self.init(
      before: fields.before.string, selected: fields.selected.string, after: fields.after.string,
      hasText: fields.hasText)
  }

  /// Lends the snapshot's UTF-8 to `body`, once.
  package func lend(to body: (Fields) -> Void) {
    Snapshot.lend(before, selected, after, hasText, to: body)
  }

  /// Takes the fields one by one: a closure would copy the snapshot to hold it.
  private static func lend(
    _ before: String?, _ selected: String?, _ after: String?, _ hasText: Bool?,
    to body: (Fields) -> Void
  ) {
    before.lend { before in
      selected.lend { selected in
        after.lend { after in
          body(Fields(before: before, selected: selected, after: after, hasText: hasText))
        }
      }
    }
  }

  /// Lends the snapshot's UTF-8 to `body`.
  package func withFields<Result>(_ body: (Fields) -> Result) -> Result {
    var result: Result?
    lend { result = body($0) }
    guard let result else { preconditionFailure("the text was not lent") }
    return result
  }
}
