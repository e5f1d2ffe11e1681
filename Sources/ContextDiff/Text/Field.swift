/// One field of a snapshot, its text borrowed.
@usableFromInline package struct Field {
  @usableFromInline package let bytes: Bytes
  /// Whether the field is shown, were it as `""`; `false` stands for `nil`.
  @usableFromInline package let isShown: Bool

  @inlinable package init(_ bytes: Bytes, isShown: Bool = true) {
    self.bytes = bytes
    self.isShown = isShown
  }

  @inlinable package static var hidden: Field { Field(.empty, isShown: false) }

  var isEmpty: Bool { bytes.isEmpty }

  package var string: String? { isShown ? bytes.string : nil }

  @inline(__always) static func == (left: Field, right: Field) -> Bool {
    left.isShown == right.isShown && left.bytes == right.bytes
  }
}

// MARK: - Lending what strings hold

extension Optional where Wrapped == String {
  /// Lends the text's UTF-8 to `body`.
  @inline(__always) func lend<Result>(to body: (Field) -> Result) -> Result {
    let isShown = self != nil
    return (self ?? "").withBytes { body(Field($0, isShown: isShown)) }
  }
}

extension Optional where Wrapped == Snapshot {
  /// Lends the snapshot's UTF-8 to `body`.
  @inline(__always) func lend<Result>(to body: (Fields?) -> Result) -> Result {
    guard let snapshot = self else { return body(nil) }
    return snapshot.lend { body($0) }
  }
}

extension Snapshot {
  /// A copy of `fields`.
  package init(_ fields: Fields) {
    self.init(
      before: fields.before.string, selected: fields.selected.string, after: fields.after.string,
      hasText: fields.hasText, caret: fields.caret, selectionShown: fields.selectionShown)
  }

  /// Lends the snapshot's UTF-8 to `body`.
  @inline(__always) package func lend<Result>(to body: (Fields) -> Result) -> Result {
    before.lend { before in
      selected.lend { selected in
        after.lend { after in
          body(
            Fields(
              before: before, selected: selected, after: after, hasText: hasText, caret: caret,
              selectionShown: selectionShown))
        }
      }
    }
  }
}
