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

  /// Whether all of the visible text is one newline.
  var isNewline: Bool { all.count == 1 && all.first == .newline }

  /// Whether all of the visible text is one character without width, as some hosts show where there is no text: U+200B,
  /// U+2060 or U+FEFF.
  var isMarkWithoutWidth: Bool {
    // Each takes three bytes.
    all.count == 3
      && all.contiguous.withBytes { [0x200B, 0x2060, 0xFEFF].contains($0.firstScalar) }
  }

  /// Whether the three fields equal those of `other`, `nil` and `""` differing; what else the two tell may differ.
  @inline(__always) func showsSameTexts(as other: Fields) -> Bool {
    before == other.before && selected == other.selected && after == other.after
  }
}
