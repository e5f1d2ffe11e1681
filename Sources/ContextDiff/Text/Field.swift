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

/// A snapshot, its texts borrowed.
@usableFromInline package struct Fields {
  @usableFromInline package var before: Field
  @usableFromInline package var selected: Field
  @usableFromInline package var after: Field
  @usableFromInline package var hasText: Bool?
  @usableFromInline package var selectionShown: Bool?
  @usableFromInline package var caret: Int?
  /// Whether the host says `""` where others say null, as other snapshots of it tell.
  @usableFromInline var hostSaysEmpty = false

  @inlinable package init(
    before: Field, selected: Field, after: Field, hasText: Bool? = nil, caret: Int? = nil,
    selectionShown: Bool? = nil
  ) {
    self.before = before
    self.selected = selected
    self.after = after
    self.hasText = hasText
    self.caret = caret
    self.selectionShown = selectionShown
  }

  /// Whether the host says `""` where others say null: `before` is `""`, which no window shows, here or in other
  /// snapshots of it.
  @inlinable var saysEmpty: Bool {
    hostSaysEmpty || before.isShown && before.bytes.count == 0
  }

  /// A snapshot of which every field is `nil`.
  @inlinable package static var hidden: Fields {
    Fields(before: .hidden, selected: .hidden, after: .hidden)
  }

  /// The visible text: the three fields joined.
  var all: Joined { Joined(before.bytes, selected.bytes, after.bytes) }

  /// Whether all three texts are empty.
  var isEmpty: Bool { before.isEmpty && selected.isEmpty && after.isEmpty }

  /// Whether the three fields equal those of `other`, `nil` and `""` differing; what else the two tell may differ.
  @inline(__always) func showsSameTexts(as other: Fields) -> Bool {
    before == other.before && selected == other.selected && after == other.after
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
